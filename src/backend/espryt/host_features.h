// What the host's OpenGL ES has: version, extensions and limits, less what MOBILEGL_ESPRYT_HOST_LIMIT hides. Constant after
// construction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/espryt/host_api.h"

namespace mgl::espryt {

struct HostFeatures {
  u32 version = 0;  // 310, 320
  std::string renderer, versionText, vendor;
  std::vector<std::string> extensions;  // sorted

  // One word per mechanism that has a fallback or a cap.
  bool geometry = false, tessellation = false, sampleShading = false, borderClamp = false, cubeArray = false,
       textureBuffer = false, copyImage = false, independentBlend = false, multisampleArray = false;
  bool bufferStorage = false, baseInstance = false, baseVertex = false, blendFuncExtended = false, depthClamp = false,
       clipCullDistance = false, polygonOffsetClamp = false, srgbWriteControl = false, srgbDecode = false,
       anisotropic = false, mirrorClamp = false, norm16 = false, renderSnorm = false, colorFloat = false,
       colorHalfFloat = false, floatLinear = false, timerQuery = false, readDepth = false, readStencil = false,
       textureView = false, s3tc = false, s3tcSrgb = false, rgtc = false, bptc = false, astc = false, srgbR8 = false,
       srgbRg8 = false, debugLabel = false, clipControl = false, noperspective = false, framebufferFetch = false;

  i32 maxTextureUnits = 0, maxUniformBindings = 0, maxVertexAttribs = 0, maxVertexBindings = 0, maxColorTargets = 0,
      uniformAlignment = 0, texelBufferAlignment = 0, maxTexelBufferTexels = 0, maxVertexStride = 0,
      maxVertexOffset = 0;

  bool has(std::string_view extension) const;

  // REQUIRES a current context. `limit` hides extensions by name, and "GL_ES_3_2".
  static HostFeatures query(const Gl& gl, const std::vector<std::string>& limit);
};

}  // namespace mgl::espryt

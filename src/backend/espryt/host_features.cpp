#include "backend/espryt/host_features.h"

#include <algorithm>
#include <cstdio>

namespace mgl::espryt {

namespace {

std::string text(const Gl& gl, GLenum name) {
  const auto* found = reinterpret_cast<const char*>(gl.GetString(name));
  return found != nullptr ? found : "";
}

i32 integer(const Gl& gl, GLenum name) {
  GLint value = 0;
  gl.GetIntegerv(name, &value);
  return value;
}

}  // namespace

bool HostFeatures::has(std::string_view extension) const {
  return std::binary_search(extensions.begin(), extensions.end(), extension);
}

HostFeatures HostFeatures::query(const Gl& gl, const std::vector<std::string>& limit) {
  HostFeatures f;
  f.renderer = text(gl, GL_RENDERER);
  f.versionText = text(gl, GL_VERSION);
  f.vendor = text(gl, GL_VENDOR);
  const auto hidden = [&limit](std::string_view name) {
    return std::find(limit.begin(), limit.end(), name) != limit.end();
  };
  u32 major = 0, minor = 0;
  if (std::sscanf(f.versionText.c_str(), "OpenGL ES %u.%u", &major, &minor) == 2) f.version = major * 100 + minor * 10;
  if (f.version >= 320 && hidden("GL_ES_3_2")) f.version = 310;
  const i32 count = integer(gl, GL_NUM_EXTENSIONS);
  for (i32 i = 0; i < count; ++i) {
    const auto* name = reinterpret_cast<const char*>(gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
    if (name != nullptr && !hidden(name)) f.extensions.emplace_back(name);
  }
  std::sort(f.extensions.begin(), f.extensions.end());

  const auto either = [&f](std::string_view ext, std::string_view oes) {
    return f.version >= 320 || f.has(ext) || f.has(oes);
  };
  f.geometry = either("GL_EXT_geometry_shader", "GL_OES_geometry_shader");
  f.tessellation = either("GL_EXT_tessellation_shader", "GL_OES_tessellation_shader");
  f.sampleShading = either("", "GL_OES_sample_shading");
  f.borderClamp = either("GL_EXT_texture_border_clamp", "GL_OES_texture_border_clamp");
  f.cubeArray = either("GL_EXT_texture_cube_map_array", "GL_OES_texture_cube_map_array");
  f.textureBuffer = either("GL_EXT_texture_buffer", "GL_OES_texture_buffer");
  f.copyImage = either("GL_EXT_copy_image", "GL_OES_copy_image");
  f.independentBlend = either("GL_EXT_draw_buffers_indexed", "GL_OES_draw_buffers_indexed");
  f.multisampleArray = either("", "GL_OES_texture_storage_multisample_2d_array");
  f.baseVertex = either("GL_EXT_draw_elements_base_vertex", "GL_OES_draw_elements_base_vertex");
  f.bufferStorage = f.has("GL_EXT_buffer_storage");
  f.baseInstance = f.has("GL_EXT_base_instance");
  f.blendFuncExtended = f.has("GL_EXT_blend_func_extended");
  f.depthClamp = f.has("GL_EXT_depth_clamp");
  f.clipCullDistance = f.has("GL_EXT_clip_cull_distance");
  f.polygonOffsetClamp = f.has("GL_EXT_polygon_offset_clamp");
  f.srgbWriteControl = f.has("GL_EXT_sRGB_write_control");
  f.srgbDecode = f.has("GL_EXT_texture_sRGB_decode");
  f.anisotropic = f.has("GL_EXT_texture_filter_anisotropic");
  f.mirrorClamp = f.has("GL_EXT_texture_mirror_clamp_to_edge");
  f.norm16 = f.has("GL_EXT_texture_norm16");
  f.renderSnorm = f.has("GL_EXT_render_snorm");
  f.colorFloat = f.version >= 320 || f.has("GL_EXT_color_buffer_float");
  f.colorHalfFloat = f.colorFloat || f.has("GL_EXT_color_buffer_half_float");
  f.floatLinear = f.has("GL_OES_texture_float_linear");
  f.timerQuery = f.has("GL_EXT_disjoint_timer_query");
  f.readDepth = f.has("GL_NV_read_depth");
  f.readStencil = f.has("GL_NV_read_stencil");
  f.textureView = f.has("GL_EXT_texture_view");
  f.s3tc = f.has("GL_EXT_texture_compression_s3tc");
  f.s3tcSrgb = f.has("GL_EXT_texture_compression_s3tc_srgb");
  f.rgtc = f.has("GL_EXT_texture_compression_rgtc");
  f.bptc = f.has("GL_EXT_texture_compression_bptc");
  f.astc = f.has("GL_KHR_texture_compression_astc_ldr");
  f.srgbR8 = f.has("GL_EXT_texture_sRGB_R8");
  f.srgbRg8 = f.has("GL_EXT_texture_sRGB_RG8");
  f.debugLabel = f.has("GL_EXT_debug_label");
  f.clipControl = f.has("GL_EXT_clip_control");
  f.noperspective = f.has("GL_NV_shader_noperspective_interpolation");
  f.framebufferFetch = f.has("GL_EXT_shader_framebuffer_fetch");

  f.maxTextureUnits = integer(gl, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
  f.maxUniformBindings = integer(gl, GL_MAX_UNIFORM_BUFFER_BINDINGS);
  f.maxVertexAttribs = integer(gl, GL_MAX_VERTEX_ATTRIBS);
  f.maxVertexBindings = integer(gl, GL_MAX_VERTEX_ATTRIB_BINDINGS);
  f.maxVertexStride = integer(gl, GL_MAX_VERTEX_ATTRIB_STRIDE);
  f.maxVertexOffset = integer(gl, GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET);
  f.maxColorTargets = std::min(integer(gl, GL_MAX_DRAW_BUFFERS), integer(gl, GL_MAX_COLOR_ATTACHMENTS));
  f.uniformAlignment = std::max(integer(gl, GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT), 1);
  if (f.textureBuffer) {
    f.texelBufferAlignment = std::max(integer(gl, GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT), 1);
    f.maxTexelBufferTexels = integer(gl, GL_MAX_TEXTURE_BUFFER_SIZE);
  }
  while (gl.GetError() != GL_NO_ERROR) {
  }
  return f;
}

}  // namespace mgl::espryt

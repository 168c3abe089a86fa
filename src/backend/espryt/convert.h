// The one place that knows both vocabularies: the pipe's enums and OpenGL ES's. Pure; any thread.
#pragma once

#include "backend/espryt/host_features.h"
#include "pipe/caps.h"
#include "pipe/payloads_object.h"

namespace mgl::espryt {

using format::Format;

// How an image of a pipe format is held on this host.
struct HostFormat {
  GLenum internal = 0;               // sized internal format; 0: not to be had
  GLenum format = 0, type = 0;       // what uploads take: the memory layout of `stored`; 0 for compressed formats
  Format stored = Format::None;      // the pipe format that the host really holds
  bool sameMemory = true;            // the pipe format's memory is `stored`'s, byte for byte
  bool opaque = false;               // alpha is not the format's: it is 1 in memory and writes leave it alone
  std::array<GLenum, 4> swizzle{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
  // What glReadPixels gives of it, and the pipe format whose memory that is.
  GLenum readFormat = 0, readType = 0;
  Format readAs = Format::None;
  // Found by trying, once, on this host.
  bool renderable = false;
  bool ok() const { return internal != 0; }
};

class FormatTable {
 public:
  // REQUIRES a current context.
  FormatTable(const Gl& gl, const HostFeatures& features);
  const HostFormat& operator[](Format format) const { return rows_[indexOf(format)]; }

 private:
  std::array<HostFormat, countOf<Format>()> rows_{};
};

GLenum textureTarget(pipe::TextureTarget target);  // of the host: 1D and rectangle are 2D, 1D arrays 2D arrays
bool isArrayOrVolume(GLenum target);               // takes the 3D entry points
GLenum primitive(pipe::Primitive mode);
GLenum indexType(pipe::IndexType type);
u32 indexBytes(pipe::IndexType type);
GLenum compareOp(pipe::CompareOp op);
GLenum stencilOp(pipe::StencilOp op);
GLenum blendFactor(pipe::BlendFactor factor);
GLenum blendOp(pipe::BlendOp op);
GLenum minFilter(const pipe::SamplerState& state);
GLenum magFilter(const pipe::SamplerState& state);
GLenum wrap(pipe::Wrap wrap, const pipe::SamplerState& state, const HostFeatures& features);
GLenum swizzle(const HostFormat& host, pipe::Swizzle swizzle);  // the texture's after the format's own

// 0: OpenGL ES has no such vertex type, or not in this class.
GLenum vertexType(const pipe::VertexAttrib& attrib);

// The caps of a session on this host.
pipe::Caps makeCaps(const Gl& gl, const HostFeatures& features, const FormatTable& formats);

}  // namespace mgl::espryt

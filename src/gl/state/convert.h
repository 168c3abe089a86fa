// GLenum to the pipe's dense words and back, for fixed-function state. from*(…) answers nothing for an enum that is not
// in the table of the command; gl(…) is total.
#pragma once

#include <optional>

#include "gl/api.h"
#include "pipe/enums.h"

namespace mgl::gl {

std::optional<pipe::CompareOp> fromCompare(GLenum func);
std::optional<pipe::StencilOp> fromStencilOp(GLenum op);
std::optional<pipe::BlendFactor> fromBlendFactor(GLenum factor);
std::optional<pipe::BlendOp> fromBlendEquation(GLenum mode);
std::optional<pipe::LogicOp> fromLogicOp(GLenum op);
std::optional<pipe::CullMode> fromCullFace(GLenum mode);
std::optional<pipe::PolygonMode> fromPolygonMode(GLenum mode);
// The dense order is GL's: pipe::Primitive has the same numbers.
inline bool isPrimitive(GLenum mode, bool core) {
  return mode <= GL_PATCHES && !(core && mode - GL_QUADS <= GL_POLYGON - GL_QUADS);
}
inline std::optional<pipe::Primitive> fromPrimitive(GLenum mode, bool core) {
  if (!isPrimitive(mode, core)) return std::nullopt;
  return static_cast<pipe::Primitive>(mode);
}

GLenum gl(pipe::CompareOp op);
GLenum gl(pipe::StencilOp op);
GLenum gl(pipe::BlendFactor factor);
GLenum gl(pipe::BlendOp op);
GLenum gl(pipe::LogicOp op);
GLenum gl(pipe::CullMode mode);
GLenum gl(pipe::PolygonMode mode);

}  // namespace mgl::gl

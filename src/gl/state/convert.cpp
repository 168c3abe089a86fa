#include "gl/state/convert.h"

#include <array>

namespace mgl::gl {

namespace {

// Tables in the order of the dense enum.
constexpr std::array kStencilOps = {GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};
constexpr std::array kBlendFactors = {GL_ZERO, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_DST_COLOR, GL_ONE_MINUS_DST_COLOR,
                                      GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA, GL_CONSTANT_COLOR,
                                      GL_ONE_MINUS_CONSTANT_COLOR, GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA,
                                      GL_SRC_ALPHA_SATURATE, GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR, GL_SRC1_ALPHA,
                                      GL_ONE_MINUS_SRC1_ALPHA};
constexpr std::array kBlendOps = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX};
constexpr std::array kCullModes = {GL_NONE, GL_FRONT, GL_BACK, GL_FRONT_AND_BACK};
constexpr std::array kPolygonModes = {GL_FILL, GL_LINE, GL_POINT};
static_assert(kStencilOps.size() == countOf<pipe::StencilOp>());
static_assert(kBlendFactors.size() == countOf<pipe::BlendFactor>());
static_assert(kCullModes.size() == countOf<pipe::CullMode>());
static_assert(kPolygonModes.size() == countOf<pipe::PolygonMode>());

template <class E, class Table>
std::optional<E> find(const Table& table, GLenum value) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (static_cast<GLenum>(table[i]) == value) return static_cast<E>(i);
  return std::nullopt;
}

template <class E>
std::optional<E> inRange(GLenum value, GLenum first) {
  if (value < first || value - first >= countOf<E>()) return std::nullopt;
  return static_cast<E>(value - first);
}

}  // namespace

std::optional<pipe::CompareOp> fromCompare(GLenum func) { return inRange<pipe::CompareOp>(func, GL_NEVER); }
std::optional<pipe::StencilOp> fromStencilOp(GLenum op) { return find<pipe::StencilOp>(kStencilOps, op); }
std::optional<pipe::BlendFactor> fromBlendFactor(GLenum factor) { return find<pipe::BlendFactor>(kBlendFactors, factor); }
std::optional<pipe::BlendOp> fromBlendEquation(GLenum mode) { return find<pipe::BlendOp>(kBlendOps, mode); }
std::optional<pipe::LogicOp> fromLogicOp(GLenum op) { return inRange<pipe::LogicOp>(op, GL_CLEAR); }
std::optional<pipe::CullMode> fromCullFace(GLenum mode) {
  return mode == GL_NONE ? std::nullopt : find<pipe::CullMode>(kCullModes, mode);
}
std::optional<pipe::PolygonMode> fromPolygonMode(GLenum mode) { return find<pipe::PolygonMode>(kPolygonModes, mode); }

GLenum gl(pipe::CompareOp op) { return GL_NEVER + indexOf(op); }
GLenum gl(pipe::StencilOp op) { return kStencilOps[indexOf(op)]; }
GLenum gl(pipe::BlendFactor factor) { return kBlendFactors[indexOf(factor)]; }
GLenum gl(pipe::BlendOp op) { return kBlendOps[indexOf(op)]; }
GLenum gl(pipe::LogicOp op) { return GL_CLEAR + indexOf(op); }
GLenum gl(pipe::CullMode mode) { return kCullModes[indexOf(mode)]; }
GLenum gl(pipe::PolygonMode mode) { return kPolygonModes[indexOf(mode)]; }

}  // namespace mgl::gl

// The shadow of the host's fixed-function state.
#include <cstring>
#include <utility>

#include "backend/espryt/engine.h"

namespace mgl::espryt {

namespace {

GLenum capOf(Cap cap) {
  switch (cap) {
    case Cap::Cull:
      return GL_CULL_FACE;
    case Cap::DepthTest:
      return GL_DEPTH_TEST;
    case Cap::StencilTest:
      return GL_STENCIL_TEST;
    case Cap::ScissorTest:
      return GL_SCISSOR_TEST;
    case Cap::OffsetFill:
      return GL_POLYGON_OFFSET_FILL;
    case Cap::AlphaToCoverage:
      return GL_SAMPLE_ALPHA_TO_COVERAGE;
    case Cap::SampleCoverage:
      return GL_SAMPLE_COVERAGE;
    case Cap::SampleMask:
      return GL_SAMPLE_MASK;
    case Cap::SampleShading:
      return GL_SAMPLE_SHADING;
    case Cap::Discard:
      return GL_RASTERIZER_DISCARD;
    case Cap::Restart:
      return GL_PRIMITIVE_RESTART_FIXED_INDEX;
    case Cap::DepthClamp:
      return GL_DEPTH_CLAMP_EXT;
    case Cap::FramebufferSrgb:
      return GL_FRAMEBUFFER_SRGB_EXT;
    default:
      return GL_CLIP_DISTANCE0_EXT + indexOf(cap) - indexOf(Cap::Clip0);
  }
}

// True when the value was another; it is this one after.
template <class T>
bool changes(T& held, const T& value) {
  if (held == value) return false;
  held = value;
  return true;
}

}  // namespace

void HostContext::enable(Cap cap, bool on) {
  const u32 bit = 1u << indexOf(cap);
  if (((caps_ & bit) != 0) == on) return;
  caps_ ^= bit;
  const Gl& gl = engine_.gl;
  if (cap <= Cap::Blend7 && gl.Enablei) {
    const auto index = static_cast<GLuint>(indexOf(cap));
    on ? gl.Enablei(GL_BLEND, index) : gl.Disablei(GL_BLEND, index);
    return;
  }
  const GLenum name = cap <= Cap::Blend7 ? GL_BLEND : capOf(cap);
  on ? gl.Enable(name) : gl.Disable(name);
}

void HostContext::setScissor(i32 x, i32 y, i32 width, i32 height) {
  if (changes(scissor_, {x, y, width, height})) engine_.gl.Scissor(x, y, width, height);
}
void HostContext::setViewport(i32 x, i32 y, i32 width, i32 height) {
  if (changes(viewport_, {x, y, width, height})) engine_.gl.Viewport(x, y, width, height);
}
void HostContext::setDepthRange(f32 nearDepth, f32 farDepth) {
  if (changes(depthRange_, {nearDepth, farDepth})) engine_.gl.DepthRangef(nearDepth, farDepth);
}

void HostContext::setColorMask(u32 index, u8 mask) {
  if (!changes(colorMask_[index], mask)) return;
  const auto bit = [mask](u32 i) { return static_cast<GLboolean>((mask >> i) & 1); };
  engine_.gl.ColorMaski(index, bit(0), bit(1), bit(2), bit(3));
}
void HostContext::setBlendFunc(u32 index, GLenum srcColor, GLenum dstColor, GLenum srcAlpha, GLenum dstAlpha) {
  if (changes(blendFunc_[index], {srcColor, dstColor, srcAlpha, dstAlpha}))
    engine_.gl.BlendFuncSeparatei(index, srcColor, dstColor, srcAlpha, dstAlpha);
}
void HostContext::setBlendEquation(u32 index, GLenum color, GLenum alpha) {
  if (changes(blendEquation_[index], {color, alpha})) engine_.gl.BlendEquationSeparatei(index, color, alpha);
}
void HostContext::setBlendColor(const std::array<f32, 4>& color) {
  if (changes(blendColor_, color)) engine_.gl.BlendColor(color[0], color[1], color[2], color[3]);
}

void HostContext::setDepth(bool write, GLenum func) {
  setDepthMask(write);
  if (changes(depthFunc_, func)) engine_.gl.DepthFunc(func);
}
void HostContext::setDepthMask(bool write) {
  if (changes(depthMask_, write)) engine_.gl.DepthMask(write ? GL_TRUE : GL_FALSE);
}

void HostContext::setStencil(u32 face, GLenum func, i32 reference, u32 readMask) {
  StencilFace& held = stencil_[face];
  const bool moved = held.func != func || held.reference != reference || held.readMask != readMask;
  if (!moved) return;
  held.func = func;
  held.reference = reference;
  held.readMask = readMask;
  engine_.gl.StencilFuncSeparate(face == 0 ? GL_FRONT : GL_BACK, func, reference, readMask);
}
void HostContext::setStencilOp(u32 face, GLenum fail, GLenum depthFail, GLenum pass) {
  StencilFace& held = stencil_[face];
  if (held.fail == fail && held.depthFail == depthFail && held.pass == pass) return;
  held.fail = fail;
  held.depthFail = depthFail;
  held.pass = pass;
  engine_.gl.StencilOpSeparate(face == 0 ? GL_FRONT : GL_BACK, fail, depthFail, pass);
}
void HostContext::setStencilMask(u32 face, u32 mask) {
  if (changes(stencil_[face].writeMask, mask)) engine_.gl.StencilMaskSeparate(face == 0 ? GL_FRONT : GL_BACK, mask);
}

void HostContext::setFrontFace(GLenum winding) {
  if (changes(frontFace_, winding)) engine_.gl.FrontFace(winding);
}
void HostContext::setCullFace(GLenum face) {
  if (changes(cullFace_, face)) engine_.gl.CullFace(face);
}
void HostContext::setPolygonOffset(f32 factor, f32 units, f32 clamp) {
  if (!changes(polygonOffset_, {factor, units, clamp})) return;
  if (engine_.features.polygonOffsetClamp) return engine_.gl.PolygonOffsetClampEXT(factor, units, clamp);
  engine_.gl.PolygonOffset(factor, units);
}
void HostContext::setLineWidth(f32 width) {
  if (changes(lineWidth_, width)) engine_.gl.LineWidth(width);
}
void HostContext::setSampleCoverage(f32 value, bool invert) {
  if (coverage_ == value && coverageInvert_ == invert) return;
  coverage_ = value;
  coverageInvert_ = invert;
  engine_.gl.SampleCoverage(value, invert ? GL_TRUE : GL_FALSE);
}
void HostContext::setSampleMask(u32 mask) {
  if (changes(sampleMask_, mask)) engine_.gl.SampleMaski(0, mask);
}
void HostContext::setMinSampleShading(f32 value) {
  if (changes(minSampleShading_, value)) engine_.gl.MinSampleShading(value);
}
void HostContext::setClipControl(GLenum origin, GLenum depth) {
  if (changes(clipControl_, {origin, depth})) engine_.gl.ClipControlEXT(origin, depth);
}

void HostContext::setAttribute(u32 location, u32 kind, const std::array<u32, 4>& bits) {
  Attribute& held = attributes_[location];
  if (held.kind == kind && held.bits == bits) return;
  held = {kind, bits};
  if (kind == 1) return engine_.gl.VertexAttribI4iv(location, reinterpret_cast<const GLint*>(bits.data()));
  if (kind == 2) return engine_.gl.VertexAttribI4uiv(location, bits.data());
  f32 values[4];
  std::memcpy(values, bits.data(), sizeof values);
  engine_.gl.VertexAttrib4fv(location, values);
}

void HostContext::setUnpack(const PixelStoreState& state) {
  const Gl& gl = engine_.gl;
  if (changes(unpack_.alignment, state.alignment)) gl.PixelStorei(GL_UNPACK_ALIGNMENT, state.alignment);
  if (changes(unpack_.rowLength, state.rowLength)) gl.PixelStorei(GL_UNPACK_ROW_LENGTH, state.rowLength);
  if (changes(unpack_.imageHeight, state.imageHeight)) gl.PixelStorei(GL_UNPACK_IMAGE_HEIGHT, state.imageHeight);
}
void HostContext::setPack(const PixelStoreState& state) {
  const Gl& gl = engine_.gl;
  if (changes(pack_.alignment, state.alignment)) gl.PixelStorei(GL_PACK_ALIGNMENT, state.alignment);
  if (changes(pack_.rowLength, state.rowLength)) gl.PixelStorei(GL_PACK_ROW_LENGTH, state.rowLength);
}

}  // namespace mgl::espryt

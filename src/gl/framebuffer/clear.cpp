// Clearing (OpenGL 4.6 section 17.4.3). Masks, scissor and values go into the record itself.

#include <algorithm>
#include <bit>

#include "format/format.h"
#include "gl/framebuffer/target.h"
#include "gl/verb.h"
#include "gl/version.h"
#include "tracker/tracker.h"

namespace mgl::gl {
namespace {

// What is to be cleared, before masks.
struct ClearRequest {
  u32 outputs = 0;  // fragment outputs, a bit each
  pipe::ClearKind kind = pipe::ClearKind::Float;
  std::array<u32, 4> color{};
  bool depth = false, stencil = false;
  f32 depthValue = 0;
  u32 stencilValue = 0;
};

// Applies the masks and emits what is left. The framebuffer is complete.
void clear(Context& ctx, Framebuffer* framebuffer, const ClearRequest& request) {
  if (ctx.render.rasterizerDiscard != 0) return;
  pipe::Clear record{};
  for (u32 i = 0; i < pipe::kMaxColorTargets; ++i) {
    if ((request.outputs >> i & 1) == 0 || outputFormat(ctx, framebuffer, i) == pipe::Format::None) continue;
    const u32 mask = ctx.render.blend[i].writeMask;
    if (mask == 0) continue;
    record.colorOutputs |= 1u << i;
    record.colorMasks |= mask << 4 * i;
  }
  record.clearDepth = request.depth && ctx.render.depthWrite != 0 &&
                              depthFormat(ctx, framebuffer, Side::Draw) != pipe::Format::None
                          ? 1
                          : 0;
  record.stencilMask = static_cast<u8>(ctx.stencilMasks[0][1]);
  record.clearStencil = request.stencil && record.stencilMask != 0 &&
                                stencilFormat(ctx, framebuffer, Side::Draw) != pipe::Format::None
                            ? 1
                            : 0;
  if (record.colorOutputs == 0 && record.clearDepth == 0 && record.clearStencil == 0) return;
  record.scissored = verbScissor(ctx, &record.scissor) ? 1 : 0;
  if (record.scissored != 0 && (record.scissor.width == 0 || record.scissor.height == 0)) return;
  record.colorKind = request.kind;
  record.color = request.color;
  record.depth = request.depthValue;
  record.stencil = request.stencilValue & 0xff;
  record.framebufferSrgb = ctx.render.framebufferSrgb;
  client::Group group = ctx.tracker->group();
  ctx.tracker->useCondition(group);
  record.framebuffer = ctx.tracker->useFramebuffer(group, framebuffer);
  group.emit(record);
}

std::array<u32, 4> bitsOf(const std::array<f32, 4>& color) { return std::bit_cast<std::array<u32, 4>>(color); }

// Depth values are clamped for fixed-point buffers only (section 17.4.3.1).
f32 clearDepthValue(const Context& ctx, const Framebuffer* framebuffer, f32 depth) {
  const bool isFloat = format::formatInfo(depthFormat(ctx, framebuffer, Side::Draw)).isFloat();
  return isFloat ? depth : std::clamp(depth, 0.0f, 1.0f);
}

enum class Value : u8 { Float, Int, Uint };

void clearBuffer(Context& ctx, Framebuffer* framebuffer, GLenum buffer, GLint drawbuffer, Value type, const void* value,
                 const char* call) {
  ClearRequest request;
  switch (buffer) {
    case GL_COLOR:
      if (drawbuffer < 0 || drawbuffer >= ctx.info->limits.maxColorTargets)
        return ctx.error(GL_INVALID_VALUE, "%s: there is no draw buffer %d", call, drawbuffer);
      request.outputs = 1u << drawbuffer;
      request.kind = type == Value::Float ? pipe::ClearKind::Float
                     : type == Value::Int ? pipe::ClearKind::Int
                                          : pipe::ClearKind::Uint;
      break;
    case GL_DEPTH:
    case GL_STENCIL:
      if ((buffer == GL_DEPTH) != (type == Value::Float) || type == Value::Uint)
        return ctx.error(GL_INVALID_ENUM, "%s: buffer 0x%04x is cleared by another call", call, buffer);
      if (drawbuffer != 0) return ctx.error(GL_INVALID_VALUE, "%s: depth and stencil are draw buffer 0", call);
      break;
    default: return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a buffer to clear", call, buffer);
  }
  const Verb verb(ctx);
  if (!checkComplete(ctx, framebuffer, Side::Draw, call)) return;
  if (buffer == GL_COLOR) {
    std::copy_n(static_cast<const u32*>(value), 4, request.color.begin());
    // A value of another kind than the buffer's leaves it undefined: leave it alone.
    const format::FormatInfo& info = format::formatInfo(outputFormat(ctx, framebuffer, static_cast<u32>(drawbuffer)));
    const Value own = !info.isInteger() ? Value::Float
                      : info.type == format::ComponentType::Sint ? Value::Int
                                                                 : Value::Uint;
    if (own != type) return;
  } else if (buffer == GL_DEPTH) {
    request.depth = true;
    request.depthValue = clearDepthValue(ctx, framebuffer, *static_cast<const GLfloat*>(value));
  } else {
    request.stencil = true;
    request.stencilValue = *static_cast<const GLuint*>(value);
  }
  clear(ctx, framebuffer, request);
}

void clearDepthStencil(Context& ctx, Framebuffer* framebuffer, GLenum buffer, GLint drawbuffer, GLfloat depth,
                       GLint stencil, const char* call) {
  if (buffer != GL_DEPTH_STENCIL) return ctx.error(GL_INVALID_ENUM, "%s: the buffer is GL_DEPTH_STENCIL", call);
  if (drawbuffer != 0) return ctx.error(GL_INVALID_VALUE, "%s: depth and stencil are draw buffer 0", call);
  const Verb verb(ctx);
  if (!checkComplete(ctx, framebuffer, Side::Draw, call)) return;
  ClearRequest request;
  request.depth = request.stencil = true;
  request.depthValue = clearDepthValue(ctx, framebuffer, depth);
  request.stencilValue = static_cast<u32>(stencil);
  clear(ctx, framebuffer, request);
}

// Name 0 is the default framebuffer.
bool objectOrDefault(Context& ctx, GLuint name, Ref<Framebuffer>* out, const char* call) {
  if (name == 0) return true;
  *out = namedFramebuffer(ctx, name, call);
  return *out != nullptr;
}

}  // namespace

MGL_GL(void, ClearColor)(Context& ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
  ctx.clear.color = {red, green, blue, alpha};
}
MGL_GL(void, ClearDepth)(Context& ctx, GLdouble depth) { ctx.clear.depth = std::clamp(depth, 0.0, 1.0); }
MGL_GL(void, ClearDepthf)(Context& ctx, GLfloat d) { ctx.clear.depth = std::clamp<f64>(d, 0, 1); }
MGL_GL(void, ClearStencil)(Context& ctx, GLint s) { ctx.clear.stencil = s; }

MGL_GL(void, Clear)(Context& ctx, GLbitfield mask) {
  constexpr GLbitfield kBuffers = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
  const GLbitfield allowed = ctx.isCompat() ? kBuffers | GL_ACCUM_BUFFER_BIT : kBuffers;
  if ((mask & ~allowed) != 0) return ctx.error(GL_INVALID_VALUE, "glClear: 0x%x are not buffers", mask & ~allowed);
  Framebuffer* const framebuffer = ctx.drawFramebuffer.get();
  const Verb verb(ctx);
  if (!checkComplete(ctx, framebuffer, Side::Draw, "glClear")) return;
  ClearRequest request;
  if ((mask & GL_COLOR_BUFFER_BIT) != 0) {
    // What a floating-point value does to integer buffers is undefined (section 17.4.3): they get the whole number.
    ClearRequest ints, uints;
    ints.kind = pipe::ClearKind::Int, uints.kind = pipe::ClearKind::Uint;
    for (u32 i = 0; i < pipe::kMaxColorTargets; ++i) {
      const format::FormatInfo& info = format::formatInfo(outputFormat(ctx, framebuffer, i));
      ClearRequest& kind = !info.isInteger()                                ? request
                           : info.type == format::ComponentType::Sint ? ints
                                                                            : uints;
      kind.outputs |= 1u << i;
    }
    request.color = bitsOf(ctx.clear.color);
    for (u32 i = 0; i < 4; ++i) {
      const f64 value = ctx.clear.color[i];
      ints.color[i] = static_cast<u32>(static_cast<i32>(std::clamp(value, -2147483648.0, 2147483647.0)));
      uints.color[i] = static_cast<u32>(std::clamp(value, 0.0, 4294967295.0));
    }
    clear(ctx, framebuffer, ints);
    clear(ctx, framebuffer, uints);
  }
  request.depth = (mask & GL_DEPTH_BUFFER_BIT) != 0;
  request.stencil = (mask & GL_STENCIL_BUFFER_BIT) != 0;
  request.depthValue = static_cast<f32>(ctx.clear.depth);
  request.stencilValue = static_cast<u32>(ctx.clear.stencil);
  clear(ctx, framebuffer, request);
}

MGL_GL(void, ClearBufferiv)(Context& ctx, GLenum buffer, GLint drawbuffer, const GLint* value) {
  clearBuffer(ctx, ctx.drawFramebuffer.get(), buffer, drawbuffer, Value::Int, value, "glClearBufferiv");
}
MGL_GL(void, ClearBufferuiv)(Context& ctx, GLenum buffer, GLint drawbuffer, const GLuint* value) {
  clearBuffer(ctx, ctx.drawFramebuffer.get(), buffer, drawbuffer, Value::Uint, value, "glClearBufferuiv");
}
MGL_GL(void, ClearBufferfv)(Context& ctx, GLenum buffer, GLint drawbuffer, const GLfloat* value) {
  clearBuffer(ctx, ctx.drawFramebuffer.get(), buffer, drawbuffer, Value::Float, value, "glClearBufferfv");
}
MGL_GL(void, ClearBufferfi)(Context& ctx, GLenum buffer, GLint drawbuffer, GLfloat depth, GLint stencil) {
  clearDepthStencil(ctx, ctx.drawFramebuffer.get(), buffer, drawbuffer, depth, stencil, "glClearBufferfi");
}
MGL_GL(void, ClearNamedFramebufferiv)(Context& ctx, GLuint framebuffer, GLenum buffer, GLint drawbuffer,
                                      const GLint* value) {
  Ref<Framebuffer> object;
  if (objectOrDefault(ctx, framebuffer, &object, "glClearNamedFramebufferiv"))
    clearBuffer(ctx, object.get(), buffer, drawbuffer, Value::Int, value, "glClearNamedFramebufferiv");
}
MGL_GL(void, ClearNamedFramebufferuiv)(Context& ctx, GLuint framebuffer, GLenum buffer, GLint drawbuffer,
                                       const GLuint* value) {
  Ref<Framebuffer> object;
  if (objectOrDefault(ctx, framebuffer, &object, "glClearNamedFramebufferuiv"))
    clearBuffer(ctx, object.get(), buffer, drawbuffer, Value::Uint, value, "glClearNamedFramebufferuiv");
}
MGL_GL(void, ClearNamedFramebufferfv)(Context& ctx, GLuint framebuffer, GLenum buffer, GLint drawbuffer,
                                      const GLfloat* value) {
  Ref<Framebuffer> object;
  if (objectOrDefault(ctx, framebuffer, &object, "glClearNamedFramebufferfv"))
    clearBuffer(ctx, object.get(), buffer, drawbuffer, Value::Float, value, "glClearNamedFramebufferfv");
}
MGL_GL(void, ClearNamedFramebufferfi)(Context& ctx, GLuint framebuffer, GLenum buffer, GLint drawbuffer, GLfloat depth,
                                      GLint stencil) {
  Ref<Framebuffer> object;
  if (objectOrDefault(ctx, framebuffer, &object, "glClearNamedFramebufferfi"))
    clearDepthStencil(ctx, object.get(), buffer, drawbuffer, depth, stencil, "glClearNamedFramebufferfi");
}

}  // namespace mgl::gl

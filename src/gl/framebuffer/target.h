// A framebuffer as commands name it: an object, or null for the default framebuffer (the context's draw or read surface).
#pragma once

#include "gl/context.h"
#include "gl/framebuffer/framebuffer.h"

namespace mgl::gl {

enum class Side : u8 { Draw, Read };

// GL_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER: draw; GL_READ_FRAMEBUFFER: read. False for another token.
bool framebufferSide(GLenum target, Side* side);
inline Framebuffer* boundFramebuffer(const Context& ctx, Side side) {
  return side == Side::Draw ? ctx.drawFramebuffer.get() : ctx.readFramebuffer.get();
}
// A named object (glCreateFramebuffers, or bound once); null after INVALID_OPERATION.
Ref<Framebuffer> namedFramebuffer(Context& ctx, GLuint name, const char* call);

// What a command sees of a complete framebuffer.
struct TargetShape {
  u32 width = 0, height = 0, samples = 0;
  friend bool operator==(const TargetShape&, const TargetShape&) = default;
};
GLenum framebufferStatus(const Context& ctx, const Framebuffer* framebuffer, Side side);
// INVALID_FRAMEBUFFER_OPERATION unless complete.
bool checkComplete(Context& ctx, const Framebuffer* framebuffer, Side side, const char* call);
// REQUIRES: complete.
TargetShape targetShape(const Context& ctx, const Framebuffer* framebuffer, Side side);

// Formats, None where there is no such buffer. The read buffer's; that of the fragment output i; depth and stencil.
pipe::Format readFormat(const Context& ctx, const Framebuffer* framebuffer);
pipe::Format outputFormat(const Context& ctx, const Framebuffer* framebuffer, u32 output);
pipe::Format depthFormat(const Context& ctx, const Framebuffer* framebuffer, Side side);
pipe::Format stencilFormat(const Context& ctx, const Framebuffer* framebuffer, Side side);

// GL_IMPLEMENTATION_COLOR_READ_FORMAT and _TYPE; false when there is no read buffer.
bool implementationReadFormat(const Context& ctx, const Framebuffer* framebuffer, GLenum* format, GLenum* type);

// Tells the tracker that a framebuffer object changed (version) or the default framebuffer's buffers did (group).
Moved framebufferChanged(Context& ctx, Framebuffer* framebuffer);

// The scissor box of viewport 0 as verbs carry it: the whole plane when it is off.
bool verbScissor(const Context& ctx, pipe::Scissor* box);

}  // namespace mgl::gl

// Memory that is not to be had (OpenGL 4.6 section 2.3.1, GL_OUT_OF_MEMORY).
//
// What no memory of the device could hold is refused before anything is emitted. What only the server finds out comes
// as an event and is an error of the context whose call it was: at its next glGetError, which waits for the server only
// when the context made something large since it last asked.
#pragma once

#include "gl/context.h"
#include "gl/texture/texture.h"

namespace mgl::gl {

// A store of this size or more is acknowledged by the server before glGetError says that all is well.
inline constexpr u64 kLargeStore = 64u << 20;

// The texels of so many levels, as GL counts them; the device may need more.
u64 imageBytes(pipe::TextureTarget target, const TextureImage& base, u32 levels = 1);

inline bool canHold(const Context& ctx, u64 bytes) { return bytes <= ctx.caps().storeBytes; }
// GL_OUT_OF_MEMORY and false: a store of so many bytes can never be had.
bool checkMemory(Context& ctx, u64 bytes, const char* call);
// A store of so many bytes was asked for.
inline void noteStore(Context& ctx, u64 bytes) {
  if (bytes >= kLargeStore) ctx.unacknowledged = true;
}

// Makes errors of the context of what the server told since.
void takeServerErrors(Context& ctx);
// The same after the server was asked, when something large was made.
void acknowledgeStores(Context& ctx);

}  // namespace mgl::gl

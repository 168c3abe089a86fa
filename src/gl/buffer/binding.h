// Binding points of buffers.
#pragma once

#include <optional>

#include "gl/buffer/buffer.h"
#include "gl/context.h"

namespace mgl::gl {

std::optional<BufferTarget> fromBufferTarget(GLenum target);

// The buffer bound to a target. Null with GL_INVALID_ENUM or, when nothing is bound, GL_INVALID_OPERATION.
Buffer* boundBuffer(Context& ctx, GLenum target, const char* command);
// The buffer of a name for direct state access; null with GL_INVALID_OPERATION.
Ref<Buffer> namedBuffer(Context& ctx, GLuint name, const char* command);
// Makes the object of a generated (or, in the compatibility profile, any) name; null with GL_INVALID_OPERATION.
Ref<Buffer> bufferForBind(Context& ctx, GLuint name, const char* command);
// Ends a mapping: what was written counts. (map.cpp)
void unmap(Context& ctx, Buffer& buffer);
// Sends bytes in pieces that a blob can carry. REQUIRES an open Verb, and that they lie within the store; should another
// thread make that untrue in a wait for stage space, the rest is dropped. (map.cpp)
void sendSubData(Context& ctx, Buffer& buffer, u64 offset, Bytes data);
// From the context's own bindings and the bound vertex array, as glDeleteBuffers does.
void unbindEverywhere(Context& ctx, const Buffer& buffer);

}  // namespace mgl::gl

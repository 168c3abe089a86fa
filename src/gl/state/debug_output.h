// KHR_debug: telling the program.
#pragma once

#include <string_view>

#include "gl/context.h"

namespace mgl::gl {

// Filters, then calls the callback or logs. Under the session's lock a callback, which is the program's, is not called: the
// message is held until whoever opened the group delivers it (gl/verb.h).
void emitDebugMessage(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text);

// Takes in what the server told and passes its messages of high severity on. Where a program looks: glGetError, glFlush,
// glFinish, glGetDebugMessageLog, swaps. Not under the session's lock.
void takeServerMessages(Context& ctx);

}  // namespace mgl::gl

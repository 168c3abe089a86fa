// KHR_debug: telling the program.
#pragma once

#include <string_view>

#include "gl/context.h"

namespace mgl::gl {

// Filters, then calls the callback or logs. Under the session's lock a callback, which is the program's, is not called: the
// message is held until whoever opened the group delivers it (gl/verb.h).
void emitDebugMessage(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text);

}  // namespace mgl::gl

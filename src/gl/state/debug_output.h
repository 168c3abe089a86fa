// KHR_debug: telling the program.
#pragma once

#include <string_view>

#include "gl/context.h"

namespace mgl::gl {

// Filters, then calls the callback or logs. Not under the session's lock: the callback is the program's.
void emitDebugMessage(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text);

}  // namespace mgl::gl

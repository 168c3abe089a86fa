// KHR_debug: the message log, filters, groups and callback of a context (OpenGL 4.6 chapter 20).
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "gl/api.h"

namespace mgl::gl {

struct DebugMessage {
  GLenum source, type;
  GLuint id;
  GLenum severity;
  std::string text;
};

// The latest matching rule decides; without one, everything but low severity is enabled.
struct DebugFilter {
  GLenum source, type, severity;  // GL_DONT_CARE matches all
  std::vector<GLuint> ids;        // empty: all
  bool enabled;
};

struct DebugGroup {
  GLenum source;
  GLuint id;
  std::string text;
  std::size_t filterCount;  // filters that were there when it was pushed
};

struct DebugState {
  GLDEBUGPROC callback = nullptr;
  const void* userParam = nullptr;
  std::deque<DebugMessage> log;
  std::vector<DebugFilter> filters;
  std::vector<DebugGroup> groups;
  u64 serverLogsSeen = 0;
  std::vector<DebugMessage> held;  // for the callback, once the session's lock is given back
};

}  // namespace mgl::gl

// Contexts made by records alone, for tests of the stream.
#pragma once

#include "client/session.h"

namespace mgl::client {

inline void makeContext(Session& session, StreamContext* context) {
  SessionGroup group(session);
  context->handle = group.allocate<pipe::Kind::Context>();
  group.emit(pipe::CreateContext{context->handle, 0, 1});
}

inline void dropContext(Session& session, StreamContext& context) {
  session.forget(context);
  session.retire(context.handle);
}

}  // namespace mgl::client

// Query, transform feedback and sync objects.
#pragma once

#include "gl/buffer/buffer.h"

namespace mgl::gl {

struct Query : Object {
  Query(u32 glName, std::shared_ptr<client::Session> s);
  ~Query() override;
  const std::shared_ptr<client::Session> session;
  pipe::QueryHandle handle;  // made when the target is known
  GLenum target = GL_NONE;
  pipe::QueryKind kind = pipe::QueryKind::SamplesPassed;
  u32 stream = 0;
  bool active = false;
  u64 runSerial = 0;  // of the last run; 0: none
  u64 knownRun = 0, knownValue = 0;  // a result that was waited for stays available, whenever its event comes
  u64 flushSerial = 0;
};

struct StreamOutput : Object {
  StreamOutput(u32 glName, std::shared_ptr<client::Session> s);
  ~StreamOutput() override;
  const std::shared_ptr<client::Session> session;
  pipe::StreamOutputHandle handle;
  std::array<Ref<Buffer>, pipe::kMaxStreamOutputBuffers> buffers;
  std::array<i64, pipe::kMaxStreamOutputBuffers> offsets{}, sizes{};
  bool active = false, paused = false;
  bool everEnded = false;
  pipe::Primitive mode = pipe::Primitive::Points;
  Ref<Object> program;  // the one that captures
};

struct Sync : Object {
  Sync(u32 glName, std::shared_ptr<client::Session> s);
  ~Sync() override;
  const std::shared_ptr<client::Session> session;
  pipe::SyncHandle handle;
  u64 serial = 0;
};

}  // namespace mgl::gl

// What lies between the client's stream of records and the applier: nothing (direct call), a codec (loopback), a link.
//
// send() and begin() are called under the session's lock, in stream order. finish() is called without it.
#pragma once

#include <functional>
#include <string>

#include "pipe/caps.h"
#include "pipe/record.h"

namespace mgl::client {

struct Reply {
  bool ok = false;  // false: the session is lost
  u64 value = 0;    // query results, fence waits (1: signalled), allocation failures
  pipe::MapTier tier = pipe::MapTier::None;
  void* memory = nullptr;
};

class EventReceiver {
 public:
  virtual ~EventReceiver() = default;
  virtual void onCompleted(u64 serial) = 0;
  virtual void onQueryResult(pipe::QueryHandle query, u64 serial, u64 value) = 0;
  virtual void onPresented(pipe::SurfaceHandle surface, u64 frameSerial) = 0;
  virtual void onSurfaceChanged(pipe::SurfaceHandle surface, u32 width, u32 height) = 0;
  virtual void onGlError(u32 contextSlot, pipe::GlError error, pipe::Call call) = 0;
  virtual void onLog(pipe::DebugSeverity severity, std::string_view text) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual const pipe::Caps& caps() const = 0;
  // Whether blobs may be handed over as host spans, or must lie in the stage.
  virtual bool takesHostSpans() const = 0;
  // Room for a blob of a record not yet sent; null when it can never fit (cut it). Not with host spans.
  virtual std::byte* stage(u32 bytes, u64* offset) = 0;

  virtual bool send(const pipe::RecordHeader* record, std::span<const pipe::HostSpan> blobs) = 0;  // false: lost
  // A record with a reply: applied up to `begin`; the ticket is for finish.
  virtual bool begin(const pipe::RecordHeader* record, u64* ticket) = 0;
  virtual Reply finish(u64 ticket, MutableBytes dst) = 0;
  // Waits for a completed serial without asking the server to do more.
  virtual bool waitCompleted(u64 serial, u64 timeoutNs) = 0;
  virtual u64 completedSerial() const = 0;
  virtual bool drainEvents(EventReceiver& receiver) = 0;  // true when there were any
  virtual u64 gpuTimestampNs() = 0;
  virtual std::string fault() const = 0;  // why the session was lost; empty while it lives
};

}  // namespace mgl::client

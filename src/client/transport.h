// What lies between the client's stream of records and the applier: nothing (direct call), a codec (loopback), a link.
//
#pragma once

#include <array>
#include <string>

#include "pipe/caps.h"
#include "pipe/record.h"

namespace mgl::client {

struct Reply {
  bool ok = false;  // false: the session is lost
  u64 value = 0;    // query results, fence waits (1: signalled)
  pipe::MapTier tier = pipe::MapTier::None;
  void* memory = nullptr;
  bool noMemory = false;  // the server had none for the answer: its bytes did not come
};

class EventReceiver {
 public:
  virtual ~EventReceiver() = default;
  virtual void onCompleted(u64 serial) = 0;
  virtual void onQueryResult(pipe::QueryHandle query, u64 serial, u64 value) = 0;
  virtual void onPresented(pipe::SurfaceHandle surface, u64 frameSerial) = 0;
  virtual void onSurfaceChanged(pipe::SurfaceHandle surface, u32 width, u32 height) = 0;
  virtual void onGlError(const pipe::OnGlError& told) = 0;
  virtual void onLog(pipe::DebugSeverity severity, std::string_view text) = 0;
};

// The blobs of a record: host spans where the transport takes them, else reservations of stage space.
struct BlobList {
  static constexpr u32 kMax = 16;
  std::array<pipe::HostSpan, kMax> spans;
  std::array<u64, kMax> reservations{};
  u32 count = 0;
  u64 bytes = 0;  // of all that are staged
  void clear() { count = 0, bytes = 0; }
};

enum class Sent : u8 {
  Yes,
  Low,   // yes, and the command ring has little room left: hasGroupRoom() is false
  Full,  // no: there is no room in the command ring now
  Lost
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual const pipe::Caps& caps() const = 0;

  // ---- Under the stream's lock
  // Whether blobs may be handed over as host spans, or must lie in the stage.
  virtual bool takesHostSpans() const = 0;
  // Whether send() applies the record before it returns, in the calling thread.
  virtual bool appliesHere() const { return false; }
  // Room for a blob of a record not yet sent. Null: not now (waitStage), or never (canStage says which).
  virtual std::byte* stage(u32 bytes, u64* offset, u64* reservation) = 0;
  virtual bool canStage(u64 bytes) const = 0;  // of one record
  virtual void dropStaged(const BlobList& blobs) = 0;  // of a record that will not be sent
  // `blobs` null: the record has none.
  virtual Sent send(const pipe::RecordHeader* record, const BlobList* blobs) = 0;
  // Whether the records of a verb fit into the command ring as it is.
  virtual bool hasGroupRoom() const = 0;
  // A slot for the reply of a record that is about to be sent, whose bytes go to dst; dst stays until finish().
  virtual u32 openReply(MutableBytes dst) = 0;

  // ---- Without the lock; all of them take events in while they wait
  virtual void waitSpace(u32 bytes) = 0;  // of the command ring; may return early
  virtual void waitStage(u32 bytes) = 0;  // likewise
  virtual void waitGroupRoom() = 0;       // likewise
  virtual void waitApplied() = 0;         // everything sent so far (lockstep)
  virtual Reply finish(u32 slot) = 0;
  virtual void abandon(u32 slot) = 0;  // instead of finish(): nobody waits
  // Waits for a completed serial without asking the server to do more.
  virtual bool waitCompleted(u64 serial, u64 timeoutNs) = 0;
  // Until there may be events to drain; may return early.
  virtual void waitEvents(u64 timeoutNs) = 0;

  // ---- Any thread
  virtual u64 completedSerial() const = 0;
  virtual bool drainEvents(EventReceiver& receiver) = 0;  // true when there were any; one at a time
  virtual u64 gpuTimestampNs() = 0;
  virtual bool isLost() const = 0;
  virtual std::string fault() const = 0;  // why the session was lost; empty while it lives
};

}  // namespace mgl::client

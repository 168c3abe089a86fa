// The shared segments of a session and the bounds that follow from them (design: sessions and links).
#pragma once

#include "base/types.h"
#include "pipe/limits.h"
#include "wire/doorbell.h"
#include "wire/ring.h"

namespace mgl::wire {

inline constexpr u64 kCommandBytes = u64{8} << 20;  // records; more lets the client run further ahead, and waits longer
inline constexpr u64 kStageBytes = u64{32} << 20;   // blobs
inline constexpr u64 kReplyBytes = u64{16} << 20;   // bytes of replies, mapped ranges written back
inline constexpr u64 kEventBytes = u64{256} << 10;  // events; a full ring parks the server at a record boundary

inline constexpr u64 kMaxBlobBytes = kStageBytes / 4;  // longer ones are cut by the client
static_assert(pipe::kMaxRecordBytes == kCommandBytes / 2, "a record is at most half a ring");

// Where a record may start, in every segment that holds records.
inline constexpr u32 kRecordAlignment = 8;

// A piece of a reply, in the reply ring: this header, then `bytes` bytes of the answer from `offset` on, padded to 8.
struct ReplyPiece {
  pipe::RecordHeader header;  // call: kReplyCall
  u32 slot;
  u32 flags;  // kReplyOk, kReplyLast, kReplyNoMemory
  u64 offset;
  u64 value;
  u64 memory;  // of a granted map, in this process
  u32 tier;
  u32 bytes;
};
static_assert(sizeof(ReplyPiece) == 48);
inline constexpr u16 kReplyCall = 1;
inline constexpr u32 kReplyOk = 1, kReplyLast = 2, kReplyNoMemory = 4;  // no memory for the answer: no bytes
inline constexpr u32 kReplyPieceBytes = 1u << 20;  // at most; and at most a quarter of the ring

// Powers of two, but for the stage. Smaller ones are for tests: what crosses them must fit.
struct Sizes {
  u64 commands = kCommandBytes, stage = kStageBytes, replies = kReplyBytes, events = kEventBytes;
};

// The words that both ends share. What one end stores for the other's doorbell is stored with seq_cst.
struct Control {
  RingCursors commands, replies, events;
  alignas(64) std::atomic<u64> applied{0};    // records applied, in order
  std::atomic<u64> completedSerial{0};
  std::atomic<u32> stageWaiters{0};  // threads that any applied record may give room
  std::atomic<u32> lost{0};     // by the server: the session is over
  std::atomic<u32> stopping{0};  // by the client: no more records will come
  alignas(64) Doorbell serverBell;
  alignas(64) Doorbell clientBell;  // replies, events, completions
  alignas(64) Doorbell spaceBell;   // all of these, and room: records were applied
  // To everybody of the client's.
  void ringClient() {
    clientBell.ring();
    spaceBell.ring();
  }
};

}  // namespace mgl::wire

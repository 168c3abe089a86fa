// The shared segments of a session and the bounds that follow from them (design: sessions and links).
#pragma once

#include "base/types.h"
#include "pipe/limits.h"

namespace mgl::wire {

inline constexpr u64 kCommandBytes = u64{8} << 20;  // records; more lets the client run further ahead, and waits longer
inline constexpr u64 kStageBytes = u64{32} << 20;   // blobs
inline constexpr u64 kReplyBytes = u64{16} << 20;   // bytes of replies, mapped ranges written back
inline constexpr u64 kEventBytes = u64{256} << 10;  // events; a full ring parks the server at a record boundary

inline constexpr u64 kMaxBlobBytes = kStageBytes / 4;  // longer ones are cut by the client
static_assert(pipe::kMaxRecordBytes == kCommandBytes / 2, "a record is at most half a ring");

// Where a record may start, in every segment that holds records.
inline constexpr u32 kRecordAlignment = 8;

}  // namespace mgl::wire

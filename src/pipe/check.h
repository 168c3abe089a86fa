// Whether bytes are a record that the catalogue allows. For bytes of a peer: run on a private copy, before anything
// else reads it. Derived from the fields' rules; what depends on an object's shape (a range inside its buffer) is the
// applier's.
#pragma once

#include "pipe/fault.h"
#include "pipe/record_view.h"

namespace mgl::pipe {

// What a table says of a handle. `slot` and `gen` are any values.
class HandleOracle {
 public:
  virtual ~HandleOracle() = default;
  virtual bool isLive(Kind kind, u32 slot, u32 gen) const = 0;
  // Not null, the slot empty, its generation later than the slot's last.
  virtual bool isFresh(Kind kind, u32 slot, u32 gen) const = 0;
};

struct BlobSpace {
  u64 stageBytes = 0;                   // Stage blobs lie inside of this
  std::span<const HostSpan> hostSpans;  // Host blobs are one of these; empty where the peer is another process
};

// The record that begins at `record`; `available` bytes are there (8-byte aligned). True: the record is whole, its size
// is exactly that of its payload and tails, every field keeps its rule, padding is zero. False: *fault says which does
// not, as ProtocolCorruption "SetShaderBuffers.count", "Draw.UniformPatch[2].offset" or "record.bytes".
[[nodiscard]] bool checkRecord(const RecordHeader* record, u64 available, const HandleOracle& handles,
                               const BlobSpace& blobs, Fault* fault);

// The same for an event; the header's `call` is an Event. Handles of events are not checked: an object may be gone.
[[nodiscard]] bool checkEvent(const RecordHeader* record, u64 available, const BlobSpace& blobs, Fault* fault);

}  // namespace mgl::pipe

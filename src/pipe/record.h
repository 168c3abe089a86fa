// The grammar of a record: header, payload, tails, each starting 8-byte aligned. docs/pipe.md has a worked example.
// Blobs are named by the payload and lie elsewhere.
#pragma once

#include "pipe/enums.h"
#include "pipe/field.h"

namespace mgl::pipe {

struct RecordHeader {
  u16 call;   // Call
  u16 flags;  // none yet: 0
  u32 bytes;  // of the whole record, header included; a multiple of 8
};
static_assert(sizeof(RecordHeader) == 8);

// Bulk bytes. Stage: an offset into the session's stage segment. Host: an index into the HostSpan list handed over with the
// record, in a direct call only; never queued.
#define MGL_FIELDS_BlobRef(F) F(u64, offset, any()) F(u32, bytes, any()) F(BlobWhere, where, any())
MGL_PAYLOAD(BlobRef, 16);

using HostSpan = Bytes;

}  // namespace mgl::pipe

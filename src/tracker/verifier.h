// The check of the draw delta and of the versions under it (design section 7): what they take for unchanged is looked at all
// the same and compared, field by field, with what the server was told.
//
//   MOBILEGL_PIPE_VERIFY=1               every draw takes the slow path and looks at everything
//   MOBILEGL_PIPE_DRAW_DELTA_SHADOW=N    every Nth draw that the fast path would take does
//
// A record is *due* when a version moved, and *told* when the server has had it. A difference is a fault when no version
// moved, or when the draw delta held although one did. The first difference of a draw is logged and counted; the record goes
// out, so that the picture is right. Used under the session's lock, as all of the tracker.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "pipe/record_writer.h"

namespace mgl::tracker {

// The last record of each kind and object that the server was told. States are a context's; objects are the share group's.
class Told {
 public:
  struct Key {
    u16 call;
    u32 which;  // slot of the object, or which of the state's parts
    auto operator<=>(const Key&) const = default;
  };
  // Null: none, or of an object before it in the slot.
  const pipe::RecordHeader* find(Key key, u32 gen) const;
  void keep(Key key, u32 gen, const pipe::RecordHeader* record);

 private:
  struct Entry {
    u32 gen = 0;
    std::vector<u64> words;
  };
  std::map<Key, Entry> entries_;
};

class Verifier {
 public:
  // Null when no knob asks for it.
  static std::unique_ptr<Verifier> make(std::shared_ptr<Told>& objects);

  // A draw begins; `holds`: the fast path would take it. True: it may.
  bool begin(bool holds);
  // What the draw delta answers for is told; what follows has versions that each draw looks at.
  void endClaim() { claimed_ = false; }
  // All is told.
  void end() { looking_ = claimed_ = faulted_ = false; }
  // Everything is looked at, moved or not.
  bool isLooking() const { return looking_ || always_; }
  bool isClaimed() const { return claimed_; }

  // A record of the slow path. True: it has to go out.
  template <class P, class... Tails>
  bool take(bool due, const P& payload, const Tails&... tails) {
    scratch_.resize(pipe::recordBytes(payload) / sizeof(u64));
    pipe::writeRecord(scratch_.data(), payload, tails...);
    return takeRecord(reinterpret_cast<const pipe::RecordHeader*>(scratch_.data()), due);
  }
  void fault(const char* what);

 private:
  Verifier(bool always, u32 every, std::shared_ptr<Told> objects)
      : always_(always), every_(every), objects_(std::move(objects)) {}
  bool takeRecord(const pipe::RecordHeader* record, bool due);

  const bool always_;
  const u32 every_;
  const std::shared_ptr<Told> objects_;
  Told states_;
  std::vector<u64> scratch_;
  u32 hits_ = 0;
  bool looking_ = false, claimed_ = false, faulted_ = false;
};

}  // namespace mgl::tracker

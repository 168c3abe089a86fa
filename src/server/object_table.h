// The objects of one kind by slot. Grows to the highest slot in use, never beyond kMaxSlot.
//
// The only maker of checked handles: a checked handle says that the slot held a live object of the right generation,
// and holds until the next record that may destroy it.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ref.h"
#include "pipe/handle.h"

namespace mgl::server {

template <class T, pipe::Kind K>
class ObjectTable {
 public:
  using Handle = pipe::UncheckedHandle<K>;

  ObjectTable() = default;
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  std::optional<pipe::CheckedHandle<K>> check(Handle handle) const {
    if (find(handle) == nullptr) return std::nullopt;
    return pipe::HandleGate::admit(handle);
  }
  T& at(pipe::CheckedHandle<K> handle) const { return *entries_[handle.slot()].object; }

  // The object; null: not a live one.
  T* find(Handle handle) const {
    if (handle.slot >= slots_) [[unlikely]]
      return nullptr;
    const Entry& entry = first_[handle.slot];
    return entry.gen == handle.gen ? entry.object.get() : nullptr;
  }

  // Whether a record may create an object under this handle: the slot is empty and its generation is a later one than
  // the slot's last.
  bool isFresh(u32 slot, u32 gen) const {
    if (slot == 0 || slot >= pipe::kMaxSlot || gen == 0) return false;
    if (slot >= entries_.size()) return true;
    const Entry& entry = entries_[slot];
    return !entry.object && gen > entry.gen;
  }

  // REQUIRES isFresh(handle).
  T& insert(Handle handle, Ref<T> object) {
    if (handle.slot >= entries_.size()) {
      const std::size_t wanted = std::max<std::size_t>(handle.slot + 1, entries_.size() * 2);
      entries_.resize(std::min<std::size_t>(wanted, pipe::kMaxSlot));
      first_ = entries_.data();
      slots_ = static_cast<u32>(entries_.size());
    }
    Entry& entry = entries_[handle.slot];
    entry.object = std::move(object);
    entry.gen = handle.gen;
    entry.object->slot = handle.slot;
    entry.object->gen = handle.gen;
    ++live_;
    return *entry.object;
  }

  Ref<T> remove(pipe::CheckedHandle<K> handle) {
    --live_;
    return std::move(entries_[handle.slot()].object);
  }

  // The live object of a slot, of whatever generation.
  T* inSlot(u32 slot) const { return slot < slots_ ? entries_[slot].object.get() : nullptr; }
  u32 slots() const { return slots_; }
  u32 live() const { return live_; }

 private:
  struct Entry {
    Ref<T> object;
    u32 gen = 0;  // of the object, or of the last one there was
  };
  std::vector<Entry> entries_{1};
  const Entry* first_ = entries_.data();  // what find looks at
  u32 slots_ = 1;
  u32 live_ = 0;
};

}  // namespace mgl::server

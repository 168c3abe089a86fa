// GL names to objects: the name space of one object type of a share group.
//
// A name is free, reserved (generated, no object yet) or has an object. Generated names are the lowest free ones, so
// the table stays dense; a look-up there is a bounds check and a load. A name that the program made up far outside of
// what is in use goes to a hash map, and moves when the dense part grows over it. Name 0 is never in the table.
//
// Pointer is what the table holds: T* where somebody else owns the objects, Ref<T> or std::unique_ptr<T> where the
// table does. Not thread-safe: the share group's lock guards it. Only reserve(), insert() and erase() allocate or free.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/types.h"

namespace mgl {

template <class T, class Pointer = T*>
class NameTable {
 public:
  // The object, or null when there is none; name 0 has none.
  T* find(u32 glName) const {
    if (glName < slots_.size()) [[likely]]
      return raw(slots_[glName]);
    if (far_.empty()) return nullptr;
    const auto it = far_.find(glName);
    return it == far_.end() ? nullptr : raw(it->second);
  }

  // Reserved or with an object.
  bool isUsed(u32 glName) const {
    if (glName < slots_.size()) return glName != 0 && usedBit(glName);
    return far_.contains(glName);
  }

  // Reserves the lowest free name; 0 when all 2^32 - 1 are used.
  u32 reserve() {
    const u32 word = skipFullWords();
    const u32 glName = word < used_.size() ? word * 64 + static_cast<u32>(std::countr_one(used_[word])) : word * 64;
    if (glName == 0 && word != 0) return 0;
    ensureDense(glName);
    // Growing may have moved a far name onto this one.
    if (usedBit(glName)) return reserve();
    setUsed(glName);
    return glName;
  }
  // All of them, or none when there is no memory.
  void reserve(std::span<u32> names) {
    std::size_t done = 0;
    try {
      for (; done < names.size(); ++done) names[done] = reserve();
    } catch (...) {
      for (std::size_t i = 0; i < done; ++i) static_cast<void>(erase(names[i]));
      throw;
    }
  }

  // Reserves count neighbouring names and returns the first; 0 when count is 0 or no such range is free.
  u32 reserveRange(u32 count) {
    if (count == 0) return 0;
    u64 begin = std::max<u64>(1, u64{skipFullWords()} * 64);
    for (u64 at = begin; at < begin + count; ++at) {
      if (begin + count > u64{1} << 32) return 0;
      if (isUsed(static_cast<u32>(at))) begin = at + 1;
    }
    ensureDense(static_cast<u32>(begin + count - 1));
    for (u64 at = begin; at < begin + count; ++at) setUsed(static_cast<u32>(at));
    return static_cast<u32>(begin);
  }

  // Gives the name an object, reserving the name where needed; the object it had before is returned.
  Pointer insert(u32 glName, Pointer object) {
    MGL_ASSERT(glName != 0);
    if (glName < slots_.size() || glName < 2 * slots_.size() + kNear) {
      ensureDense(glName);
      setUsed(glName);
      return std::exchange(slots_[glName], std::move(object));
    }
    return std::exchange(far_[glName], std::move(object));
  }

  // Frees the name; its object is returned.
  Pointer erase(u32 glName) {
    if (glName == 0) return Pointer{};
    if (glName < slots_.size()) {
      used_[glName / 64] &= ~(u64{1} << glName % 64);
      if (glName / 64 < firstFreeWord_) firstFreeWord_ = glName / 64;
      return std::exchange(slots_[glName], Pointer{});
    }
    const auto it = far_.find(glName);
    if (it == far_.end()) return Pointer{};
    Pointer object = std::move(it->second);
    far_.erase(it);
    return object;
  }

  // Calls visit(name, T&) for every object, lowest dense name first. visit must not change the table.
  template <class Visit>
  void forEach(Visit&& visit) const {
    for (u32 glName = 1; glName < slots_.size(); ++glName) {
      if (T* object = raw(slots_[glName])) visit(glName, *object);
    }
    for (const auto& [glName, object] : far_) {
      if (T* pointer = raw(object)) visit(glName, *pointer);
    }
  }

  void clear() { *this = NameTable(); }

 private:
  static constexpr u32 kNear = 1024;

  static T* raw(T* object) { return object; }
  template <class Owner>
  static T* raw(const Owner& owner) {
    return owner.get();
  }

  bool usedBit(u32 glName) const { return (used_[glName / 64] >> glName % 64 & 1) != 0; }
  void setUsed(u32 glName) { used_[glName / 64] |= u64{1} << glName % 64; }

  u32 skipFullWords() {
    while (firstFreeWord_ < used_.size() && used_[firstFreeWord_] == ~u64{0}) ++firstFreeWord_;
    return firstFreeWord_;
  }

  void ensureDense(u32 glName) {
    if (glName < slots_.size()) return;
    const u64 wanted = std::max<u64>(u64{glName} + 1, slots_.size() * 2);
    const std::size_t size = static_cast<std::size_t>(std::min<u64>(alignUp<u64>(wanted, 64), u64{1} << 32));
    // The table is as long as slots_ says: used_ may be longer, where there is no memory for the rest.
    used_.resize(size / 64, 0);
    slots_.resize(size);
    used_[0] |= 1;
    for (auto it = far_.begin(); it != far_.end();) {
      if (it->first < size) {
        slots_[it->first] = std::move(it->second);
        setUsed(it->first);
        it = far_.erase(it);
      } else {
        ++it;
      }
    }
  }

  std::vector<Pointer> slots_;
  std::vector<u64> used_;
  u32 firstFreeWord_ = 0;
  std::unordered_map<u32, Pointer> far_;
};

}  // namespace mgl

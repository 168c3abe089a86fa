// Debug builds fill what is fresh with 0xCD and what is gone with 0xDD, so that a member that nobody set and an object that
// is used after its end show at once. Nothing elsewhere.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>

namespace mgl {

inline constexpr int kFreshByte = 0xCD, kGoneByte = 0xDD;

inline void poisonFresh([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) {
#ifdef MOBILEGL_DEBUG
  std::memset(at, kFreshByte, bytes);
#endif
}

// A base of what is made by new. Not inlined: a store before the constructor, or after the destructor, would count as dead.
class Poisoned {
#ifdef MOBILEGL_DEBUG
 public:
  [[gnu::noinline]] static void* operator new(std::size_t bytes) { return std::memset(::operator new(bytes), kFreshByte, bytes); }
  [[gnu::noinline]] static void* operator new(std::size_t bytes, const std::nothrow_t& tag) noexcept {
    void* const at = ::operator new(bytes, tag);
    return at != nullptr ? std::memset(at, kFreshByte, bytes) : nullptr;
  }
  [[gnu::noinline]] static void* operator new(std::size_t bytes, std::align_val_t align) {
    return std::memset(::operator new(bytes, align), kFreshByte, bytes);
  }
  [[gnu::noinline]] static void* operator new(std::size_t bytes, std::align_val_t align, const std::nothrow_t& tag) noexcept {
    void* const at = ::operator new(bytes, align, tag);
    return at != nullptr ? std::memset(at, kFreshByte, bytes) : nullptr;
  }
  static void* operator new(std::size_t, void* at) noexcept { return at; }
  [[gnu::noinline]] static void operator delete(void* at, std::size_t bytes) noexcept {
    std::memset(at, kGoneByte, bytes);
    ::operator delete(at, bytes);
  }
  [[gnu::noinline]] static void operator delete(void* at, std::size_t bytes, std::align_val_t align) noexcept {
    std::memset(at, kGoneByte, bytes);
    ::operator delete(at, bytes, align);
  }
#endif
};

}  // namespace mgl

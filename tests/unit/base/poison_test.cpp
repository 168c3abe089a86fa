// Fresh and gone objects show in debug builds.
#include <gtest/gtest.h>

#include <array>

#include "base/ref.h"

namespace mgl {
namespace {

struct Counted : RefCounted {
  std::array<u32, 16> unset;
};
struct Aligned : LocalRefCounted {
  alignas(64) std::array<u32, 16> unset;
};

template <class T>
void isPoisoned() {
  T* made = new T;
  asm volatile("" : "+r"(made) : : "memory");  // the compiler is not to know that nobody set them
#ifdef MOBILEGL_DEBUG
  for (const u32 word : made->unset) EXPECT_EQ(word, 0xCDCDCDCDu);
#endif
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made) % alignof(T), 0u);
  delete made;
  delete new (std::nothrow) T;
}

TEST(Poison, WhatNobodySetShows) {
  isPoisoned<Counted>();
  isPoisoned<Aligned>();
}

TEST(Poison, MemoryThatIsFreshShows) {
#ifdef MOBILEGL_DEBUG
  alignas(64) std::array<u8, 256> memory{};
  poisonFresh(memory.data(), memory.size());
  for (const u8 byte : memory) EXPECT_EQ(byte, kFreshByte);
#endif
}

}  // namespace
}  // namespace mgl

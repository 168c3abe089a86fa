#include "limited_new.h"

#include <cstdlib>
#include <new>

namespace mgl::magma::test {

std::atomic<std::size_t> gLargestNew{~std::size_t{0}};

namespace {
void* allocate(std::size_t bytes) {
  return bytes > gLargestNew.load(std::memory_order_relaxed) ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
}  // namespace

}  // namespace mgl::magma::test

void* operator new(std::size_t bytes) {
  if (void* memory = mgl::magma::test::allocate(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return mgl::magma::test::allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return mgl::magma::test::allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

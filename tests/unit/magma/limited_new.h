// operator new of the test program, with a limit: what is larger is not to be had.
#pragma once

#include <atomic>
#include <cstddef>

namespace mgl::magma::test {

extern std::atomic<std::size_t> gLargestNew;

struct LimitedNew {
  explicit LimitedNew(std::size_t largest) { gLargestNew = largest; }
  ~LimitedNew() { gLargestNew = ~std::size_t{0}; }
  LimitedNew(const LimitedNew&) = delete;
  LimitedNew& operator=(const LimitedNew&) = delete;
};

}  // namespace mgl::magma::test

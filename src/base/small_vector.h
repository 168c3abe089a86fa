// A vector whose first N elements live inside of it: no allocation while size() <= N. Beyond that it allocates like
// std::vector and keeps what it allocated until it is destroyed. What std::vector has too is named as it is there.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "base/types.h"

namespace mgl {

template <class T, std::size_t N>
class SmallVector {
  static_assert(N > 0);
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  using size_type = std::size_t;

  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) { append(std::span<const T>(values.begin(), values.size())); }
  explicit SmallVector(std::span<const T> values) { append(values); }
  SmallVector(const SmallVector& other) { append(other.span()); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  ~SmallVector() {
    clear();
    release();
  }

  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      clear();
      append(other.span());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      clear();
      release();
      take(other);
    }
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  bool isInline() const { return data_ == inlineData(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::span<const T> span() const { return {data_, size_}; }

  T& operator[](std::size_t i) {
    MGL_ASSERT(i < size_);
    return data_[i];
  }
  const T& operator[](std::size_t i) const {
    MGL_ASSERT(i < size_);
    return data_[i];
  }
  T& front() { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[size_ - 1]; }

  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ < capacity_) return *std::construct_at(data_ + size_++, std::forward<Args>(args)...);
    // The arguments may refer to an element: build the value before the elements move.
    T value(std::forward<Args>(args)...);
    grow(size_ + 1);
    return *std::construct_at(data_ + size_++, std::move(value));
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  void pop_back() {
    MGL_ASSERT(size_ > 0);
    std::destroy_at(data_ + --size_);
  }

  // values must not be part of this vector.
  void append(std::span<const T> values) {
    reserve(size_ + values.size());
    std::uninitialized_copy(values.begin(), values.end(), data_ + size_);
    size_ += values.size();
  }

  void resize(std::size_t size, const T& value = T{}) {
    if (size < size_) {
      std::destroy(data_ + size, data_ + size_);
    } else if (size > size_) {
      const T filler(value);
      reserve(size);
      std::uninitialized_fill(data_ + size_, data_ + size, filler);
    }
    size_ = size;
  }
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) grow(capacity);
  }
  void clear() {
    std::destroy(data_, data_ + size_);
    size_ = 0;
  }

  // Keeps the order; eraseUnordered moves the last element into the gap.
  void erase(std::size_t i) {
    MGL_ASSERT(i < size_);
    std::move(data_ + i + 1, data_ + size_, data_ + i);
    pop_back();
  }
  void eraseUnordered(std::size_t i) {
    MGL_ASSERT(i < size_);
    if (i + 1 != size_) data_[i] = std::move(back());
    pop_back();
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T* inlineData() { return std::launder(reinterpret_cast<T*>(storage_)); }
  const T* inlineData() const { return std::launder(reinterpret_cast<const T*>(storage_)); }

  void grow(std::size_t atLeast) {
    const std::size_t capacity = std::max(atLeast, capacity_ * 2);
    T* data = std::allocator<T>().allocate(capacity);
    std::uninitialized_move(data_, data_ + size_, data);
    std::destroy(data_, data_ + size_);
    release();
    data_ = data;
    capacity_ = capacity;
  }
  // Elements must be gone.
  void release() {
    if (!isInline()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inlineData();
    capacity_ = N;
  }
  // REQUIRES: empty and inline.
  void take(SmallVector& other) {
    if (other.isInline()) {
      std::uninitialized_move(other.begin(), other.end(), data_);
      size_ = other.size_;
      other.clear();
    } else {
      data_ = std::exchange(other.data_, other.inlineData());
      capacity_ = std::exchange(other.capacity_, N);
      size_ = std::exchange(other.size_, 0);
    }
  }

  alignas(T) std::byte storage_[N * sizeof(T)];
  T* data_ = inlineData();
  std::size_t capacity_ = N;
  std::size_t size_ = 0;
};

}  // namespace mgl

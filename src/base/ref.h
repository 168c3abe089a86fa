// Intrusive reference counts, for share-group objects and for what the GPU may still use; nothing else is counted.
//
// A RefCounted object may be held by several threads, a LocalRefCounted one by holders under one lock. Both begin at
// zero; makeRef() gives the first reference, the last one deletes the object.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "base/assert.h"
#include "base/poison.h"
#include "base/types.h"

namespace mgl {

class RefCounted : public Poisoned {
 public:
  void ref() const { count_.fetch_add(1, std::memory_order_relaxed); }
  // True for the last.
  [[nodiscard]] bool unref() const { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  u32 refCount() const { return count_.load(std::memory_order_relaxed); }

 protected:
  RefCounted() = default;
  RefCounted(const RefCounted&) : RefCounted() {}
  RefCounted& operator=(const RefCounted&) { return *this; }
  ~RefCounted() = default;

 private:
  mutable std::atomic<u32> count_{0};
};

class LocalRefCounted : public Poisoned {
 public:
  void ref() const { ++count_; }
  [[nodiscard]] bool unref() const {
    MGL_ASSERT(count_ > 0);
    return --count_ == 0;
  }
  u32 refCount() const { return count_; }

 protected:
  LocalRefCounted() = default;
  LocalRefCounted(const LocalRefCounted&) : LocalRefCounted() {}
  LocalRefCounted& operator=(const LocalRefCounted&) { return *this; }
  ~LocalRefCounted() = default;

 private:
  mutable u32 count_ = 0;
};

template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) object_->ref();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& other) : Ref(other.get()) {}
  ~Ref() { drop(object_); }

  Ref& operator=(const Ref& other) {
    if (object_ != other.object_) Ref(other).swap(*this);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    Ref(std::move(other)).swap(*this);
    return *this;
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  void swap(Ref& other) noexcept { std::swap(object_, other.object_); }
  void reset() { drop(std::exchange(object_, nullptr)); }

  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }
  friend bool operator==(const Ref& a, const T* b) { return a.object_ == b; }
  friend bool operator==(const Ref& a, std::nullptr_t) { return a.object_ == nullptr; }

 private:
  static void drop(T* object) {
    if (object != nullptr && object->unref()) delete object;
  }
  T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> makeRef(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace mgl

// What all objects of the frontend share.
//
// An object lives while a name, a binding, an attachment or another object holds a Ref to it; names and bindings are
// dropped by glDelete*, and when the last Ref goes its destructor retires the handle (client::Session::retire), so that the destroy
// record follows whatever used it. Identity on the pipe is the handle; `lifetimeId` is never used twice in the process
// and is what caches compare. A GL name is neither.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "base/ref.h"
#include "client/session.h"
#include "gl/api.h"

namespace mgl::gl {

u64 nextLifetimeId();

struct Object : RefCounted {
  explicit Object(u32 glName) : name(glName), lifetimeId(nextLifetimeId()) {}
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  u32 name;
  const u64 lifetimeId;
  // Grows whenever the object's shape or parameters change (never for contents). Shared objects: release / acquire.
  std::atomic<u64> version{1};
  std::string label;  // KHR_debug
  bool deleted = false;  // the name is gone; the object is kept by what holds it

  u64 touch() { return version.fetch_add(1, std::memory_order_release); }  // the version before
  u64 currentVersion() const { return version.load(std::memory_order_acquire); }
};

// A group for the records that make an object: of the thread's current context, whose lock it mostly is already, else of
// none.
class ObjectGroup {
 public:
  explicit ObjectGroup(client::Session& session);
  client::Group& operator*() { return own_ ? static_cast<client::Group&>(*own_) : *group_; }

 private:
  std::optional<client::Group> group_;
  std::optional<client::SessionGroup> own_;
};

}  // namespace mgl::gl

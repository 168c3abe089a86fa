// The objects that contexts share: buffers, textures, renderbuffers, samplers, shaders and programs, syncs (OpenGL 4.6
// appendix on shared objects). Containers (vertex arrays, framebuffers, pipelines, transform feedback, queries) are a context's own.
//
// Locking. `mutex` guards the name tables and what a member's comment says; hold it for a look-up and take a Ref inside.
// Objects are made under it, which opens a group: the mutex comes first, never a look-up with a group open. Sizes,
// formats and levels of objects are read and written under the session's lock (gl/verb.h), because the server checks them again;
// the rest of an object is guarded by GL's own rules (the program synchronises), except where a race could crash: those
// members are atomic or under the mutex.
#pragma once

#include <memory>
#include <mutex>

#include "base/name_table.h"
#include "gl/object.h"

namespace mgl::tracker {
class Told;
}

namespace mgl::gl {

struct Buffer;
struct Texture;
struct Renderbuffer;
struct Sampler;
struct ShaderOrProgram;  // shaders and programs share one name space
struct Sync;
class LinkWorkers;

struct ShareGroup : RefCounted {
  explicit ShareGroup(std::shared_ptr<client::Session> s);
  ~ShareGroup();

  std::shared_ptr<client::Session> session;
  const std::shared_ptr<LinkWorkers> linkWorkers;
  std::mutex mutex;

  NameTable<Buffer, Ref<Buffer>> buffers;
  NameTable<Texture, Ref<Texture>> textures;
  NameTable<Renderbuffer, Ref<Renderbuffer>> renderbuffers;
  NameTable<Sampler, Ref<Sampler>> samplers;
  NameTable<ShaderOrProgram, Ref<ShaderOrProgram>> programs;
  NameTable<Sync, Ref<Sync>> syncs;  // a GLsync is the name as a pointer

  // Moves whenever the shape of a shared object does; every context compares it at a draw. A cache line of its own.
  alignas(64) std::atomic<u64> shapeEpoch{1};
  // Buffers mapped in a way that a draw must look at (not persistent, or pushed by the client): none, and a draw need not.
  std::atomic<u32> liveMaps{0};

  std::shared_ptr<tracker::Told> told;  // the verifier's; null without. Under the session's lock
};

// A look-up that keeps the object alive: null when the name has no object.
template <class T, class Table>
Ref<T> lookUp(ShareGroup& group, const Table& table, u32 name) {
  const std::scoped_lock lock(group.mutex);
  return Ref<T>(static_cast<T*>(table.find(name)));
}

}  // namespace mgl::gl

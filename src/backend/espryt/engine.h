// What the parts of a session's Espryt share. Made by espryt.cpp; under the session's lock, but for the second halves of
// replies.
#pragma once

#include "backend/backend.h"
#include "backend/espryt/convert.h"
#include "backend/espryt/host_context.h"
#include "backend/espryt/host_library.h"
#include "base/counters.h"

namespace mgl::espryt {

class Blitter;
class Buffers;
class Framebuffers;
class Programs;
class Queries;
class ReadBacks;
class Textures;
class WaitThread;

enum class Dead : u8 { Buffer, Texture, Sampler, Program, Count };

struct Engine {
  // Null with the cause and the mend.
  static std::unique_ptr<Engine> open(const std::string& library, const std::vector<std::string>& hostLimit,
                                      backend::EventSink& sink, std::string* error);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // ---- Contexts
  u32 freeContextIndex();
  // Order between contexts: what others did before their fences is there for what this one does next; what this one did is
  // there for who comes after.
  void enterContext(HostContext& context);
  void leaveContext(HostContext& context);
  // A fence after the context's work, flushed on its way; what the context did so far is in order with who comes after.
  GLsync fence(HostContext& context);

  // ---- Objects
  HostObject named(GLuint name) { return {name, nextId++, 0, 0}; }
  void wrote(HostContext& context, HostObject& object) {
    object.written = ++stamp;
    object.writer = context.index();
  }
  void bury(Dead kind, GLuint name);
  // A container of the context with this index, if that is still the one of this uid: the names go with their context.
  HostContext* owner(u32 index, u64 uid) const {
    HostContext* context = index < contexts.size() ? contexts[index] : nullptr;
    return context != nullptr && context->uid == uid ? context : nullptr;
  }
  void tidy();  // deletes what was buried; REQUIRES a current context

  // A host call failed, or something cannot be done: the verb is skipped.
  void decline(std::string_view what);

  const u64 id;  // unique in the process
  const HostLibrary* library = nullptr;
  const Egl* egl = nullptr;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLConfig config = nullptr;
  Gl gl;
  HostFeatures features;
  backend::EventSink& sink;
  std::unique_ptr<FormatTable> formats;
  pipe::Caps caps;

  u64 nextContextUid = 1;
  u64 stamp = 1;       // of writes through contexts
  u64 nextId = 1;      // of host objects
  u64 nextLeft = 0;
  std::vector<GLsync> deadSyncs;
  u64 epoch = 1;       // the backend epoch: grows when the backend itself wrote what draws look at
  std::vector<HostContext*> contexts;  // by index; null: free
  std::unique_ptr<HostContext> service;
  std::atomic<u64> allocationFailures{0};
  i64 gpuClockOffsetNs = 0;  // of the GPU's clock against CLOCK_MONOTONIC

  std::unique_ptr<WaitThread> waiter;
  std::unique_ptr<Buffers> buffers;
  std::unique_ptr<Textures> textures;
  std::unique_ptr<Framebuffers> framebuffers;
  std::unique_ptr<ReadBacks> readBacks;
  std::unique_ptr<Blitter> blitter;
  std::unique_ptr<Programs> programs;
  std::unique_ptr<Queries> queries;

 private:
  Engine(backend::EventSink& to, u64 unique);
  bool openHost(std::string* error, const std::vector<std::string>& hostLimit);
  std::array<std::vector<GLuint>, countOf<Dead>()> dead_;
};

}  // namespace mgl::espryt

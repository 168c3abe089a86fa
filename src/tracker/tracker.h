// Validate at the verb: turns what changed in a context since its last verb into records, and emits the verb.
//
// One per context, used on the thread that has it current. It reads the frontend's state and keeps what the server was told.
// Nothing is emitted in a setter.
//
// A draw compares {context epoch, share-group shape epoch, context serial, live maps it can read, link version}; when all stand,
// only the vertex array's slice, the program's slice and the uniform patch are looked at (design section 7).
#pragma once

#include "gl/context.h"
#include "gl/program/program.h"
#include "gl/vertex/vertex_array.h"
#include "tracker/cso_cache.h"
#include "tracker/verifier.h"

namespace mgl::tracker {

// A draw as the entry points understand it, its arguments validated.
struct DrawArguments {
  pipe::Primitive mode = pipe::Primitive::Triangles;
  pipe::IndexType indexType = pipe::IndexType::None;
  u32 instanceCount = 1;
  u32 baseInstance = 0;
};

class Tracker {
 public:
  explicit Tracker(gl::Context& context);
  ~Tracker();

  // Checks what a draw needs of the context's state (OpenGL 4.6 section 11.1.3.11 and the errors of the drawing commands); sets the
  // error, ends the group and returns false when it must not be drawn. Cheap when nothing moved. Called by the draw entry points,
  // in the group that they go on to draw in.
  // The caller has the context at hand. `indexed`: the draw reads the index buffer.
  bool validateDraw(const gl::Context& context, client::Group& group, pipe::Primitive mode, bool indexed) {
    if (deltaHolds(context, mode, indexed)) [[likely]]
      return true;
    if (validateDrawSlow(group, mode, indexed)) return true;
    refuse(group);
    return false;
  }

  // Emits state and verb. `ranges` are the parts of a multi-draw.
  void draw(client::Group& group, const DrawArguments& arguments, std::span<const pipe::DrawRange> ranges);
  // The warm path: one range.
  void draw(client::Group& group, const DrawArguments& arguments, const pipe::DrawRange& range);
  void drawIndirect(client::Group& group, const DrawArguments& arguments, gl::Buffer& parameters, u64 offset, u32 stride, u32 count,
                    gl::Buffer* countBuffer, u64 countOffset);

  // What verbs other than draws name: makes the server's object what the frontend's is. Null is the default framebuffer,
  // whose record (draw and read buffers) is then brought up to date.
  pipe::FramebufferHandle useFramebuffer(client::Group& group, gl::Framebuffer* framebuffer);
  void useTexture(client::Group& group, gl::Texture& texture);
  // State that verbs like clears, blits and queries depend on without drawing: the render condition.
  void useCondition(client::Group& group);
  // Surfaces of the context changed: BindContext, after which everything of the default framebuffer is new.
  void bindSurfaces();

  // A group for an object record or a verb of this context.
  client::Group group() { return client::Group(*context_.session, context_.stream); }

 private:
  // ---- The draw delta
  // What a full compare that was valid stood on.
  struct Seen {
    u64 epoch = 0, shape = 0;  // epoch 0: none; a pipeline's programs are looked at each time
    const gl::Program* program = nullptr;
    u64 programVersion = 0;  // moves with links and with sampler units and block bindings
    u32 modes = 0;           // a bit per primitive validated since
  };
  bool deltaHolds(const gl::Context& c, pipe::Primitive mode, bool indexed) const { return holds(seen_, c, mode, indexed); }
  bool holds(const Seen& seen, const gl::Context& c, pipe::Primitive mode, bool indexed) const {
    return seen.epoch == c.epoch && seen.shape == c.share->shapeEpoch.load(std::memory_order_acquire) &&
           seen.program == c.program.get() && c.vertexArray && seen.programVersion == seen.program->currentVersion() &&
           ((seen.modes >> indexOf(mode)) & 1) != 0 &&
           (c.share->liveMaps.load(std::memory_order_relaxed) == 0 || !readsLiveMap(indexed));
  }
  bool validateDraw(client::Group& group, const DrawArguments& arguments) {
    return validateDraw(context_, group, arguments.mode, arguments.indexType != pipe::IndexType::None);
  }
  bool validateDrawSlow(client::Group& group, pipe::Primitive mode, bool indexed);
  [[gnu::cold]] void refuse(client::Group& group);
  bool isValid(pipe::Primitive mode, bool indexed);
  bool validateProgram(pipe::Primitive mode);
  bool validateSamplers(const gl::Executable& executable);
  bool validateFramebuffer();
  // Does the draw read or write a buffer that is mapped without GL_MAP_PERSISTENT_BIT? Looked at while there are such maps.
  [[gnu::cold, gnu::noinline]] bool readsLiveMap(bool indexed) const;
  bool readsLiveMap(const gl::Executable& executable) const;
  gl::Executable* stageExecutable(shader::Stage stage) const;

  // ---- The slow path: each group whose version moved
  void emitState(client::Group& group);
  // What a draw looks at in any case: state that waits, the vertex array's slice, attributes without an array. False: it must
  // not be drawn after all, because another thread came between.
  bool prepareDraw(client::Group& group, gl::VertexArray& vertexArray, const DrawArguments& arguments) {
    if (statePending_) [[unlikely]]
      return prepareDrawSlow(group, vertexArray, arguments);
    group.countDeltaHit();
    if (slicesMoved(vertexArray)) [[unlikely]]
      emitSlices(group, vertexArray);
    return true;
  }
  bool slicesMoved(const gl::VertexArray& vertexArray) const {
    const u32 defaults = attributeMask_ & ~vertexArray.enabledMask & ~emittedDefaults_;
    return vertexArray.formatVersion != vertexArray.emittedFormat ||
           vertexArray.bindingsVersion != vertexArray.emittedBindings || defaults != 0;
  }
  [[gnu::cold]] bool prepareDrawSlow(client::Group& group, gl::VertexArray& vertexArray, const DrawArguments& arguments);
  // Sends what glUniform* changed ahead of the draw. False: as prepareDraw.
  bool sendUniforms(client::Group& group, const DrawArguments& arguments);
  [[gnu::cold]] void emitSlices(client::Group& group, gl::VertexArray& vertexArray);
  [[gnu::cold]] void drawMany(client::Group& group, const DrawArguments& arguments,
                              std::span<const pipe::DrawRange> ranges);
  bool mergeDraw(client::Group& group, const DrawArguments& arguments, const pipe::DrawRange& range);
  void emitFixedFunction(client::Group& group);
  void emitViewports(client::Group& group);
  void emitFramebuffer(client::Group& group);
  void emitDefaultTargets(client::Group& group);
  void emitBuffers(client::Group& group);
  void emitTextures(client::Group& group);
  void emitPrograms(client::Group& group);
  void emitProgramBindings(client::Group& group, gl::Program& program);
  void emitAttribDefaults(client::Group& group, u32 needed);
  // True: other values than the block had.
  bool fillBuiltinUniforms(gl::Executable& executable);
  void emitVertexArray(client::Group& group, gl::VertexArray& vertexArray);
  void emitUniformBlob(client::Group& group, pipe::ProgramHandle handle, gl::Executable& executable);

  bool moved(gl::Group group) {
    u64& seen = emitted_[indexOf(group)];
    const u64 now = context_.versions[indexOf(group)];
    if (seen == now) return false;
    seen = now;
    return true;
  }
  // Whether the group is to be looked at: `due` when it moved; the verifier looks at all.
  bool lookAt(gl::Group group, bool* due) {
    *due = moved(group);
    return *due || isLooking();
  }
  bool isLooking() const { return verifier_ && verifier_->isLooking(); }
  // Emits a record of the slow path that is due, or that the verifier finds missing.
  template <class P, class... Tails>
  void tell(client::Group& group, bool due, const P& payload, const Tails&... tails) {
    if (!verifier_ || verifier_->take(due, payload, tails...)) group.emit(payload, tails...);
  }

  gl::Context& context_;

  Seen seen_;                 // none while there is a verifier: it answers for the draw delta, out of its own
  Seen claim_;
  std::unique_ptr<Verifier> verifier_;
  bool statePending_ = true;  // validated by the slow path, not emitted yet

  // What draws go to: the program in use, or the pipeline's composite.
  pipe::ProgramHandle drawProgram_;
  std::shared_ptr<gl::Executable> heldExecutable_;  // of the program in use, as it was when its state was told
  gl::Executable* drawExecutable_ = nullptr;  // null with a pipeline: its stages' uniforms go ahead of the draw
  u32 attributeMask_ = 0;                     // vertex inputs that the program reads
  bool usesDrawId_ = false;

  // What the server was told of this context.
  std::array<u64, countOf<gl::Group>()> emitted_{};
  CsoCache<pipe::Kind::RenderState> renderStates_;
  CsoCache<pipe::Kind::Sampler> samplers_;
  CsoCache<pipe::Kind::VertexFormat> vertexFormats_;
  pipe::RenderStateHandle boundRenderState_;
  u32 emittedDefaults_ = 0;  // attributes whose current value the server has
  std::vector<pipe::ViewBinding> views_, wantedViews_;
  std::vector<pipe::SamplerBinding> samplerBindings_, wantedSamplers_;
  struct SamplerMemo {
    u64 lifetimeId = 0, version = 0;
    pipe::SamplerHandle handle;
  };
  std::array<SamplerMemo, gl::kMaxUnits> samplerMemos_;
};

}  // namespace mgl::tracker

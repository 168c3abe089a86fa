// Validate at the verb: turns what changed in a context since its last verb into records, and emits the verb.
//
// One per context, used on the thread that has it current. It reads the frontend's state and keeps what the server was told.
// Nothing is emitted in a setter.
//
// A draw compares {context epoch, share-group shape epoch, context serial, live maps, link version}; when all stand,
// only the vertex array's slice, the program's slice and the uniform patch are looked at (design section 7).
#pragma once

#include "gl/context.h"
#include "gl/program/program.h"
#include "gl/vertex/vertex_array.h"
#include "tracker/cso_cache.h"

namespace mgl::tracker {

// A draw as the entry points understand it, its arguments validated.
struct DrawArguments {
  pipe::Primitive mode = pipe::Primitive::Triangles;
  pipe::IndexType indexType = pipe::IndexType::None;
  u32 instanceCount = 1;
  u32 baseInstance = 0;
  u32 minIndex = 0, maxIndex = ~0u;    // glDrawRangeElements, for client arrays
  const void* clientIndices = nullptr;  // set: indices lie in client memory (compatibility profile)
};

class Tracker {
 public:
  explicit Tracker(gl::Context& context);
  ~Tracker();

  // Checks what a draw needs of the context's state (OpenGL 4.6 section 11.1.3.11 and the errors of the drawing commands); sets the
  // error and returns false when it must not be drawn. Cheap when nothing moved. Called by the draw entry points before draw*.
  bool validateDraw(pipe::Primitive mode) {
    if (deltaHolds(mode)) [[likely]]
      return true;
    return validateDrawSlow(mode);
  }

  // Emits state and verb. `ranges` are the parts of a multi-draw.
  void draw(const DrawArguments& arguments, std::span<const pipe::DrawRange> ranges);
  // The warm path: one range.
  void draw(const DrawArguments& arguments, const pipe::DrawRange& range);
  void drawIndirect(const DrawArguments& arguments, gl::Buffer& parameters, u64 offset, u32 stride, u32 count,
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
  bool deltaHolds(pipe::Primitive mode) const {
    const gl::Context& c = context_;
    return seenEpoch_ == c.epoch && seenShape_ == c.share->shapeEpoch.load(std::memory_order_acquire) &&
           seenProgram_ == c.program.get() && seenProgram_ != nullptr && c.vertexArray &&
           seenProgramVersion_ == seenProgram_->currentVersion() &&
           ((seenModes_ >> indexOf(mode)) & 1) != 0 && c.share->liveMaps.load(std::memory_order_relaxed) == 0;
  }
  bool validateDrawSlow(pipe::Primitive mode);
  bool validateProgram(pipe::Primitive mode);
  bool validateSamplers(const gl::Executable& executable);
  bool validateFramebuffer();
  bool validateBuffers();
  gl::Executable* stageExecutable(shader::Stage stage) const;

  // ---- The slow path: each group whose version moved
  void emitState(client::Group& group);
  // What a draw looks at in any case: state that waits, the vertex array's slice, attributes without an array.
  void prepareDraw(client::Group& group, gl::VertexArray& vertexArray) {
    if (statePending_) [[unlikely]]
      emitState(group);
    else
      group.countDeltaHit();
    const u32 defaults = attributeMask_ & ~vertexArray.enabledMask & ~emittedDefaults_;
    if (vertexArray.formatVersion != vertexArray.emittedFormat ||
        vertexArray.bindingsVersion != vertexArray.emittedBindings || defaults != 0) [[unlikely]]
      emitSlices(group, vertexArray);
  }
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
  void fillBuiltinUniforms(gl::Executable& executable);
  void emitVertexArray(client::Group& group, gl::VertexArray& vertexArray);
  void emitUniformBlob(client::Group& group, pipe::ProgramHandle handle, gl::Executable& executable);

  bool moved(gl::Group group) {
    u64& seen = emitted_[indexOf(group)];
    const u64 now = context_.versions[indexOf(group)];
    if (seen == now) return false;
    seen = now;
    return true;
  }

  gl::Context& context_;

  // What the last full compare that was valid stood on.
  u64 seenEpoch_ = 0, seenShape_ = 0;
  const gl::Program* seenProgram_ = nullptr;
  u64 seenProgramVersion_ = 0;  // moves with links and with sampler units and block bindings
  u32 seenModes_ = 0;         // a bit per primitive validated since
  bool statePending_ = true;  // validated by the slow path, not emitted yet

  // What draws go to: the program in use, or the pipeline's composite.
  pipe::ProgramHandle drawProgram_;
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

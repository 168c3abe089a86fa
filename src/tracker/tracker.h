// Validate at the verb: turns what changed in a context since its last verb into records, and emits the verb.
//
// One per context, used on the thread that has it current. It reads the frontend's state and keeps what the server was told.
// Nothing is emitted in a setter.
//
// A draw compares {context epoch, share-group shape epoch, context serial, live maps, link version}; when all stand,
// only the vertex array's slice, the program's slice and the uniform patch are looked at (design section 7).
#pragma once

#include "gl/context.h"
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
  client::Group group() { return client::Group(*context_.session, context_.handle); }

 private:
  // ---- The draw delta
  bool deltaHolds(pipe::Primitive) const {
    return seenEpoch_ == context_.epoch && seenShape_ == context_.share->shapeEpoch.load(std::memory_order_acquire);
  }
  bool validateDrawSlow(pipe::Primitive mode);
  void emitState(client::Group& group);
  void emitVertexArray(client::Group& group, gl::VertexArray& vertexArray);
  void emitProgram(client::Group& group);

  gl::Context& context_;
  u64 seenEpoch_ = 0;   // context epoch and share-group shape epoch of the last full compare that was valid
  u64 seenShape_ = 0;
};

}  // namespace mgl::tracker

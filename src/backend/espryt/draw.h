// Draws. What a draw needs is brought about in the order target, fixed state, program, uniforms, textures, vertices; each part
// is left out when nothing that it looks at has moved.
#pragma once

#include "backend/context_state.h"
#include "backend/espryt/framebuffer.h"
#include "backend/espryt/program.h"
#include "backend/espryt/stream_ring.h"

namespace mgl::espryt {

// A vertex array of the host: a container, so each host context has its own.
struct VertexArrayTwin {
  GLuint name = 0;
  u64 id = 0, contextUid = 0;
  u64 version = 0, foreign = 0;
  bool special = false;  // something in it is one draw's only
  struct Attribute {
    bool enabled = false, integer = false;
    u8 components = 4, normalized = 0, slot = 0;
    GLenum type = GL_FLOAT;
    u32 offset = 0;
  };
  struct Slot {
    u64 buffer = 0, seen = 0, offset = 0;
    u32 stride = 16, divisor = 0;
  };
  std::array<Attribute, kMaxVertexSlots> attributes;
  std::array<Slot, kMaxVertexSlots> slots;
  u64 indexBuffer = 0, indexSeen = 0;
};

class VertexArray final : public backend::VertexArray {
 public:
  ~VertexArray() override;
  Engine* engine = nullptr;
  u64 version = 1;  // grows at every change
  std::vector<std::unique_ptr<VertexArrayTwin>> twins;  // by context index
};
class VertexFormat final : public backend::VertexFormat {};
class RenderState final : public backend::RenderState {};

// A client context's own: its host context, and what its last draw was made from.
struct ContextTwin final : backend::BackendContext {
  std::unique_ptr<HostContext> host;  // null: the host gave none
  struct Seen {
    u64 contextEpoch = 0, engineEpoch = 0;
    const Program* program = nullptr;
    u64 programSerial = 0, bindingsSerial = 0, uniformsSerial = 0, foreign = 0, streamed = 0;
    bool points = false;
  } seen;
  Target target;
};

class Drawer {
 public:
  explicit Drawer(Engine& engine) : engine_(engine) {}

  void draw(HostContext& host, ContextTwin& twin, backend::ContextState& context, const backend::DrawCall& call);
  void drawIndirect(HostContext& host, ContextTwin& twin, backend::ContextState& context,
                    const backend::IndirectDrawCall& call);

 private:
  // The indices that a draw is made with.
  struct Indices {
    const HostObject* buffer = nullptr;  // null: none
    u64 offset = 0;
    GLenum type = 0;
    u32 bytes = 0;
  };
  bool setup(HostContext& host, ContextTwin& twin, backend::ContextState& context, const backend::DrawCall& call,
             bool points, bool restart);
  bool emitState(HostContext& host, const ContextTwin& twin, const backend::ContextState& context, const Program& program);
  shader::DriverConstants constantsOf(const ContextTwin& twin, const backend::ContextState& context,
                                      const Program& program, bool points) const;
  bool bindUniforms(HostContext& host, const backend::ContextState& context, Program& program);
  bool bindSamplers(HostContext& host, const backend::ContextState& context, Program& program);
  bool bindVertices(HostContext& host, const backend::ContextState& context, const backend::DrawCall& call,
                    const Program& program);
  bool setAttribute(HostContext& host, VertexArrayTwin& twin, const backend::DrawCall& call, const pipe::VertexAttrib& attrib);
  bool placeAttribute(HostContext& host, VertexArrayTwin& twin, const pipe::VertexAttrib& attrib, GLenum type, u32 components, u32 offset,
                      const HostObject& buffer, u64 start, u32 stride, u32 divisor);
  const HostObject* converted(HostContext& host, Buffer& buffer, const pipe::VertexAttrib& attrib, u64 start, u32 stride);
  bool takeIndices(HostContext& host, const backend::DrawCall& call, Indices* out);
  void bindIndices(HostContext& host, const backend::DrawCall& call, const HostObject& buffer);
  void record(HostContext& host, const backend::DrawCall& call, const Indices& indices, GLenum mode);
  void drawConverted(HostContext& host, ContextTwin& twin, backend::ContextState& context, const backend::DrawCall& call,
                     bool points);

  Engine& engine_;
  std::vector<u32> rewritten_;
  std::vector<f32> biases_;
};

}  // namespace mgl::espryt

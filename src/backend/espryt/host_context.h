// A context of the host, with the shadow of what is set in it: a call that would set what is set already is not made.
//
// A host context is current on one thread at a time; all but its creation and end happen on that thread, under the session's
// lock. All contexts of a session are of one share group. Objects have ids that are never used twice, so that a name that the
// host gives again is not taken for the old object.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "backend/espryt/host_features.h"
#include "pipe/limits.h"

namespace mgl::espryt {

struct Engine;
class StreamRing;
struct QueryRun;

// An object of the host's share group. `written` is the engine's stamp of the last write through context `writer`.
struct HostObject {
  GLuint name = 0;
  u64 id = 0;  // 0: none
  u64 written = 0;
  u32 writer = 0;
};

inline constexpr u32 kMaxUnits = 192;
inline constexpr u32 kMaxUniformPoints = 96;
inline constexpr u32 kMaxVertexSlots = 32;

enum class BufferTarget : u8 { CopyRead, CopyWrite, PixelPack, PixelUnpack, DrawIndirect, Texture, Count };
enum class Cap : u8 {
  Blend0, Blend1, Blend2, Blend3, Blend4, Blend5, Blend6, Blend7, Cull, DepthTest, StencilTest, ScissorTest, OffsetFill,
  AlphaToCoverage, SampleCoverage, SampleMask, SampleShading, Discard, Restart, DepthClamp, FramebufferSrgb, Clip0, Clip1,
  Clip2, Clip3, Clip4, Clip5, Clip6, Clip7, Count
};

struct PixelStoreState {
  i32 alignment = 4, rowLength = 0, imageHeight = 0;
  bool operator==(const PixelStoreState&) const = default;
};

class HostContext {
 public:
  // Null with the cause. `share` null: the first of its group.
  static std::unique_ptr<HostContext> create(Engine& engine, HostContext* share, std::string* error);
  ~HostContext();
  HostContext(const HostContext&) = delete;
  HostContext& operator=(const HostContext&) = delete;

  // The context of this engine that is current on the calling thread; null: none.
  static HostContext* current(const Engine& engine);
  // False: the host refuses (it is current on another thread).
  bool makeCurrent();
  void release();  // REQUIRES that it is current on the calling thread
  bool isCurrent() const;
  void prepare();  // once the engine knows the host: the shadow begins where the context does

  u32 index() const { return index_; }  // of the living ones; given again
  const u64 uid;                        // never given again

  // ---- Bindings
  void bindBuffer(BufferTarget target, const HostObject& buffer);
  void unbindBuffer(BufferTarget target);
  void bindUniformRange(u32 point, const HostObject& buffer, u64 offset, u64 bytes);
  void bindVertexArray(GLuint name, u64 id);
  void useProgram(GLuint name, u64 id);
  void bindFramebuffer(bool draw, GLuint name, u64 id);
  // target 0 in the shadow: nothing of ours is bound there.
  void bindTexture(u32 unit, GLenum target, const HostObject& texture);
  void bindSampler(u32 unit, GLuint name, u64 id);
  // Binds for changing it, on a unit that no draw uses.
  void bindForChange(GLenum target, const HostObject& texture) { bindTexture(changeUnit_, target, texture); }
  void activeTexture(u32 unit);

  // ---- Fixed-function state
  void enable(Cap cap, bool on);
  void setScissor(i32 x, i32 y, i32 width, i32 height);
  void setViewport(i32 x, i32 y, i32 width, i32 height);
  void setDepthRange(f32 nearDepth, f32 farDepth);
  void setColorMask(u32 index, u8 mask);
  void setBlendFunc(u32 index, GLenum srcColor, GLenum dstColor, GLenum srcAlpha, GLenum dstAlpha);
  void setBlendEquation(u32 index, GLenum color, GLenum alpha);
  void setBlendColor(const std::array<f32, 4>& color);
  void setDepth(bool write, GLenum func);
  void setDepthMask(bool write);
  void setStencil(u32 face, GLenum func, i32 reference, u32 readMask);
  void setStencilOp(u32 face, GLenum fail, GLenum depthFail, GLenum pass);
  void setStencilMask(u32 face, u32 mask);
  void setFrontFace(GLenum winding);
  void setCullFace(GLenum face);
  void setPolygonOffset(f32 factor, f32 units, f32 clamp);
  void setLineWidth(f32 width);
  void setSampleCoverage(f32 value, bool invert);
  void setSampleMask(u32 mask);
  void setMinSampleShading(f32 value);
  void setClipControl(GLenum origin, GLenum depth);
  void setAttribute(u32 location, u32 kind, const std::array<u32, 4>& bits);  // kind: 0 float, 1 int, 2 uint
  void setUnpack(const PixelStoreState& state);
  void setPack(const PixelStoreState& state);

  // What the host deletes from a context's bindings by itself: the shadow forgets them. Called for containers.
  void forgetVertexArray(u64 id);
  void forgetFramebuffer(u64 id);

  void unbindTexture(u32 unit);

  // ---- Order between contexts (design section 6)
  bool dirty = false;           // has work that no fence covers
  GLsync leftAt = nullptr;      // after its last work, when another context may look
  u64 leftSerial = 0;           // of that fence; grows
  std::vector<u64> waitedFor;   // by context index: leftSerial that this one has waited for
  u64 foreign = 1;              // grows when it waited: what others wrote may have to be bound again

  std::vector<std::shared_ptr<QueryRun>> pendingQueries;  // ended, not yet told

  std::unique_ptr<StreamRing> stream;  // what draws through this context stream

  // ---- Containers and queries whose owner is gone while this context was not current
  std::vector<GLuint> deadFramebuffers, deadVertexArrays, deadQueries;

 private:
  HostContext(Engine& engine, u32 index);

  struct Slot {
    u64 id = 0, seen = 0;
  };
  bool stale(Slot& slot, const HostObject& object);

  Engine& engine_;
  const u32 index_;
  EGLContext context_ = EGL_NO_CONTEXT;
  u32 changeUnit_ = 0;
  bool prepared_ = false;

  std::array<Slot, countOf<BufferTarget>()> buffers_{};
  struct Range : Slot {
    u64 offset = 0, bytes = 0;
  };
  std::array<Range, kMaxUniformPoints> uniforms_{};
  struct Unit : Slot {
    GLenum target = 0;
    u64 sampler = 0;
  };
  std::array<Unit, kMaxUnits> units_{};
  u32 activeUnit_ = 0;
  u64 program_ = 0, vertexArray_ = 0, drawFramebuffer_ = 0, readFramebuffer_ = 0;

  u32 caps_ = 0;
  std::array<i32, 4> scissor_{-1, -1, -1, -1}, viewport_{-1, -1, -1, -1};
  std::array<f32, 2> depthRange_{0, 1};
  std::array<u8, pipe::kMaxColorTargets> colorMask_{};
  std::array<std::array<GLenum, 4>, pipe::kMaxColorTargets> blendFunc_{};
  std::array<std::array<GLenum, 2>, pipe::kMaxColorTargets> blendEquation_{};
  std::array<f32, 4> blendColor_{};
  bool depthMask_ = true;
  GLenum depthFunc_ = GL_LESS, frontFace_ = GL_CCW, cullFace_ = GL_BACK;
  struct StencilFace {
    GLenum func = GL_ALWAYS, fail = GL_KEEP, depthFail = GL_KEEP, pass = GL_KEEP;
    i32 reference = 0;
    u32 readMask = ~0u, writeMask = ~0u;
  };
  std::array<StencilFace, 2> stencil_{};
  std::array<f32, 3> polygonOffset_{};
  f32 lineWidth_ = 1, coverage_ = 1, minSampleShading_ = 0;
  bool coverageInvert_ = false;
  u32 sampleMask_ = ~0u;
  std::array<GLenum, 2> clipControl_{GL_LOWER_LEFT_EXT, GL_NEGATIVE_ONE_TO_ONE_EXT};
  struct Attribute {
    u32 kind = 0;
    std::array<u32, 4> bits{0, 0, 0, 0x3f800000};
  };
  std::array<Attribute, kMaxVertexSlots> attributes_{};
  PixelStoreState unpack_, pack_;
};

// Sees to it that a context of the engine is current on this thread for the scope: the one that is, else the engine's own,
// which is let go again, with whatever the host had current on the thread before put back.
class HostScope {
 public:
  explicit HostScope(Engine& engine);
  ~HostScope();
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;
  HostContext& operator*() const { return *context_; }
  HostContext* operator->() const { return context_; }
  explicit operator bool() const { return context_ != nullptr; }

 private:
  Engine& engine_;
  HostContext* context_;
  bool borrowed_ = false;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface draw_ = EGL_NO_SURFACE, read_ = EGL_NO_SURFACE;
  EGLContext before_ = EGL_NO_CONTEXT;
};

}  // namespace mgl::espryt

// A GL context: the program's view of all state that belongs to a context. Plain data, held in the pipe's own dense
// vocabulary wherever that loses nothing, so that the tracker emits it as it is and a query translates it back.
//
// Thread. A context is current on at most one thread, and only that thread touches it.
//
// Who writes what. The setters of a group of state live in gl/state and in the folder of the object family; each compares, writes,
// and moves the version of the Group that it belongs to with ctx.set(...) or ctx.touch(...). The epochs above them are moved
// by the generated stubs alone (gl/api.h). The tracker reads; it writes nothing here but its own member.
//
// Errors. ctx.error(GL_INVALID_…, "why, in a programmer's words") sets the error unless one is set already and tells KHR_debug.
// A command that fails changes nothing else.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gl/api.h"
#include "gl/share_group.h"
#include "gl/state/debug_state.h"
#include "gl/state/pixel_store.h"
#include "pipe/caps.h"

namespace mgl::tracker {
class Tracker;
}

namespace mgl::gl {

struct VertexArray;
struct Framebuffer;
struct Program;
struct Pipeline;
struct Query;
struct StreamOutput;
struct ProxyImages;
struct VersionInfo;
class Surface;

// What the tracker emits as a whole when its version moved.
enum class Group : u8 {
  Render,             // ctx.render
  Raster,             // ctx.raster
  BlendColor, StencilReference, Viewports, Scissors, WindowRectangles, Patch, AttribDefaults,
  Textures,           // units: bound textures
  Samplers,           // units: bound samplers
  Images, UniformBuffers, StorageBuffers, AtomicBuffers, StreamOutput,
  DrawFramebuffer, ReadFramebuffer, DefaultTargets, Condition,
  Program,            // program in use, pipeline bound
  VertexArray,        // bound vertex array (its content has a version of its own)
  Count
};

enum class Profile : u8 { Core, Compatibility, Es };
struct ContextConfig {
  u32 major = 3, minor = 3;
  Profile profile = Profile::Core;
  bool debug = false, forwardCompatible = false, robust = false, noError = false, loseContextOnReset = false;
};

inline constexpr u32 kMaxUnits = 192;  // combined texture image units, at most; ctx.limits().maxCombinedSamplers says how many
inline constexpr u32 kTargets = countOf<pipe::TextureTarget>();

struct TextureUnit {
  std::array<Ref<Texture>, kTargets> textures;  // null: the target's default texture (name 0)
  Ref<Sampler> sampler;
};
struct ImageUnit {
  Ref<Texture> texture;
  u32 level = 0, layer = 0;
  bool layered = false;
  GLenum access = GL_READ_ONLY, format = GL_R8;
};

// Binding points that are not indexed.
enum class BufferTarget : u8 {
  Array, CopyRead, CopyWrite, DispatchIndirect, DrawIndirect, Parameter, PixelPack, PixelUnpack, Query, Texture, Uniform, ShaderStorage,
  AtomicCounter, TransformFeedback,
  ElementArray,  // of the bound vertex array; here while none is bound
  Count
};
struct IndexedBuffer {
  Ref<Buffer> buffer;
  i64 offset = 0, size = 0;  // as given; size 0: the whole buffer (glBindBufferBase)
};

struct ClearValues {
  std::array<f32, 4> color{};
  f64 depth = 1;
  i32 stencil = 0;
};

// A generic attribute's current value.
struct AttribValue {
  pipe::AttribClass cls = pipe::AttribClass::Float;
  std::array<u32, 4> bits{0, 0, 0, 0x3f800000};
  std::array<f64, 4> doubles{0, 0, 0, 1};  // Double only
  friend bool operator==(const AttribValue&, const AttribValue&) = default;
};

struct Context {
  Context(std::shared_ptr<client::Session> session, Ref<ShareGroup> share, const ContextConfig& config);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // ---- Identity; constant
  const std::shared_ptr<client::Session> session;
  const Ref<ShareGroup> share;
  const ContextConfig config;
  const VersionInfo* info = nullptr;  // versions, extensions and limits granted (gl/version.h)
  client::StreamContext stream;       // its handle, and the lock's view of it
  const u64 serial;                   // never used twice in the process

  // ---- Epochs (design section 7). Moved by stubs and make-current.
  u64 epoch = 1;
  std::array<u64, countOf<Group>()> versions;

  void touch(Group group) { ++versions[indexOf(group)]; }
  template <class T>
  Moved set(Group group, T& slot, const std::type_identity_t<T>& value) {
    if (slot == value) return Moved::No;
    slot = value;
    touch(group);
    return Moved::Yes;
  }

  // ---- Errors and debug output
  GLenum firstError = GL_NO_ERROR;
  bool lossReported = false;
  bool unacknowledged = false;  // something large was made since the server was last asked (gl/memory.h)
  std::string extensionString;  // of profiles that have one; made when asked for
  [[gnu::cold, gnu::format(printf, 3, 4)]] void error(GLenum code, const char* why, ...);
  DebugState debug;
  bool isCore() const { return config.profile == Profile::Core; }
  bool isCompat() const { return config.profile == Profile::Compatibility; }

  // ---- Fixed function (gl/state)
  pipe::RenderState render;  // all of it, in the pipe's words
  pipe::RasterValues raster;
  std::array<f32, 4> blendColor{};
  std::array<i32, 2> stencilReference{};             // as given; clamped when used
  std::array<std::array<u32, 2>, 2> stencilMasks{};  // as given: [front, back][read, write]; the pipe has the low 8 bits
  std::array<std::array<f32, 4>, pipe::kMaxViewports> viewports{};    // x y width height
  std::array<std::array<f64, 2>, pipe::kMaxViewports> depthRanges{};  // near far
  std::array<std::array<i32, 4>, pipe::kMaxViewports> scissors{};
  u32 scissorEnable = 0;  // a bit per viewport
  u32 blendEnable = 0;    // a bit per draw buffer, as glIsEnabledi answers; render.blend has it too
  bool restartEnable = false, restartFixed = false;  // render.restart follows both
  bool cullEnable = false;                           // render.cullMode is None without
  pipe::CullMode cullFace = pipe::CullMode::Back;
  bool debugOutput = false, debugSynchronous = false;
  bool dither = true;
  ClearValues clear;
  std::array<GLenum, 2> clampReadColor{GL_FIXED_ONLY, GL_FIXED_ONLY};  // [0]: GL_CLAMP_READ_COLOR
  GLenum hintLineSmooth = GL_DONT_CARE, hintPolygonSmooth = GL_DONT_CARE, hintCompression = GL_DONT_CARE,
         hintDerivative = GL_DONT_CARE;
  bool viewportSet = false;  // the first make-current with a surface sets viewport and scissor (2.2 of EGL 1.5, section 3.7.3)
  pipe::SetPatchParameters patch{};
  PixelStore pack, unpack;

  // ---- Vertex input (gl/vertex)
  VertexArray* vertexArray = nullptr;   // of vertexArrays or the default; null in core while 0 is bound
  Ref<VertexArray> defaultVertexArray;  // the compatibility profile's object 0
  std::array<AttribValue, pipe::kMaxVertexAttribs> attribs;
  NameTable<VertexArray, Ref<VertexArray>> vertexArrays;

  // ---- Buffers (gl/buffer)
  std::array<Ref<Buffer>, countOf<BufferTarget>()> buffers;
  std::array<std::array<IndexedBuffer, pipe::kMaxBufferBindings>, countOf<pipe::BufferClass>()> indexedBuffers;
  std::array<u32, countOf<pipe::BufferClass>()> indexedHigh{};  // highest binding point touched + 1

  // ---- Textures (gl/texture)
  std::array<TextureUnit, kMaxUnits> units;
  std::array<Ref<Texture>, kTargets> defaultTextures;  // name 0
  u32 activeUnit = 0;
  u32 touchedUnits = 0;  // highest unit with a binding + 1
  std::array<ImageUnit, pipe::kMaxImageUnits> images;
  Ref<Renderbuffer> renderbuffer;
  std::shared_ptr<ProxyImages> proxies;  // gl/texture/proxy.h; null until used

  // ---- Framebuffers (gl/framebuffer); null is the default framebuffer
  Ref<Framebuffer> drawFramebuffer, readFramebuffer;
  NameTable<Framebuffer, Ref<Framebuffer>> framebuffers;
  std::shared_ptr<Surface> drawSurface, readSurface;  // null: surfaceless
  std::array<GLenum, 8> defaultDrawBuffers{GL_BACK};  // of the default framebuffer
  GLenum defaultReadBuffer = GL_BACK;

  // ---- Programs (gl/program)
  Ref<Program> program;    // glUseProgram
  Ref<Pipeline> pipeline;  // glBindProgramPipeline
  GLuint linkThreads = ~0u;  // glMaxShaderCompilerThreadsKHR; 0: links are done where they are asked for
  NameTable<Pipeline, Ref<Pipeline>> pipelines;

  // ---- Queries, transform feedback (gl/query)
  NameTable<Query, Ref<Query>> queries;
  std::array<std::array<Ref<Query>, 4>, countOf<pipe::QueryKind>()> activeQueries;  // [kind][stream]
  Ref<Query> conditionQuery;
  GLenum conditionMode = GL_QUERY_WAIT;
  NameTable<StreamOutput, Ref<StreamOutput>> streamOutputs;
  Ref<StreamOutput> streamOutput, defaultStreamOutput;

  std::unique_ptr<tracker::Tracker> tracker;

  // ---- Lifecycle, by the front doors (winsys)
  // Makes this thread's current context ctx (null: none) with its surfaces. The front door has checked that no other thread has it.
  static void makeCurrent(Context* ctx, std::shared_ptr<Surface> draw, std::shared_ptr<Surface> read);
  bool lost() const { return session->lost(); }
  const pipe::Caps& caps() const { return session->caps(); }
};

// The callback gets what was raised under the session's lock. REQUIRES that it is given back.
[[gnu::cold]] void deliverHeldMessages(Context& ctx);

// The calling thread's current context, or null.
extern thread_local constinit Context* tCurrent [[gnu::tls_model("initial-exec")]];
inline Context* currentContext() { return tCurrent; }

}  // namespace mgl::gl

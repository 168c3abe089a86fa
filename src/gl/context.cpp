#include "gl/context.h"

#include <cstdarg>
#include <cstdio>

#include "base/log.h"
#include "gl/buffer/buffer.h"
#include "gl/framebuffer/framebuffer.h"
#include "gl/program/program.h"
#include "gl/query/query.h"
#include "gl/state/debug_output.h"
#include "gl/surface.h"
#include "gl/version.h"
#include "gl/vertex/vertex_array.h"
#include "tracker/tracker.h"

namespace mgl::gl {

thread_local constinit Context* tCurrent [[gnu::tls_model("initial-exec")]] = nullptr;

namespace {

u64 nextContextSerial() {
  static std::atomic<u64> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// GL's initial values where they are not zero (OpenGL 4.6 chapter 23).
pipe::RenderState initialRenderState() {
  pipe::RenderState state{};
  for (pipe::BlendTarget& target : state.blend) {
    target.srcColor = target.srcAlpha = pipe::BlendFactor::One;
    target.dstColor = target.dstAlpha = pipe::BlendFactor::Zero;
    target.writeMask = 15;
  }
  for (pipe::StencilFace& face : state.stencil) {
    face.func = pipe::CompareOp::Always;
    face.readMask = face.writeMask = 0xff;
  }
  state.depthWrite = 1;
  state.depthFunc = pipe::CompareOp::Less;
  state.logicOp = pipe::LogicOp::Copy;
  state.multisample = 1;
  state.pointOrigin = pipe::PointOrigin::UpperLeft;
  state.provokingVertex = pipe::ProvokingVertex::Last;
  state.blendCoherent = 1;
  return state;
}

pipe::RasterValues initialRaster() {
  pipe::RasterValues values{};
  values.lineWidth = values.pointSize = values.pointFadeThreshold = 1;
  values.coverageValue = 1;
  values.sampleMask = ~0u;
  values.depthBoundsMax = 1;
  return values;
}

}  // namespace

// ---- Share group

ShareGroup::ShareGroup(std::shared_ptr<client::Session> s) : session(std::move(s)), linkWorkers(LinkWorkers::shared()) {}
ShareGroup::~ShareGroup() = default;

// ---- Context

Context::Context(std::shared_ptr<client::Session> s, Ref<ShareGroup> group, const ContextConfig& c)
    : session(std::move(s)), share(std::move(group)), config(c), serial(nextContextSerial()) {
  versions.fill(1);
  info = new VersionInfo(grantVersion(session->caps(), config.profile));
  render = initialRenderState();
  raster = initialRaster();
  for (auto& range : depthRanges) range = {0, 1};
  for (auto& face : stencilMasks) face = {~0u, ~0u};
  patch.vertices = 3;
  patch.outerLevels = {1, 1, 1, 1};
  patch.innerLevel0 = patch.innerLevel1 = 1;
  debugOutput = config.debug;
  {
    client::SessionGroup out(*session);
    stream.handle = out.allocate<pipe::Kind::Context>();
    const u32 flags = (config.debug ? pipe::kContextDebug : 0) | (config.robust ? pipe::kContextRobust : 0) |
                      (config.noError ? pipe::kContextNoError : 0);
    out.emit(pipe::CreateContext{stream.handle, flags, 1});
  }
  debug.serverLogsSeen = session->serverLogCount();
  tracker = std::make_unique<tracker::Tracker>(*this);
  if (isCompat()) defaultVertexArray = Ref<VertexArray>(new VertexArray(0, session));
  vertexArray = defaultVertexArray.get();
  defaultStreamOutput = streamOutput = Ref<StreamOutput>(new StreamOutput(0, session));
}

Context::~Context() {
  tracker.reset();
  session->forget(stream);
  session->retire(stream.handle);
  delete info;
}

void Context::error(GLenum code, const char* why, ...) {
  if (firstError == GL_NO_ERROR) firstError = code;
  char text[512];
  std::va_list arguments;
  va_start(arguments, why);
  std::vsnprintf(text, sizeof text, why, arguments);
  va_end(arguments);
  MGL_LOGD("GL error 0x%04x: %s", code, text);
  emitDebugMessage(*this, GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR, code, GL_DEBUG_SEVERITY_HIGH, text);
}

void Context::makeCurrent(Context* ctx, std::shared_ptr<Surface> draw, std::shared_ptr<Surface> read) {
  Context* const before = tCurrent;
  if (before != nullptr && before != ctx) {
    // The implicit flush of a make-current away.
    before->session->flushUpTo(~u64{0}, &before->stream);
    {
      client::Group group(*before->session, before->stream);
      group.emit(pipe::ReleaseContext{before->stream.handle});
    }
    before->drawSurface.reset();
    before->readSurface.reset();
  }
  tCurrent = ctx;
  if (ctx == nullptr) return;
  ++ctx->epoch;
  ctx->drawSurface = std::move(draw);
  ctx->readSurface = std::move(read);
  ctx->touch(Group::DrawFramebuffer);
  ctx->touch(Group::ReadFramebuffer);
  ctx->touch(Group::DefaultTargets);
  if (!ctx->viewportSet && ctx->drawSurface) {
    ctx->viewportSet = true;
    const auto width = ctx->drawSurface->width(), height = ctx->drawSurface->height();
    for (auto& viewport : ctx->viewports) viewport = {0, 0, static_cast<f32>(width), static_cast<f32>(height)};
    for (auto& box : ctx->scissors) box = {0, 0, static_cast<i32>(width), static_cast<i32>(height)};
    ctx->touch(Group::Viewports);
    ctx->touch(Group::Scissors);
  }
  ctx->tracker->bindSurfaces();
}

}  // namespace mgl::gl

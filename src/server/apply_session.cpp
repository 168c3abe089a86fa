// The session itself: caps, contexts, surfaces, presentation, flushes.
#include "server/session_tables.h"

namespace mgl::server {

using backend::ContextState;
using backend::Group;

bool Session::applyGetCaps(pipe::RecordView<pipe::GetCaps> record) {
  return reply(pipe::Call::GetCaps, record.head.replySlot, {}, 0);
}

bool Session::applyAckAllocation(pipe::RecordView<pipe::AckAllocation> record) {
  reply(pipe::Call::AckAllocation, record.head.replySlot, {}, 0);
  reply_.value = backend_->allocationFailures();
  return true;
}

bool Session::applyCreateContext(pipe::RecordView<pipe::CreateContext> record) {
  const pipe::ContextHandle handle = record.head.context;
  if (!contexts_.isFresh(handle.slot, handle.gen)) return corrupt("CreateContext.context");
  ContextState& context = contexts_.insert(handle, makeRef<ContextState>());
  context.flags = record.head.flags;
  context.own = backend_->makeContext(context);
  if (handle.slot >= movesSeen_.size()) movesSeen_.resize(handle.slot + 1);
  movesSeen_[handle.slot] = moves_;
  return true;
}

bool Session::applyDestroyContext(pipe::RecordView<pipe::DestroyContext> record) {
  const auto checked = contexts_.check(record.head.context);
  if (!checked) return corrupt("DestroyContext.context");
  const Ref<ContextState> context = contexts_.remove(*checked);
  if (current_ == context.get()) {
    current_ = nullptr;
    events_.setContext(0, 0);
  }
  for (Ref<backend::Query>& query : context->activeQueries) {
    if (query) query->active = false;
  }
  return true;
}

bool Session::applySwitchContext(pipe::RecordView<pipe::SwitchContext> record) {
  ContextState* to = contexts_.find(record.head.context);
  if (to == nullptr) return corrupt("SwitchContext.context");
  if (to == current_) return true;
  if (current_ != nullptr) movesSeen_[current_->slot] = moves_;
  // What others changed meanwhile may be what this context draws with.
  if (movesSeen_[to->slot] != moves_) ++to->epoch;
  drawCheckedAt_ = kNeverChecked;
  backend_->switchContext(current_, *to);
  current_ = to;
  events_.setContext(to->slot, to->gen);
  updateWindow();
  return true;
}

bool Session::applyBindContext(pipe::RecordView<pipe::BindContext> record) {
  ContextState* context = contexts_.find(record.head.context);
  if (context == nullptr) return corrupt("BindContext.context");
  backend::Surface* draw = nullptr;
  backend::Surface* read = nullptr;
  if (!lookUp(surfaces_, record.head.draw, &draw)) return corrupt("BindContext.draw");
  if (!lookUp(surfaces_, record.head.read, &read)) return corrupt("BindContext.read");
  context->drawSurface = Ref(draw);
  context->readSurface = Ref(read);
  context->dirty |= backend::groupBit(Group::Surfaces);
  backend_->bindContext(*context);
  return true;
}

bool Session::applyReleaseContext(pipe::RecordView<pipe::ReleaseContext> record) {
  ContextState* context = contexts_.find(record.head.context);
  if (context == nullptr) return corrupt("ReleaseContext.context");
  backend_->releaseContext(*context);
  return true;
}

bool Session::applyCreateSurface(pipe::RecordView<pipe::CreateSurface> record) {
  const pipe::CreateSurface& head = record.head;
  if (!surfaces_.isFresh(head.surface.slot, head.surface.gen)) return corrupt("CreateSurface.surface");
  // Frames that come back to the client need a reply segment: there is none in this process.
  if (head.kind == pipe::SurfaceKind::Returned) return unimplemented(pipe::Call::CreateSurface);
  const format::FormatInfo& color = format::formatInfo(head.colorFormat);
  if (!color.isColor() || color.compressed) return corrupt("CreateSurface.colorFormat");
  if (head.depthStencilFormat != pipe::Format::None && !format::formatInfo(head.depthStencilFormat).isDepthOrStencil())
    return corrupt("CreateSurface.depthStencilFormat");
  backend::Surface& surface = surfaces_.insert(head.surface, backend_->makeSurface());
  surface.kind = head.kind;
  surface.colorFormat = head.colorFormat;
  surface.depthStencilFormat = head.depthStencilFormat;
  surface.samples = head.samples;
  surface.width = head.width;
  surface.height = head.height;
  surface.nativeDisplay = head.nativeDisplay;
  surface.nativeWindow = head.nativeWindow;
  ++surface.serial;
  if (head.surface.slot >= framesPresented_.size()) framesPresented_.resize(head.surface.slot + 1);
  framesPresented_[head.surface.slot] = 0;
  backend_->initSurface(surface);
  return true;
}

bool Session::applyResizeSurface(pipe::RecordView<pipe::ResizeSurface> record) {
  backend::Surface* surface = surfaces_.find(record.head.surface);
  if (surface == nullptr) return corrupt("ResizeSurface.surface");
  surface->width = record.head.width;
  surface->height = record.head.height;
  ++surface->serial;
  backend_->surfaceResized(*surface);
  return true;
}

bool Session::applySetSwapInterval(pipe::RecordView<pipe::SetSwapInterval> record) {
  backend::Surface* surface = surfaces_.find(record.head.surface);
  if (surface == nullptr) return corrupt("SetSwapInterval.surface");
  surface->swapInterval = record.head.interval;
  backend_->surfaceIntervalChanged(*surface);
  return true;
}

bool Session::applyDestroySurface(pipe::RecordView<pipe::DestroySurface> record) {
  return destroy(surfaces_, record.head.surface, "DestroySurface.surface");
}

bool Session::applyPresent(pipe::RecordView<pipe::Present> record) {
  backend::Surface* surface = surfaces_.find(record.head.surface);
  if (surface == nullptr) return corrupt("Present.surface");
  u64& presented = framesPresented_[surface->slot];
  if (record.head.frameSerial != presented + 1) return corrupt("Present.frameSerial");
  ++presented;
  publishCounts();
  if (!backendLives()) return false;
  backend_->present(current_, *surface, presented, record.tail<0>());
  return true;
}

// No surface of this server returns frames (CreateSurface): there is no memory to give back, the serial is still held
// to.
bool Session::applyReleaseFrame(pipe::RecordView<pipe::ReleaseFrame> record) {
  const backend::Surface* surface = surfaces_.find(record.head.surface);
  if (surface == nullptr) return corrupt("ReleaseFrame.surface");
  if (record.head.frameSerial == 0 || record.head.frameSerial > framesPresented_[surface->slot])
    return corrupt("ReleaseFrame.frameSerial");
  return true;
}

bool Session::applyFlush(pipe::RecordView<pipe::Flush> record) {
  if (record.head.serial < lastSerial_) return corrupt("Flush.serial");
  lastSerial_ = record.head.serial;
  publishCounts();
  if (!backendLives()) return false;
  backend_->flush(record.head.serial);
  return true;
}

bool Session::applyFinish(pipe::RecordView<pipe::Finish> record) {
  publishCounts();
  return reply(pipe::Call::Finish, record.head.replySlot, backend_->beginFinish(), 0);
}

}  // namespace mgl::server

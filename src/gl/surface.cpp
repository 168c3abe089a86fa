#include "gl/surface.h"

#include "base/counters.h"
#include "base/knobs.h"
#include "gl/object.h"

namespace mgl::gl {

Surface::Surface(std::shared_ptr<client::Session> session, const SurfaceConfig& config, u32 width, u32 height)
    : session_(std::move(session)), config_(config), width_(width), height_(height) {
  ObjectGroup making(*session_);
  client::Group& out = *making;
  handle_ = out.allocate<pipe::Kind::Surface>();
  pipe::CreateSurface create{};
  create.surface = handle_;
  create.kind = config.kind;
  create.samples = static_cast<u8>(config.samples);
  create.colorFormat = config.colorFormat;
  create.depthStencilFormat = config.depthStencilFormat;
  create.width = width;
  create.height = height;
  out.emit(create);
}

Surface::~Surface() { session_->retire(handle_); }

void Surface::resize(u32 width, u32 height) {
  width_ = width;
  height_ = height;
  ObjectGroup making(*session_);
  client::Group& out = *making;
  out.emit(pipe::ResizeSurface{handle_, width, height});
}

void Surface::setSwapInterval(i32 interval) {
  ObjectGroup making(*session_);
  client::Group& out = *making;
  out.emit(pipe::SetSwapInterval{handle_, interval, 0});
}

void Surface::present(client::StreamContext& context) {
  // The credit is taken before anything of the frame's end is encoded; it comes back as an event.
  const u64 credit = static_cast<u64>(knobs().ipcPresentCredit);
  if (framesSent_ >= credit) {
    const u64 wanted = framesSent_ + 1 - credit;
    while (session_->presentedSerial(handle_) < wanted && !session_->lost()) session_->waitPresented(handle_, wanted);
  }
  {
    client::Group out(*session_, context);
    out.emit(pipe::Present{handle_, ++framesSent_, 0, 0}, std::span<const pipe::Rect>());
    countHeld(Counter::Frames);
  }
  session_->handOver(context);
}

}  // namespace mgl::gl

// A drawing surface as the frontend sees it: the default framebuffer's shape and its handle. Made by the front doors.
#pragma once

#include <memory>

#include "client/session.h"

namespace mgl::gl {

struct SurfaceConfig {
  pipe::SurfaceKind kind = pipe::SurfaceKind::Pbuffer;
  pipe::Format colorFormat = pipe::Format::RGBA8;
  pipe::Format depthStencilFormat = pipe::Format::None;
  u32 samples = 0;
  bool doubleBuffered = true;
};

class Surface {
 public:
  Surface(std::shared_ptr<client::Session> session, const SurfaceConfig& config, u32 width, u32 height);
  ~Surface();

  const SurfaceConfig& config() const { return config_; }
  pipe::SurfaceHandle handle() const { return handle_; }
  u32 width() const { return width_; }
  u32 height() const { return height_; }
  void resize(u32 width, u32 height);
  void setSwapInterval(i32 interval);
  // Takes present credit, then emits Present on behalf of the current context (which may be null).
  void present(client::StreamContext& context);

 private:
  std::shared_ptr<client::Session> session_;
  SurfaceConfig config_;
  pipe::SurfaceHandle handle_;
  u32 width_, height_;
  u64 framesSent_ = 0;
};

}  // namespace mgl::gl

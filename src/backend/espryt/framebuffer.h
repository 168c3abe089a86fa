// Framebuffers and surfaces. A framebuffer is a container: each host context has a twin of its own, one for drawing and one
// for reading. In the twin for drawing, output i goes to attachment i: OpenGL ES allows no other order.
#pragma once

#include "backend/espryt/texture.h"

namespace mgl::espryt {

// An attachment as the host takes it.
struct Attached {
  HostImage* image = nullptr;  // null: none
  Texture* texture = nullptr;  // whose image; null: a surface's
  Format named = Format::None;
  u32 level = 0, layer = 0;
  u32 width = 0, height = 0, samples = 1;
  bool layered = false, opaque = false;
};

// All of a single-sampled image of Espryt's own.
inline Attached whole(HostImage& image, Format format, u32 width, u32 height) {
  return {&image, nullptr, format, 0, 0, width, height, 1, false, false};
}

// What is drawn to or read from, resolved.
struct Target {
  std::array<Attached, pipe::kMaxColorTargets> color;  // by output; from colorCount on what is attached and not drawn to
  u32 colorCount = 0;
  Attached depth, stencil;
  u32 width = 0, height = 0, samples = 1;
  u32 defaultWidth = 0, defaultHeight = 0, defaultLayers = 0, defaultSamples = 0;  // without attachments
};

// A framebuffer of the host with what it was given.
struct FramebufferTwin {
  GLuint name = 0;
  u64 id = 0, contextUid = 0;
  struct Point {
    u64 image = 0, seen = 0;
    GLenum target = 0;
    u32 level = 0, layer = 0;
    bool layered = false;
  };
  std::array<Point, pipe::kMaxColorTargets> color;
  Point depth, stencil;
  u8 drawMask = 1;  // a new framebuffer draws to attachment 0
  std::array<u32, 4> defaults{};
};

// The twins of one framebuffer or surface: [context index], for drawing and for reading.
class Twins {
 public:
  FramebufferTwin& of(Engine& engine, HostContext& context, bool draw);
  void bury(Engine& engine);

 private:
  std::array<std::vector<std::unique_ptr<FramebufferTwin>>, 2> twins_;
};

class Framebuffer final : public backend::Framebuffer {
 public:
  ~Framebuffer() override {
    if (engine != nullptr) twins.bury(*engine);
  }
  Engine* engine = nullptr;
  Twins twins;
};

class Surface final : public backend::Surface {
 public:
  ~Surface() override;
  void remake(Engine& engine);
  Engine* engine = nullptr;
  HostImage color, depthStencil;
  Twins twins;
};

class Framebuffers {
 public:
  explicit Framebuffers(Engine& engine) : engine_(engine) {}

  void resolveDraw(const backend::ContextState& context, backend::Framebuffer* framebuffer, Target* target);
  // color[0]: what is read.
  void resolveRead(const backend::ContextState& context, backend::Framebuffer* framebuffer, Target* target);
  Attached resolve(const backend::Attachment& attachment);

  // Binds the twin for that target. `owner` null: a framebuffer of Espryt's own, for anything.
  void bind(HostContext& context, backend::Framebuffer* framebuffer, backend::Surface* surface, bool draw,
            const Target& target);
  void bindScratch(HostContext& context, bool draw, const Target& target);
  // The target was drawn to through the context.
  void drawn(HostContext& context, const Target& target);

 private:
  void update(HostContext& context, FramebufferTwin& twin, bool draw, const Target& target);
  void attach(HostContext& context, GLenum bindPoint, GLenum point, FramebufferTwin::Point& held, const Attached& wanted);

  Engine& engine_;
  Twins scratch_;
};

}  // namespace mgl::espryt

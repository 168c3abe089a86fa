#include "backend/espryt/framebuffer.h"

#include <algorithm>

namespace mgl::espryt {

using pipe::TextureTarget;

FramebufferTwin& Twins::of(Engine& engine, HostContext& context, bool draw) {
  auto& row = twins_[draw ? 1 : 0];
  if (row.size() <= context.index()) row.resize(context.index() + 1);
  auto& twin = row[context.index()];
  if (twin == nullptr || twin->contextUid != context.uid) {
    twin = std::make_unique<FramebufferTwin>();
    engine.gl.GenFramebuffers(1, &twin->name);
    twin->id = engine.nextId++;
    twin->contextUid = context.uid;
  }
  return *twin;
}

void Twins::bury(Engine& engine) {
  for (auto& row : twins_) {
    for (u32 i = 0; i < row.size(); ++i) {
      if (row[i] == nullptr) continue;
      if (HostContext* owner = engine.owner(i, row[i]->contextUid)) {
        owner->forgetFramebuffer(row[i]->id);
        owner->deadFramebuffers.push_back(row[i]->name);
      }
    }
    row.clear();
  }
}

Surface::~Surface() {
  if (engine == nullptr) return;
  twins.bury(*engine);
  engine->bury(Dead::Texture, color.object.name);
  engine->bury(Dead::Texture, depthStencil.object.name);
}

void Surface::remake(Engine& to) {
  const HostScope context(to);
  if (!context) return;
  engine = &to;
  const auto make = [&](HostImage& image, Format format) {
    to.bury(Dead::Texture, image.object.name);
    image = to.textures->makeImage(*context, format, width, height, samples);
    if (format != Format::None && image.object.name == 0)
      to.sink.glError(pipe::GlError::OutOfMemory, pipe::Call::CreateSurface);
  };
  make(color, colorFormat);
  make(depthStencil, depthStencilFormat);
  ++to.epoch;
  // Contents begin as zeros.
  Target target;
  const auto whole = [this](HostImage& image, Format format) {
    return Attached{image.object.name != 0 ? &image : nullptr, nullptr, format, 0, 0, width, height, samples, false, false};
  };
  target.color[0] = whole(color, colorFormat);
  target.colorCount = target.color[0].image != nullptr ? 1 : 0;
  const format::FormatInfo& info = format::formatInfo(depthStencilFormat);
  if (info.isDepth()) target.depth = whole(depthStencil, depthStencilFormat);
  if (info.isStencil()) target.stencil = whole(depthStencil, depthStencilFormat);
  to.framebuffers->bindScratch(*context, true, target);
  context->enable(Cap::ScissorTest, false);
  context->enable(Cap::Discard, false);
  context->setColorMask(0, 15);
  context->setDepthMask(true);
  context->setStencilMask(0, ~0u);
  context->setStencilMask(1, ~0u);
  constexpr GLfloat kZero[4] = {};
  constexpr GLfloat kDepth = 0;
  constexpr GLint kStencil = 0;
  if (target.colorCount != 0) to.gl.ClearBufferfv(GL_COLOR, 0, kZero);
  if (target.depth.image != nullptr) to.gl.ClearBufferfv(GL_DEPTH, 0, &kDepth);
  if (target.stencil.image != nullptr) to.gl.ClearBufferiv(GL_STENCIL, 0, &kStencil);
  to.framebuffers->drawn(*context, target);
}

Attached Framebuffers::resolve(const backend::Attachment& attachment) {
  if (!attachment.texture) return {};
  auto& texture = static_cast<Texture&>(*attachment.texture);
  if (texture.image.object.name == 0) return {};
  const bool faces = !texture.storage && texture.target == TextureTarget::Cube;
  const backend::TextureLevelDesc desc =
      texture.levelDesc(attachment.level, faces && !attachment.layered ? attachment.layer : 0);
  if (desc.format == Format::None) return {};
  Attached out;
  out.image = &texture.image;
  out.texture = &texture;
  out.named = desc.format;
  out.level = attachment.level;
  out.layer = attachment.layer;
  out.layered = attachment.layered;
  out.width = desc.width;
  out.height = texture.target == TextureTarget::Tex1DArray ? 1 : desc.height;
  out.samples = std::max(texture.samples, 1u);
  out.opaque = (*engine_.formats)[desc.format].opaque;
  return out;
}

void Framebuffers::resolveDraw(const backend::ContextState& context, backend::Framebuffer* framebuffer, Target* target) {
  *target = {};
  u32 width = ~0u, height = ~0u;
  const auto add = [&](const Attached& attached) {
    if (attached.image == nullptr) return;
    width = std::min(width, attached.width);
    height = std::min(height, attached.height);
    target->samples = attached.samples;
  };
  if (framebuffer != nullptr) {
    for (u32 i = 0; i < framebuffer->drawBuffers.size(); ++i) {
      const u8 buffer = framebuffer->drawBuffers[i];
      if (buffer >= pipe::kMaxColorTargets) continue;
      target->color[i] = resolve(framebuffer->color[buffer]);
      if (target->color[i].image != nullptr) target->colorCount = i + 1;
    }
    // Attachments that no output goes to bound the area too (9.2.8).
    u32 spare = target->colorCount;
    for (u32 i = 0; i < pipe::kMaxColorTargets; ++i) {
      const Attached attached = resolve(framebuffer->color[i]);
      add(attached);
      const bool drawnTo = std::find(framebuffer->drawBuffers.begin(), framebuffer->drawBuffers.end(), i) != framebuffer->drawBuffers.end();
      if (attached.image != nullptr && !drawnTo && spare < pipe::kMaxColorTargets) target->color[spare++] = attached;
    }
    target->depth = resolve(framebuffer->depth);
    target->stencil = resolve(framebuffer->stencil);
    add(target->depth);
    add(target->stencil);
    if (width == ~0u) {
      target->defaultWidth = width = framebuffer->defaultWidth;
      target->defaultHeight = height = framebuffer->defaultHeight;
      target->defaultLayers = framebuffer->defaultLayers;
      target->defaultSamples = framebuffer->defaultSamples;
      target->samples = std::max(framebuffer->defaultSamples, 1u);
    }
  } else if (context.drawSurface) {
    auto& surface = static_cast<Surface&>(*context.drawSurface);
    width = surface.width;
    height = surface.height;
    const u32 samples = std::max(surface.samples, 1u);
    target->samples = samples;
    const auto whole = [&](HostImage& image, Format format) {
      return Attached{image.object.name != 0 ? &image : nullptr, nullptr, format, 0, 0, width, height, samples, false, false};
    };
    if (context.defaultDrawBuffer != 0) {
      target->color[0] = whole(surface.color, surface.colorFormat);
      target->colorCount = target->color[0].image != nullptr ? 1 : 0;
    }
    const format::FormatInfo& info = format::formatInfo(surface.depthStencilFormat);
    if (info.isDepth()) target->depth = whole(surface.depthStencil, surface.depthStencilFormat);
    if (info.isStencil()) target->stencil = whole(surface.depthStencil, surface.depthStencilFormat);
  }
  target->width = width == ~0u ? 0 : width;
  target->height = height == ~0u ? 0 : height;
}

void Framebuffers::resolveRead(const backend::ContextState& context, backend::Framebuffer* framebuffer, Target* target) {
  *target = {};
  if (framebuffer != nullptr) {
    if (framebuffer->readBuffer < pipe::kMaxColorTargets) target->color[0] = resolve(framebuffer->color[framebuffer->readBuffer]);
    target->depth = resolve(framebuffer->depth);
    target->stencil = resolve(framebuffer->stencil);
  } else if (context.readSurface) {
    auto& surface = static_cast<Surface&>(*context.readSurface);
    const auto whole = [&](HostImage& image, Format format) {
      return Attached{image.object.name != 0 ? &image : nullptr, nullptr, format, 0, 0, surface.width, surface.height,
                      std::max(surface.samples, 1u), false, false};
    };
    if (context.defaultReadBuffer != 0) target->color[0] = whole(surface.color, surface.colorFormat);
    const format::FormatInfo& info = format::formatInfo(surface.depthStencilFormat);
    if (info.isDepth()) target->depth = whole(surface.depthStencil, surface.depthStencilFormat);
    if (info.isStencil()) target->stencil = whole(surface.depthStencil, surface.depthStencilFormat);
  }
  target->colorCount = target->color[0].image != nullptr ? 1 : 0;
  for (const Attached* attached : {&target->color[0], &target->depth, &target->stencil}) {
    if (attached->image == nullptr) continue;
    target->width = attached->width;
    target->height = attached->height;
    target->samples = attached->samples;
  }
}

void Framebuffers::attach(HostContext& context, GLenum bindPoint, GLenum point, FramebufferTwin::Point& held,
                          const Attached& wanted) {
  const HostObject* object = wanted.image != nullptr ? &wanted.image->object : nullptr;
  const u64 image = object != nullptr ? object->id : 0;
  // What was written through another context is attached anew at its next use.
  const bool foreign = object != nullptr && object->writer != context.index() && object->written > held.seen;
  if (held.image == image && !foreign &&
      (image == 0 || (held.level == wanted.level && held.layer == wanted.layer && held.layered == wanted.layered)))
    return;
  held = {image, engine_.stamp, object != nullptr ? wanted.image->target : 0, wanted.level, wanted.layer, wanted.layered};
  const Gl& gl = engine_.gl;
  const auto level = static_cast<GLint>(wanted.level), layer = static_cast<GLint>(wanted.layer);
  if (object == nullptr) return gl.FramebufferTexture2D(bindPoint, point, GL_TEXTURE_2D, 0, 0);
  const GLenum target = wanted.image->target;
  if (wanted.layered && gl.FramebufferTexture) return gl.FramebufferTexture(bindPoint, point, object->name, level);
  switch (target) {
    case GL_TEXTURE_CUBE_MAP:
      return gl.FramebufferTexture2D(bindPoint, point, GL_TEXTURE_CUBE_MAP_POSITIVE_X + wanted.layer, object->name, level);
    case GL_TEXTURE_2D_ARRAY:
    case GL_TEXTURE_3D:
    case GL_TEXTURE_CUBE_MAP_ARRAY:
    case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
      return gl.FramebufferTextureLayer(bindPoint, point, object->name, level, layer);
    default:
      return gl.FramebufferTexture2D(bindPoint, point, target, object->name, level);
  }
}

void Framebuffers::update(HostContext& context, FramebufferTwin& twin, bool draw, const Target& target) {
  const GLenum bindPoint = draw ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER;
  const u32 count = std::min<u32>(static_cast<u32>(engine_.features.maxColorTargets), pipe::kMaxColorTargets);
  u8 mask = 0;
  for (u32 i = 0; i < count; ++i) {
    attach(context, bindPoint, GL_COLOR_ATTACHMENT0 + i, twin.color[i], target.color[i]);
    if (i < target.colorCount && target.color[i].image != nullptr) mask |= static_cast<u8>(1u << i);
  }
  attach(context, bindPoint, GL_DEPTH_ATTACHMENT, twin.depth, target.depth);
  attach(context, bindPoint, GL_STENCIL_ATTACHMENT, twin.stencil, target.stencil);
  const Gl& gl = engine_.gl;
  if (draw && twin.drawMask != mask) {
    GLenum buffers[pipe::kMaxColorTargets];
    for (u32 i = 0; i < count; ++i) buffers[i] = (mask >> i) & 1 ? GL_COLOR_ATTACHMENT0 + i : GLenum{GL_NONE};
    gl.DrawBuffers(static_cast<GLsizei>(count), buffers);
    twin.drawMask = mask;
  }
  const std::array<u32, 4> defaults{target.defaultWidth, target.defaultHeight, target.defaultLayers, target.defaultSamples};
  constexpr GLenum kNames[] = {GL_FRAMEBUFFER_DEFAULT_WIDTH, GL_FRAMEBUFFER_DEFAULT_HEIGHT, GL_FRAMEBUFFER_DEFAULT_LAYERS,
                               GL_FRAMEBUFFER_DEFAULT_SAMPLES};
  for (u32 i = 0; i < 4 && target.defaultWidth != 0; ++i) {
    if (twin.defaults[i] == defaults[i] || (i == 2 && !engine_.features.geometry)) continue;
    gl.FramebufferParameteri(bindPoint, kNames[i], static_cast<GLint>(defaults[i]));
    twin.defaults[i] = defaults[i];
  }
}

void Framebuffers::bind(HostContext& context, backend::Framebuffer* framebuffer, backend::Surface* surface, bool draw,
                        const Target& target) {
  Twins* twins = &scratch_;
  if (framebuffer != nullptr) {
    auto& own = static_cast<Framebuffer&>(*framebuffer);
    own.engine = &engine_;
    twins = &own.twins;
  } else if (surface != nullptr) {
    twins = &static_cast<Surface&>(*surface).twins;
  }
  FramebufferTwin& twin = twins->of(engine_, context, draw);
  context.bindFramebuffer(draw, twin.name, twin.id);
  update(context, twin, draw, target);
}

void Framebuffers::bindScratch(HostContext& context, bool draw, const Target& target) {
  bind(context, nullptr, nullptr, draw, target);
}

void Framebuffers::drawn(HostContext& context, const Target& target) {
  const auto mark = [&](const Attached& attached) {
    if (attached.image != nullptr) engine_.wrote(context, attached.image->object);
  };
  for (u32 i = 0; i < target.colorCount; ++i) mark(target.color[i]);
  mark(target.depth);
  mark(target.stencil);
}

}  // namespace mgl::espryt

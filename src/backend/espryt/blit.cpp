#include "backend/espryt/blit.h"

#include <algorithm>

namespace mgl::espryt {

namespace {

GLbitfield maskOf(u32 aspects) {
  GLbitfield mask = 0;
  if ((aspects & pipe::kBlitColor) != 0) mask |= GL_COLOR_BUFFER_BIT;
  if ((aspects & pipe::kBlitDepth) != 0) mask |= GL_DEPTH_BUFFER_BIT;
  if ((aspects & pipe::kBlitStencil) != 0) mask |= GL_STENCIL_BUFFER_BIT;
  return mask;
}

}  // namespace

Blitter::~Blitter() {
  for (HostImage* image : {&scratchColor_, &scratchDepth_, &decoded_}) engine_.bury(Dead::Texture, image->object.name);
  for (const Program& program : programs_) engine_.bury(Dead::Program, program.name);
  engine_.bury(Dead::Sampler, nearest_.name);
}

// OpenGL ES resolves only between equal rectangles of equal formats: into an image of the source's own format and size.
void Blitter::resolveSamples(HostContext& host, Target* source, GLbitfield mask) {
  const Attached& any = source->color[0].image != nullptr && (mask & GL_COLOR_BUFFER_BIT) != 0 ? source->color[0]
                        : source->depth.image != nullptr                                      ? source->depth
                                                                                              : source->stencil;
  if (any.image == nullptr || any.samples <= 1) return;
  Target to;
  const u32 width = any.width, height = any.height;
  if ((mask & GL_COLOR_BUFFER_BIT) != 0 && source->color[0].image != nullptr) {
    engine_.bury(Dead::Texture, scratchColor_.object.name);
    scratchColor_ = engine_.textures->makeImage(host, source->color[0].named, width, height, 1);
    to.color[0] = whole(scratchColor_, source->color[0].named, width, height);
    to.colorCount = 1;
  }
  const Attached& both = source->depth.image != nullptr ? source->depth : source->stencil;
  if ((mask & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)) != 0 && both.image != nullptr) {
    engine_.bury(Dead::Texture, scratchDepth_.object.name);
    scratchDepth_ = engine_.textures->makeImage(host, both.named, width, height, 1);
    if (source->depth.image != nullptr) to.depth = whole(scratchDepth_, both.named, width, height);
    if (source->stencil.image != nullptr) to.stencil = whole(scratchDepth_, both.named, width, height);
  }
  engine_.framebuffers->bindScratch(host, false, *source);
  engine_.framebuffers->bindScratch(host, true, to);
  host.enable(Cap::ScissorTest, false);
  const auto w = static_cast<GLint>(width), h = static_cast<GLint>(height);
  engine_.gl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, mask, GL_NEAREST);
  engine_.framebuffers->drawn(host, to);
  to.width = width;
  to.height = height;
  *source = to;
}

// A blit writes the alpha of an image whose format has none: it is put back to one.
void Blitter::fixOpaque(HostContext& host, const Target& target, i32 x, i32 y, i32 width, i32 height) {
  for (u32 i = 0; i < target.colorCount; ++i) {
    if (target.color[i].image == nullptr || !target.color[i].opaque) continue;
    constexpr GLfloat kOne[4] = {1, 1, 1, 1};
    host.enable(Cap::ScissorTest, true);
    host.setScissor(x, y, width, height);
    host.setColorMask(i, 8);
    engine_.gl.ClearBufferfv(GL_COLOR, static_cast<GLint>(i), kOne);
  }
}

void Blitter::blit(HostContext& host, backend::ContextState& context, backend::Framebuffer* read,
                   backend::Framebuffer* draw, const pipe::Blit& blit) {
  Target source, target;
  engine_.framebuffers->resolveRead(context, read, &source);
  engine_.framebuffers->resolveDraw(context, draw, &target);
  GLbitfield mask = maskOf(blit.aspects);
  if (source.color[0].image == nullptr || target.colorCount == 0) mask &= ~GLbitfield{GL_COLOR_BUFFER_BIT};
  if (source.depth.image == nullptr || target.depth.image == nullptr) mask &= ~GLbitfield{GL_DEPTH_BUFFER_BIT};
  if (source.stencil.image == nullptr || target.stencil.image == nullptr) mask &= ~GLbitfield{GL_STENCIL_BUFFER_BIT};
  if (mask == 0) return;
  if (engine_.features.srgbWriteControl) host.enable(Cap::FramebufferSrgb, blit.framebufferSrgb != 0);
  const auto same = [](const Attached& a, const Attached& b) {
    return a.image != nullptr && b.image != nullptr && a.image->object.id == b.image->object.id && a.level == b.level &&
           a.layer == b.layer;
  };
  if (source.samples > 1 && target.samples <= 1) {
    const auto& from = blit.src;
    const auto& to = blit.dst;
    const bool equal = from.x0 == to.x0 && from.y0 == to.y0 && from.x1 == to.x1 && from.y1 == to.y1;
    bool formats = true;
    for (u32 i = 0; i < target.colorCount && (mask & GL_COLOR_BUFFER_BIT) != 0; ++i) {
      if (target.color[i].image != nullptr)
        formats &= (*engine_.formats)[target.color[i].named].internal == (*engine_.formats)[source.color[0].named].internal;
    }
    if (!equal || !formats) resolveSamples(host, &source, mask);
  } else if (target.samples > 1) {
    return engine_.decline("a blit into a multisampled framebuffer: OpenGL ES has none");
  } else if (same(source.color[0], target.color[0]) && (mask & GL_COLOR_BUFFER_BIT) != 0) {
    // Within one image, which OpenGL ES forbids: by way of a copy.
    Target copy;
    engine_.bury(Dead::Texture, scratchColor_.object.name);
    scratchColor_ = engine_.textures->makeImage(host, source.color[0].named, source.width, source.height, 1);
    copy.color[0] = whole(scratchColor_, source.color[0].named, source.width, source.height);
    copy.colorCount = 1;
    engine_.framebuffers->bindScratch(host, false, source);
    engine_.framebuffers->bindScratch(host, true, copy);
    host.enable(Cap::ScissorTest, false);
    const auto w = static_cast<GLint>(source.width), h = static_cast<GLint>(source.height);
    engine_.gl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    engine_.framebuffers->drawn(host, copy);
    source.color[0] = copy.color[0];
  }
  engine_.framebuffers->bindScratch(host, false, source);
  engine_.framebuffers->bind(host, draw, draw == nullptr ? context.drawSurface.get() : nullptr, true, target);
  host.enable(Cap::ScissorTest, blit.scissored != 0);
  if (blit.scissored != 0) {
    host.setScissor(blit.scissor.x, blit.scissor.y, static_cast<i32>(std::min(blit.scissor.width, 0x7fffffffu)),
                    static_cast<i32>(std::min(blit.scissor.height, 0x7fffffffu)));
  }
  const auto run = [&](GLbitfield bits, GLenum filter) {
    if (bits == 0) return;
    engine_.gl.BlitFramebuffer(blit.src.x0, blit.src.y0, blit.src.x1, blit.src.y1, blit.dst.x0, blit.dst.y0, blit.dst.x1,
                               blit.dst.y1, bits, filter);
  };
  // Depth and stencil are taken from the nearest texel whatever the filter: in a call of their own.
  const GLbitfield color = mask & GLbitfield{GL_COLOR_BUFFER_BIT};
  const GLenum filter = blit.filter == pipe::Filter::Linear ? GL_LINEAR : GL_NEAREST;
  if (filter == GL_NEAREST) {
    run(mask, GL_NEAREST);
  } else {
    run(color, filter);
    run(mask & ~color, GL_NEAREST);
  }
  if (color != 0) {
    const i32 x = std::min(blit.dst.x0, blit.dst.x1), y = std::min(blit.dst.y0, blit.dst.y1);
    fixOpaque(host, target, x, y, std::abs(blit.dst.x1 - blit.dst.x0), std::abs(blit.dst.y1 - blit.dst.y0));
  }
  engine_.framebuffers->drawn(host, target);
  ++engine_.epoch;
}

void Blitter::copyToTexture(HostContext& host, backend::ContextState& context, backend::Framebuffer* source,
                            const pipe::Rect& rect, Texture& texture, u32 level, std::array<u32, 3> origin) {
  if (texture.image.object.name == 0) return;
  const bool faces = !texture.storage && texture.target == pipe::TextureTarget::Cube;
  const Format named = texture.levelDesc(level, faces ? origin[2] : 0).format;
  const HostFormat& format = (*engine_.formats)[named];
  const format::FormatInfo& info = format::formatInfo(named);
  Target from;
  engine_.framebuffers->resolveRead(context, source, &from);
  GLbitfield mask = GL_COLOR_BUFFER_BIT;
  if (info.isDepthOrStencil())
    mask = (info.isDepth() ? GL_DEPTH_BUFFER_BIT : 0u) | (info.isStencil() ? GL_STENCIL_BUFFER_BIT : 0u);
  if (from.samples > 1) resolveSamples(host, &from, mask);
  if (engine_.features.srgbWriteControl) host.enable(Cap::FramebufferSrgb, false);
  engine_.framebuffers->bindScratch(host, false, from);
  const auto x = static_cast<GLint>(origin[0]), y = static_cast<GLint>(origin[1]), z = static_cast<GLint>(origin[2]);
  if (!format.renderable || info.base > format::BaseFormat::RGBA) {
    if (info.isDepthOrStencil()) return engine_.decline("a copy into a depth format that the host does not draw to");
    host.bindForChange(texture.image.target, texture.image.object);
    const auto at = static_cast<GLint>(level);
    if (isArrayOrVolume(texture.image.target)) {
      engine_.gl.CopyTexSubImage3D(texture.image.target, at, x, y, z, rect.x, rect.y, rect.width, rect.height);
    } else {
      const GLenum target = texture.image.target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + origin[2] : texture.image.target;
      engine_.gl.CopyTexSubImage2D(target, at, x, y, rect.x, rect.y, rect.width, rect.height);
    }
    engine_.wrote(host, texture.image.object);
    return;
  }
  Target to;
  const backend::TextureLevelDesc desc = texture.levelDesc(level, faces ? origin[2] : 0);
  const Attached attached{&texture.image, &texture, named, level, origin[2], desc.width, desc.height, 1, false, format.opaque};
  if (info.isColor()) {
    to.color[0] = attached;
    to.colorCount = 1;
  }
  if (info.isDepth()) to.depth = attached;
  if (info.isStencil()) to.stencil = attached;
  engine_.framebuffers->bindScratch(host, true, to);
  host.enable(Cap::ScissorTest, false);
  engine_.gl.BlitFramebuffer(rect.x, rect.y, rect.x + rect.width, rect.y + rect.height, x, y, x + rect.width, y + rect.height,
                             mask, GL_NEAREST);
  fixOpaque(host, to, x, y, rect.width, rect.height);
  engine_.framebuffers->drawn(host, to);
  ++engine_.epoch;
}

}  // namespace mgl::espryt

// Clears. Masks and the scissor are set as the record says; the shadow takes what the next draw wants back.
#include <cstring>

#include "backend/espryt/blit.h"
#include "format/convert.h"

namespace mgl::espryt {

void Blitter::clear(HostContext& host, backend::ContextState& context, backend::Framebuffer* framebuffer,
                    const pipe::Clear& clear) {
  const Gl& gl = engine_.gl;
  Target target;
  engine_.framebuffers->resolveDraw(context, framebuffer, &target);
  engine_.framebuffers->bind(host, framebuffer, framebuffer == nullptr ? context.drawSurface.get() : nullptr, true, target);
  host.enable(Cap::Discard, false);
  host.enable(Cap::ScissorTest, clear.scissored != 0);
  if (clear.scissored != 0) {
    host.setScissor(clear.scissor.x, clear.scissor.y, static_cast<i32>(std::min(clear.scissor.width, 0x7fffffffu)),
                    static_cast<i32>(std::min(clear.scissor.height, 0x7fffffffu)));
  }
  if (engine_.features.srgbWriteControl) host.enable(Cap::FramebufferSrgb, clear.framebufferSrgb != 0);
  for (u32 i = 0; i < target.colorCount; ++i) {
    if (((clear.colorOutputs >> i) & 1) == 0 || target.color[i].image == nullptr) continue;
    u8 mask = (clear.colorMasks >> (4 * i)) & 15;
    if (target.color[i].opaque) mask &= 7;
    host.setColorMask(i, mask);
    const auto index = static_cast<GLint>(i);
    if (clear.colorKind == pipe::ClearKind::Int) {
      gl.ClearBufferiv(GL_COLOR, index, reinterpret_cast<const GLint*>(clear.color.data()));
    } else if (clear.colorKind == pipe::ClearKind::Uint) {
      gl.ClearBufferuiv(GL_COLOR, index, clear.color.data());
    } else {
      f32 color[4];
      std::memcpy(color, clear.color.data(), sizeof color);
      gl.ClearBufferfv(GL_COLOR, index, color);
    }
  }
  const bool depth = clear.clearDepth != 0 && target.depth.image != nullptr;
  const bool stencil = clear.clearStencil != 0 && target.stencil.image != nullptr;
  const auto value = static_cast<GLint>(clear.stencil);
  if (depth) host.setDepthMask(true);
  if (stencil) {
    host.setStencilMask(0, clear.stencilMask);
    host.setStencilMask(1, clear.stencilMask);
  }
  if (depth && stencil) {
    gl.ClearBufferfi(GL_DEPTH_STENCIL, 0, clear.depth, value);
  } else if (depth) {
    gl.ClearBufferfv(GL_DEPTH, 0, &clear.depth);
  } else if (stencil) {
    gl.ClearBufferiv(GL_STENCIL, 0, &value);
  }
  engine_.framebuffers->drawn(host, target);
  ++engine_.epoch;
}

void Blitter::clearSamples(HostContext& host, Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel) {
  const Gl& gl = engine_.gl;
  const Format named = texture.levelDesc(level).format;
  const format::FormatInfo& info = format::formatInfo(named);
  host.enable(Cap::Discard, false);
  host.enable(Cap::ScissorTest, true);
  host.setScissor(static_cast<i32>(box.x), static_cast<i32>(box.y), static_cast<i32>(box.width), static_cast<i32>(box.height));
  if (engine_.features.srgbWriteControl) host.enable(Cap::FramebufferSrgb, false);
  for (u32 z = 0; z < box.depth; ++z) {
    Target target;
    const Attached attached{&texture.image, &texture, named, level, box.z + z, texture.width, texture.height, texture.samples,
                            false, false};
    if (info.isColor()) {
      target.color[0] = attached;
      target.colorCount = 1;
    }
    if (info.isDepth()) target.depth = attached;
    if (info.isStencil()) target.stencil = attached;
    engine_.framebuffers->bindScratch(host, true, target);
    const format::ConstTexels from{texel.data(), texel.size(), texel.size()};
    const auto as = [&](Format format, void* out) {
      (void)format::convertTexels(format, {static_cast<std::byte*>(out), 16, 16}, named, from, {1, 1, 1});
    };
    if (info.isColor()) {
      host.setColorMask(0, 15);
      u32 words[4] = {};
      f32 color[4] = {};
      if (info.type == format::ComponentType::Sint) {
        as(Format::RGBA32I, words);
        gl.ClearBufferiv(GL_COLOR, 0, reinterpret_cast<const GLint*>(words));
      } else if (info.isInteger()) {
        as(Format::RGBA32UI, words);
        gl.ClearBufferuiv(GL_COLOR, 0, words);
      } else {
        as(Format::RGBA32F, color);
        gl.ClearBufferfv(GL_COLOR, 0, color);
      }
    }
    if (info.isDepthOrStencil()) {
      f32 depth = 0;
      u32 word = 0;
      std::memcpy(&word, texel.data(), std::min<std::size_t>(texel.size(), 4));
      if (info.isDepth() && info.isFloat()) std::memcpy(&depth, texel.data(), 4);
      else if (info.storage == format::Storage::U16) depth = static_cast<f32>(word & 0xffff) / 65535.0f;
      else depth = static_cast<f32>(word >> 8) / 16777215.0f;
      u32 value = word & 0xff;
      if (named == Format::D32F_S8) std::memcpy(&value, texel.data() + 4, 4);
      const auto stencil = static_cast<GLint>(value & 0xff);
      host.setDepthMask(true);
      host.setStencilMask(0, ~0u);
      host.setStencilMask(1, ~0u);
      if (info.isDepth()) gl.ClearBufferfv(GL_DEPTH, 0, &depth);
      if (info.isStencil()) gl.ClearBufferiv(GL_STENCIL, 0, &stencil);
    }
  }
  engine_.wrote(host, texture.image.object);
  ++engine_.epoch;
}

}  // namespace mgl::espryt

#include "gl/texture/texture.h"

#include <algorithm>

#include "format/format.h"
#include "gl/buffer/buffer.h"
#include "gl/texture/target.h"

namespace mgl::gl {
namespace {

// What isComplete remembers of a version of the shape.
constexpr u32 kBaseComplete = 1;    // the base level is there, cube faces alike
constexpr u32 kMipComplete = 2;     // and so is every level down to the last
constexpr u32 kNearestOnly = 4;     // integer or stencil texels: no linear filter
constexpr u32 kShapeBitCount = 4;

}  // namespace

Texture::Texture(u32 glName, pipe::TextureTarget t, ShareGroup& group, pipe::TextureHandle viewHandle)
    : Object(glName), session(group.session), target(t), handle(viewHandle) {
  if (target == TextureTarget::Rectangle) {
    sampler.minFilter = GL_LINEAR;
    sampler.wrapS = sampler.wrapT = sampler.wrapR = GL_CLAMP_TO_EDGE;
  }
}

Texture::Texture(u32 glName, pipe::TextureTarget t, ShareGroup& group) : Texture(glName, t, group, {}) {
  ObjectGroup making(*session);
  client::Group& out = *making;
  handle = out.allocate<pipe::Kind::Texture>();
  out.emit(pipe::CreateTexture{handle, target, {}});
}

Texture::~Texture() { session->retire(handle); }

i32 Texture::effectiveBase() const {
  if (!immutable) return baseLevel;
  return std::min(baseLevel, static_cast<i32>(viewNumLevels) - 1);
}

i32 Texture::effectiveMax() const {
  if (!immutable) return maxLevel;
  return std::clamp(maxLevel, effectiveBase(), static_cast<i32>(viewNumLevels) - 1);
}

i32 Texture::lastLevel() const {
  const i32 base = effectiveBase();
  if (!hasMipmaps(target) || base >= static_cast<i32>(pipe::kMaxTextureLevels)) return base;
  const TextureImage& first = image(0, base);
  const i32 smallest = base + static_cast<i32>(fullLevels(target, first.width, first.height, first.depth)) - 1;
  return std::min({smallest, effectiveMax(), static_cast<i32>(pipe::kMaxTextureLevels) - 1});
}

bool Texture::isCubeComplete() const {
  if (target != TextureTarget::Cube) return true;
  const i32 base = effectiveBase();
  if (base >= static_cast<i32>(pipe::kMaxTextureLevels)) return false;
  const TextureImage& first = image(0, base);
  if (first.format == pipe::Format::None || first.isEmpty() || first.width != first.height) return false;
  for (u32 face = 1; face < 6; ++face) {
    const TextureImage& other = image(face, base);
    if (other.format != first.format || other.width != first.width || other.height != first.height) return false;
  }
  return true;
}

u32 Texture::shapeBits() const {
  const i32 base = effectiveBase();
  if (base >= static_cast<i32>(pipe::kMaxTextureLevels)) return 0;
  const TextureImage& first = image(0, base);
  if (first.format == pipe::Format::None || first.isEmpty() || !isCubeComplete()) return 0;
  u32 bits = kBaseComplete;
  const format::FormatInfo& info = format::formatInfo(first.format);
  const bool stencil = info.base == format::BaseFormat::Stencil ||
                       (info.base == format::BaseFormat::DepthStencil && depthStencilMode == GL_STENCIL_INDEX);
  if (info.isInteger() || stencil) bits |= kNearestOnly;
  if (base > effectiveMax()) return bits;
  const i32 last = lastLevel();
  for (i32 level = base + 1; level <= last; ++level) {
    const TextureImage wanted = levelOf(target, first, static_cast<u32>(level - base));
    for (u32 face = 0; face < faces(); ++face) {
      const TextureImage& got = image(face, level);
      if (got.format != wanted.format || got.width != wanted.width || got.height != wanted.height ||
          got.depth != wanted.depth)
        return bits;
    }
  }
  return bits | kMipComplete;
}

bool Texture::isComplete(const SamplerParameters& effective) const {
  if (target == TextureTarget::Buffer) return true;
  const u64 now = currentVersion();
  u64 cached = completeness_.load(std::memory_order_relaxed);
  if (cached >> kShapeBitCount != now) {
    cached = now << kShapeBitCount | shapeBits();
    completeness_.store(cached, std::memory_order_relaxed);
  }
  if ((cached & kBaseComplete) == 0) return false;
  if (isMultisample(target)) return true;
  if (effective.usesMipmaps() && (cached & kMipComplete) == 0) return false;
  if ((cached & kNearestOnly) != 0) {
    const bool nearest = effective.magFilter == GL_NEAREST &&
                         (effective.minFilter == GL_NEAREST || effective.minFilter == GL_NEAREST_MIPMAP_NEAREST);
    if (!nearest) return false;
  }
  return true;
}

}  // namespace mgl::gl

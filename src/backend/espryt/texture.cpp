#include "backend/espryt/texture.h"

#include <algorithm>
#include <cstring>

namespace mgl::espryt {

using pipe::TextureTarget;

Sampler::~Sampler() {
  if (engine == nullptr) return;
  for (GLuint name : names) engine->bury(Dead::Sampler, name);
}

Texture::~Texture() {
  if (engine != nullptr) engine->bury(Dead::Texture, image.object.name);
}

backend::TextureLevelDesc Texture::levelDesc(u32 level, u32 face) const {
  if (!storage) return face < levels.size() && level < levels[face].size() ? levels[face][level] : backend::TextureLevelDesc{};
  backend::TextureLevelDesc desc{format, std::max(width >> level, 1u), height, depth};
  if (target != TextureTarget::Tex1D && target != TextureTarget::Tex1DArray) desc.height = std::max(height >> level, 1u);
  if (target == TextureTarget::Tex3D) desc.depth = std::max(depth >> level, 1u);
  return desc;
}

Format Texture::hostFormat() const {
  if (storage || target == TextureTarget::Buffer) return format;
  for (const auto& face : levels) {
    for (const backend::TextureLevelDesc& desc : face) {
      if (desc.format != Format::None) return desc.format;
    }
  }
  return Format::None;
}

void Textures::make(Texture& texture) {
  // A store that cannot be changed any more makes place for a new texture; whoever has the old one bound sees another id.
  if (texture.image.object.name != 0 && !texture.immutable) return;
  if (texture.image.object.name != 0) engine_.bury(Dead::Texture, texture.image.object.name);
  GLuint name = 0;
  engine_.gl.GenTextures(1, &name);
  texture.engine = &engine_;
  texture.image = {engine_.named(name), textureTarget(texture.target)};
  texture.immutable = false;
  texture.set = {};
}

HostImage Textures::makeImage(HostContext& context, Format format, u32 width, u32 height, u32 samples) {
  const HostFormat& host = (*engine_.formats)[format];
  if (!host.ok() || width == 0 || height == 0) return {};
  const Gl& gl = engine_.gl;
  GLuint name = 0;
  gl.GenTextures(1, &name);
  HostImage image{engine_.named(name), samples > 1 ? GLenum{GL_TEXTURE_2D_MULTISAMPLE} : GLenum{GL_TEXTURE_2D}};
  context.bindForChange(image.target, image.object);
  const auto w = static_cast<GLsizei>(width), h = static_cast<GLsizei>(height);
  if (samples > 1) {
    gl.TexStorage2DMultisample(image.target, static_cast<GLsizei>(samples), host.internal, w, h, GL_TRUE);
  } else {
    gl.TexStorage2D(image.target, 1, host.internal, w, h);
  }
  engine_.wrote(context, image.object);
  return image;
}

void Textures::storage(Texture& texture) {
  const HostScope context(engine_);
  const HostFormat& host = (*engine_.formats)[texture.format];
  if (!context || !host.ok()) return;
  make(texture);
  const Gl& gl = engine_.gl;
  const GLenum target = texture.samples > 1 && texture.target == TextureTarget::Renderbuffer
                            ? GLenum{GL_TEXTURE_2D_MULTISAMPLE}
                            : texture.image.target;
  texture.image.target = target;
  context->bindForChange(target, texture.image.object);
  const auto w = static_cast<GLsizei>(texture.width), h = static_cast<GLsizei>(texture.height),
             d = static_cast<GLsizei>(texture.depth), levels = static_cast<GLsizei>(texture.levelCount),
             samples = static_cast<GLsizei>(std::max(texture.samples, 1u));
  // Renderbuffers and window images promise no sample positions.
  const GLboolean fixed = texture.target == TextureTarget::Renderbuffer || (texture.flags & pipe::kTextureFixedSampleLocations) != 0;
  const bool large = format::boxBytes(texture.format, texture.width, texture.height, texture.depth) >= (16u << 20);
  if (large) {
    while (gl.GetError() != GL_NO_ERROR) {
    }
  }
  switch (target) {
    case GL_TEXTURE_2D_MULTISAMPLE:
      gl.TexStorage2DMultisample(target, samples, host.internal, w, h, fixed);
      break;
    case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
      gl.TexStorage3DMultisample(target, samples, host.internal, w, h, d, fixed);
      break;
    case GL_TEXTURE_2D_ARRAY:
    case GL_TEXTURE_3D:
    case GL_TEXTURE_CUBE_MAP_ARRAY:
      gl.TexStorage3D(target, levels, host.internal, w, h, d);
      break;
    default:
      gl.TexStorage2D(target, levels, host.internal, w, h);
  }
  if (large && gl.GetError() == GL_OUT_OF_MEMORY) {
    engine_.allocationFailures.fetch_add(1, std::memory_order_relaxed);
    engine_.sink.glError(pipe::GlError::OutOfMemory, pipe::Call::TextureStorage, {texture.slot, texture.gen, 0});
  }
  texture.immutable = true;
  engine_.wrote(*context, texture.image.object);
  applyParameters(*context, texture);
  ++engine_.epoch;
}

// glTexImage* without contents. A size of 0 takes the level away.
void Textures::allocateLevel(HostContext& context, Texture& texture, GLenum target, u32 level,
                             const backend::TextureLevelDesc& desc) {
  const Gl& gl = engine_.gl;
  const HostFormat& host = (*engine_.formats)[desc.format == Format::None ? Format::RGBA8 : desc.format];
  if (!host.ok()) return;
  context.unbindBuffer(BufferTarget::PixelUnpack);
  const auto w = static_cast<GLsizei>(desc.width), h = static_cast<GLsizei>(desc.height),
             d = static_cast<GLsizei>(desc.depth), at = static_cast<GLint>(level);
  const bool volume = isArrayOrVolume(texture.image.target);
  if (host.format == 0) {
    // Blocks have to come with their contents.
    scratch_.assign(format::boxBytes(desc.format, desc.width, desc.height, desc.depth), std::byte{0});
    const auto bytes = static_cast<GLsizei>(scratch_.size());
    if (volume) {
      gl.CompressedTexImage3D(target, at, host.internal, w, h, d, 0, bytes, scratch_.data());
    } else {
      gl.CompressedTexImage2D(target, at, host.internal, w, h, 0, bytes, scratch_.data());
    }
    return;
  }
  const auto internal = static_cast<GLint>(host.internal);
  if (volume) {
    gl.TexImage3D(target, at, internal, w, h, d, 0, host.format, host.type, nullptr);
  } else {
    gl.TexImage2D(target, at, internal, w, h, 0, host.format, host.type, nullptr);
  }
}

void Textures::level(Texture& texture, u32 face, u32 level) {
  const HostScope context(engine_);
  if (!context) return;
  make(texture);
  context->bindForChange(texture.image.target, texture.image.object);
  const GLenum target = texture.image.target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : texture.image.target;
  const backend::TextureLevelDesc& desc = texture.levels[face][level];
  const bool large = format::boxBytes(desc.format, desc.width, desc.height, desc.depth) >= (16u << 20);
  if (large) {
    while (engine_.gl.GetError() != GL_NO_ERROR) {
    }
  }
  allocateLevel(*context, texture, target, level, desc);
  if (large && engine_.gl.GetError() == GL_OUT_OF_MEMORY) {
    engine_.allocationFailures.fetch_add(1, std::memory_order_relaxed);
    engine_.sink.glError(pipe::GlError::OutOfMemory, pipe::Call::TextureLevel, {texture.slot, texture.gen, 0});
  }
  engine_.wrote(*context, texture.image.object);
  applyParameters(*context, texture);
  ++engine_.epoch;
}

void Textures::view(Texture& texture) {
  const HostScope context(engine_);
  const auto& source = static_cast<Texture&>(*texture.viewOf);
  const HostFormat& host = (*engine_.formats)[texture.format];
  if (!context || !host.ok() || source.image.object.name == 0) return;
  if (!engine_.features.textureView) return engine_.decline("a texture view: the host has no GL_EXT_texture_view");
  GLuint name = 0;
  engine_.gl.GenTextures(1, &name);
  texture.engine = &engine_;
  texture.image = {engine_.named(name), textureTarget(texture.target)};
  texture.immutable = true;
  engine_.gl.TextureViewEXT(name, texture.image.target, source.image.object.name, host.internal, texture.minLevel,
                            texture.levelCount, texture.minLayer, texture.depth);
  engine_.wrote(*context, texture.image.object);
  applyParameters(*context, texture);
  ++engine_.epoch;
}

void Textures::parametersChanged(Texture& texture) {
  ++engine_.epoch;
  if (texture.image.object.name == 0) return;
  const HostScope context(engine_);
  if (context) applyParameters(*context, texture);
}

namespace {

// The end of the row of levels that follow from the base level: the client sees to it that what is sampled is there, and the
// host is not to miss what the client does not ask for.
u32 lastLevel(const Texture& texture) {
  const u32 base = std::min(texture.baseLevel, pipe::kMaxTextureLevels - 1);
  u32 last = base;
  while (last + 1 < pipe::kMaxTextureLevels) {
    const backend::TextureLevelDesc& a = texture.levels[0][last];
    const backend::TextureLevelDesc& b = texture.levels[0][last + 1];
    const auto half = [](u32 size) { return std::max(size / 2, 1u); };
    const bool follows = b.format == a.format && b.format != Format::None && b.width == half(a.width) &&
                         (b.height == half(a.height) || b.height == a.height);
    if (!follows) break;
    ++last;
  }
  return last;
}

}  // namespace

void Textures::applyParameters(HostContext& context, Texture& texture) {
  const GLenum target = texture.image.target;
  if (target == GL_TEXTURE_2D_MULTISAMPLE || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY || target == GL_TEXTURE_BUFFER)
    return;  // nothing of it is asked of these but swizzles, which samplers of them do not take on every host
  const Format named = texture.hostFormat();
  const HostFormat& host = (*engine_.formats)[named];
  Texture::Parameters wanted;
  wanted.base = static_cast<i32>(std::min(texture.baseLevel, 1000u));
  wanted.max = static_cast<i32>(std::min(texture.maxLevel, 1000u));
  if (!texture.storage) wanted.max = std::min(wanted.max, static_cast<i32>(lastLevel(texture)));
  for (u32 i = 0; i < 4; ++i) wanted.swizzle[i] = swizzle(host, texture.swizzle[i]);
  const format::FormatInfo& info = format::formatInfo(named);
  if (info.base == format::BaseFormat::DepthStencil && texture.sampleStencil) wanted.depthStencilMode = GL_STENCIL_INDEX;
  if (wanted == texture.set) return;
  const Gl& gl = engine_.gl;
  context.bindForChange(target, texture.image.object);
  if (wanted.base != texture.set.base) gl.TexParameteri(target, GL_TEXTURE_BASE_LEVEL, wanted.base);
  if (wanted.max != texture.set.max) gl.TexParameteri(target, GL_TEXTURE_MAX_LEVEL, wanted.max);
  constexpr GLenum kSwizzles[] = {GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_SWIZZLE_G, GL_TEXTURE_SWIZZLE_B, GL_TEXTURE_SWIZZLE_A};
  for (u32 i = 0; i < 4; ++i) {
    if (wanted.swizzle[i] != texture.set.swizzle[i])
      gl.TexParameteri(target, kSwizzles[i], static_cast<GLint>(wanted.swizzle[i]));
  }
  if (wanted.depthStencilMode != texture.set.depthStencilMode)
    gl.TexParameteri(target, GL_DEPTH_STENCIL_TEXTURE_MODE, static_cast<GLint>(wanted.depthStencilMode));
  texture.set = wanted;
  engine_.wrote(context, texture.image.object);
}

bool Textures::useTexelBuffer(HostContext& context, Texture& texture) {
  auto* buffer = static_cast<Buffer*>(texture.buffer.get());
  const HostFormat& host = (*engine_.formats)[texture.format];
  if (buffer == nullptr || buffer->host.name == 0 || !host.ok() || texture.bufferOffset >= buffer->bytes) return false;
  const u64 texel = std::max<u64>(format::formatInfo(texture.format).blockBytes, 1);
  u64 bytes = std::min(texture.bufferBytes, buffer->bytes - texture.bufferOffset);
  bytes = std::min(bytes, static_cast<u64>(engine_.features.maxTexelBufferTexels) * texel) / texel * texel;
  if (bytes == 0) return false;
  if (texture.image.object.name == 0) make(texture);
  if (texture.bufferId != buffer->host.id || texture.bufferOffsetSet != texture.bufferOffset ||
      texture.bufferBytesSet != bytes || texture.bufferFormatSet != texture.format) {
    context.bindForChange(GL_TEXTURE_BUFFER, texture.image.object);
    engine_.gl.TexBufferRange(GL_TEXTURE_BUFFER, host.internal, buffer->host.name,
                              static_cast<GLintptr>(texture.bufferOffset), static_cast<GLsizeiptr>(bytes));
    texture.bufferId = buffer->host.id;
    texture.bufferOffsetSet = texture.bufferOffset;
    texture.bufferBytesSet = bytes;
    texture.bufferFormatSet = texture.format;
    engine_.wrote(context, texture.image.object);
  }
  return true;
}

GLuint Textures::sampler(Sampler& sampler, pipe::BorderClass cls, bool nearest, u64* id) {
  const u32 variant = indexOf(cls) * 2 + (nearest ? 1 : 0);
  GLuint& name = sampler.names[variant];
  if (name != 0) {
    *id = sampler.ids[variant];
    return name;
  }
  const Gl& gl = engine_.gl;
  const HostFeatures& f = engine_.features;
  pipe::SamplerState s = sampler.state;
  if (nearest) {
    s.minFilter = s.magFilter = pipe::Filter::Nearest;
    if (s.mipMode == pipe::MipMode::Linear) s.mipMode = pipe::MipMode::Nearest;
  }
  gl.GenSamplers(1, &name);
  sampler.engine = &engine_;
  *id = sampler.ids[variant] = engine_.nextId++;
  const auto set = [&gl, name](GLenum parameter, GLenum value, GLenum initial) {
    if (value != initial) gl.SamplerParameteri(name, parameter, static_cast<GLint>(value));
  };
  set(GL_TEXTURE_MIN_FILTER, minFilter(s), GL_NEAREST_MIPMAP_LINEAR);
  set(GL_TEXTURE_MAG_FILTER, magFilter(s), GL_LINEAR);
  set(GL_TEXTURE_WRAP_S, wrap(s.wrapS, s, f), GL_REPEAT);
  set(GL_TEXTURE_WRAP_T, wrap(s.wrapT, s, f), GL_REPEAT);
  set(GL_TEXTURE_WRAP_R, wrap(s.wrapR, s, f), GL_REPEAT);
  set(GL_TEXTURE_COMPARE_MODE, s.compareEnable ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE, GL_NONE);
  set(GL_TEXTURE_COMPARE_FUNC, compareOp(s.compareOp), GL_LEQUAL);
  if (s.minLod != -1000) gl.SamplerParameterf(name, GL_TEXTURE_MIN_LOD, s.minLod);
  if (s.maxLod != 1000) gl.SamplerParameterf(name, GL_TEXTURE_MAX_LOD, s.maxLod);
  if (f.anisotropic && s.maxAnisotropy > 1) gl.SamplerParameterf(name, GL_TEXTURE_MAX_ANISOTROPY_EXT, s.maxAnisotropy);
  if (f.srgbDecode && s.srgbDecodeSkip) set(GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT, GL_DECODE_EXT);
  if (f.borderClamp) {
    if (cls == pipe::BorderClass::Float) {
      f32 color[4];
      std::memcpy(color, s.border.data(), sizeof color);
      gl.SamplerParameterfv(name, GL_TEXTURE_BORDER_COLOR, color);
    } else if (cls == pipe::BorderClass::Int) {
      gl.SamplerParameterIiv(name, GL_TEXTURE_BORDER_COLOR, reinterpret_cast<const GLint*>(s.border.data()));
    } else {
      gl.SamplerParameterIuiv(name, GL_TEXTURE_BORDER_COLOR, s.border.data());
    }
  }
  return name;
}

}  // namespace mgl::espryt

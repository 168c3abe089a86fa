// Reads of images: into a pixel buffer of the host, slice by slice, by way of a drawing where the host reads no such format.
#include <algorithm>
#include <string>

#include "backend/espryt/blit.h"

namespace mgl::espryt {

namespace {

GLsizeiptr size(u64 bytes) { return static_cast<GLsizeiptr>(bytes); }

u64 touchedBytes(const TexelShape& shape, const pipe::TexelLayout& layout) {
  const u64 row = u64{format::bytesPerPixel(layout.format, layout.type)} * shape.width;
  return layout.imageBytes * (shape.depth - 1) + layout.rowBytes * (shape.height - 1) + row;
}

}  // namespace

bool Blitter::region(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                     const pipe::TexelLayout& layout, ReadRegion* out) {
  using format::TransferFormat;
  engine_.framebuffers->resolveRead(context, source, &out->source);
  const bool depth = layout.format == TransferFormat::Depth || layout.format == TransferFormat::DepthStencil;
  const bool stencil = layout.format == TransferFormat::Stencil;
  const Attached& from = depth ? out->source.depth : stencil ? out->source.stencil : out->source.color[0];
  if (from.image == nullptr || rect.width <= 0 || rect.height <= 0) return false;
  out->named = from.named;
  out->x = static_cast<u32>(rect.x);
  out->y = static_cast<u32>(rect.y);
  out->width = static_cast<u32>(rect.width);
  out->height = static_cast<u32>(rect.height);
  return true;
}

// One slice of the region, whose source is resolved, into the bound pixel buffer.
bool Blitter::readOne(HostContext& host, ReadRegion& region, const ReadParts& parts, u64 mainAt, u64 stencilAt) {
  const Gl& gl = engine_.gl;
  const format::FormatInfo& info = format::formatInfo(region.named);
  const auto x = static_cast<GLint>(region.x), y = static_cast<GLint>(region.y);
  const auto w = static_cast<GLsizei>(region.width), h = static_cast<GLsizei>(region.height);
  const auto at = [](u64 offset) { return reinterpret_cast<void*>(offset); };
  if (info.isColor()) {
    const HostFormat& format = (*engine_.formats)[region.named];
    ReadRegion readable = region;
    if (!format.renderable && !decode(host, &readable, Part::Color)) return false;
    engine_.framebuffers->bindScratch(host, false, readable.source);
    const HostFormat& as = (*engine_.formats)[readable.named];
    gl.ReadPixels(static_cast<GLint>(readable.x), static_cast<GLint>(readable.y), w, h, as.readFormat, as.readType, at(mainAt));
    return true;
  }
  if (parts.drawn) {
    for (const Part part : {Part::Depth, Part::Stencil}) {
      if (part == Part::Depth ? !parts.main : !parts.stencil) continue;
      ReadRegion readable = region;
      if (!decode(host, &readable, part)) return false;
      engine_.framebuffers->bindScratch(host, false, readable.source);
      const bool depth = part == Part::Depth;
      gl.ReadPixels(0, 0, w, h, depth ? GL_RGBA : GL_RGBA_INTEGER, depth ? GL_FLOAT : GL_UNSIGNED_INT, at(depth ? mainAt : stencilAt));
    }
    return true;
  }
  engine_.framebuffers->bindScratch(host, false, region.source);
  if (parts.main) {
    gl.ReadPixels(x, y, w, h, GL_DEPTH_COMPONENT, info.isFloat() ? GL_FLOAT : GL_UNSIGNED_INT, at(mainAt));
  }
  if (parts.stencil) {
    gl.ReadPixels(x, y, w, h, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, at(stencilAt));
  }
  return true;
}

Blitter::Read Blitter::readSlices(HostContext& host, ReadRegion region, u32 depth, const pipe::TexelLayout& layout,
                                  Texture* texture, u32 level, u32 firstLayer) {
  const Gl& gl = engine_.gl;
  Read read;
  const HostFormat* format = &(*engine_.formats)[region.named];
  if (!format->ok()) return read;
  read.shape = {region.named, format, region.width, region.height, depth};
  const format::FormatInfo& info = format::formatInfo(region.named);
  // What is decoded is read as what it was decoded into.
  if (info.isColor() && !format->renderable) {
    const Format as = info.isInteger() ? (info.type == format::ComponentType::Sint ? Format::RGBA32I : Format::RGBA32UI) : Format::RGBA32F;
    read.shape = {as, &(*engine_.formats)[as], region.width, region.height, depth};
  }
  read.parts = readParts(read.shape, layout, !engine_.features.readDepth || !engine_.features.readStencil);
  const u64 bytes = read.parts.mainBytes + read.parts.stencilBytes;
  if (bytes == 0 || (info.isColor() && read.parts.mainFormat == Format::None)) return read;
  HostObject buffer;
  gl.GenBuffers(1, &buffer.name);
  buffer = engine_.named(buffer.name);
  host.bindBuffer(BufferTarget::PixelPack, buffer);
  gl.BufferData(GL_PIXEL_PACK_BUFFER, size(bytes), nullptr, GL_STREAM_READ);
  PixelStoreState store;
  store.alignment = 1;
  host.setPack(store);
  bool good = true;
  for (u32 z = 0; z < depth && good; ++z) {
    if (texture != nullptr) {
      const bool faces = !texture->storage && texture->target == pipe::TextureTarget::Cube;
      const backend::TextureLevelDesc desc = texture->levelDesc(level, faces ? firstLayer + z : 0);
      const Attached slice{&texture->image, texture, region.named, level, firstLayer + z, desc.width, desc.height, 1, false, false};
      region.source = {};
      if (info.isColor()) {
        region.source.color[0] = slice;
        region.source.colorCount = 1;
      }
      if (info.isDepth()) region.source.depth = slice;
      if (info.isStencil()) region.source.stencil = slice;
    } else if (region.source.samples > 1) {
      resolveSamples(host, &region.source, info.isColor() ? GL_COLOR_BUFFER_BIT
                                                          : (read.parts.main ? GL_DEPTH_BUFFER_BIT : 0u) |
                                                                (read.parts.stencil ? GL_STENCIL_BUFFER_BIT : 0u));
      host.bindBuffer(BufferTarget::PixelPack, buffer);
    }
    good = readOne(host, region, read.parts, z * (read.parts.mainBytes / depth),
                   read.parts.mainBytes + z * (read.parts.drawn ? 16u : 1u) * u64{region.width} * region.height);
  }
  host.unbindBuffer(BufferTarget::PixelPack);
  if (!good) {
    gl.DeleteBuffers(1, &buffer.name);
    return read;
  }
  read.buffer = buffer.name;
  return read;
}

backend::Pending Blitter::beginReadPixels(HostContext& host, backend::ContextState& context, backend::Framebuffer* source,
                                          const pipe::Rect& rect, const pipe::TexelLayout& layout, bool clampColor) {
  ReadRegion from;
  if (!region(context, source, rect, layout, &from)) return engine_.readBacks->immediate({});
  const Read read = readSlices(host, from, 1, layout, nullptr, 0, 0);
  ++engine_.epoch;
  if (read.buffer == 0) return engine_.readBacks->immediate({});
  return engine_.readBacks->beginMade(
      host, read.buffer, read.parts.mainBytes + read.parts.stencilBytes, [read, layout, clampColor](Bytes raw, MutableBytes dst) {
        return unpackRead(read.shape, read.parts, raw, layout, clampColor, dst);
      });
}

backend::Pending Blitter::beginReadTexture(HostContext& host, Texture& texture, u32 level, const pipe::TexelBox& box,
                                           const pipe::TexelLayout& layout) {
  const bool faces = !texture.storage && texture.target == pipe::TextureTarget::Cube;
  ReadRegion from;
  from.named = texture.levelDesc(level, faces ? box.z : 0).format;
  from.x = box.x;
  from.y = box.y;
  from.width = box.width;
  from.height = box.height;
  if (texture.image.object.name == 0) return engine_.readBacks->immediate({});
  if (layout.compressed != 0) {
    engine_.decline("a read of compressed blocks: OpenGL ES has none");
    return engine_.readBacks->immediate({});
  }
  const Read read = readSlices(host, from, box.depth, layout, &texture, level, box.z);
  ++engine_.epoch;
  if (read.buffer == 0) return engine_.readBacks->immediate({});
  return engine_.readBacks->beginMade(
      host, read.buffer, read.parts.mainBytes + read.parts.stencilBytes,
      [read, layout](Bytes raw, MutableBytes dst) { return unpackRead(read.shape, read.parts, raw, layout, false, dst); });
}

// Into a buffer of the program: on the GPU where the layouts are the same, else by way of the CPU, which then waits.
void Blitter::toBuffer(HostContext& host, const Read& read, const pipe::TexelLayout& layout, bool clampColor,
                       Buffer& buffer, u64 offset) {
  if (read.buffer == 0 || buffer.host.name == 0) return;
  const Gl& gl = engine_.gl;
  HostObject from = engine_.named(read.buffer);
  host.bindBuffer(BufferTarget::CopyRead, from);
  if (isDirectRead(read.shape, read.parts, layout, clampColor)) {
    host.bindBuffer(BufferTarget::CopyWrite, buffer.host);
    const u64 row = format::rowBytes(read.parts.mainFormat, read.shape.width);
    const bool tight = (layout.rowBytes == row || read.shape.height == 1) &&
                       (read.shape.depth == 1 || layout.imageBytes == row * read.shape.height);
    const u64 rows = u64{read.shape.height} * read.shape.depth;
    for (u64 i = 0; i < (tight ? 1 : rows); ++i) {
      const u64 to = offset + i / read.shape.height * layout.imageBytes + i % read.shape.height * layout.rowBytes;
      gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(i * row),
                           static_cast<GLintptr>(to), size(tight ? row * rows : row));
    }
    engine_.buffers->written(host, buffer);
  } else {
    const u64 bytes = read.parts.mainBytes + read.parts.stencilBytes, total = touchedBytes(read.shape, layout);
    std::vector<std::byte> made(total);
    bool good = false;
    {
      const ScopedStall stall(Stall::ApplyGpu);
      const void* mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, size(bytes), GL_MAP_READ_BIT);
      if (mapped != nullptr) {
        good = unpackRead(read.shape, read.parts, Bytes(static_cast<const std::byte*>(mapped), bytes), layout, clampColor, made);
        gl.UnmapBuffer(GL_COPY_READ_BUFFER);
      }
    }
    // Gaps between rows are the program's: they keep what the buffer holds.
    const u64 row = u64{format::bytesPerPixel(layout.format, layout.type)} * read.shape.width;
    for (u64 z = 0; z < read.shape.depth && good; ++z) {
      for (u64 y = 0; y < read.shape.height; ++y) {
        const u64 at = z * layout.imageBytes + y * layout.rowBytes;
        engine_.buffers->subData(buffer, offset + at, Bytes(made).subspan(at, row));
      }
    }
  }
  engine_.bury(Dead::Buffer, read.buffer);
}

void Blitter::readPixelsToBuffer(HostContext& host, backend::ContextState& context, backend::Framebuffer* source,
                                 const pipe::Rect& rect, const pipe::TexelLayout& layout, bool clampColor, Buffer& buffer,
                                 u64 offset) {
  ReadRegion from;
  if (!region(context, source, rect, layout, &from)) return;
  toBuffer(host, readSlices(host, from, 1, layout, nullptr, 0, 0), layout, clampColor, buffer, offset);
  ++engine_.epoch;
}

void Blitter::readTextureToBuffer(HostContext& host, Texture& texture, u32 level, const pipe::TexelBox& box,
                                  const pipe::TexelLayout& layout, Buffer& buffer, u64 offset) {
  const bool faces = !texture.storage && texture.target == pipe::TextureTarget::Cube;
  ReadRegion from;
  from.named = texture.levelDesc(level, faces ? box.z : 0).format;
  from.x = box.x;
  from.y = box.y;
  from.width = box.width;
  from.height = box.height;
  if (texture.image.object.name == 0) return;
  if (layout.compressed != 0) return engine_.decline("a read of compressed blocks: OpenGL ES has none");
  toBuffer(host, readSlices(host, from, box.depth, layout, &texture, level, box.z), layout, false, buffer, offset);
  ++engine_.epoch;
}

namespace {

constexpr const char* kDecodeVertex =
    "#version 310 es\n"
    "void main() {\n"
    "  vec2 p = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);\n"
    "  gl_Position = vec4(p, 0.0, 1.0);\n"
    "}\n";

// kind: dimension (2D, 2D array, 3D) + 3 · result (float, int, uint)
std::string decodeFragment(u32 kind) {
  constexpr const char* kDims[] = {"2D", "2DArray", "3D"};
  constexpr const char* kPrefix[] = {"", "i", "u"};
  const std::string prefix = kPrefix[kind / 3];
  const std::string at = kind % 3 == 0 ? "p.xy" : "p.xyz";
  return "#version 310 es\nprecision highp float;\nprecision highp int;\n"
         "layout(binding = 0) uniform highp " + prefix + "sampler" + kDims[kind % 3] + " source;\n"
         "layout(location = 0) uniform uvec4 place;\n"
         "layout(location = 0) out highp " + prefix + "vec4 color;\n"
         "void main() {\n"
         "  ivec3 p = ivec3(ivec2(gl_FragCoord.xy) + ivec2(place.xy), int(place.z));\n"
         "  color = texelFetch(source, " + at + ", int(place.w));\n"
         "}\n";
}

}  // namespace

GLuint Blitter::decodeProgram(u32 kind, u64* id) {
  Program& held = programs_[kind];
  *id = held.id;
  if (held.name != 0) return held.name;
  const Gl& gl = engine_.gl;
  const GLuint program = gl.CreateProgram();
  const std::string fragment = decodeFragment(kind);
  for (const auto& [stage, text] : {std::pair{GLenum{GL_VERTEX_SHADER}, kDecodeVertex},
                                    std::pair{GLenum{GL_FRAGMENT_SHADER}, fragment.c_str()}}) {
    const GLuint shader = gl.CreateShader(stage);
    gl.ShaderSource(shader, 1, &text, nullptr);
    gl.CompileShader(shader);
    gl.AttachShader(program, shader);
    gl.DeleteShader(shader);
  }
  gl.LinkProgram(program);
  held = {program, engine_.nextId++};
  *id = held.id;
  return program;
}

bool Blitter::decode(HostContext& host, ReadRegion* region, Part part) {
  const Attached source = part == Part::Color ? region->source.color[0] : part == Part::Depth ? region->source.depth : region->source.stencil;
  if (source.image == nullptr) return false;
  const GLenum target = source.image->target;
  if (target != GL_TEXTURE_2D && target != GL_TEXTURE_2D_ARRAY && target != GL_TEXTURE_3D)
    return engine_.decline("a read of this kind of texture in a format that the host does not read"), false;
  const format::FormatInfo& info = format::formatInfo(region->named);
  const u32 result = part == Part::Stencil ? 2 : part == Part::Depth || !info.isInteger() ? 0 : info.type == format::ComponentType::Sint ? 1 : 2;
  constexpr Format kAs[] = {Format::RGBA32F, Format::RGBA32I, Format::RGBA32UI};
  const Format as = kAs[result];
  if (!(*engine_.formats)[as].renderable) return engine_.decline("a read of a format that the host does not read"), false;
  engine_.bury(Dead::Texture, decoded_.object.name);
  decoded_ = engine_.textures->makeImage(host, as, region->width, region->height, 1);
  Target to;
  to.color[0] = whole(decoded_, as, region->width, region->height);
  to.colorCount = 1;
  engine_.framebuffers->bindScratch(host, true, to);
  const Gl& gl = engine_.gl;
  u64 id = 0;
  const u32 kind = (target == GL_TEXTURE_2D ? 0u : target == GL_TEXTURE_2D_ARRAY ? 1u : 2u) + 3 * result;
  const GLuint program = decodeProgram(kind, &id);
  host.useProgram(program, id);
  // A fetch counts levels from the texture's base level.
  const u32 base = source.texture != nullptr ? static_cast<u32>(source.texture->set.base) : 0;
  gl.Uniform4ui(0, region->x, region->y, source.layer, source.level - std::min(base, source.level));
  host.bindTexture(0, target, source.image->object);
  const bool both = info.base == format::BaseFormat::DepthStencil;
  const GLenum mode = part == Part::Stencil ? GL_STENCIL_INDEX : GL_DEPTH_COMPONENT;
  const GLenum before = source.texture != nullptr ? source.texture->set.depthStencilMode : GLenum{GL_DEPTH_COMPONENT};
  const auto setMode = [&](GLenum value) {
    host.bindForChange(target, source.image->object);
    gl.TexParameteri(target, GL_DEPTH_STENCIL_TEXTURE_MODE, static_cast<GLint>(value));
  };
  if (both && mode != before) setMode(mode);
  // The texture's own swizzle is the program's, and not for reads.
  constexpr GLenum kSwizzles[] = {GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_SWIZZLE_G, GL_TEXTURE_SWIZZLE_B, GL_TEXTURE_SWIZZLE_A};
  constexpr GLenum kPlain[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
  const auto swizzle = [&](bool plain) {
    for (u32 i = 0; i < 4 && source.texture != nullptr; ++i) {
      if (source.texture->set.swizzle[i] == kPlain[i]) continue;
      host.bindForChange(target, source.image->object);
      gl.TexParameteri(target, kSwizzles[i], static_cast<GLint>(plain ? kPlain[i] : source.texture->set.swizzle[i]));
    }
  };
  swizzle(true);
  if (nearest_.name == 0) {
    gl.GenSamplers(1, &nearest_.name);
    nearest_.id = engine_.nextId++;
    gl.SamplerParameteri(nearest_.name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.SamplerParameteri(nearest_.name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }
  host.bindSampler(0, nearest_.name, nearest_.id);
  EmptyArray* array = nullptr;
  for (EmptyArray& known : emptyArrays_) {
    if (known.contextUid == host.uid) array = &known;
  }
  if (array == nullptr) {
    array = &emptyArrays_.emplace_back();
    array->contextUid = host.uid;
    gl.GenVertexArrays(1, &array->name);
    array->id = engine_.nextId++;
  }
  host.bindVertexArray(array->name, array->id);
  for (u32 cap = 0; cap < countOf<Cap>(); ++cap) host.enable(static_cast<Cap>(cap), false);
  host.setColorMask(0, 15);
  host.setViewport(0, 0, static_cast<i32>(region->width), static_cast<i32>(region->height));
  gl.DrawArraysInstanced(GL_TRIANGLES, 0, 3, 1);
  if (both && mode != before) setMode(before);
  swizzle(false);
  engine_.framebuffers->drawn(host, to);
  region->source = to;
  region->named = as;
  region->x = region->y = 0;
  return true;
}

}  // namespace mgl::espryt

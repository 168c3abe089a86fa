// What shaders and the vertex stage read: uniform blocks, textures, vertex arrays.
#include <algorithm>
#include <bit>
#include <cstring>

#include "backend/espryt/draw.h"
#include "backend/vertex_convert.h"

namespace mgl::espryt {

bool Drawer::bindUniforms(HostContext& host, const backend::ContextState& context, Program& program) {
  for (const UniformSlot& slot : program.uniformSlots) {
    if (slot.block < 0) {
      Program& source = *slot.source;
      StreamRing& ring = *host.stream;
      const u64 bytes = std::max<u64>(alignUp<u64>(source.archive.defaultBlockBytes, 16), 16);
      if (source.streamedSerial != source.uniformsSerial || source.streamedContext != host.uid ||
          source.streamedGeneration != ring.generation()) {
        const StreamSlice slice = ring.write(source.uniforms, static_cast<u64>(engine_.features.uniformAlignment));
        if (slice.buffer == nullptr) return false;
        source.streamedBuffer = slice.buffer;
        source.streamedOffset = slice.offset;
        source.streamedGeneration = slice.generation;
        source.streamedContext = host.uid;
        source.streamedSerial = source.uniformsSerial;
      }
      host.bindUniformRange(slot.point, *source.streamedBuffer, source.streamedOffset, bytes);
      continue;
    }
    const auto block = static_cast<u32>(slot.block);
    const shader::Block& desc = slot.source->archive.uniformBlocks[block];
    const u32 point = block < slot.source->blockBindings.size() ? slot.source->blockBindings[block] : desc.binding;
    const auto& ranges = context.buffers[indexOf(pipe::BufferClass::Uniform)];
    const backend::BufferRange* range = point < ranges.size() ? &ranges[point] : nullptr;
    auto* buffer = range != nullptr ? static_cast<Buffer*>(range->buffer.get()) : nullptr;
    const u64 there = buffer != nullptr && range->offset < buffer->bytes ? std::min(range->bytes, buffer->bytes - range->offset) : 0;
    // A range that is too short for the block gives zeros beyond its end in no host: what is there is given.
    if (buffer != nullptr && buffer->host.name != 0 && there != 0) {
      host.bindUniformRange(slot.point, buffer->host, range->offset, there);
    } else {
      const u64 bytes = std::max<u64>(alignUp<u64>(desc.sizeBytes, 16), 16);
      host.bindUniformRange(slot.point, engine_.buffers->zeros(host, bytes), 0, bytes);
    }
  }
  return true;
}

bool Drawer::bindSamplers(HostContext& host, const backend::ContextState& context, Program& program) {
  biases_.clear();
  for (const SamplerSlot& slot : program.samplerSlots) {
    u32 unit = slot.flat < slot.source->samplerUnits.size() ? slot.source->samplerUnits[slot.flat] : 0;
    auto* texture = unit < context.views.size() ? static_cast<Texture*>(context.views[unit].get()) : nullptr;
    biases_.resize(std::max<std::size_t>(biases_.size(), slot.unit + 1));
    bool there = texture != nullptr;
    if (there && slot.type.dim == shader::TextureDim::Buffer) there = engine_.textures->useTexelBuffer(host, *texture);
    if (there) there = texture->image.object.name != 0;
    if (!there) {
      host.unbindTexture(slot.unit);
      host.bindSampler(slot.unit, 0, 0);
      continue;
    }
    host.bindTexture(slot.unit, texture->image.target, texture->image.object);
    if (slot.type.dim == shader::TextureDim::Buffer || slot.type.multisample) {
      host.bindSampler(slot.unit, 0, 0);
      continue;
    }
    auto* state = unit < context.samplers.size() ? static_cast<Sampler*>(context.samplers[unit].get()) : nullptr;
    if (state == nullptr) state = static_cast<Sampler*>(texture->sampler.get());
    if (state == nullptr) {
      host.bindSampler(slot.unit, 0, 0);
      continue;
    }
    const format::FormatInfo& info = format::formatInfo(texture->hostFormat());
    pipe::BorderClass cls = pipe::BorderClass::Float;
    const bool stencil = info.isStencil() && (texture->sampleStencil || !info.isDepth());
    if (info.isInteger() || stencil)
      cls = info.type == format::ComponentType::Sint && !stencil ? pipe::BorderClass::Int : pipe::BorderClass::Uint;
    // OpenGL ES takes a depth texture with filters and no comparison for incomplete.
    const bool nearest = info.isDepth() && !stencil && state->state.compareEnable == 0;
    u64 id = 0;
    const GLuint name = engine_.textures->sampler(*state, cls, nearest, &id);
    host.bindSampler(slot.unit, name, id);
    biases_[slot.unit] = std::clamp(state->state.lodBias, -engine_.caps.maxLodBias, engine_.caps.maxLodBias);
  }
  return true;
}

// ---- Vertices

VertexArray::~VertexArray() {
  if (engine == nullptr) return;
  for (u32 i = 0; i < twins.size(); ++i) {
    if (twins[i] == nullptr) continue;
    if (HostContext* owner = engine->owner(i, twins[i]->contextUid)) {
      owner->forgetVertexArray(twins[i]->id);
      owner->deadVertexArrays.push_back(twins[i]->name);
    }
  }
}

bool Drawer::placeAttribute(HostContext& host, VertexArrayTwin& twin, const pipe::VertexAttrib& attrib, GLenum type, u32 components,
                            u32 offset, const HostObject& buffer, u64 start, u32 stride, u32 divisor) {
  const Gl& gl = engine_.gl;
  // Slot and location are one: attributes that share a binding of the program's bind its buffer once each.
  const u32 at = attrib.location;
  if (at >= std::min<u32>(static_cast<u32>(engine_.features.maxVertexAttribs), kMaxVertexSlots)) return false;
  VertexArrayTwin::Attribute& a = twin.attributes[at];
  const bool integer = attrib.cls != pipe::AttribClass::Float;
  const u8 normalized = !integer && attrib.normalized != 0 ? 1 : 0;
  if (a.type != type || a.components != components || a.integer != integer || a.normalized != normalized || a.offset != offset) {
    if (integer) {
      gl.VertexAttribIFormat(at, static_cast<GLint>(components), type, offset);
    } else {
      gl.VertexAttribFormat(at, static_cast<GLint>(components), type, normalized, offset);
    }
    a.type = type;
    a.components = static_cast<u8>(components);
    a.integer = integer;
    a.normalized = normalized;
    a.offset = offset;
  }
  VertexArrayTwin::Slot& s = twin.slots[at];
  const bool foreign = buffer.writer != host.index() && buffer.written > s.seen;
  if (s.buffer != buffer.id || s.offset != start || s.stride != stride || foreign) {
    gl.BindVertexBuffer(at, buffer.name, static_cast<GLintptr>(start), static_cast<GLsizei>(stride));
    s.buffer = buffer.id;
    s.offset = start;
    s.stride = stride;
    s.seen = engine_.stamp;
  }
  if (s.divisor != divisor) {
    gl.VertexBindingDivisor(at, divisor);
    s.divisor = divisor;
  }
  if (!a.enabled) {
    gl.EnableVertexAttribArray(at);
    a.enabled = true;
  }
  return true;
}

// The attribute from `start` on to the end of the buffer as 32-bit components, kept while the contents stand.
const HostObject* Drawer::converted(HostContext& host, Buffer& buffer, const pipe::VertexAttrib& attrib, u64 start,
                                    u32 stride) {
  Buffer::Converted* found = nullptr;
  for (Buffer::Converted& known : buffer.converted) {
    if (known.start == start && known.stride == stride && std::memcmp(&known.attrib, &attrib, sizeof attrib) == 0)
      found = &known;
  }
  if (found == nullptr) {
    if (buffer.converted.size() >= 8) {
      engine_.bury(Dead::Buffer, buffer.converted.front().host.name);
      buffer.converted.erase(buffer.converted.begin());
    }
    found = &buffer.converted.emplace_back();
    found->start = start;
    found->stride = stride;
    found->attrib = attrib;
  }
  if (found->host.name != 0 && found->contents == buffer.contents) return &found->host;
  const u32 bytes = backend::attributeBytes(attrib), element = backend::convertedBytes(attrib);
  std::vector<std::byte> made(element);
  engine_.buffers->read(host, buffer, [&](Bytes held) {
    if (held.size() < start + bytes) return;
    const u64 count = stride == 0 ? 1 : (held.size() - start - bytes) / stride + 1;
    made.resize(count * element);
    backend::convertAttributes(attrib, held.subspan(start), stride, count, made.data());
  });
  if (found->host.name == 0) {
    GLuint name = 0;
    engine_.gl.GenBuffers(1, &name);
    found->host = engine_.named(name);
  }
  host.bindBuffer(BufferTarget::CopyWrite, found->host);
  engine_.gl.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(made.size()), made.data(), GL_STATIC_DRAW);
  engine_.wrote(host, found->host);
  found->contents = buffer.contents;
  return &found->host;
}

bool Drawer::setAttribute(HostContext& host, VertexArrayTwin& twin, const backend::DrawCall& call,
                          const pipe::VertexAttrib& attrib) {
  const backend::VertexBinding& binding = call.vertexArray->bindings[attrib.binding];
  const GLenum own = vertexType(attrib);
  const u32 components = own != 0 ? attrib.components : backend::convertedComponents(attrib);
  const GLenum type = own != 0                                   ? own
                      : attrib.cls == pipe::AttribClass::Int     ? GLenum{GL_INT}
                      : attrib.cls == pipe::AttribClass::Uint    ? GLenum{GL_UNSIGNED_INT}
                                                                 : GLenum{GL_FLOAT};
  if (components == 0) return engine_.decline("a draw with 64-bit vertex attributes"), false;
  pipe::VertexAttrib as = attrib;
  if (own == 0) as.normalized = 0;
  const u32 element = backend::convertedBytes(attrib), bytes = backend::attributeBytes(attrib);
  const backend::ClientArrayData* client = nullptr;
  for (const backend::ClientArrayData& array : call.clientArrays) {
    if (array.binding == attrib.binding) client = &array;
  }
  if (client != nullptr) {
    // The bytes begin at vertex `first`: the slice leaves room for those before it, which are never read.
    twin.special = true;
    const u64 first = static_cast<u64>(std::max<i64>(client->first, 0));
    if (own != 0) {
      const StreamSlice slice = host.stream->write(client->data, 16, alignUp<u64>(first * client->stride, 4));
      // The lead is rounded up: the start is moved so that vertex `first` lies where the bytes do.
      const u64 shift = alignUp<u64>(first * client->stride, 4) - first * client->stride;
      return slice.buffer != nullptr && placeAttribute(host, twin, as, type, components, attrib.offset, *slice.buffer,
                                                       slice.offset + shift, client->stride, binding.divisor);
    }
    if (client->data.size() < attrib.offset + bytes) return false;
    const u64 count = client->stride == 0 ? 1 : (client->data.size() - attrib.offset - bytes) / client->stride + 1;
    std::vector<std::byte> made(count * element);
    backend::convertAttributes(attrib, client->data.subspan(attrib.offset), client->stride, count, made.data());
    const StreamSlice slice = host.stream->write(made, 16, first * element);
    return slice.buffer != nullptr && placeAttribute(host, twin, as, type, components, 0, *slice.buffer, slice.offset,
                                                     client->stride == 0 ? 0 : element, binding.divisor);
  }
  auto* buffer = static_cast<Buffer*>(binding.buffer.get());
  if (buffer == nullptr || buffer->host.name == 0 || binding.offset >= buffer->bytes) {
    twin.special = true;  // the buffer may grow
    return placeAttribute(host, twin, as, type, components, 0, engine_.buffers->zeros(host, 64), 0, 0, binding.divisor);
  }
  const bool fits = binding.stride <= static_cast<u32>(engine_.features.maxVertexStride);
  if (own != 0 && fits) {
    u64 base = binding.offset;
    u32 offset = attrib.offset;
    if (offset > static_cast<u32>(engine_.features.maxVertexOffset)) {
      base += offset;
      offset = 0;
    }
    return placeAttribute(host, twin, as, type, components, offset, buffer->host, base, binding.stride, binding.divisor);
  }
  if (backend::convertedComponents(attrib) == 0) return engine_.decline("a draw with 64-bit vertex attributes"), false;
  twin.special = true;  // its contents may move without the vertex array
  const HostObject* made = converted(host, *buffer, attrib, binding.offset + attrib.offset, binding.stride);
  as.normalized = 0;
  const GLenum wide = attrib.cls == pipe::AttribClass::Int    ? GLenum{GL_INT}
                      : attrib.cls == pipe::AttribClass::Uint ? GLenum{GL_UNSIGNED_INT}
                                                              : GLenum{GL_FLOAT};
  return placeAttribute(host, twin, as, wide, backend::convertedComponents(attrib), 0, *made, 0, binding.stride == 0 ? 0 : element,
                        binding.divisor);
}

bool Drawer::bindVertices(HostContext& host, const backend::ContextState& context, const backend::DrawCall& call,
                          const Program& program) {
  auto& array = static_cast<VertexArray&>(*call.vertexArray);
  array.engine = &engine_;
  if (array.twins.size() <= host.index()) array.twins.resize(host.index() + 1);
  auto& held = array.twins[host.index()];
  if (held == nullptr || held->contextUid != host.uid) {
    held = std::make_unique<VertexArrayTwin>();
    engine_.gl.GenVertexArrays(1, &held->name);
    held->id = engine_.nextId++;
    held->contextUid = host.uid;
    for (u32 i = 0; i < kMaxVertexSlots; ++i) held->attributes[i].slot = static_cast<u8>(i);
  }
  VertexArrayTwin& twin = *held;
  host.bindVertexArray(twin.name, twin.id);
  const bool same = twin.version == array.version && twin.foreign == host.foreign && !twin.special && call.clientArrays.empty();
  const u32 given = array.format->locationMask;
  if (!same) {
    twin.special = false;
    for (const pipe::VertexAttrib& attrib : array.format->attribs) {
      if (!setAttribute(host, twin, call, attrib)) return false;
    }
    for (u32 i = 0; i < kMaxVertexSlots; ++i) {
      if (!twin.attributes[i].enabled || ((given >> i) & 1) != 0) continue;
      engine_.gl.DisableVertexAttribArray(i);
      twin.attributes[i].enabled = false;
    }
    twin.version = array.version;
    twin.foreign = host.foreign;
  }
  for (u32 rest = program.attributeMask & ~given; rest != 0; rest &= rest - 1) {
    const auto location = static_cast<u32>(std::countr_zero(rest));
    std::array<u32, 4> bits{0, 0, 0, 0x3f800000};
    const shader::ScalarKind kind = program.attributeKinds[location];
    if (kind == shader::ScalarKind::Int || kind == shader::ScalarKind::Uint) bits[3] = 1;
    if ((context.attribDefaultMask >> location) & 1) bits = context.attribDefaults[location].bits;
    host.setAttribute(location, kind == shader::ScalarKind::Int ? 1 : kind == shader::ScalarKind::Uint ? 2 : 0, bits);
  }
  return true;
}

void Drawer::bindIndices(HostContext& host, const backend::DrawCall& call, const HostObject& buffer) {
  VertexArrayTwin& twin = *static_cast<VertexArray&>(*call.vertexArray).twins[host.index()];
  const bool foreign = buffer.writer != host.index() && buffer.written > twin.indexSeen;
  if (twin.indexBuffer == buffer.id && !foreign) return;
  engine_.gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer.name);
  twin.indexBuffer = buffer.id;
  twin.indexSeen = engine_.stamp;
}

}  // namespace mgl::espryt

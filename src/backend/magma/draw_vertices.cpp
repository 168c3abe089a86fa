// Vertex input: arrays in buffers, arrays of the client, what the host has no format for, and the current attributes.
#include <algorithm>
#include <cstring>

#include "backend/magma/draw.h"
#include "backend/vertex_convert.h"
#include "base/counters.h"

namespace mgl::magma {

u32 Drawer::newSlot(u32 stride, u32 divisor, VkBuffer buffer, u64 offset) {
  // Attributes that share a buffer, and lie alike, share a slot.
  for (u32 i = 0; i < vertices_.bindingCount; ++i) {
    const VertexLayout::Binding& b = vertices_.bindings[i];
    if (vertexBuffers_[b.slot] == buffer && vertexOffsets_[b.slot] == offset && b.stride == stride &&
        b.divisor == divisor) {
      return b.slot;
    }
  }
  const u32 slot = vertices_.bindingCount;
  if (slot >= std::min(kMaxVertexSlots, engine_.device->limits().maxVertexInputBindings)) return ~0u;
  vertices_.bindings[vertices_.bindingCount++] = {slot, stride, divisor};
  vertexBuffers_[slot] = buffer;
  vertexOffsets_[slot] = offset;
  return slot;
}

bool Drawer::gatherVertices(backend::ContextState& context, const backend::DrawCall& call, const Program& program) {
  vertices_.bindingCount = vertices_.attributeCount = 0;
  u32 missing = program.attributeMask;
  if (call.vertexArray->format) {
    for (const pipe::VertexAttrib& attrib : call.vertexArray->format->attribs) {
      const u32 bit = 1u << attrib.location;
      if ((missing & bit) == 0) continue;
      if (!addAttribute(context, call, attrib)) return false;
      missing &= ~bit;
    }
  }
  return missing == 0 || addDefaults(context, program, missing);
}

bool Drawer::addAttribute(backend::ContextState&, const backend::DrawCall& call, const pipe::VertexAttrib& attrib) {
  const backend::VertexBinding& binding = call.vertexArray->bindings[attrib.binding];
  const auto* client = static_cast<const backend::ClientArrayData*>(nullptr);
  for (const backend::ClientArrayData& array : call.clientArrays) {
    if (array.binding == attrib.binding) client = &array;
  }
  const VkFormat host = vertexFormat(attrib);
  const bool takes = host != VK_FORMAT_UNDEFINED &&
                     (engine_.device->adapter().bufferFeatures(host) & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) != 0;
  const auto place = [&](u32 slot, VkFormat format, u32 offset) {
    if (slot == ~0u) return false;
    vertices_.attributes[vertices_.attributeCount++] = {attrib.location, slot, static_cast<u32>(format), offset};
    return true;
  };
  const u32 divisor = binding.divisor;
  if (divisor > 1 && !engine_.features().attributeDivisor) {
    engine_.decline("a draw: the device steps instanced attributes by one instance only");
    return false;
  }
  const u32 maxOffset = engine_.device->limits().maxVertexInputAttributeOffset;
  if (client != nullptr) {
    // The bytes begin at vertex `first`: the slice leaves room for those before it, which are never read.
    const u32 stride = client->stride;
    const u32 element = takes ? stride : backend::convertedBytes(attrib);
    const u64 lead = static_cast<u64>(std::max<i64>(client->first, 0)) * element;
    if (takes) {
      const StreamSlice slice = engine_.recorder.stream(lead + std::max<u64>(client->data.size(), 4) + 16, 16);
      if (slice.buffer == VK_NULL_HANDLE) return false;
      std::memcpy(slice.data + lead, client->data.data(), client->data.size());
      return place(newSlot(stride, divisor, slice.buffer, slice.offset), host, attrib.offset);
    }
    const VkFormat converted = convertedFormat(attrib);
    const u32 bytes = backend::attributeBytes(attrib);
    if (converted == VK_FORMAT_UNDEFINED || client->data.size() < attrib.offset + bytes) return false;
    const u64 count = stride == 0 ? 1 : (client->data.size() - attrib.offset - bytes) / stride + 1;
    const StreamSlice slice = engine_.recorder.stream(lead + count * element, 16);
    if (slice.buffer == VK_NULL_HANDLE) return false;
    backend::convertAttributes(attrib, client->data.subspan(attrib.offset), stride, count, slice.data + lead);
    return place(newSlot(stride == 0 ? 0 : element, divisor, slice.buffer, slice.offset), converted, 0);
  }
  auto* buffer = static_cast<Buffer*>(binding.buffer.get());
  if (buffer == nullptr || buffer->store == nullptr || binding.offset >= buffer->bytes) {
    const VkFormat zero = takes ? host : convertedFormat(attrib);
    if (zero == VK_FORMAT_UNDEFINED) return false;
    const VkBuffer zeros = engine_.dummies->zeros(64);
    return zeros != VK_NULL_HANDLE && place(newSlot(0, 0, zeros, 0), zero, 0);
  }
  // A vertex that is not aligned to its components is the program's right and no host's.
  const u32 unit = std::min<u32>(4, std::max<u32>(1, backend::attributeBytes(attrib) / (attrib.bgra ? 4u : attrib.components)));
  const bool aligned = (binding.offset + attrib.offset) % unit == 0 && binding.stride % unit == 0;
  const bool strideFits = binding.stride <= engine_.device->limits().maxVertexInputBindingStride;
  if (takes && aligned && strideFits) {
    engine_.buffers->use(*buffer->store, usage::kVertexRead);
    u64 base = binding.offset;
    u32 offset = attrib.offset;
    if (offset > maxOffset) {
      base += offset;
      offset = 0;
    }
    return place(newSlot(binding.stride, divisor, buffer->store->handle(), base), host, offset);
  }
  return convertAttribute(*buffer, attrib, binding.offset, binding.stride, divisor);
}

// The rest of the buffer in a format that the host takes, kept while the contents stand.
bool Drawer::convertAttribute(Buffer& buffer, const pipe::VertexAttrib& attrib, u64 offset, u32 stride, u32 divisor) {
  const VkFormat format = convertedFormat(attrib);
  const u64 start = offset + attrib.offset;
  const u32 bytes = backend::attributeBytes(attrib), element = backend::convertedBytes(attrib);
  if (format == VK_FORMAT_UNDEFINED) {
    engine_.decline("a draw with 64-bit vertex attributes");
    return false;
  }
  Buffer::Converted* found = nullptr;
  for (Buffer::Converted& known : buffer.converted) {
    if (known.start == start && known.stride == stride && std::memcmp(&known.attrib, &attrib, sizeof attrib) == 0)
      found = &known;
  }
  if (found == nullptr) {
    if (buffer.converted.size() >= 8) buffer.converted.erase(buffer.converted.begin());
    found = &buffer.converted.emplace_back();
    found->start = start;
    found->stride = stride;
    found->attrib = attrib;
  }
  if (buffer.changesUnseen()) volatileVertices_ = true;
  if (found->store == nullptr || found->contents != buffer.contents || buffer.changesUnseen()) {
    const Buffers::Readable when = engine_.buffers->openRead(buffer);
    const bool some = when != Buffers::Readable::No && buffer.bytes >= start + bytes;
    const u64 count = !some ? 1 : stride == 0 ? 1 : (buffer.bytes - start - bytes) / stride + 1;
    DeviceBuffer made =
        engine_.device->makeBuffer(count * element, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, MemoryUse::Upload);
    if (made.handle == VK_NULL_HANDLE) return engine_.device->outOfMemory("a draw's converted attributes"), false;
    found->store = makeRef<BufferStore>(*engine_.device, made);
    found->store->usedIn(engine_.recorder.serial(), true);
    found->contents = buffer.contents;
    if (some) {
      engine_.buffers->read(buffer, when, [attrib, start, stride, count, out = made.mapped()](Bytes held) {
        backend::convertAttributes(attrib, held.subspan(start), stride, count, out);
      });
    } else {
      std::memset(made.mapped(), 0, element);
    }
  }
  found->store->usedIn(engine_.recorder.serial(), true);
  const u32 slot = newSlot(stride == 0 ? 0 : element, divisor, found->store->handle(), 0);
  if (slot == ~0u) return false;
  vertices_.attributes[vertices_.attributeCount++] = {attrib.location, slot, static_cast<u32>(format), 0};
  return true;
}

bool Drawer::addDefaults(backend::ContextState& context, const Program& program, u32 mask) {
  const StreamSlice slice = engine_.recorder.stream(u64{16} * pipe::kMaxVertexAttribs, 16);
  if (slice.buffer == VK_NULL_HANDLE) return false;
  const u32 slot = newSlot(0, 0, slice.buffer, slice.offset);
  if (slot == ~0u) return false;
  for (u32 location = 0; location < pipe::kMaxVertexAttribs; ++location) {
    if (((mask >> location) & 1) == 0) continue;
    std::array<u32, 4> bits{0, 0, 0, 0x3f800000};
    if ((context.attribDefaultMask >> location) & 1) bits = context.attribDefaults[location].bits;
    std::memcpy(slice.data + 16 * location, bits.data(), sizeof bits);
    VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
    if (program.attributeKinds[location] == shader::ScalarKind::Int) format = VK_FORMAT_R32G32B32A32_SINT;
    if (program.attributeKinds[location] == shader::ScalarKind::Uint) format = VK_FORMAT_R32G32B32A32_UINT;
    vertices_.attributes[vertices_.attributeCount++] = {location, slot, static_cast<u32>(format), 16 * location};
  }
  return true;
}

void Drawer::emitVertices() {
  const VolkDeviceTable& vk = engine_.vk();
  const VkCommandBuffer c = engine_.recorder.main();
  if (engine_.features().vertexInputDynamic && (!bound_.verticesSet || !bound_.vertices.same(vertices_))) {
    VkVertexInputBindingDescription2EXT bindings[kMaxVertexSlots];
    VkVertexInputAttributeDescription2EXT attributes[pipe::kMaxVertexAttribs];
    for (u32 i = 0; i < vertices_.bindingCount; ++i) {
      const VertexLayout::Binding& b = vertices_.bindings[i];
      bindings[i] = {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
                     nullptr,
                     b.slot,
                     b.stride,
                     b.divisor != 0 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX,
                     engine_.features().attributeDivisor ? std::max(b.divisor, 1u) : 1u};
    }
    for (u32 i = 0; i < vertices_.attributeCount; ++i) {
      const VertexLayout::Attribute& a = vertices_.attributes[i];
      attributes[i] = {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
                       nullptr,
                       a.location,
                       a.slot,
                       static_cast<VkFormat>(a.format),
                       a.offset};
    }
    vk.vkCmdSetVertexInputEXT(c, vertices_.bindingCount, bindings, vertices_.attributeCount, attributes);
    bound_.vertices = vertices_;
    bound_.verticesSet = true;
  }
  u32 first = 0, last = vertices_.bindingCount;
  const auto same = [this](u32 i) {
    return bound_.vertexBuffers[i] == vertexBuffers_[i] && bound_.vertexOffsets[i] == vertexOffsets_[i];
  };
  while (first < last && same(first)) ++first;
  while (last > first && same(last - 1)) --last;
  if (first == last) return;
  vk.vkCmdBindVertexBuffers(c, first, last - first, &vertexBuffers_[first], &vertexOffsets_[first]);
  std::copy(vertexBuffers_.begin() + first, vertexBuffers_.begin() + last, bound_.vertexBuffers.begin() + first);
  std::copy(vertexOffsets_.begin() + first, vertexOffsets_.begin() + last, bound_.vertexOffsets.begin() + first);
}

}  // namespace mgl::magma

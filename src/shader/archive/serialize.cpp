#include <cstring>
#include <limits>
#include <type_traits>

#include "shader/archive/archive.h"

namespace mgl::shader {
namespace {

constexpr u32 kMagic = 0x4131'474d;  // "MG1A"

class Writer {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void value(const T& v) {
    u64 bits = 0;
    if constexpr (std::is_enum_v<T>)
      bits = static_cast<u64>(v);
    else
      bits = static_cast<u64>(v);
    constexpr std::size_t size = std::is_same_v<T, bool> ? 1 : sizeof(T);
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
  }
  void text(const std::string& s) {
    value(static_cast<u32>(s.size()));
    const auto* data = reinterpret_cast<const std::byte*>(s.data());
    bytes.insert(bytes.end(), data, data + s.size());
  }
  void raw(const std::vector<std::byte>& data) {
    value(static_cast<u32>(data.size()));
    bytes.insert(bytes.end(), data.begin(), data.end());
  }
  bool ok() const { return true; }

  std::vector<std::byte> bytes;
};

class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  template <class T>
  void value(T& v) {
    constexpr std::size_t size = std::is_same_v<T, bool> ? 1 : sizeof(T);
    if (remaining() < size) return fail();
    u64 bits = 0;
    for (std::size_t i = 0; i < size; ++i) bits |= static_cast<u64>(bytes_[at_ + i]) << (8 * i);
    at_ += size;
    if constexpr (std::is_enum_v<T>) {
      if (bits >= static_cast<u64>(T::Count)) return fail();
      v = static_cast<T>(bits);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (bits > 1) return fail();
      v = bits != 0;
    } else {
      v = static_cast<T>(bits);
    }
  }
  void text(std::string& s) {
    const u32 size = count(1);
    if (!ok_) return;
    s.assign(reinterpret_cast<const char*>(bytes_.data() + at_), size);
    at_ += size;
  }
  void raw(std::vector<std::byte>& data) {
    const u32 size = count(1);
    if (!ok_) return;
    data.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                bytes_.begin() + static_cast<std::ptrdiff_t>(at_ + size));
    at_ += size;
  }
  // A count of elements of at least `elementBytes` each, refused when they cannot all be there.
  u32 count(std::size_t elementBytes) {
    u32 n = 0;
    value(n);
    if (n > remaining() / elementBytes) fail();
    return ok_ ? n : 0;
  }
  void fail() { ok_ = false; }
  bool ok() const { return ok_; }
  bool atEnd() const { return at_ == bytes_.size(); }

 private:
  std::size_t remaining() const { return bytes_.size() - at_; }

  Bytes bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

// Each structure's fields once, for both directions. `S` is const when writing.
template <class Io, class... Fields>
void values(Io& io, Fields&... fields) {
  (io.value(fields), ...);
}

template <class Io, class S>
requires std::is_same_v<std::remove_const_t<S>, u32>
void visit(Io& io, S& v) { io.value(v); }

// The least bytes that an element can take, against counts that promise more than was sent.
template <class T>
constexpr std::size_t kLeastBytes = std::is_same_v<T, u32> ? 4 : 12;

template <class Io, class List>
void list(Io& io, List& items) {
  using T = typename std::remove_const_t<List>::value_type;
  if constexpr (Io::kReads) {
    const u32 n = io.count(kLeastBytes<T>);
    items.clear();
    for (u32 i = 0; i < n && io.ok(); ++i) {
      items.emplace_back();
      visit(io, items.back());
    }
  } else {
    io.value(static_cast<u32>(items.size()));
    for (const T& item : items) visit(io, item);
  }
}

template <class S, class T>
concept Is = std::is_same_v<std::remove_const_t<S>, T>;

template <class Io, Is<Uniform> S>
void visit(Io& io, S& u) {
  io.text(u.name);
  values(io, u.type, u.isArray, u.arraySize, u.location, u.blockIndex, u.offset, u.arrayStride, u.matrixStride,
         u.rowMajor, u.stages, u.samplerIndex, u.imageIndex, u.atomicBufferIndex, u.opaqueElement);
}

template <class Io, Is<Block> S>
void visit(Io& io, S& b) {
  io.text(b.name);
  values(io, b.binding, b.sizeBytes, b.arrayIndex, b.arraySize, b.stages, b.readOnly);
  list(io, b.members);
}

template <class Io, Is<BufferVariable> S>
void visit(Io& io, S& v) {
  io.text(v.name);
  values(io, v.type, v.isArray, v.arraySize, v.blockIndex, v.offset, v.arrayStride, v.matrixStride, v.rowMajor,
         v.topLevelArraySize, v.topLevelArrayStride, v.stages);
}

template <class Io, Is<InterfaceVariable> S>
void visit(Io& io, S& v) {
  io.text(v.name);
  values(io, v.type, v.isArray, v.arraySize, v.location, v.component, v.index, v.perPatch, v.isBuiltin, v.stages);
}

template <class Io, Is<Sampler> S>
void visit(Io& io, S& s) {
  values(io, s.uniformIndex, s.arraySize, s.type, s.initialUnit, s.hasBinding, s.stages);
}

template <class Io, Is<Image> S>
void visit(Io& io, S& i) {
  values(io, i.uniformIndex, i.arraySize, i.type, i.format, i.initialUnit, i.hasBinding, i.readOnly, i.writeOnly,
         i.stages);
}

template <class Io, Is<AtomicBuffer> S>
void visit(Io& io, S& b) {
  values(io, b.binding, b.sizeBytes, b.stages);
  list(io, b.members);
}

template <class Io, Is<BuiltinUniform> S>
void visit(Io& io, S& b) {
  values(io, b.kind, b.index, b.offset, b.arrayStride, b.matrixStride, b.stages);
}

template <class Io, Is<XfbVarying> S>
void visit(Io& io, S& v) {
  io.text(v.name);
  values(io, v.source, v.type, v.arraySize, v.buffer, v.offset, v.sizeBytes, v.stream, v.location, v.component,
         v.firstElement, v.wholeVariable);
}

template <class Io, Is<Archive> S>
void visit(Io& io, S& a) {
  values(io, a.stages, a.separable, a.glslVersion, a.defaultBlockBytes, a.defaultBlockStages);
  io.raw(a.defaultBlockInitial);
  io.value(a.uniformLocationCount);
  list(io, a.uniforms);
  list(io, a.uniformBlocks);
  list(io, a.storageBlocks);
  list(io, a.bufferVariables);
  list(io, a.inputs);
  list(io, a.outputs);
  list(io, a.samplers);
  list(io, a.images);
  list(io, a.atomicBuffers);
  list(io, a.builtinUniforms);
  values(io, a.xfb.stage, a.xfb.mode);
  list(io, a.xfb.varyings);
  list(io, a.xfb.strides);
  values(io, a.geometry.input, a.geometry.output, a.geometry.maxVertices, a.geometry.invocations,
         a.geometry.streamMask);
  values(io, a.tess.outputVertices, a.tess.domain, a.tess.spacing, a.tess.counterClockwise, a.tess.pointMode);
  values(io, a.localSize[0], a.localSize[1], a.localSize[2]);
  values(io, a.attributeMask, a.writesPointSize, a.writesLayer, a.writesViewportIndex, a.clipDistances, a.cullDistances,
         a.usesVertexId, a.usesInstanceId, a.usesDrawId, a.usesBaseVertex, a.usesBaseInstance, a.usesFragCoord,
         a.usesPointCoord, a.usesDerivatives, a.usesSampleShading, a.usesDiscard, a.writesFragDepth, a.writesSampleMask,
         a.readsSampleMask, a.earlyFragmentTests, a.originUpperLeft, a.pixelCenterInteger, a.fragColorBroadcast,
         a.dualSource, a.depthLayout, a.colorOutputMask, a.sideEffectStages);
}

bool indexOk(i32 index, std::size_t size) { return index >= -1 && index < static_cast<i64>(size); }

// Bytes from the first to past the last of an array of `type` in a block, in 64 bits so that nothing wraps.
u64 extent(UniformType type, u32 arraySize, i32 arrayStride, i32 matrixStride, bool rowMajor) {
  const UniformTypeInfo& info = uniformTypeInfo(type);
  u64 bytes = u64{info.components()} * info.scalarBytes();
  if (info.isMatrix()) {
    const u32 lines = rowMajor ? info.rows : info.columns, lineLength = rowMajor ? info.columns : info.rows;
    bytes = u64{lines - 1} * static_cast<u32>(matrixStride) + u64{lineLength} * info.scalarBytes();
  }
  if (arraySize > 1) bytes += u64{arraySize - 1} * static_cast<u32>(arrayStride);
  return bytes;
}

bool stagesOk(StageMask stages) { return stages < (1u << countOf<Stage>()); }

bool uniformOk(const Uniform& u, const Archive& a) {
  if (!indexOk(u.blockIndex, a.uniformBlocks.size()) || !indexOk(u.samplerIndex, a.samplers.size()) ||
      !indexOk(u.imageIndex, a.images.size()) || !indexOk(u.atomicBufferIndex, a.atomicBuffers.size()))
    return false;
  if (u.arraySize == 0 || u.offset < -1 || u.arrayStride < 0 || u.matrixStride < 0 || !stagesOk(u.stages)) return false;
  if (u.location < -1 || (u.location >= 0 && u64{static_cast<u32>(u.location)} + u.arraySize > a.uniformLocationCount))
    return false;
  const OpaqueKind kind = uniformTypeInfo(u.type).opaque;
  if ((u.samplerIndex >= 0) != (kind == OpaqueKind::Sampler) || (u.imageIndex >= 0) != (kind == OpaqueKind::Image) ||
      (u.atomicBufferIndex >= 0) != (kind == OpaqueKind::AtomicCounter))
    return false;
  const u64 lastElement = u64{u.opaqueElement} + u.arraySize;
  if (kind == OpaqueKind::Sampler) return lastElement <= a.samplers[static_cast<u32>(u.samplerIndex)].arraySize;
  if (kind == OpaqueKind::Image) return lastElement <= a.images[static_cast<u32>(u.imageIndex)].arraySize;
  if (u.offset < 0) return false;
  const u64 end = static_cast<u32>(u.offset) + extent(u.type, u.arraySize, u.arrayStride, u.matrixStride, u.rowMajor);
  if (kind == OpaqueKind::AtomicCounter) return end <= a.atomicBuffers[static_cast<u32>(u.atomicBufferIndex)].sizeBytes;
  return end <= (u.blockIndex >= 0 ? a.uniformBlocks[static_cast<u32>(u.blockIndex)].sizeBytes : a.defaultBlockBytes);
}

template <class Blocks>
bool blocksOk(const Blocks& blocks, std::size_t memberLimit) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (!stagesOk(block.stages)) return false;
    if (block.arraySize == 0 ? block.arrayIndex != 0 : block.arrayIndex >= block.arraySize || block.arrayIndex > i)
      return false;
    for (u32 member : block.members) {
      if (member >= memberLimit) return false;
    }
  }
  return true;
}

}  // namespace

bool isConsistent(const Archive& a) {
  if (!stagesOk(a.stages) || !stagesOk(a.defaultBlockStages) || !stagesOk(a.sideEffectStages)) return false;
  if (!a.defaultBlockInitial.empty() && a.defaultBlockInitial.size() != a.defaultBlockBytes) return false;
  if (!blocksOk(a.uniformBlocks, a.uniforms.size()) || !blocksOk(a.storageBlocks, a.bufferVariables.size()))
    return false;
  for (const Uniform& u : a.uniforms) {
    if (!uniformOk(u, a)) return false;
  }
  for (const BufferVariable& v : a.bufferVariables) {
    if (v.blockIndex < 0 || static_cast<u32>(v.blockIndex) >= a.storageBlocks.size() || v.offset < 0 ||
        v.arrayStride < 0 || v.matrixStride < 0 || uniformTypeInfo(v.type).isOpaque())
      return false;
  }
  for (const Sampler& s : a.samplers) {
    if (s.uniformIndex >= a.uniforms.size() || s.arraySize < a.uniforms[s.uniformIndex].arraySize ||
        uniformTypeInfo(s.type).opaque != OpaqueKind::Sampler)
      return false;
  }
  for (const Image& i : a.images) {
    if (i.uniformIndex >= a.uniforms.size() || i.arraySize < a.uniforms[i.uniformIndex].arraySize || i.format > 39 ||
        uniformTypeInfo(i.type).opaque != OpaqueKind::Image)
      return false;
  }
  for (const AtomicBuffer& b : a.atomicBuffers) {
    for (u32 member : b.members) {
      if (member >= a.uniforms.size()) return false;
    }
  }
  for (const BuiltinUniform& b : a.builtinUniforms) {
    const u64 bytes = b.kind == BuiltinUniformKind::DepthRange ? 12 : 4;
    if (u64{b.offset} + bytes > a.defaultBlockBytes) return false;
  }
  for (const XfbVarying& v : a.xfb.varyings) {
    if (v.source == XfbSource::NextBuffer) continue;
    if (v.buffer >= a.xfb.strides.size() || u64{v.offset} + v.sizeBytes > a.xfb.strides[v.buffer] || v.location < -1)
      return false;
  }
  return true;
}

std::vector<std::byte> serialize(const Archive& archive) {
  Writer writer;
  writer.value(kMagic);
  visit(writer, archive);
  return std::move(writer.bytes);
}

bool deserialize(Bytes bytes, Archive& out) {
  if (bytes.size() > std::numeric_limits<u32>::max()) return false;
  out = Archive{};
  Reader reader(bytes);
  u32 magic = 0;
  reader.value(magic);
  if (magic != kMagic) return false;
  visit(reader, out);
  return reader.ok() && reader.atEnd() && isConsistent(out);
}

}  // namespace mgl::shader

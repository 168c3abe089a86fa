#include <algorithm>

#include "shader/translator/passes.h"

namespace mgl::shader {
namespace {

// Deeper nesting than any interface needs; hostile types may nest in themselves.
constexpr u32 kMaxDepth = 16;
constexpr u32 kMaxLocations = 4096;
constexpr u32 kMaxCopies = 1024;

u32 arrayLength(const Module& m, const Inst& array) {
  u32 length = 0;
  return m.constantValue(m.operand(array, 3), length) ? length : 0;
}

u32 countLocations(Module& m, u32 type, u32 depth) {
  if (depth == 0 || !m.spend()) return 0;
  const Inst t = m.definition(type);
  u64 count = 0;
  switch (t.op) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return 1;
    case spv::Op::OpTypeVector: {
      const Inst scalar = m.definition(m.operand(t, 2));
      return m.operand(scalar, 2) == 64 && m.operand(t, 3) > 2 ? 2 : 1;
    }
    case spv::Op::OpTypeMatrix:
      count = u64{m.operand(t, 3)} * countLocations(m, m.operand(t, 2), depth - 1);
      break;
    case spv::Op::OpTypeArray:
      count = u64{arrayLength(m, t)} * countLocations(m, m.operand(t, 2), depth - 1);
      break;
    case spv::Op::OpTypeStruct:
      for (u32 i = 2; i < t.count && count < kMaxLocations; ++i) count += countLocations(m, m.operand(t, i), depth - 1);
      break;
    default:
      return 0;
  }
  return static_cast<u32>(std::min<u64>(count, kMaxLocations));
}

bool hasShape(const Module& m, u32 type, const UniformTypeInfo& want) {
  Inst t = m.definition(type);
  if (want.columns > 1) {
    if (t.op != spv::Op::OpTypeMatrix || m.operand(t, 3) != want.columns) return false;
    t = m.definition(m.operand(t, 2));
  }
  if (want.rows > 1) {
    if (t.op != spv::Op::OpTypeVector || m.operand(t, 3) != want.rows) return false;
    t = m.definition(m.operand(t, 2));
  }
  switch (want.scalar) {
    case ScalarKind::Float:
    case ScalarKind::Double:
      return t.op == spv::Op::OpTypeFloat && m.operand(t, 2) == 8 * want.scalarBytes();
    case ScalarKind::Int:
      return t.op == spv::Op::OpTypeInt && m.operand(t, 2) == 32 && m.operand(t, 3) == 1;
    default:
      return t.op == spv::Op::OpTypeInt && m.operand(t, 2) == 32 && m.operand(t, 3) == 0;
  }
}

// What the arrays around a type hold in the end.
u32 innermost(const Module& m, u32 type) {
  for (u32 depth = 0; depth < kMaxDepth && m.opOf(type) == spv::Op::OpTypeArray; ++depth)
    type = m.operand(m.definition(type), 2);
  return type;
}

spv::BuiltIn builtinOf(XfbSource source) {
  switch (source) {
    case XfbSource::PointSize:
      return spv::BuiltIn::PointSize;
    case XfbSource::ClipDistance:
      return spv::BuiltIn::ClipDistance;
    case XfbSource::CullDistance:
      return spv::BuiltIn::CullDistance;
    default:
      return spv::BuiltIn::Position;
  }
}

bool isAdapted(XfbSource source, const TranslateInput& input) {
  return (source == XfbSource::Position && input.convertClipDepth) ||
         (source == XfbSource::PointSize && input.writePointSize) ||
         (source == XfbSource::ClipDistance && input.maskClipDistances);
}

}  // namespace

u32 locationCount(Module& m, u32 type) { return countLocations(m, type, kMaxDepth); }

void Capture::prepare(const TranslateInput& input) {
  if (input.xfb == nullptr || input.xfb->varyings.empty()) return;
  const Xfb& xfb = *input.xfb;
  if (xfb.stage != input.stage) return m_.fail("Capture: of another stage");
  m_.addCapability(spv::Capability::TransformFeedback);
  m_.modes.push_back(
      m_.make(spv::Op::OpExecutionMode, {m_.entryFunction(), static_cast<u32>(spv::ExecutionMode::Xfb)}));

  for (u32 variable : m_.variables(spv::StorageClass::Output)) {
    u32 location = 0;
    if (m_.findDecoration(variable, spv::Decoration::Location, location) && location < kMaxLocations)
      nextLocation_ = std::max(nextLocation_, location + locationCount(m_, m_.pointee(variable)));
    const u32 type = m_.pointee(variable);
    const Inst block = m_.definition(type);
    for (u32 i = 0; block.op == spv::Op::OpTypeStruct && i + 2 < block.count; ++i)
      if (m_.findMemberDecoration(type, i, spv::Decoration::Location, location) && location < kMaxLocations)
        nextLocation_ = std::max(nextLocation_, location + locationCount(m_, m_.operand(block, 2 + i)));
  }

  for (const XfbVarying& v : xfb.varyings) {
    if (v.source == XfbSource::SkipComponents || v.source == XfbSource::NextBuffer) continue;
    const u32 stride = v.buffer < xfb.strides.size() ? xfb.strides[v.buffer] : 0;
    if (v.stream != 0) m_.addCapability(spv::Capability::GeometryStreams);
    if (v.source == XfbSource::Variable)
      captureVariable(v, stride);
    else
      captureBuiltin(v, stride, input);
    if (!m_.ok()) return;
  }
}

void Capture::captureBuiltin(const XfbVarying& v, u32 stride, const TranslateInput& input) {
  const BuiltinOutput output = findBuiltinOutput(m_, builtinOf(v.source));
  if (output.variable == 0) return m_.fail("Capture: no output " + v.name);
  const Inst array = m_.definition(output.type);
  const bool isArray = array.op == spv::Op::OpTypeArray;
  const u32 length = isArray ? arrayLength(m_, array) : 1;
  if (isArray && u64{v.firstElement} + v.arraySize > length) return m_.fail("Capture: past the end of " + v.name);

  if (!isAdapted(v.source, input) && v.firstElement == 0 && v.arraySize == length) {
    if (output.isMember) {
      const u32 block = m_.pointee(output.variable);
      m_.decorateMember(block, output.member, spv::Decoration::Offset, v.offset);
      m_.decorateMember(block, output.member, spv::Decoration::XfbBuffer, v.buffer);
      m_.decorateMember(block, output.member, spv::Decoration::XfbStride, stride);
    } else {
      m_.decorate(output.variable, spv::Decoration::Offset, v.offset);
      m_.decorate(output.variable, spv::Decoration::XfbBuffer, v.buffer);
      m_.decorate(output.variable, spv::Decoration::XfbStride, stride);
    }
    return;
  }
  std::vector<u32> path;
  if (output.isMember) path.push_back(output.member);
  if (!isArray) return addCopy(output.variable, output.type, path, v, v.offset, stride);
  path.push_back(0);
  for (u32 i = 0; i < v.arraySize && m_.ok(); ++i) {
    path.back() = v.firstElement + i;
    addCopy(output.variable, m_.operand(array, 2), path, v, v.offset + 4 * i, stride);
  }
}

void Capture::captureVariable(const XfbVarying& v, u32 stride) {
  Found found;
  if (!find(v, found)) return m_.fail("Capture: no output " + v.name);
  if (!found.path.empty()) return addCopy(found.variable, found.type, found.path, v, v.offset, stride);
  m_.decorate(found.variable, spv::Decoration::Offset, v.offset);
  m_.decorate(found.variable, spv::Decoration::XfbBuffer, v.buffer);
  m_.decorate(found.variable, spv::Decoration::XfbStride, stride);
}

bool Capture::find(const XfbVarying& v, Found& found) {
  if (v.location < 0 || v.type >= UniformType::Count) return false;
  const u32 location = static_cast<u32>(v.location);
  for (u32 variable : m_.variables(spv::StorageClass::Output)) {
    const u32 type = m_.pointee(variable);
    const Inst block = m_.definition(type);
    u32 base = 0, component = 0, literal = 0;
    m_.findDecoration(variable, spv::Decoration::Component, component);
    found = {variable, 0, {}};
    if (m_.findDecoration(variable, spv::Decoration::Location, base)) {
      if (component != v.component) continue;
      if (base <= location && location - base < locationCount(m_, type) && descend(v, type, base, kMaxDepth, found))
        return true;
    } else if (block.op == spv::Op::OpTypeStruct) {
      // A block whose members carry the locations.
      for (u32 i = 0; i + 2 < block.count; ++i) {
        if (!m_.findMemberDecoration(type, i, spv::Decoration::Location, literal)) continue;
        component = 0;
        m_.findMemberDecoration(type, i, spv::Decoration::Component, component);
        if (literal > location || component != v.component) continue;
        found.path = {i};
        if (descend(v, m_.operand(block, 2 + i), literal, kMaxDepth, found)) return true;
      }
    }
  }
  return false;
}

// Looks for what has the varying's type and array size at exactly its location, which already counts the elements and
// members before it.
bool Capture::descend(const XfbVarying& v, u32 type, u32 location, u32 depth, Found& found) {
  const u32 want = static_cast<u32>(v.location);
  if (depth == 0 || location > want || !m_.ok()) return false;
  const UniformTypeInfo& shape = uniformTypeInfo(v.type);
  const Inst t = m_.definition(type);
  const bool single = v.arraySize == 1 && hasShape(m_, type, shape);
  const bool array =
      t.op == spv::Op::OpTypeArray && arrayLength(m_, t) == v.arraySize && hasShape(m_, innermost(m_, type), shape);
  if (location == want && (single || array)) {
    found.type = type;
    return true;
  }
  if (t.op == spv::Op::OpTypeArray) {
    const u32 each = locationCount(m_, m_.operand(t, 2));
    if (each == 0) return false;
    const u32 element = (want - location) / each;
    if (element >= arrayLength(m_, t)) return false;
    found.path.push_back(element);
    if (descend(v, m_.operand(t, 2), location + element * each, depth - 1, found)) return true;
    found.path.pop_back();
  } else if (t.op == spv::Op::OpTypeStruct) {
    u32 at = location;
    for (u32 i = 0; i + 2 < t.count && at <= want; ++i) {
      const u32 member = m_.operand(t, 2 + i);
      const u32 count = locationCount(m_, member);
      if (want - at < count) {
        found.path.push_back(i);
        if (descend(v, member, at, depth - 1, found)) return true;
        found.path.pop_back();
      }
      at += count;
    }
  }
  return false;
}

void Capture::addCopy(u32 source, u32 type, std::span<const u32> path, const XfbVarying& v, u32 offset, u32 stride) {
  if (copies_.size() >= kMaxCopies) return m_.fail("Capture: too many parts");
  Copy copy{m_.addVariable(spv::StorageClass::Output, type), type, source, {}};
  m_.decorate(copy.target, spv::Decoration::Location, nextLocation_);
  m_.decorate(copy.target, spv::Decoration::Offset, offset);
  m_.decorate(copy.target, spv::Decoration::XfbBuffer, v.buffer);
  m_.decorate(copy.target, spv::Decoration::XfbStride, stride);
  if (v.stream != 0) m_.decorate(copy.target, spv::Decoration::Stream, v.stream);
  nextLocation_ += std::max(1u, locationCount(m_, type));
  for (u32 index : path) copy.path.push_back(m_.constantUint(index));
  m_.addInterface(copy.target);
  copies_.push_back(std::move(copy));
}

void Capture::emit(Emitter& e) {
  std::vector<u32> operands;
  for (const Copy& c : copies_) {
    u32 pointer = c.source;
    if (!c.path.empty()) {
      operands.assign(1, c.source);
      operands.insert(operands.end(), c.path.begin(), c.path.end());
      pointer = e.value(spv::Op::OpAccessChain, m_.typePointer(spv::StorageClass::Output, c.type), operands);
    }
    e.store(c.target, e.load(c.type, pointer));
  }
}

}  // namespace mgl::shader

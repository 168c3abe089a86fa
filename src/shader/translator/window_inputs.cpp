#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "shader/translator/passes.h"

namespace mgl::shader {
namespace {

bool isAccessChain(spv::Op op) { return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain; }

bool isDerivativeY(spv::Op op) {
  return op == spv::Op::OpDPdy || op == spv::Op::OpDPdyFine || op == spv::Op::OpDPdyCoarse;
}

}  // namespace

void ShadowInputs::prepare(const TranslateInput& input, const std::vector<bool>& used) {
  pointers_.resize(m_.bound());
  for (u32 variable : m_.variables(spv::StorageClass::Input)) {
    u32 builtin = 0, location = 0;
    if (variable >= used.size() || !used[variable]) continue;
    if (!m_.findDecoration(variable, spv::Decoration::BuiltIn, builtin)) {
      if (input.splitInputArrays && input.stage == Stage::Vertex && m_.opOf(m_.pointee(variable)) == spv::Op::OpTypeArray &&
          m_.findDecoration(variable, spv::Decoration::Location, location))
        addArray(variable, location);
      continue;
    }
    const bool window = input.transformWindow && input.stage == Stage::Fragment;
    switch (static_cast<spv::BuiltIn>(builtin)) {
      case spv::BuiltIn::FragCoord:
        if (window) add(Kind::FragCoord, variable);
        break;
      case spv::BuiltIn::PointCoord:
        if (window) add(Kind::PointCoord, variable);
        break;
      case spv::BuiltIn::SamplePosition:
        if (window) add(Kind::SamplePosition, variable);
        break;
      case spv::BuiltIn::InstanceIndex:
        if (input.subtractBaseInstance && input.stage == Stage::Vertex) add(Kind::InstanceIndex, variable);
        break;
      case spv::BuiltIn::BaseInstance:
        if (input.zeroBaseInstance && input.stage == Stage::Vertex) addBaseInstance(variable);
        break;
      default:
        break;
    }
  }
}

void ShadowInputs::addBaseInstance(u32 variable) {
  const u32 type = m_.pointee(variable);
  if (m_.opOf(type) != spv::Op::OpTypeInt) return m_.fail("Inputs: a built-in has another type");
  const u32 ids[] = {variable};
  m_.eraseGlobals(ids);
  m_.addVariableAs(variable, spv::StorageClass::Private, type);
  if (m_.listsAllGlobals()) m_.addInterface(variable);
  pointers_[variable] = true;
  shadows_.push_back({Kind::BaseInstance, variable, 0, type, {}});
}

void ShadowInputs::addArray(u32 variable, u32 location) {
  const u32 type = m_.pointee(variable);
  const Inst array = m_.definition(type);
  const u32 element = m_.operand(array, 2);
  u32 count = 0;
  if (!m_.constantValue(m_.operand(array, 3), count) || count == 0 || count > 32) return m_.fail("Inputs: an array's size");
  const u32 each = locationCount(m_, element);
  const u32 ids[] = {variable};
  m_.eraseGlobals(ids);
  m_.addVariableAs(variable, spv::StorageClass::Private, type);
  if (m_.listsAllGlobals()) m_.addInterface(variable);
  Shadow shadow{Kind::Array, variable, 0, type, {}};
  for (u32 i = 0; i < count; ++i) {
    const u32 input = m_.addVariable(spv::StorageClass::Input, element);
    m_.decorate(input, spv::Decoration::Location, location + i * each);
    m_.addInterface(input);
    shadow.elements.push_back(input);
  }
  pointers_[variable] = true;
  shadows_.push_back(std::move(shadow));
}

void ShadowInputs::add(Kind kind, u32 variable) {
  const u32 type = m_.pointee(variable);
  const bool fits = kind == Kind::FragCoord       ? m_.isFloatVector(type, 4)
                    : kind == Kind::InstanceIndex ? m_.opOf(type) == spv::Op::OpTypeInt
                                                  : m_.isFloatVector(type, 2);
  if (!fits) return m_.fail("Inputs: a built-in has another type");
  const u32 input = m_.newId();
  m_.moveDecorations(variable, input);
  std::erase_if(m_.globals, [&](const Inst& g) { return g.op == spv::Op::OpVariable && m_.operand(g, 2) == variable; });
  m_.addVariableAs(input, spv::StorageClass::Input, type);
  m_.addVariableAs(variable, spv::StorageClass::Private, type);
  std::vector<u32> ids = m_.interfaceIds();
  std::replace(ids.begin(), ids.end(), variable, input);
  if (m_.listsAllGlobals()) ids.push_back(variable);
  m_.setInterfaceIds(ids);
  pointers_[variable] = true;
  shadows_.push_back({kind, variable, input, type, {}});

  if (kind != Kind::InstanceIndex) return;
  for (u32 other : m_.variables(spv::StorageClass::Input)) {
    u32 builtin = 0;
    if (m_.findDecoration(other, spv::Decoration::BuiltIn, builtin) &&
        builtin == static_cast<u32>(spv::BuiltIn::BaseInstance) && m_.pointee(other) == type)
      baseInstance_ = other;
  }
  if (baseInstance_ != 0) return;
  m_.addCapability(spv::Capability::DrawParameters);
  if (m_.version() < 0x00010300) m_.addExtension("SPV_KHR_shader_draw_parameters");
  baseInstance_ = m_.addVariable(spv::StorageClass::Input, type);
  m_.decorate(baseInstance_, spv::Decoration::BuiltIn, static_cast<u32>(spv::BuiltIn::BaseInstance));
  m_.addInterface(baseInstance_);
}

void ShadowInputs::emitPrologue(Emitter& e) {
  const u32 f = shadows_.empty() ? 0 : m_.typeFloat32();
  // component = component * scale + offset; 0 for "no scale".
  const auto adapt = [&](u32 type, u32 v, u32 component, u32 scale, u32 offset) {
    u32 c = e.value(spv::Op::OpCompositeExtract, f, {v, component});
    if (scale != 0) c = e.value(spv::Op::OpFMul, f, {c, scale});
    c = e.value(spv::Op::OpFAdd, f, {c, offset});
    return e.value(spv::Op::OpCompositeInsert, type, {c, v, component});
  };
  for (const Shadow& s : shadows_) {
    if (s.kind == Kind::BaseInstance) {
      e.store(s.shadow, m_.constantWord(s.type, 0));
      continue;
    }
    if (s.kind == Kind::Array) {
      const u32 element = m_.operand(m_.definition(s.type), 2);
      const u32 pointer = m_.typePointer(spv::StorageClass::Private, element);
      for (u32 i = 0; i < s.elements.size(); ++i) {
        const u32 at = e.value(spv::Op::OpAccessChain, pointer, {s.shadow, m_.constantUint(i)});
        e.store(at, e.load(element, s.elements[i]));
      }
      continue;
    }
    u32 v = e.load(s.type, s.input);
    switch (s.kind) {
      case Kind::FragCoord:
        v = adapt(s.type, v, 0, 0, constants_.load(e, offsetof(DriverConstants, fragXOffset)));
        v = adapt(s.type, v, 1, constants_.load(e, offsetof(DriverConstants, fragYScale)),
                  constants_.load(e, offsetof(DriverConstants, fragYOffset)));
        break;
      case Kind::PointCoord:
        v = adapt(s.type, v, 1, constants_.load(e, offsetof(DriverConstants, pointYScale)),
                  constants_.load(e, offsetof(DriverConstants, pointYOffset)));
        break;
      case Kind::SamplePosition: {
        // y, or 1 - y where the sign is negative.
        const u32 sign = constants_.load(e, offsetof(DriverConstants, windowYSign));
        const u32 half = m_.constantFloat(0.5f);
        const u32 offset = e.value(spv::Op::OpFSub, f, {half, e.value(spv::Op::OpFMul, f, {half, sign})});
        v = adapt(s.type, v, 1, sign, offset);
        break;
      }
      case Kind::InstanceIndex:
        v = e.value(spv::Op::OpISub, s.type, {v, e.load(s.type, baseInstance_)});
        break;
      case Kind::BaseInstance:
      case Kind::Array:
        break;
    }
    e.store(s.shadow, v);
  }
}

u32 ShadowInputs::privatePointer(u32 pointerType) {
  for (const auto& [from, to] : pointerTypes_)
    if (from == pointerType) return to;
  const Inst pointer = m_.definition(pointerType);
  if (pointer.op != spv::Op::OpTypePointer) return m_.fail("Inputs: an access chain has no pointer type"), 0;
  const u32 type = m_.typePointer(spv::StorageClass::Private, m_.operand(pointer, 3));
  pointerTypes_.emplace_back(pointerType, type);
  return type;
}

void ShadowInputs::rewriteUse(const Inst& inst) {
  if (shadows_.empty()) return;
  if (isAccessChain(inst.op)) {
    if (!isShadowPointer(m_.operand(inst, 3))) return;
    m_.setOperand(inst, 1, privatePointer(m_.operand(inst, 1)));
    const u32 result = m_.operand(inst, 2);
    if (result < pointers_.size()) pointers_[result] = true;
    return;
  }
  const bool takesPointers = inst.op == spv::Op::OpFunctionCall || inst.op == spv::Op::OpExtInst ||
                             inst.op == spv::Op::OpCopyObject || inst.op == spv::Op::OpSelect ||
                             inst.op == spv::Op::OpPhi;
  for (u32 i = 3; takesPointers && i < inst.count; ++i)
    if (isShadowPointer(m_.operand(inst, i)) && !(inst.op == spv::Op::OpExtInst && i == 4))
      return m_.fail("Inputs: a built-in is used by reference");
}

u32 findGlslImport(const Module& m) {
  // "GLSL.std.450" in words.
  constexpr u32 kName[] = {0x4c534c47, 0x6474732e, 0x3035342e, 0};
  for (const Inst& i : m.imports)
    if (i.count == 6 && m.operand(i, 2) == kName[0] && m.operand(i, 3) == kName[1] && m.operand(i, 4) == kName[2] &&
        m.operand(i, 5) == kName[3])
      return m.operand(i, 1);
  return 0;
}

bool emitWindowSpace(Module& m, DriverBlock& constants, const Inst& inst, u32 glslImport, Emitter& e) {
  if (isDerivativeY(inst.op)) {
    const u32 type = m.operand(inst, 1), result = m.operand(inst, 2);
    const bool scalar = m.isFloat32(type);
    if (!scalar && !m.isFloatVector(type, 2) && !m.isFloatVector(type, 3) && !m.isFloatVector(type, 4))
      return m.fail("Derivatives: of another type than float"), false;
    const u32 raw = e.value(inst.op, type, {m.operand(inst, 3)});
    const u32 sign = constants.load(e, offsetof(DriverConstants, windowYSign));
    e.add(scalar ? spv::Op::OpFMul : spv::Op::OpVectorTimesScalar, {type, result, raw, sign});
    return true;
  }
  if (inst.op == spv::Op::OpExtInst && glslImport != 0 && m.operand(inst, 3) == glslImport &&
      m.operand(inst, 4) == GLSLstd450InterpolateAtOffset && inst.count == 7) {
    const u32 f = m.typeFloat32();
    const u32 v2 = m.typeOf(spv::Op::OpTypeVector, {f, 2});
    const u32 offset = m.operand(inst, 6);
    const u32 y = e.value(spv::Op::OpCompositeExtract, f, {offset, 1});
    const u32 turned = e.value(spv::Op::OpFMul, f, {y, constants.load(e, offsetof(DriverConstants, windowYSign))});
    const u32 moved = e.value(spv::Op::OpCompositeInsert, v2, {turned, offset, 1});
    e.add(spv::Op::OpExtInst, {m.operand(inst, 1), m.operand(inst, 2), glslImport, GLSLstd450InterpolateAtOffset,
                               m.operand(inst, 5), moved});
    return true;
  }
  return false;
}

}  // namespace mgl::shader

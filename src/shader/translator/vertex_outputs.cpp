#include "shader/translator/passes.h"

namespace mgl::shader {

BuiltinOutput findBuiltinOutput(Module& m, spv::BuiltIn builtin) {
  for (u32 variable : m.variables(spv::StorageClass::Output)) {
    const u32 type = m.pointee(variable);
    u32 literal = 0, member = 0;
    if (m.findDecoration(variable, spv::Decoration::BuiltIn, literal) && literal == static_cast<u32>(builtin))
      return {variable, false, 0, type};
    const Inst block = m.definition(type);
    if (block.op == spv::Op::OpTypeStruct && m.findBuiltinMember(type, builtin, member) && member + 2 < block.count)
      return {variable, true, member, m.operand(block, 2 + member)};
  }
  return {};
}

u32 emitPointer(Emitter& e, const BuiltinOutput& output) {
  if (!output.isMember) return output.variable;
  return e.value(spv::Op::OpAccessChain, e.m.typePointer(spv::StorageClass::Output, output.type),
                 {output.variable, e.m.constantUint(output.member)});
}

u32 emitElementPointer(Emitter& e, const BuiltinOutput& output, u32 elementType, u32 index) {
  const u32 type = e.m.typePointer(spv::StorageClass::Output, elementType);
  const u32 element = e.m.constantUint(index);
  if (!output.isMember) return e.value(spv::Op::OpAccessChain, type, {output.variable, element});
  return e.value(spv::Op::OpAccessChain, type, {output.variable, e.m.constantUint(output.member), element});
}

void VertexOutputs::prepare(const TranslateInput& input) {
  if (input.convertClipDepth) {
    position_ = findBuiltinOutput(m_, spv::BuiltIn::Position);
    if (position_.variable != 0 && !m_.isFloatVector(position_.type, 4)) return m_.fail("Outputs: gl_Position's type");
  }
  if (input.writePointSize) {
    pointSize_ = findBuiltinOutput(m_, spv::BuiltIn::PointSize);
    if (pointSize_.variable == 0) {
      pointSize_ = {m_.addVariable(spv::StorageClass::Output, m_.typeFloat32()), false, 0, m_.typeFloat32()};
      m_.decorate(pointSize_.variable, spv::Decoration::BuiltIn, static_cast<u32>(spv::BuiltIn::PointSize));
      m_.addInterface(pointSize_.variable);
    }
    if (!m_.isFloat32(pointSize_.type)) return m_.fail("Outputs: gl_PointSize's type");
    pointSizeWritten_ = writesPointSize();
    if (input.stage == Stage::Geometry) m_.addCapability(spv::Capability::GeometryPointSize);
    if (input.stage == Stage::TessEval) m_.addCapability(spv::Capability::TessellationPointSize);
  }
  // glslang declares gl_ClipDistance in every output block; the capability says whether a shader writes it.
  if (input.maskClipDistances && m_.hasCapability(spv::Capability::ClipDistance)) {
    clip_ = findBuiltinOutput(m_, spv::BuiltIn::ClipDistance);
    if (clip_.variable == 0) return;
    const Inst array = m_.definition(clip_.type);
    clipElement_ = m_.operand(array, 2);
    if (array.op != spv::Op::OpTypeArray || !m_.isFloat32(clipElement_) ||
        !m_.constantValue(m_.operand(array, 3), clipCount_) || clipCount_ > 32)
      return m_.fail("Outputs: gl_ClipDistance's type");
  }
}

// Any pointer to it counts: nothing reads a point size that it has not written.
bool VertexOutputs::writesPointSize() const {
  for (const Inst& i : m_.functions) {
    if (i.op == spv::Op::OpStore && !pointSize_.isMember && m_.operand(i, 1) == pointSize_.variable) return true;
    if (i.op != spv::Op::OpAccessChain && i.op != spv::Op::OpInBoundsAccessChain) continue;
    u32 member = 0;
    if (pointSize_.isMember && m_.operand(i, 3) == pointSize_.variable && m_.constantValue(m_.operand(i, 4), member) &&
        member == pointSize_.member)
      return true;
  }
  return false;
}

void VertexOutputs::emit(Emitter& e) {
  if (position_.variable != 0) {
    const u32 f = m_.typeFloat32();
    const u32 pointer = emitPointer(e, position_);
    const u32 p = e.load(position_.type, pointer);
    const u32 z = e.value(spv::Op::OpCompositeExtract, f, {p, 2});
    const u32 w = e.value(spv::Op::OpCompositeExtract, f, {p, 3});
    const u32 sum = e.value(spv::Op::OpFAdd, f, {z, w});
    const u32 half = e.value(spv::Op::OpFMul, f, {sum, m_.constantFloat(0.5f)});
    e.store(pointer, e.value(spv::Op::OpCompositeInsert, position_.type, {half, p, 2}));
  }
  if (pointSize_.variable != 0) {
    const u32 f = m_.typeFloat32();
    const u32 pointer = emitPointer(e, pointSize_);
    const u32 constant = constants_.load(e, offsetof(DriverConstants, pointSize));
    const u32 own = pointSizeWritten_ ? e.load(f, pointer) : m_.constantFloat(1.0f);
    const u32 given = e.value(spv::Op::OpFOrdGreaterThan, m_.typeBool(), {constant, m_.constantFloat(0.0f)});
    e.store(pointer, e.value(spv::Op::OpSelect, f, {given, constant, own}));
  }
  if (clip_.variable != 0) {
    const u32 u = m_.typeInt32(false);
    const u32 mask = constants_.load(e, offsetof(DriverConstants, clipMask));
    for (u32 i = 0; i < clipCount_; ++i) {
      const u32 pointer = emitElementPointer(e, clip_, clipElement_, i);
      const u32 bit = e.value(spv::Op::OpBitwiseAnd, u, {mask, m_.constantUint(1u << i)});
      const u32 enabled = e.value(spv::Op::OpINotEqual, m_.typeBool(), {bit, m_.constantUint(0)});
      const u32 distance = e.load(clipElement_, pointer);
      e.store(pointer, e.value(spv::Op::OpSelect, clipElement_, {enabled, distance, m_.constantFloat(0.0f)}));
    }
  }
}

}  // namespace mgl::shader

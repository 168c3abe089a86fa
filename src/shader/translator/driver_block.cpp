#include "shader/translator/passes.h"

namespace mgl::shader {

u32 Emitter::value(spv::Op op, u32 type, std::initializer_list<u32> operands) {
  return value(op, type, std::span<const u32>(operands.begin(), operands.size()));
}

u32 Emitter::value(spv::Op op, u32 type, std::span<const u32> operands) {
  const u32 id = m.newId();
  std::vector<u32> all{type, id};
  all.insert(all.end(), operands.begin(), operands.end());
  out_.push_back(m.make(op, all));
  return id;
}

namespace {

constexpr u32 kMembers = kDriverConstantsBytes / 4;
constexpr u32 kClipMaskMember = offsetof(DriverConstants, clipMask) / 4;

u32 memberType(Module& m, u32 member) { return member == kClipMaskMember ? m.typeInt32(false) : m.typeFloat32(); }

}  // namespace

void DriverBlock::declare() {
  // Two variables in this class would share one range; a module that brings its own is not from our compiler.
  if (!m_.variables(spv::StorageClass::PushConstant).empty()) m_.fail("DriverConstants: the module has push constants");
  std::vector<u32> operands(1 + kMembers);
  for (u32 i = 0; i < kMembers; ++i) operands[1 + i] = memberType(m_, i);
  const u32 block = operands[0] = m_.newId();
  m_.addGlobal(m_.make(spv::Op::OpTypeStruct, operands));
  for (u32 i = 0; i < kMembers; ++i) m_.decorateMember(block, i, spv::Decoration::Offset, 4 * i);
  m_.decorate(block, spv::Decoration::Block);
  variable_ = m_.addVariable(spv::StorageClass::PushConstant, block);
  if (m_.listsAllGlobals()) m_.addInterface(variable_);
}

u32 DriverBlock::load(Emitter& e, u32 offset) {
  if (variable_ == 0) declare();
  const u32 type = memberType(m_, offset / 4);
  const u32 pointer = e.value(spv::Op::OpAccessChain, m_.typePointer(spv::StorageClass::PushConstant, type),
                              {variable_, m_.constantUint(offset / 4)});
  return e.load(type, pointer);
}

}  // namespace mgl::shader

#include <algorithm>

#include "shader/translator/passes.h"

namespace mgl::shader {
namespace {

bool isResource(spv::StorageClass storage) {
  return storage == spv::StorageClass::UniformConstant || storage == spv::StorageClass::Uniform ||
         storage == spv::StorageClass::StorageBuffer;
}

}  // namespace

std::vector<bool> usedVariables(const Module& m) {
  std::vector<bool> used(m.bound());
  const auto mark = [&](u32 id) {
    if (id < used.size()) used[id] = true;
  };
  for (const Inst& i : m.functions) {
    switch (i.op) {
      case spv::Op::OpStore:
        mark(m.operand(i, 1));
        break;
      case spv::Op::OpLoad:
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpPtrAccessChain:
      case spv::Op::OpInBoundsPtrAccessChain:
      case spv::Op::OpArrayLength:
      case spv::Op::OpImageTexelPointer:
      case spv::Op::OpCopyObject:
        mark(m.operand(i, 3));
        break;
      case spv::Op::OpCopyMemory:
      case spv::Op::OpCopyMemorySized:
        mark(m.operand(i, 1));
        mark(m.operand(i, 2));
        break;
      case spv::Op::OpFunctionCall:
      case spv::Op::OpExtInst:
      case spv::Op::OpSelect:
      case spv::Op::OpPhi:
        for (u32 k = 3; k < i.count; ++k) mark(m.operand(i, k));
        break;
      default:
        if (i.op >= spv::Op::OpAtomicLoad && i.op <= spv::Op::OpAtomicXor) {
          mark(m.operand(i, 1));
          mark(m.operand(i, 3));
        }
    }
  }
  return used;
}

void remapBindings(Module& m, std::span<const BindingRemap> table, const std::vector<bool>& used) {
  std::vector<u32> unused;
  for (const Inst& g : m.globals) {
    if (g.op != spv::Op::OpVariable || !isResource(static_cast<spv::StorageClass>(m.operand(g, 3)))) continue;
    const u32 id = m.operand(g, 2);
    u32 set = 0, binding = 0;
    const bool bound = m.findDecoration(id, spv::Decoration::DescriptorSet, set) &&
                       m.findDecoration(id, spv::Decoration::Binding, binding);
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const BindingRemap& r) { return r.set == set && r.binding == binding; });
    if (bound && row != table.end()) {
      m.setDecoration(id, spv::Decoration::DescriptorSet, row->newSet);
      m.setDecoration(id, spv::Decoration::Binding, row->newBinding);
    } else if (id < used.size() && used[id]) {
      return m.fail("Bindings: set " + std::to_string(set) + " binding " + std::to_string(binding) + " is not listed");
    } else {
      unused.push_back(id);
    }
  }
  m.eraseGlobals(unused);
}

}  // namespace mgl::shader

// The level-of-detail bias of samplers (OpenGL 4.6, 8.14.1), for hosts whose samplers have none: added to each access.
#include <algorithm>

#include "shader/translator/passes.h"

namespace mgl::shader {

void LodBias::prepare(const TranslateInput& input) {
  biases_ = input.lodBiases;
  if (std::all_of(biases_.begin(), biases_.end(), [](f32 bias) { return bias == 0; })) biases_ = {};
}

f32 LodBias::biasOf(u32 image) const {
  const auto at = std::find_if(sources_.begin(), sources_.end(), [image](const auto& s) { return s.first == image; });
  u32 binding = 0;
  if (at == sources_.end() || !m_.findDecoration(at->second, spv::Decoration::Binding, binding)) return 0;
  return binding < biases_.size() ? biases_[binding] : 0;
}

bool LodBias::emit(const Inst& inst, Emitter& e) {
  if (biases_.empty()) return false;
  if (inst.op == spv::Op::OpAccessChain || inst.op == spv::Op::OpInBoundsAccessChain || inst.op == spv::Op::OpLoad) {
    // Elements of an array of samplers have the bias of the first.
    const u32 from = m_.operand(inst, 3);
    const auto known = std::find_if(sources_.begin(), sources_.end(), [from](const auto& s) { return s.first == from; });
    const u32 variable = known != sources_.end() ? known->second : from;
    if (m_.opOf(variable) == spv::Op::OpVariable && sources_.size() < kMaxInterfaceVariables)
      sources_.emplace_back(m_.operand(inst, 2), variable);
    return false;
  }
  const bool compares = inst.op == spv::Op::OpImageSampleDrefImplicitLod || inst.op == spv::Op::OpImageSampleDrefExplicitLod ||
                        inst.op == spv::Op::OpImageSampleProjDrefImplicitLod ||
                        inst.op == spv::Op::OpImageSampleProjDrefExplicitLod;
  const bool implicitLod = inst.op == spv::Op::OpImageSampleImplicitLod || inst.op == spv::Op::OpImageSampleDrefImplicitLod ||
                           inst.op == spv::Op::OpImageSampleProjImplicitLod ||
                           inst.op == spv::Op::OpImageSampleProjDrefImplicitLod;
  const bool explicitLod = inst.op == spv::Op::OpImageSampleExplicitLod || inst.op == spv::Op::OpImageSampleDrefExplicitLod ||
                           inst.op == spv::Op::OpImageSampleProjExplicitLod ||
                           inst.op == spv::Op::OpImageSampleProjDrefExplicitLod;
  if (!implicitLod && !explicitLod) return false;
  const f32 bias = biasOf(m_.operand(inst, 3));
  if (bias == 0) return false;
  const u32 f = m_.typeFloat32();
  const u32 at = compares ? 6 : 5;  // of the image operands
  u32 mask = at < inst.count ? m_.operand(inst, at) : 0;
  std::vector<u32> words, rest;
  for (u32 i = 1; i < at; ++i) words.push_back(m_.operand(inst, i));
  for (u32 i = at + 1; i < inst.count; ++i) rest.push_back(m_.operand(inst, i));
  constexpr u32 kBias = 1, kLod = 2;
  const auto add = [&](u32 value) { return e.value(spv::Op::OpFAdd, f, {value, m_.constantFloat(bias)}); };
  if (implicitLod && (mask & kBias) == 0) {
    mask |= kBias;
    rest.insert(rest.begin(), m_.constantFloat(bias));
  } else if (!rest.empty() && (mask & (kBias | kLod)) != 0) {
    rest[0] = add(rest[0]);
  } else {
    return false;  // explicit derivatives: left as they are
  }
  words.push_back(mask);
  words.insert(words.end(), rest.begin(), rest.end());
  e.append(inst.op, words);
  return true;
}

}  // namespace mgl::shader

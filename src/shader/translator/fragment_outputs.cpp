#include <algorithm>

#include "shader/translator/passes.h"

namespace mgl::shader {
namespace {

// No host has more colour attachments; it bounds what a call can make us declare.
constexpr u32 kMaxOutputs = 32;

}  // namespace

void FragmentOutputs::prepare(const TranslateInput& input) {
  if (input.outputs.empty() && input.broadcastOutputs <= 1) return;
  if (input.broadcastOutputs > kMaxOutputs) return m_.fail("Outputs: broadcast to too many");
  for (u32 variable : m_.variables(spv::StorageClass::Output)) {
    u32 location = 0, index = 0;
    if (!m_.findDecoration(variable, spv::Decoration::Location, location)) continue;
    m_.findDecoration(variable, spv::Decoration::Index, index);
    if (location == 0 && index == 0 && input.broadcastOutputs > 1) source_ = variable;
    const auto row = std::find_if(input.outputs.begin(), input.outputs.end(),
                                  [&](const OutputRemap& r) { return r.location == location && r.index == index; });
    if (row == input.outputs.end()) continue;
    m_.setDecoration(variable, spv::Decoration::Location, row->newLocation);
    if (row->newIndex != index) m_.setDecoration(variable, spv::Decoration::Index, row->newIndex);
  }
  if (source_ == 0) return;
  type_ = m_.pointee(source_);
  for (u32 location = 1; location < input.broadcastOutputs; ++location) {
    const u32 target = m_.addVariable(spv::StorageClass::Output, type_);
    m_.decorate(target, spv::Decoration::Location, location);
    m_.addInterface(target);
    targets_.push_back(target);
  }
}

void FragmentOutputs::emit(Emitter& e) {
  if (targets_.empty()) return;
  const u32 color = e.load(type_, source_);
  for (u32 target : targets_) e.store(target, color);
}

}  // namespace mgl::shader

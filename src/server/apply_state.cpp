// State of the stream's current context: each record replaces its group.
#include <algorithm>

#include "server/session_tables.h"

namespace mgl::server {

using backend::Group;

bool Session::applyCreateRenderState(pipe::RecordView<pipe::CreateRenderState> record) {
  const pipe::RenderStateHandle handle = record.head.renderState;
  if (!renderStates_.isFresh(handle.slot, handle.gen)) return corrupt("CreateRenderState.renderState");
  backend::RenderState& state = renderStates_.insert(handle, backend_->makeRenderState());
  state.state = record.head.state;
  ++state.serial;
  backend_->initRenderState(state);
  return true;
}
bool Session::applyDestroyRenderState(pipe::RecordView<pipe::DestroyRenderState> record) {
  return destroy(renderStates_, record.head.renderState, "DestroyRenderState.renderState");
}

bool Session::applyCreateSampler(pipe::RecordView<pipe::CreateSampler> record) {
  const pipe::SamplerHandle handle = record.head.sampler;
  if (!samplers_.isFresh(handle.slot, handle.gen)) return corrupt("CreateSampler.sampler");
  backend::Sampler& sampler = samplers_.insert(handle, backend_->makeSampler());
  sampler.state = record.head.state;
  ++sampler.serial;
  backend_->initSampler(sampler);
  return true;
}
bool Session::applyDestroySampler(pipe::RecordView<pipe::DestroySampler> record) {
  return destroy(samplers_, record.head.sampler, "DestroySampler.sampler");
}

bool Session::applyBindRenderState(pipe::RecordView<pipe::BindRenderState> record) {
  backend::RenderState* state = renderStates_.find(record.head.renderState);
  if (state == nullptr) return corrupt("BindRenderState.renderState");
  current_->renderState = Ref(state);
  touch(Group::RenderState);
  return true;
}

bool Session::applySetRasterValues(pipe::RecordView<pipe::SetRasterValues> record) {
  current_->raster = record.head.values;
  touch(Group::RasterValues);
  return true;
}
bool Session::applySetBlendColor(pipe::RecordView<pipe::SetBlendColor> record) {
  current_->blendColor = record.head.color;
  touch(Group::BlendColor);
  return true;
}
bool Session::applySetStencilReference(pipe::RecordView<pipe::SetStencilReference> record) {
  current_->stencilReference = record.head;
  touch(Group::StencilReference);
  return true;
}

bool Session::applySetViewports(pipe::RecordView<pipe::SetViewports> record) {
  const auto viewports = record.tail<0>();
  std::copy(viewports.begin(), viewports.end(), current_->viewports.begin());
  current_->viewportCount = record.head.count;
  touch(Group::Viewports);
  return true;
}
bool Session::applySetScissors(pipe::RecordView<pipe::SetScissors> record) {
  const auto scissors = record.tail<0>();
  std::copy(scissors.begin(), scissors.end(), current_->scissors.begin());
  current_->scissorCount = record.head.count;
  current_->scissorEnable = record.head.enableMask;
  touch(Group::Scissors);
  return true;
}
bool Session::applySetWindowRectangles(pipe::RecordView<pipe::SetWindowRectangles> record) {
  const auto rectangles = record.tail<0>();
  std::copy(rectangles.begin(), rectangles.end(), current_->windowRectangles.begin());
  current_->windowRectangleCount = record.head.count;
  current_->windowRectanglesInclusive = record.head.inclusive != 0;
  touch(Group::WindowRectangles);
  return true;
}
bool Session::applySetPatchParameters(pipe::RecordView<pipe::SetPatchParameters> record) {
  current_->patch = record.head;
  touch(Group::PatchParameters);
  return true;
}

bool Session::applySetAttribDefaults(pipe::RecordView<pipe::SetAttribDefaults> record) {
  current_->attribDefaultMask = 0;
  for (const pipe::AttribDefault& value : record.tail<0>()) {
    current_->attribDefaults[value.location] = value;
    current_->attribDefaultMask |= 1u << value.location;
  }
  touch(Group::AttribDefaults);
  return true;
}

bool Session::applySetSamplerViews(pipe::RecordView<pipe::SetSamplerViews> record) {
  const auto bindings = record.tail<0>();
  auto& views = current_->views;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    backend::Texture* texture = nullptr;
    if (!lookUp(textures_, bindings[i].texture, &texture)) return corrupt("SetSamplerViews.ViewBinding.texture");
    if (views[i] != texture) views[i] = Ref(texture);
  }
  for (std::size_t i = bindings.size(); i < current_->viewCount; ++i) views[i].reset();
  current_->viewCount = record.head.count;
  updateWindow();
  touch(Group::SamplerViews);
  return true;
}

bool Session::applyBindSamplerStates(pipe::RecordView<pipe::BindSamplerStates> record) {
  const auto bindings = record.tail<0>();
  auto& samplers = current_->samplers;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    backend::Sampler* sampler = nullptr;
    if (!lookUp(samplers_, bindings[i].sampler, &sampler)) return corrupt("BindSamplerStates.SamplerBinding.sampler");
    if (samplers[i] != sampler) samplers[i] = Ref(sampler);
  }
  for (std::size_t i = bindings.size(); i < current_->samplerCount; ++i) samplers[i].reset();
  current_->samplerCount = record.head.count;
  updateWindow();
  touch(Group::Samplers);
  return true;
}

bool Session::applySetShaderImages(pipe::RecordView<pipe::SetShaderImages> record) {
  const auto bindings = record.tail<0>();
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    backend::Texture* texture = nullptr;
    if (!lookUp(textures_, bindings[i].texture, &texture)) return corrupt("SetShaderImages.ImageBinding.texture");
    current_->images[i] = {Ref(texture), bindings[i]};
  }
  for (std::size_t i = bindings.size(); i < current_->imageCount; ++i) current_->images[i] = {};
  current_->imageCount = record.head.count;
  touch(Group::Images);
  return true;
}

bool Session::applySetShaderBuffers(pipe::RecordView<pipe::SetShaderBuffers> record) {
  constexpr Group kGroups[] = {Group::UniformBuffers, Group::StorageBuffers, Group::AtomicBuffers};
  static_assert(std::size(kGroups) == countOf<pipe::BufferClass>());
  const u32 cls = indexOf(record.head.cls);
  const auto ranges = record.tail<0>();
  auto& bound = current_->buffers[cls];
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    backend::Buffer* buffer = nullptr;
    if (!lookUp(buffers_, ranges[i].buffer, &buffer)) return corrupt("SetShaderBuffers.BufferRange.buffer");
    if (bound[i].buffer != buffer) bound[i].buffer = Ref(buffer);
    bound[i].offset = ranges[i].offset;
    bound[i].bytes = ranges[i].bytes;
  }
  for (std::size_t i = ranges.size(); i < current_->bufferCount[cls]; ++i) bound[i] = {};
  current_->bufferCount[cls] = record.head.count;
  touch(kGroups[cls]);
  return true;
}

bool Session::applySetStreamOutputTargets(pipe::RecordView<pipe::SetStreamOutputTargets> record) {
  backend::StreamOutput* output = streamOutputs_.find(record.head.streamOutput);
  if (output == nullptr) return corrupt("SetStreamOutputTargets.streamOutput");
  if (output->active) return corrupt("SetStreamOutputTargets.active");
  const auto ranges = record.tail<0>();
  for (std::size_t i = 0; i < output->targets.size(); ++i) {
    backend::Buffer* buffer = nullptr;
    if (i < ranges.size() && !lookUp(buffers_, ranges[i].buffer, &buffer))
      return corrupt("SetStreamOutputTargets.BufferRange.buffer");
    output->targets[i] = i < ranges.size() ? backend::BufferRange{Ref(buffer), ranges[i].offset, ranges[i].bytes}
                                           : backend::BufferRange{};
  }
  output->targetCount = record.head.count;
  ++output->serial;
  current_->streamOutput = Ref(output);
  touch(Group::StreamOutput);
  return true;
}

bool Session::applyBindFramebuffer(pipe::RecordView<pipe::BindFramebuffer> record) {
  backend::Framebuffer* framebuffer = nullptr;
  if (!lookUp(framebuffers_, record.head.draw, &framebuffer)) return corrupt("BindFramebuffer.draw");
  current_->drawFramebuffer = Ref(framebuffer);
  touch(Group::Framebuffer);
  return true;
}
bool Session::applySetDefaultTargets(pipe::RecordView<pipe::SetDefaultTargets> record) {
  current_->defaultDrawBuffer = record.head.drawBuffer;
  current_->defaultReadBuffer = record.head.readBuffer;
  touch(Group::DefaultTargets);
  return true;
}

bool Session::applySetRenderCondition(pipe::RecordView<pipe::SetRenderCondition> record) {
  backend::Query* query = nullptr;
  if (!lookUp(queries_, record.head.query, &query)) return corrupt("SetRenderCondition.query");
  if (query != nullptr && query->active) return corrupt("SetRenderCondition.query");
  current_->conditionQuery = Ref(query);
  current_->conditionMode = record.head.mode;
  current_->conditionInverted = record.head.inverted != 0;
  touch(Group::RenderCondition);
  return true;
}

}  // namespace mgl::server

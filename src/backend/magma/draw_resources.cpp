// What shaders read: uniform blocks, textures, storage; and the descriptor sets that say so.
#include <algorithm>
#include <cstring>

#include "backend/magma/draw.h"
#include "base/counters.h"

namespace mgl::magma {

namespace {

u32 samplerUnit(const SamplerSlot& slot) {
  if (slot.flat < slot.source->samplerUnits.size()) return slot.source->samplerUnits[slot.flat];
  // Before the first SetProgramBindings the archive says.
  u32 flat = 0;
  for (const shader::Sampler& sampler : slot.source->archive.samplers) {
    if (slot.flat < flat + sampler.arraySize) return sampler.initialUnit + (sampler.hasBinding ? slot.flat - flat : 0);
    flat += sampler.arraySize;
  }
  return 0;
}

u32 imageUnit(const StorageSlot& slot) {
  if (slot.index < slot.source->imageUnits.size()) return slot.source->imageUnits[slot.index];
  u32 flat = 0;
  for (const shader::Image& image : slot.source->archive.images) {
    if (slot.index < flat + image.arraySize) return image.initialUnit + (image.hasBinding ? slot.index - flat : 0);
    flat += image.arraySize;
  }
  return 0;
}

bool overlaps(const TargetAttachment& attachment, const Image* image, const SubRange& range) {
  return attachment.image == image && attachment.level >= range.level &&
         attachment.level < range.level + range.levels &&
         (image->shape().type == VK_IMAGE_TYPE_3D ||
          (attachment.layer < range.layer + range.layers && range.layer < attachment.layer + attachment.layers));
}

// Whether the shader's type reads what the format gives; a mismatch is undefined in GL and forbidden in Vulkan.
bool readsAs(const shader::UniformTypeInfo& type, format::Format f, bool stencil) {
  const format::FormatInfo& info = format::formatInfo(f);
  const bool integer = info.isInteger() || stencil;
  if (type.scalar == shader::ScalarKind::Int) return integer && !stencil && info.type == format::ComponentType::Sint;
  if (type.scalar == shader::ScalarKind::Uint) return integer && (stencil || info.type == format::ComponentType::Uint);
  return !integer;
}

}  // namespace

bool Drawer::gatherUniforms(backend::ContextState& context, Program& program) {
  dynamicOffsets_.clear();
  contents_.clear();
  bufferInfos_.clear();
  writes_.clear();
  bufferInfos_.reserve(program.uniformSlots.size());
  const VkPhysicalDeviceLimits& limits = engine_.device->limits();
  const u64 batch = engine_.recorder.serial();
  for (const UniformSlot& slot : program.uniformSlots) {
    VkDescriptorBufferInfo info{};
    u64 offset = 0;
    if (slot.block < 0) {
      Program& source = *slot.source;
      if (source.uniformBatch != batch || source.uniformSliceSerial != source.uniformsSerial) {
        const u64 bytes = source.archive.defaultBlockBytes;
        source.uniformSlice = engine_.recorder.stream(std::max<u64>(bytes, 16),
                                                      std::max<u64>(limits.minUniformBufferOffsetAlignment, 16));
        if (source.uniformSlice.buffer == VK_NULL_HANDLE) return false;
        std::memcpy(source.uniformSlice.data, source.uniforms.data(), std::min<u64>(bytes, source.uniforms.size()));
        source.uniformBatch = batch;
        source.uniformSliceSerial = source.uniformsSerial;
      }
      info = {source.uniformSlice.buffer, 0, std::max<u64>(source.archive.defaultBlockBytes, 16)};
      offset = source.uniformSlice.offset;
    } else {
      const auto block = static_cast<u32>(slot.block);
      const shader::Block& desc = slot.source->archive.uniformBlocks[block];
      const u32 point = block < slot.source->blockBindings.size() ? slot.source->blockBindings[block] : desc.binding;
      const auto& ranges = context.buffers[indexOf(pipe::BufferClass::Uniform)];
      const backend::BufferRange* range = point < ranges.size() ? &ranges[point] : nullptr;
      auto* buffer = range != nullptr ? static_cast<Buffer*>(range->buffer.get()) : nullptr;
      if (buffer != nullptr && buffer->store != nullptr && range->offset < buffer->bytes) {
        engine_.buffers->use(*buffer->store, {program.shaderStages, VK_ACCESS_UNIFORM_READ_BIT, false});
        const u64 bytes =
            std::min({range->bytes, buffer->store->bytes() - range->offset, u64{limits.maxUniformBufferRange}});
        info = {buffer->store->handle(), 0, bytes};
        offset = range->offset;
      } else {
        const u64 bytes = std::clamp<u64>(desc.sizeBytes, 16, limits.maxUniformBufferRange);
        info = {engine_.dummies->zeros(bytes), 0, bytes};
      }
    }
    dynamicOffsets_.push_back(static_cast<u32>(offset));
    contents_.push_back(reinterpret_cast<u64>(info.buffer));
    contents_.push_back(info.range);
    bufferInfos_.push_back(info);
    writes_.push_back({VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, VK_NULL_HANDLE, slot.binding, slot.element, 1,
                       VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, nullptr, &bufferInfos_.back(), nullptr});
  }
  sets_[0] = setFor(*program.layout->sets[0], writes_);
  return sets_[0] != VK_NULL_HANDLE;
}

bool Drawer::gatherSamplers(backend::ContextState& context, Program& program) {
  contents_.clear();
  imageInfos_.clear();
  texelViews_.clear();
  writes_.clear();
  imageInfos_.reserve(program.samplerSlots.size());
  texelViews_.reserve(program.samplerSlots.size());
  for (const SamplerSlot& slot : program.samplerSlots) {
    const u32 unit = samplerUnit(slot);
    auto* texture = unit < context.views.size() ? static_cast<Texture*>(context.views[unit].get()) : nullptr;
    VkWriteDescriptorSet write{
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,    nullptr, VK_NULL_HANDLE, slot.binding, slot.element, 1,
        VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr, nullptr,        nullptr};
    if (slot.type.dim == shader::TextureDim::Buffer) {
      VkBufferView view = VK_NULL_HANDLE;
      auto* buffer = texture != nullptr ? static_cast<Buffer*>(texture->buffer.get()) : nullptr;
      const VkFormat format = texture != nullptr ? texelBufferFormat(texture->format) : VK_FORMAT_UNDEFINED;
      if (buffer != nullptr && buffer->store != nullptr && format != VK_FORMAT_UNDEFINED &&
          texture->bufferOffset < buffer->bytes && readsAs(slot.type, texture->format, false)) {
        engine_.buffers->use(*buffer->store, {slot.stages, VK_ACCESS_SHADER_READ_BIT, false});
        const u64 texel = std::max<u64>(format::formatInfo(texture->format).blockBytes, 1);
        u64 bytes = std::min(texture->bufferBytes, buffer->bytes - texture->bufferOffset);
        bytes = std::min(bytes, u64{engine_.device->limits().maxTexelBufferElements} * texel) / texel * texel;
        if (bytes != 0) view = buffer->store->texelView(format, texture->bufferOffset, bytes);
      }
      if (view == VK_NULL_HANDLE) view = engine_.dummies->texelBuffer(slot.type);
      texelViews_.push_back(view);
      write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
      write.pTexelBufferView = &texelViews_.back();
      contents_.push_back(reinterpret_cast<u64>(view));
      writes_.push_back(write);
      continue;
    }
    VkDescriptorImageInfo info{};
    auto* state = unit < context.samplers.size() ? static_cast<Sampler*>(context.samplers[unit].get()) : nullptr;
    if (state == nullptr && texture != nullptr) state = static_cast<Sampler*>(texture->sampler.get());
    SampledView sampled;
    pipe::BorderClass cls = pipe::BorderClass::Float;
    if (texture != nullptr && texture->target != pipe::TextureTarget::Buffer) {
      const bool decode = state == nullptr || !state->state.srgbDecodeSkip;
      sampled = engine_.textures->sampled(*texture, decode, texture->sampleStencil);
      if (sampled.image != nullptr) {
        const format::Format named = texture->viewOf ? texture->format : sampled.image->shape().format;
        const bool stencil = format::formatInfo(named).base == format::BaseFormat::Stencil ||
                             (format::formatInfo(named).isStencil() && texture->sampleStencil);
        if (!readsAs(slot.type, named, stencil)) sampled = {};
      }
    }
    if (sampled.view != VK_NULL_HANDLE) {
      Image& image = *sampled.image;
      const bool volume = image.shape().type == VK_IMAGE_TYPE_3D;
      if (!image.pendingClears.empty()) {
        SubRange range = sampled.range;
        if (volume) range.layers = image.shape().depth;
        engine_.passes->settle(image, range, ClearUse::Sample);
      }
      bool feedback = false;
      const auto share = [&](TargetAttachment& attachment) {
        if (attachment.image != nullptr && overlaps(attachment, &image, sampled.range))
          attachment.general = feedback = true;
      };
      for (TargetAttachment& attachment : target_.color) share(attachment);
      share(target_.depth);
      share(target_.stencil);
      if (feedback) {
        sampled.layout = VK_IMAGE_LAYOUT_GENERAL;
        // The levels that are no attachment have to be in the descriptor's one layout too.
        if (sampled.range.levels > 1 || sampled.range.layers > 1) {
          image.prepare(engine_.barriers, sampled.range, VK_IMAGE_LAYOUT_GENERAL,
                        {slot.stages, VK_ACCESS_SHADER_READ_BIT, false});
        }
      } else {
        image.prepare(engine_.barriers, sampled.range, sampled.layout, {slot.stages, VK_ACCESS_SHADER_READ_BIT, false});
      }
      image.usedIn(engine_.recorder.serial(), true);
      const format::FormatInfo& format = format::formatInfo(image.shape().format);
      if (format.isInteger() || (format.isDepthOrStencil() && slot.type.scalar == shader::ScalarKind::Uint)) {
        cls = format.type == format::ComponentType::Sint ? pipe::BorderClass::Int : pipe::BorderClass::Uint;
      }
    } else {
      sampled.view = engine_.dummies->view(slot.type);
      sampled.layout =
          slot.type.shadow ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    }
    info.imageView = sampled.view;
    info.imageLayout = sampled.layout;
    info.sampler = state != nullptr ? state->get(engine_, cls, slot.type.shadow) : engine_.samplers->fallback();
    imageInfos_.push_back(info);
    write.pImageInfo = &imageInfos_.back();
    writes_.push_back(write);
    contents_.push_back(reinterpret_cast<u64>(info.sampler));
    contents_.push_back(reinterpret_cast<u64>(info.imageView));
    contents_.push_back(static_cast<u64>(info.imageLayout));
  }
  sets_[1] = setFor(*program.layout->sets[1], writes_);
  return sets_[1] != VK_NULL_HANDLE;
}

bool Drawer::gatherStorage(backend::ContextState& context, Program& program) {
  contents_.clear();
  bufferInfos_.clear();
  imageInfos_.clear();
  writes_.clear();
  bufferInfos_.reserve(program.storageSlots.size());
  for (const StorageSlot& slot : program.storageSlots) {
    if (slot.kind == StorageSlot::Kind::Image) {
      (void)imageUnit(slot);
      engine_.decline("a draw whose shaders use images: image access is not finished");
      return false;
    }
    const bool atomic = slot.kind == StorageSlot::Kind::Atomic;
    const u32 point = atomic ? slot.source->archive.atomicBuffers[slot.index].binding
                      : slot.index < slot.source->storageBindings.size()
                          ? slot.source->storageBindings[slot.index]
                          : slot.source->archive.storageBlocks[slot.index].binding;
    const auto& ranges =
        context.buffers[indexOf(atomic ? pipe::BufferClass::AtomicCounter : pipe::BufferClass::Storage)];
    const backend::BufferRange* range = point < ranges.size() ? &ranges[point] : nullptr;
    auto* buffer = range != nullptr ? static_cast<Buffer*>(range->buffer.get()) : nullptr;
    VkDescriptorBufferInfo info{};
    if (buffer != nullptr && buffer->store != nullptr && range->offset < buffer->bytes) {
      const Usage usage{slot.stages,
                        VK_ACCESS_SHADER_READ_BIT | (slot.written ? VkAccessFlags{VK_ACCESS_SHADER_WRITE_BIT} : 0u),
                        slot.written};
      if (slot.written) {
        engine_.buffers->written(*buffer, usage);
      } else {
        engine_.buffers->use(*buffer->store, usage);
      }
      info = {buffer->store->handle(), range->offset, std::min(range->bytes, buffer->store->bytes() - range->offset)};
    } else {
      info = {engine_.dummies->zeros(256), 0, 256};
    }
    bufferInfos_.push_back(info);
    writes_.push_back({VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, VK_NULL_HANDLE, slot.binding, slot.element, 1,
                       VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, nullptr, &bufferInfos_.back(), nullptr});
    contents_.push_back(reinterpret_cast<u64>(info.buffer));
    contents_.push_back(info.offset);
    contents_.push_back(info.range);
  }
  sets_[2] = setFor(*program.layout->sets[2], writes_);
  return sets_[2] != VK_NULL_HANDLE;
}

// A set written from these contents in this batch, or a new one.
VkDescriptorSet Drawer::setFor(SetLayout& layout, const std::vector<VkWriteDescriptorSet>& writes) {
  const u64 batch = engine_.recorder.serial();
  for (SetLayout::Memo& memo : layout.memos) {
    if (memo.batch == batch && memo.contents == contents_) {
      countHeld(Counter::DescriptorReuses);
      return memo.set;
    }
  }
  const VkDescriptorSet set = engine_.recorder.allocateSet(layout.handle);
  if (set == VK_NULL_HANDLE) return VK_NULL_HANDLE;
  for (VkWriteDescriptorSet& write : writes_) write.dstSet = set;
  if (!writes.empty()) {
    engine_.vk().vkUpdateDescriptorSets(engine_.device->handle(), static_cast<u32>(writes.size()), writes.data(), 0,
                                        nullptr);
    countHeld(Counter::DescriptorWrites);
  }
  SetLayout::Memo& memo = layout.memos[layout.nextMemo++ % SetLayout::kMemos];
  memo.batch = batch;
  memo.contents = contents_;
  memo.set = set;
  return set;
}

void Drawer::bindDescriptors(const Program& program) {
  const bool newLayout = bound_.layout != program.layout->handle;
  u32 first = 0;
  if (!newLayout) {
    while (first < kSetCount && bound_.sets[first] == sets_[first] &&
           (first != 0 || bound_.dynamicOffsets == dynamicOffsets_)) {
      ++first;
    }
    if (first == kSetCount) return;
  }
  u32 last = kSetCount - 1;
  while (!newLayout && last > first && bound_.sets[last] == sets_[last]) --last;
  engine_.vk().vkCmdBindDescriptorSets(
      engine_.recorder.main(), VK_PIPELINE_BIND_POINT_GRAPHICS, program.layout->handle, first, last - first + 1,
      &sets_[first], first == 0 ? static_cast<u32>(dynamicOffsets_.size()) : 0, dynamicOffsets_.data());
  // The push constants outlive a change of layouts that have the same range, as all of ours do.
  bound_.layout = program.layout->handle;
  bound_.sets = sets_;
  bound_.dynamicOffsets = dynamicOffsets_;
}

}  // namespace mgl::magma

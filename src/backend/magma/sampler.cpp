#include "backend/magma/sampler.h"

#include <algorithm>
#include <cstring>

namespace mgl::magma {

namespace {

VkSamplerAddressMode addressMode(pipe::Wrap wrap, const pipe::SamplerState& state, bool mirrorClamp) {
  switch (wrap) {
    case pipe::Wrap::Repeat:
      return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    case pipe::Wrap::MirroredRepeat:
      return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case pipe::Wrap::ClampToEdge:
      return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case pipe::Wrap::ClampToBorder:
      return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    case pipe::Wrap::MirrorClampToEdge:
      return mirrorClamp ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE : VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    default: {
      // GL_CLAMP blends with the border at the edge when it filters, and never reaches it when it does not.
      const bool filters = state.minFilter == pipe::Filter::Linear || state.magFilter == pipe::Filter::Linear;
      return filters ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    }
  }
}

}  // namespace

VkSampler Samplers::make(const pipe::SamplerState& state, pipe::BorderClass cls, bool compare) {
  const HostFeatures& features = engine_.features();
  const VkPhysicalDeviceLimits& limits = engine_.device->limits();
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.magFilter = filter(state.magFilter);
  info.minFilter = filter(state.minFilter);
  info.mipmapMode =
      state.mipMode == pipe::MipMode::Linear ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = addressMode(state.wrapS, state, features.mirrorClampToEdge);
  info.addressModeV = addressMode(state.wrapT, state, features.mirrorClampToEdge);
  info.addressModeW = addressMode(state.wrapR, state, features.mirrorClampToEdge);
  info.mipLodBias = std::clamp(state.lodBias, -limits.maxSamplerLodBias, limits.maxSamplerLodBias);
  const bool anisotropic = features.core.samplerAnisotropy && state.maxAnisotropy > 1.0f &&
                           state.minFilter == pipe::Filter::Linear && state.magFilter == pipe::Filter::Linear;
  info.anisotropyEnable = anisotropic;
  info.maxAnisotropy = std::min(state.maxAnisotropy, limits.maxSamplerAnisotropy);
  info.compareEnable = compare && state.compareEnable;
  info.compareOp = compareOp(state.compareOp);
  info.minLod = state.minLod;
  info.maxLod = std::max(state.maxLod, state.minLod);
  if (state.mipMode == pipe::MipMode::None) {
    // No mipmaps: a level of detail over 0 still chooses between the two filters.
    info.minLod = state.minLod > 0.0f ? 0.25f : 0.0f;
    info.maxLod = state.maxLod > 0.0f ? 0.25f : 0.0f;
    if (info.maxLod < info.minLod) info.maxLod = info.minLod;
  }
  const bool bordered = info.addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
                        info.addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
                        info.addressModeW == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  const bool integer = cls != pipe::BorderClass::Float;
  info.borderColor = integer ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  VkSamplerCustomBorderColorCreateInfoEXT custom{
      VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, nullptr, {}, VK_FORMAT_UNDEFINED};
  if (bordered) {
    f32 f[4];
    std::memcpy(f, state.border.data(), sizeof f);
    const auto all = [&](f32 rgb, f32 a, u32 irgb, u32 ia) {
      return integer ? state.border == std::array<u32, 4>{irgb, irgb, irgb, ia}
                     : f[0] == rgb && f[1] == rgb && f[2] == rgb && f[3] == a;
    };
    if (all(0, 0, 0, 0)) {
    } else if (all(0, 1, 0, 1)) {
      info.borderColor = integer ? VK_BORDER_COLOR_INT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
    } else if (all(1, 1, 1, 1)) {
      info.borderColor = integer ? VK_BORDER_COLOR_INT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    } else if (features.customBorderColor && features.customBorderColorFormatless) {
      std::memcpy(&custom.customBorderColor, state.border.data(), sizeof custom.customBorderColor);
      info.pNext = &custom;
      info.borderColor = integer ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    } else {
      // The nearest of the three that every device has.
      engine_.approximate("a border colour: the device has black, white and none");
      const f32 luma = integer ? static_cast<f32>(state.border[0] != 0) : (f[0] + f[1] + f[2]) / 3;
      const bool opaque = integer ? state.border[3] != 0 : f[3] >= 0.5f;
      if (opaque && luma >= 0.5f) {
        info.borderColor = integer ? VK_BORDER_COLOR_INT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
      } else if (opaque) {
        info.borderColor = integer ? VK_BORDER_COLOR_INT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
      }
    }
  }
  if (!state.cubeSeamless && features.nonSeamlessCube) info.flags |= VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
  VkSampler sampler = VK_NULL_HANDLE;
  if (engine_.vk().vkCreateSampler(engine_.device->handle(), &info, nullptr, &sampler) != VK_SUCCESS)
    return VK_NULL_HANDLE;
  return sampler;
}

Samplers::~Samplers() {
  if (fallback_ != VK_NULL_HANDLE) engine_.vk().vkDestroySampler(engine_.device->handle(), fallback_, nullptr);
}

VkSampler Samplers::fallback() {
  if (fallback_ == VK_NULL_HANDLE) {
    pipe::SamplerState state{};
    state.minFilter = pipe::Filter::Nearest;
    state.mipMode = pipe::MipMode::Linear;
    state.magFilter = pipe::Filter::Linear;
    state.minLod = -1000;
    state.maxLod = 1000;
    state.cubeSeamless = 1;
    fallback_ = make(state, pipe::BorderClass::Float, false);
  }
  return fallback_;
}

Sampler::~Sampler() {
  if (engine_ == nullptr) return;
  for (VkSampler sampler : made_) engine_->device->retire(lastUse_, sampler);
}

VkSampler Sampler::get(Engine& engine, pipe::BorderClass cls, bool compare) {
  engine_ = &engine;
  lastUse_ = engine.recorder.serial();
  VkSampler& made = made_[indexOf(cls) * 2 + (compare ? 1 : 0)];
  if (made == VK_NULL_HANDLE) made = engine.samplers->make(state, cls, compare);
  return made != VK_NULL_HANDLE ? made : engine.samplers->fallback();
}

DummyTextures::~DummyTextures() = default;

VkBuffer DummyTextures::zeros(u64 bytes) {
  if (zeros_ == nullptr || zeros_->bytes() < bytes) {
    const u64 size = std::max<u64>(bytes, 64u << 10);
    DeviceBuffer buffer = engine_.device->makeBuffer(
        size,
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
            VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
        MemoryUse::Upload);
    if (buffer.handle == VK_NULL_HANDLE) return engine_.device->outOfMemory("a draw"), VK_NULL_HANDLE;
    std::memset(buffer.mapped(), 0, size);
    zeros_ = makeRef<BufferStore>(*engine_.device, buffer);
  }
  zeros_->usedIn(engine_.recorder.serial(), true);
  return zeros_->handle();
}

VkBufferView DummyTextures::texelBuffer(const shader::UniformTypeInfo& type) {
  if (zeros(64) == VK_NULL_HANDLE) return VK_NULL_HANDLE;
  const VkFormat format = type.scalar == shader::ScalarKind::Int    ? VK_FORMAT_R32_SINT
                          : type.scalar == shader::ScalarKind::Uint ? VK_FORMAT_R32_UINT
                                                                    : VK_FORMAT_R32_SFLOAT;
  return zeros_->texelView(format, 0, 64);
}

VkImageView DummyTextures::view(const shader::UniformTypeInfo& type) {
  const u32 key = indexOf(type.scalar) | (indexOf(type.dim) << 4) | (type.arrayed ? 256u : 0u) |
                  (type.multisample ? 512u : 0u) | (type.shadow ? 1024u : 0u);
  for (Row& row : rows_) {
    if (row.key != key) continue;
    row.image->usedIn(engine_.recorder.serial(), true);
    return row.view;
  }
  ImageShape shape;
  const bool cube = type.dim == shader::TextureDim::Cube;
  shape.type = type.dim == shader::TextureDim::Dim1   ? VK_IMAGE_TYPE_1D
               : type.dim == shader::TextureDim::Dim3 ? VK_IMAGE_TYPE_3D
                                                      : VK_IMAGE_TYPE_2D;
  shape.format = type.shadow                               ? format::Format::D16
                 : type.scalar == shader::ScalarKind::Int  ? format::Format::RGBA8I
                 : type.scalar == shader::ScalarKind::Uint ? format::Format::RGBA8UI
                                                           : format::Format::RGBA8;
  shape.layers = cube ? 6 : 1;
  shape.cube = cube;
  shape.samples = type.multisample ? 4 : 1;
  Row row;
  row.key = key;
  row.image = Image::create(*engine_.device, engine_.formats, shape);
  if (row.image == nullptr) return VK_NULL_HANDLE;
  ViewKey view;
  view.type = cube                             ? type.arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE
              : shape.type == VK_IMAGE_TYPE_1D ? type.arrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D
              : shape.type == VK_IMAGE_TYPE_3D ? VK_IMAGE_VIEW_TYPE_3D
              : type.arrayed                   ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                               : VK_IMAGE_VIEW_TYPE_2D;
  view.format = row.image->host().image;
  view.aspects = row.image->isColor() ? VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT}
                                      : VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT};
  view.range = row.image->all();
  row.view = row.image->view(view);

  // Filled ahead, so that no pass has to end.
  const VkImageLayout layout =
      row.image->isColor() ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  const VkCommandBuffer ahead = engine_.recorder.ahead();
  Barriers barriers;
  row.image->prepare(barriers, row.image->all(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, usage::kTransferWrite, false);
  barriers.record(engine_.vk(), ahead);
  const VkImageSubresourceRange part{view.aspects, 0, 1, 0, shape.layers};
  if (row.image->isColor()) {
    VkClearColorValue value{};
    if (type.scalar == shader::ScalarKind::Int || type.scalar == shader::ScalarKind::Uint) {
      value.uint32[3] = 1;
    } else {
      value.float32[3] = 1.0f;
    }
    engine_.vk().vkCmdClearColorImage(ahead, row.image->handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1,
                                      &part);
  } else {
    const VkClearDepthStencilValue value{0, 0};
    engine_.vk().vkCmdClearDepthStencilImage(ahead, row.image->handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value,
                                             1, &part);
  }
  row.image->prepare(
      barriers, row.image->all(), layout,
      {VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT, false});
  barriers.record(engine_.vk(), ahead);
  row.image->usedIn(engine_.recorder.serial(), true);
  rows_.push_back(row);
  return rows_.back().view;
}

}  // namespace mgl::magma

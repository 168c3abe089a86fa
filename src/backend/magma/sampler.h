// Sampler states as Vulkan samplers, and the textures that stand in where a unit has none (4.6, 8.17: they read as
// 0,0,0,1).
#pragma once

#include "backend/context_state.h"
#include "backend/magma/texture.h"
#include "shader/archive/uniform_type.h"

namespace mgl::magma {

class Sampler final : public backend::Sampler {
 public:
  ~Sampler() override;
  // cls: how the sampled format's components are read, for border colours. compare: comparison may be on (depth
  // formats).
  VkSampler get(Engine& engine, pipe::BorderClass cls, bool compare);

 private:
  Engine* engine_ = nullptr;
  std::array<VkSampler, 6> made_{};
  u64 lastUse_ = 0;
};

class Samplers {
 public:
  explicit Samplers(Engine& engine) : engine_(engine) {}
  ~Samplers();
  // GL's defaults, for textures that were never given parameters.
  VkSampler fallback();
  VkSampler make(const pipe::SamplerState& state, pipe::BorderClass cls, bool compare);

 private:
  Engine& engine_;
  VkSampler fallback_ = VK_NULL_HANDLE;
};

class DummyTextures {
 public:
  explicit DummyTextures(Engine& engine) : engine_(engine) {}
  ~DummyTextures();
  // Ready to be sampled as the shader's type says.
  VkImageView view(const shader::UniformTypeInfo& type);
  VkBufferView texelBuffer(const shader::UniformTypeInfo& type);
  // Zeros, for uniform blocks and attributes without a buffer.
  VkBuffer zeros(u64 bytes);

 private:
  struct Row {
    u32 key = 0;
    Ref<Image> image;
    VkImageView view = VK_NULL_HANDLE;
  };
  Engine& engine_;
  std::vector<Row> rows_;
  Ref<BufferStore> zeros_;
};

}  // namespace mgl::magma

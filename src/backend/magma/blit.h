// Blits, copies out of framebuffers, masked clears and mipmaps: by Vulkan's transfer commands where they mean the same,
// else by draws of our own.
#pragma once

#include "backend/magma/pass_manager.h"
#include "backend/magma/texture.h"

namespace mgl::magma {

class Blitter {
 public:
  explicit Blitter(Engine& engine) : engine_(engine) {}
  ~Blitter();

  void blit(backend::ContextState& context, backend::Framebuffer* read, backend::Framebuffer* draw,
            const pipe::Blit& blit);
  // source may be depth or stencil: what the texture's format asks for.
  void copyToTexture(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                     Texture& texture, u32 level, std::array<u32, 3> origin);
  // output ~0: stencil. Values as the attachment's view takes them.
  void maskedClear(const TargetAttachment& attachment, bool stencil, u32 mask, const VkClearValue& value,
                   pipe::ClearKind kind, u32 stencilReference, const VkRect2D& rect);
  // One mip level from the one before it. 3D images: all slices.
  void halve(Image& src, u32 srcLevel, Image& dst, u32 dstLevel, u32 layer, u32 layers, bool srgb);

 private:
  struct Box {
    f64 x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  };
  enum class Shader : u8 {
    BlitFloat,
    BlitInt,
    BlitUint,
    BlitDepth,
    BlitStencil,
    MsFloat,
    MsInt,
    MsUint,
    MsDepth,
    MsStencil,
    ClearFloat,
    ClearInt,
    ClearUint,
    Count
  };
  struct Key {
    Shader shader{};
    u8 samples = 1, writeMask = 15, stencilMask = 0;
    VkFormat color = VK_FORMAT_UNDEFINED, depth = VK_FORMAT_UNDEFINED, stencil = VK_FORMAT_UNDEFINED;
    bool operator==(const Key&) const = default;
  };
  struct Push {
    f32 box[4];
    u32 extra[4];
  };
  // Copies the part of the box that both images have. aspects: of both.
  void blitPart(TargetAttachment src, TargetAttachment dst, VkImageAspectFlags aspects, Box from, Box to,
                const VkRect2D& clip, bool linear, bool decode);
  bool copyRaw(const TargetAttachment& src, const TargetAttachment& dst, VkImageAspectFlags aspects, const Box& from,
               const Box& to, const VkRect2D& clip);
  bool blitHost(const TargetAttachment& src, const TargetAttachment& dst, VkImageAspectFlags aspects, const Box& from,
                const Box& to, const VkRect2D& clip, bool linear);
  void blitShader(const TargetAttachment& src, const TargetAttachment& dst, VkImageAspectFlags aspect, const Box& from,
                  const Box& to, const VkRect2D& clip, bool linear);
  void drawQuad(const Target& target, const Key& key, VkImageView source, VkImageLayout layout, bool linear,
                const VkRect2D& viewport, const VkRect2D& clip, const Push& push, u32 stencilReference);
  bool makeShared();
  VkPipeline pipeline(const Key& key);
  VkShaderModule module(Shader shader);

  Engine& engine_;
  VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkSampler nearest_ = VK_NULL_HANDLE, linear_ = VK_NULL_HANDLE;
  VkShaderModule vertex_ = VK_NULL_HANDLE;
  std::array<VkShaderModule, countOf<Shader>()> modules_{};
  std::vector<std::pair<Key, VkPipeline>> pipelines_;
};

}  // namespace mgl::magma

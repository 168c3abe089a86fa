// Passes and clears. A pass is opened by the first draw that needs it and goes on as long as the draws that follow have
// the same target and nothing else has to happen; clears wait on their image until a pass loads them, or until
// something else needs the image (settle). The one place that knows how a pass is begun: dynamic rendering, or a render pass.
#pragma once

#include "backend/context_state.h"
#include "backend/magma/engine.h"

namespace mgl::magma {

struct TargetAttachment {
  Image* image = nullptr;                       // null: nothing there
  u32 level = 0, layer = 0, layers = 1;         // slices for a 3D image
  VkFormat format = VK_FORMAT_UNDEFINED;        // of the view
  format::Format named = format::Format::None;  // the pipe's
  bool opaque = false;                          // alpha is not written
  bool general = false;                         // sampled by the draws of the pass as well
  bool operator==(const TargetAttachment&) const = default;
};

// What a framebuffer comes to: attachments by fragment output.
struct Target {
  std::array<TargetAttachment, pipe::kMaxColorTargets> color;
  TargetAttachment depth, stencil;
  u32 colorCount = 0;  // highest output in use, plus one
  u32 width = 0, height = 0, layers = 1, samples = 1;
  bool operator==(const Target&) const = default;
  PassFormats formats() const;
};

// What a clear that waits on an image is executed before. MOBILEGL_MAGMA_DROP_SETTLE leaves uses out: the control.
enum class ClearUse : u8 {
#define MGL_CLEAR_USE(id, what) id,
#include "backend/magma/clear_use.def"
  Count
};

class PassManager {
 public:
  explicit PassManager(Engine& engine);

  // framebuffer null: the surface (its draw side, or its read side). srgb: encode what is written to sRGB images.
  void resolveDraw(const backend::ContextState& context, backend::Framebuffer* framebuffer, bool srgb, Target* target);
  // The colour buffer that reads come from; image null when there is none.
  TargetAttachment resolveRead(const backend::ContextState& context, backend::Framebuffer* framebuffer);
  TargetAttachment resolveDepthStencil(const backend::ContextState& context, backend::Framebuffer* framebuffer,
                                       bool stencil, bool readSide);
  TargetAttachment resolveAttachment(const backend::Attachment& attachment, bool srgb);

  // Makes the target's pass the open one, and records the gathered barriers before it. False: the host refuses it.
  bool open(const Target& target);
  // Ends the open pass; nothing when there is none.
  void close();
  bool isOpen() const { return open_; }
  // Around draws of our own in the open pass, which the program's queries do not count.
  void pauseQueries(bool pause);
  const Target& target() const { return target_; }

  void clear(backend::ContextState& context, backend::Framebuffer* framebuffer, const pipe::Clear& clear, bool plain);
  // Executes the pending clears that touch the part: before any use but a pass.
  void settle(Image& image, const SubRange& range, ClearUse use);
  // Forgets them: the part is about to be overwritten whole, or its contents may go.
  void drop(Image& image, const SubRange& range);
  // A fresh image shows zeros and nothing that the memory held before: a clear that waits, and mostly never runs.
  void zero(Image& image);
  // Before the batch is handed over.
  void settleAll();

 private:
  struct Value {
    VkClearValue value{};
    bool encoded = false;  // colour of an sRGB image, as memory will hold it
  };
  bool holds(const TargetAttachment& attachment, bool depth, u32* output) const;
  bool overlapsOpen(const Image& image) const;
  bool takePending(const TargetAttachment& attachment, VkImageAspectFlags aspect, VkClearValue* value);
  void clearPart(const Target& target, const TargetAttachment& attachment, u32 output, VkImageAspectFlags aspects,
                 const VkClearValue& value, const VkRect2D& rect, bool plain);
  void setPending(const TargetAttachment& attachment, VkImageAspectFlags aspects, const VkClearValue& value);
  VkClearValue forView(const TargetAttachment& attachment, VkClearValue value) const;
  void prepareAttachment(const TargetAttachment& attachment, bool keep);
  VkImageView attachmentView(const TargetAttachment& attachment);

  bool isDropped(ClearUse use) const { return ((dropped_ >> indexOf(use)) & 1) != 0; }

  Engine& engine_;
  u32 dropped_ = 0;  // a bit per ClearUse
  bool open_ = false;
  Target target_;
  std::vector<Ref<Image>> waiting_;  // images with pending clears
};

}  // namespace mgl::magma

// Programs: what a linked program (or a pipeline of programs) comes to on this device: set layouts, and shader modules
// for the variants that state calls for.
//
// Descriptor sets of a program: 0 its uniform blocks (the default blocks first), 1 its samplers, 2 storage blocks,
// atomic counter buffers and images. Push constants: shader::DriverConstants.
#pragma once

#include <memory>

#include "backend/magma/buffer.h"
#include "shader/translator/translate.h"

namespace mgl::magma {

inline constexpr u32 kSetCount = 3;

// A descriptor set layout, shared by all programs that have the same one, with the sets written for it last.
struct SetLayout {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  VkDescriptorSetLayout handle = VK_NULL_HANDLE;

  struct Memo {
    u64 batch = 0;
    std::vector<u64> contents;  // what the set was written from
    VkDescriptorSet set = VK_NULL_HANDLE;
  };
  static constexpr u32 kMemos = 4;
  std::array<Memo, kMemos> memos;
  u32 nextMemo = 0;
};

struct PipelineLayout {
  std::array<SetLayout*, kSetCount> sets{};
  VkPipelineLayout handle = VK_NULL_HANDLE;
};

class Program;

struct UniformSlot {
  Program* source = nullptr;
  i32 block = -1;  // index into the archive's uniform blocks; -1: the default block
  u32 binding = 0, element = 0;
};
struct SamplerSlot {
  Program* source = nullptr;
  u32 flat = 0;  // into samplerUnits
  u32 binding = 0, element = 0;
  shader::UniformTypeInfo type;
  VkPipelineStageFlags stages = 0;
};
struct StorageSlot {
  enum class Kind : u8 { Block, Atomic, Image } kind{};
  Program* source = nullptr;
  u32 index = 0;  // of the block or atomic buffer; flat, of the image
  u32 binding = 0, element = 0;
  bool written = false;
  VkPipelineStageFlags stages = 0;
  shader::UniformTypeInfo type;
};

// What of a program depends on state.
struct VariantKey {
  bool points = false;            // gl_PointSize has to be written
  bool convertClipDepth = false;  // no VK_EXT_depth_clip_control
  u8 broadcast = 0;
  bool operator==(const VariantKey&) const = default;
};
struct Variant {
  VariantKey key;
  u64 id = 0;  // never given twice
  std::array<VkShaderModule, countOf<pipe::Stage>()> modules{};
  bool driverConstants = false;
  bool failed = false;
};

class Program final : public backend::Program {
 public:
  ~Program() override;
  u64 builtSerial = ~u64{0};  // of the object, when the below was made
  Engine* engine = nullptr;
  PipelineLayout* layout = nullptr;
  std::vector<UniformSlot> uniformSlots;
  std::vector<SamplerSlot> samplerSlots;
  std::vector<StorageSlot> storageSlots;
  std::vector<std::unique_ptr<Variant>> variants;
  std::array<Program*, countOf<pipe::Stage>()> sources{};
  u32 stagesPresent = 0;
  VkPipelineStageFlags shaderStages = 0;

  // Facts of the stages that matter to draws.
  u32 attributeMask = 0;
  std::array<shader::ScalarKind, pipe::kMaxVertexAttribs> attributeKinds{};
  bool usesPointCoord = false, usesFragCoord = false, originUpperLeft = false, pixelCenterInteger = false,
       fragColorBroadcast = false, writesViewportIndex = false, dualSource = false;
  u8 clipDistances = 0;

  // The default block in the stream ring: valid for one batch.
  StreamSlice uniformSlice;
  u64 uniformBatch = 0, uniformSliceSerial = ~u64{0};
};

class Programs {
 public:
  explicit Programs(Engine& engine) : engine_(engine) {}
  ~Programs();

  // Makes layouts and slots when the program was linked anew. False: it cannot be used.
  bool prepare(Program& program);
  // Null: the device's compiler refuses it (told once to the debug log).
  Variant* variant(Program& program, const VariantKey& key);

 private:
  void buildSlots(Program& program);
  SetLayout* setLayout(std::vector<VkDescriptorSetLayoutBinding> bindings);
  PipelineLayout* pipelineLayout(const std::array<SetLayout*, kSetCount>& sets);

  Engine& engine_;
  u64 nextId_ = 1;
  std::vector<std::unique_ptr<SetLayout>> setLayouts_;
  std::vector<std::unique_ptr<PipelineLayout>> pipelineLayouts_;
};

}  // namespace mgl::magma

// Programs: what a linked program (or a pipeline of programs) comes to on this host: a program of the host for each variant
// that state calls for. Uniform blocks and samplers have binding points of the program's own, counted from 0, that draws fill.
#pragma once

#include "backend/espryt/buffer.h"
#include "shader/translator/driver_constants.h"

namespace mgl::espryt {

class Program;

struct UniformSlot {
  Program* source = nullptr;
  i32 block = -1;  // index into the archive's uniform blocks; -1: the default block
  u32 point = 0;
};
struct SamplerSlot {
  Program* source = nullptr;
  u32 flat = 0;  // into samplerUnits
  u32 unit = 0;  // of the host
  shader::UniformTypeInfo type;
};

// What of a program depends on state.
struct VariantKey {
  bool points = false;  // gl_PointSize has to be written
  bool window = false;  // gl_FragCoord or gl_PointCoord are not as OpenGL ES has them
  bool maskClip = false;  // a declared clip distance is not enabled
  u8 broadcast = 0;
  std::vector<f32> lodBiases;  // by unit of the host; empty: none
  bool operator==(const VariantKey&) const = default;
};
struct Variant {
  VariantKey key;
  GLuint name = 0;
  u64 id = 0;
  bool failed = false;
  std::array<GLint, 8> driver{};  // locations of the driver's constants, by word; -1: not there
  shader::DriverConstants constants;  // as the host has them
};

class Program final : public backend::Program {
 public:
  ~Program() override;
  Engine* engine = nullptr;
  u64 builtSerial = ~u64{0};  // of the object, when the below was made
  std::vector<UniformSlot> uniformSlots;
  std::vector<SamplerSlot> samplerSlots;
  std::vector<std::unique_ptr<Variant>> variants;
  std::array<Program*, countOf<pipe::Stage>()> sources{};
  u32 stagesPresent = 0;
  bool usable = false;

  // Facts of the stages that matter to draws.
  u32 attributeMask = 0;
  std::array<shader::ScalarKind, pipe::kMaxVertexAttribs> attributeKinds{};
  bool usesPointCoord = false, usesFragCoord = false, originUpperLeft = false, pixelCenterInteger = false,
       fragColorBroadcast = false, dualSource = false;
  u8 clipDistances = 0;

  // The default block in a context's stream: where its last contents lie.
  u64 streamedSerial = ~u64{0}, streamedContext = 0, streamedGeneration = 0;
  const HostObject* streamedBuffer = nullptr;
  u64 streamedOffset = 0;
};

class Programs {
 public:
  explicit Programs(Engine& engine) : engine_(engine) {}

  // Makes the slots when the program was linked anew. False: it cannot be used.
  bool prepare(Program& program);
  // Null: the host refuses it (told once to the debug log).
  Variant* variant(HostContext& context, Program& program, const VariantKey& key);
  void setConstants(HostContext& context, Variant& variant, const shader::DriverConstants& constants);

 private:
  struct Source {
    Program* program = nullptr;
    u32 stages = 0;
    std::vector<std::array<u32, 3>> remaps;  // set, binding, point
  };
  std::vector<Source> place(Program& program, bool fill);
  void refuse(Variant& variant, const std::string& why);

  Engine& engine_;
};

}  // namespace mgl::espryt

// Private to the translator: what the concerns share while a module is rewritten. Each concern prepares (edits globals
// and decorations) once, then adds code where translate.cpp's walk over the functions calls it.
#pragma once

#include <initializer_list>
#include <vector>

#include "shader/translator/module.h"
#include "shader/translator/translate.h"

namespace mgl::shader {

// Appends instructions with results to a list.
class Emitter {
 public:
  Emitter(Module& module, Code& out) : m(module), out_(out) {}

  void add(spv::Op op, std::initializer_list<u32> operands) { out_.push_back(m.make(op, operands)); }
  // An instruction with a result type and a fresh result id, which is returned.
  u32 value(spv::Op op, u32 type, std::initializer_list<u32> operands);
  u32 value(spv::Op op, u32 type, std::span<const u32> operands);
  u32 load(u32 type, u32 pointer) { return value(spv::Op::OpLoad, type, {pointer}); }
  void append(spv::Op op, std::span<const u32> operands) { out_.push_back(m.make(op, operands)); }
  void store(u32 pointer, u32 object) { add(spv::Op::OpStore, {pointer, object}); }

  Module& m;

 private:
  Code& out_;
};

// The push-constant block, declared when it is first read. The members are the words of DriverConstants.
class DriverBlock {
 public:
  explicit DriverBlock(Module& module) : m_(module) {}
  // `offset` is a member's, by offsetof; it loads a float, or the clip mask's uint.
  u32 load(Emitter& e, u32 offset);
  bool used() const { return variable_ != 0; }

 private:
  void declare();
  Module& m_;
  u32 variable_ = 0;
};

// Which global variables the functions use as pointers.
std::vector<bool> usedVariables(const Module& m);

// resources.cpp. Rewrites descriptor sets and bindings, drops what is unused and unlisted.
void remapBindings(Module& m, std::span<const BindingRemap> table, const std::vector<bool>& used);

// window_inputs.cpp. Built-in inputs that are read through a private copy, set where main starts.
class ShadowInputs {
 public:
  ShadowInputs(Module& m, DriverBlock& constants) : m_(m), constants_(constants) {}
  void prepare(const TranslateInput& input, const std::vector<bool>& used);
  void emitPrologue(Emitter& e);
  // Rewrites an instruction that uses a shadow's pointer, so that pointer types fit; faults on uses that cannot be.
  void rewriteUse(const Inst& inst);

 private:
  enum class Kind : u8 { FragCoord, PointCoord, SamplePosition, InstanceIndex, BaseInstance, Array };
  struct Shadow {
    Kind kind;
    u32 shadow;  // the id that the code knows, now private
    u32 input;   // the built-in itself
    u32 type;
    std::vector<u32> elements;  // Array: the inputs
  };
  void add(Kind kind, u32 variable);
  void addBaseInstance(u32 variable);
  void addArray(u32 variable, u32 location);
  bool isShadowPointer(u32 id) const { return id < pointers_.size() && pointers_[id]; }
  u32 privatePointer(u32 pointerType);

  Module& m_;
  DriverBlock& constants_;
  std::vector<Shadow> shadows_;
  std::vector<bool> pointers_;  // by id: the shadows and what access chains make of them
  std::vector<std::pair<u32, u32>> pointerTypes_;
  u32 baseInstance_ = 0;
};

// window_inputs.cpp. Derivatives and interpolation offsets follow the window's orientation. True when `inst` was
// replaced by what was emitted.
bool emitWindowSpace(Module& m, DriverBlock& constants, const Inst& inst, u32 glslImport, Emitter& e);
u32 findGlslImport(const Module& m);  // 0: none

// lod_bias.cpp. True when the access was replaced by what was emitted.
class LodBias {
 public:
  explicit LodBias(Module& m) : m_(m) {}
  void prepare(const TranslateInput& input);
  bool emit(const Inst& inst, Emitter& e);

 private:
  f32 biasOf(u32 image) const;
  Module& m_;
  std::span<const f32> biases_;
  std::vector<std::pair<u32, u32>> sources_;  // what was loaded or pointed to, and the variable it came from
};

// A built-in output: a variable, or a member of an output block.
struct BuiltinOutput {
  u32 variable = 0;  // 0: the module has none
  bool isMember = false;
  u32 member = 0;
  u32 type = 0;
};
BuiltinOutput findBuiltinOutput(Module& m, spv::BuiltIn builtin);
// A pointer to the output, or to element `index` of it.
u32 emitPointer(Emitter& e, const BuiltinOutput& output);
u32 emitElementPointer(Emitter& e, const BuiltinOutput& output, u32 elementType, u32 index);

// vertex_outputs.cpp. Clip depth, point size, clip mask.
class VertexOutputs {
 public:
  VertexOutputs(Module& m, DriverBlock& constants) : m_(m), constants_(constants) {}
  void prepare(const TranslateInput& input);
  void emit(Emitter& e);
  bool empty() const { return position_.variable == 0 && pointSize_.variable == 0 && clip_.variable == 0; }

 private:
  bool writesPointSize() const;
  Module& m_;
  DriverBlock& constants_;
  BuiltinOutput position_, pointSize_, clip_;
  bool pointSizeWritten_ = false;
  u32 clipCount_ = 0, clipElement_ = 0;
};

// capture.cpp. Transform feedback: decorations, and outputs of their own for parts of variables.
class Capture {
 public:
  explicit Capture(Module& m) : m_(m) {}
  void prepare(const TranslateInput& input);
  void emit(Emitter& e);
  bool empty() const { return copies_.empty(); }

 private:
  struct Copy {
    u32 target, type, source;
    std::vector<u32> path;  // ids of constants
  };
  struct Found {
    u32 variable = 0;
    u32 type = 0;
    std::vector<u32> path;  // literal indices
  };
  void captureVariable(const XfbVarying& v, u32 stride);
  void captureBuiltin(const XfbVarying& v, u32 stride, const TranslateInput& input);
  bool find(const XfbVarying& v, Found& found);
  bool descend(const XfbVarying& v, u32 type, u32 location, u32 depth, Found& found);
  void addCopy(u32 source, u32 type, std::span<const u32> path, const XfbVarying& v, u32 offset, u32 stride);

  Module& m_;
  std::vector<Copy> copies_;
  u32 nextLocation_ = 0;
};

// Locations that a value of this type takes as an output (OpenGL 4.6, 11.1.1 with vectors of doubles as two).
u32 locationCount(Module& m, u32 type);

// fragment_outputs.cpp. Locations and gl_FragColor's broadcast.
class FragmentOutputs {
 public:
  explicit FragmentOutputs(Module& m) : m_(m) {}
  void prepare(const TranslateInput& input);
  void emit(Emitter& e);
  bool empty() const { return targets_.empty(); }

 private:
  Module& m_;
  u32 source_ = 0, type_ = 0;
  std::vector<u32> targets_;
};

}  // namespace mgl::shader

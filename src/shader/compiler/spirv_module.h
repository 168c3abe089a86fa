// A SPIR-V module as a list of instructions that can be edited, with the look-ups that the linker needs. Its input is
// what glslang has just generated, so malformed modules are bugs and asserted, not reported.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace mgl::shader {

// One instruction: `words` excludes the first word (opcode and length).
struct Instruction {
  u16 opcode = 0;  // OpNop once deleted
  std::vector<u32> words;
};

class SpirvModule {
 public:
  explicit SpirvModule(std::span<const u32> words);

  std::vector<u32> words() const;

  std::vector<Instruction>& instructions() { return instructions_; }
  const std::vector<Instruction>& instructions() const { return instructions_; }

  u32 allocateId() { return bound_++; }
  u32 bound() const { return bound_; }

  // Empty when the id has no name.
  std::string_view name(u32 id) const;
  std::string_view memberName(u32 structId, u32 member) const;

  // The literal of a decoration, or -1 when the id (or member) has none. Decorations without a literal give 0.
  i64 decoration(u32 id, u32 decoration) const;
  i64 memberDecoration(u32 structId, u32 member, u32 decoration) const;

  // The instruction that defines a type, constant or global variable; null when there is none such.
  const Instruction* definition(u32 id) const;

  // The value of an integer constant, 0 for anything else.
  u32 constant(u32 id) const;

  // Adds (or replaces) a decoration with one literal, or none when `literal` is empty.
  void decorate(u32 id, u32 decoration, std::span<const u32> literal);
  void removeDecoration(u32 id, u32 decoration);

  // Finds the type, constant or capability with these operands, or makes it at the right place.
  u32 findOrAddType(u16 opcode, std::span<const u32> operands);
  u32 findOrAddConstant(u32 type, u32 value);
  void addCapability(u32 capability);
  void removeCapability(u32 capability);

  // Call after editing instructions() in ways that change names, decorations or definitions.
  void index();

 private:
  u32 header_[5] = {};
  u32 bound_ = 0;
  std::vector<Instruction> instructions_;
  std::vector<Instruction> added_;  // decorations, written before the first declaration
  std::unordered_map<u32, std::string> names_;
  std::unordered_map<u64, std::string> memberNames_;
  std::unordered_map<u32, u32> definitions_;  // id → index of the instruction
  std::unordered_map<u64, std::vector<std::pair<u32, u32>>>
      decorations_;  // id, or id and member + 1 → decoration, literal
};

}  // namespace mgl::shader

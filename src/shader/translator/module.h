// Private to the translator: a SPIR-V module by section, for hostile words. Every read goes through operand(), which
// gives 0 past the end of an instruction; ids out of the module's bound have no definition. The first fault sticks.
#pragma once

#include <initializer_list>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace mgl::shader {

// Words lie in the module's pool; they stay where they are, at this offset, while the pool grows.
struct Inst {
  spv::Op op = spv::Op::OpNop;
  u32 at = 0;     // of the first word in the pool
  u32 count = 0;  // words, the first included
};
using Code = std::vector<Inst>;

// Interface variables whose blocks and locations are looked at. No real program has as many; the look-ups are linear.
inline constexpr u32 kMaxInterfaceVariables = 1024;

class Module {
 public:
  // Sections in the order of the specification (2.4).
  Code capabilities, extensions, imports, memoryModel, entryPoints, modes, debug, annotations, globals, functions;

  // False, with a fault, unless the words are a module of instructions in order with one entry point.
  bool load(std::span<const u32> words);
  std::vector<u32> words() const;

  bool ok() const { return fault_.empty(); }
  const std::string& fault() const { return fault_; }
  void fail(std::string fault);

  // One step of a walk over types, which hostile modules nest without end; false, with a fault, when there were too
  // many.
  bool spend();

  u32 version() const { return header_[1]; }
  u32 bound() const { return bound_; }
  u32 newId() { return bound_++; }

  u32 operand(const Inst& inst, u32 index) const { return index < inst.count ? pool_[inst.at + index] : 0; }
  void setOperand(const Inst& inst, u32 index, u32 value) {
    if (index < inst.count) pool_[inst.at + index] = value;
  }
  Inst make(spv::Op op, std::initializer_list<u32> operands);
  Inst make(spv::Op op, std::span<const u32> operands);

  u32 entryFunction() const { return operand(entryPoints[0], 2); }
  // Interface ids of the entry point, and their replacement.
  std::vector<u32> interfaceIds() const;
  void setInterfaceIds(std::span<const u32> ids);
  void addInterface(u32 id);
  // From SPIR-V 1.4 on the interface lists every global variable that is used, before that inputs and outputs only.
  bool listsAllGlobals() const { return version() >= 0x00010400; }

  // The type, constant or variable with this id among the globals as loaded or added; OpNop when there is none.
  Inst definition(u32 id) const;
  spv::Op opOf(u32 id) const { return definition(id).op; }

  bool hasCapability(spv::Capability capability) const;
  void addCapability(spv::Capability capability);
  void addExtension(std::string_view name);

  // Decorations. A literal of 0 is given for those without one.
  bool findDecoration(u32 id, spv::Decoration decoration, u32& literal) const;
  bool findMemberDecoration(u32 structId, u32 member, spv::Decoration decoration, u32& literal) const;
  // The member of a block that is this built-in.
  bool findBuiltinMember(u32 structId, spv::BuiltIn builtin, u32& member) const;
  void setDecoration(u32 id, spv::Decoration decoration, u32 literal);  // changes it, or adds it
  void decorate(u32 id, spv::Decoration decoration);
  void decorate(u32 id, spv::Decoration decoration, u32 literal);
  void decorateMember(u32 structId, u32 member, spv::Decoration decoration);
  void decorateMember(u32 structId, u32 member, spv::Decoration decoration, u32 literal);

  // Gives all of the decorations of `from` to `to`.
  void moveDecorations(u32 from, u32 to);

  // Types and constants by content: found, or added at the end of the globals.
  u32 typeOf(spv::Op op, std::initializer_list<u32> operands);
  u32 typeFloat32() { return typeOf(spv::Op::OpTypeFloat, {32}); }
  u32 typeInt32(bool isSigned) { return typeOf(spv::Op::OpTypeInt, {32, isSigned ? 1u : 0u}); }
  u32 typeBool() { return typeOf(spv::Op::OpTypeBool, {}); }
  u32 typePointer(spv::StorageClass storage, u32 pointee);
  void addGlobal(const Inst& inst);  // one made by make(), its id by newId()
  u32 constantWord(u32 type, u32 word);
  u32 constantUint(u32 value) { return constantWord(typeInt32(false), value); }
  u32 constantFloat(f32 value);

  // Adds a global variable; the caller decorates it. Interface lists are the caller's business too.
  u32 addVariable(spv::StorageClass storage, u32 pointee);
  void addVariableAs(u32 id, spv::StorageClass storage, u32 pointee);

  // The type a pointer variable points to; 0 when `variable` is none.
  u32 pointee(u32 variable) const;
  // The value of an OpConstant of 32-bit integer type; false for anything else.
  bool constantValue(u32 id, u32& value) const;
  bool isFloatVector(u32 type, u32 components) const;  // 32-bit floats
  bool isFloat32(u32 type) const;

  // Variables of a storage class, in order; at most kMaxInterfaceVariables (more is a fault).
  std::vector<u32> variables(spv::StorageClass storage);

  // Erases ids from the globals, names, decorations and the entry point's interface.
  void eraseGlobals(std::span<const u32> ids);

 private:
  void define(const Inst& inst);
  void index(const Inst& annotation);
  template <class F>
  bool eachDecoration(u32 id, F&& f) const;

  static constexpr u32 kNone = 0xffffffffu;
  // Few distinct types and constants are asked for, often.
  struct Known {
    spv::Op op;
    u32 a, b, id;
  };
  std::vector<Known> known_;
  u32 steps_ = 0;
  u64 maxPool_ = 0;  // words; what the passes add to a hostile module stays in proportion

  u32 header_[5] = {};
  u32 bound_ = 0;
  std::string fault_;
  std::vector<u32> pool_;
  std::vector<Inst> definitions_;  // by id
  // Decorations of an id form a chain of indices into `annotations`.
  std::vector<u32> firstDecoration_;
  std::vector<u32> nextDecoration_;
};

}  // namespace mgl::shader

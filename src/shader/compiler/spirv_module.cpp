#include "shader/compiler/spirv_module.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <spirv/unified1/spirv.hpp>

namespace mgl::shader {
namespace {

constexpr std::size_t kHeaderWords = 5;

u64 memberKey(u32 id, u32 member) { return u64{id} | (u64{member} + 1) << 32; }

std::string literalString(const Instruction& instruction, std::size_t first) {
  if (first >= instruction.words.size()) return {};
  const char* text = reinterpret_cast<const char*>(instruction.words.data() + first);
  return {text, strnlen(text, (instruction.words.size() - first) * 4)};
}

// Where the result id is among an instruction's words; -1 for those that define nothing the index needs.
int resultPosition(u16 opcode) {
  if (opcode >= spv::OpTypeVoid && opcode <= spv::OpTypeForwardPointer) return 0;
  if (opcode >= spv::OpConstantTrue && opcode <= spv::OpSpecConstantOp) return 1;
  if (opcode == spv::OpVariable || opcode == spv::OpUndef) return 1;
  return -1;
}

bool isGlobalDeclaration(u16 opcode) {
  return (opcode >= spv::OpTypeVoid && opcode <= spv::OpTypeForwardPointer) ||
         (opcode >= spv::OpConstantTrue && opcode <= spv::OpSpecConstantOp) || opcode == spv::OpVariable ||
         opcode == spv::OpUndef;
}

}  // namespace

SpirvModule::SpirvModule(std::span<const u32> words) {
  assert(words.size() >= kHeaderWords);
  std::copy_n(words.begin(), kHeaderWords, header_);
  bound_ = header_[3];
  instructions_.reserve(words.size() / 4);
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const u32 length = words[at] >> 16;
    assert(length > 0 && at + length <= words.size());
    if (length == 0 || at + length > words.size()) break;
    instructions_.push_back({static_cast<u16>(words[at] & 0xffff),
                             {words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                              words.begin() + static_cast<std::ptrdiff_t>(at + length)}});
    at += length;
  }
  index();
}

std::vector<u32> SpirvModule::words() const {
  std::vector<u32> result(header_, header_ + kHeaderWords);
  result[3] = bound_;
  const auto append = [&](const Instruction& instruction) {
    if (instruction.opcode == spv::OpNop) return;
    result.push_back(static_cast<u32>(instruction.words.size() + 1) << 16 | instruction.opcode);
    result.insert(result.end(), instruction.words.begin(), instruction.words.end());
  };
  bool decorated = false;
  for (const Instruction& instruction : instructions_) {
    if (!decorated && isGlobalDeclaration(instruction.opcode)) {
      for (const Instruction& decoration : added_) append(decoration);
      decorated = true;
    }
    append(instruction);
  }
  return result;
}

void SpirvModule::index() {
  names_.clear();
  memberNames_.clear();
  definitions_.clear();
  decorations_.clear();
  for (const Instruction& decoration : added_)
    decorations_[decoration.words[0]].emplace_back(decoration.words[1],
                                                   decoration.words.size() > 2 ? decoration.words[2] : 0);
  for (u32 i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = instructions_[i];
    const auto& words = instruction.words;
    switch (instruction.opcode) {
      case spv::OpFunction:
        return;
      case spv::OpName:
        names_[words[0]] = literalString(instruction, 1);
        break;
      case spv::OpMemberName:
        memberNames_[memberKey(words[0], words[1])] = literalString(instruction, 2);
        break;
      case spv::OpDecorate:
        decorations_[words[0]].emplace_back(words[1], words.size() > 2 ? words[2] : 0);
        break;
      case spv::OpMemberDecorate:
        decorations_[memberKey(words[0], words[1])].emplace_back(words[2], words.size() > 3 ? words[3] : 0);
        break;
      default:
        if (const int at = resultPosition(instruction.opcode); at >= 0) definitions_[words[static_cast<u32>(at)]] = i;
    }
  }
}

std::string_view SpirvModule::name(u32 id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::string_view{} : found->second;
}

std::string_view SpirvModule::memberName(u32 structId, u32 member) const {
  const auto found = memberNames_.find(memberKey(structId, member));
  return found == memberNames_.end() ? std::string_view{} : found->second;
}

i64 SpirvModule::decoration(u32 id, u32 decoration) const {
  const auto found = decorations_.find(id);
  if (found == decorations_.end()) return -1;
  for (const auto& [kind, literal] : found->second) {
    if (kind == decoration) return literal;
  }
  return -1;
}

i64 SpirvModule::memberDecoration(u32 structId, u32 member, u32 decoration) const {
  const auto found = decorations_.find(memberKey(structId, member));
  if (found == decorations_.end()) return -1;
  for (const auto& [kind, literal] : found->second) {
    if (kind == decoration) return literal;
  }
  return -1;
}

const Instruction* SpirvModule::definition(u32 id) const {
  const auto found = definitions_.find(id);
  return found == definitions_.end() ? nullptr : &instructions_[found->second];
}

u32 SpirvModule::constant(u32 id) const {
  const Instruction* instruction = definition(id);
  return instruction && instruction->opcode == spv::OpConstant ? instruction->words[2] : 0;
}

void SpirvModule::removeDecoration(u32 id, u32 decoration) {
  for (Instruction& instruction : instructions_) {
    if (instruction.opcode == spv::OpFunction) break;
    if (instruction.opcode == spv::OpDecorate && instruction.words[0] == id && instruction.words[1] == decoration)
      instruction.opcode = spv::OpNop;
  }
  std::erase_if(added_, [&](const Instruction& i) { return i.words[0] == id && i.words[1] == decoration; });
  if (auto found = decorations_.find(id); found != decorations_.end())
    std::erase_if(found->second, [&](const auto& d) { return d.first == decoration; });
}

void SpirvModule::decorate(u32 id, u32 decoration, std::span<const u32> literal) {
  if (this->decoration(id, decoration) >= 0) removeDecoration(id, decoration);
  Instruction added{spv::OpDecorate, {id, decoration}};
  added.words.insert(added.words.end(), literal.begin(), literal.end());
  added_.push_back(std::move(added));
  decorations_[id].emplace_back(decoration, literal.empty() ? 0 : literal[0]);
}

u32 SpirvModule::findOrAddType(u16 opcode, std::span<const u32> operands) {
  std::size_t lastDeclaration = 0;
  for (std::size_t i = 0; i < instructions_.size() && instructions_[i].opcode != spv::OpFunction; ++i) {
    const Instruction& instruction = instructions_[i];
    if (isGlobalDeclaration(instruction.opcode)) lastDeclaration = i;
    if (instruction.opcode == opcode && instruction.words.size() == operands.size() + 1 &&
        std::equal(operands.begin(), operands.end(), instruction.words.begin() + 1))
      return instruction.words[0];
  }
  const u32 id = allocateId();
  Instruction added{opcode, {id}};
  added.words.insert(added.words.end(), operands.begin(), operands.end());
  instructions_.insert(instructions_.begin() + static_cast<std::ptrdiff_t>(lastDeclaration) + 1, std::move(added));
  index();
  return id;
}

u32 SpirvModule::findOrAddConstant(u32 type, u32 value) {
  std::size_t lastDeclaration = 0;
  for (std::size_t i = 0; i < instructions_.size() && instructions_[i].opcode != spv::OpFunction; ++i) {
    const Instruction& instruction = instructions_[i];
    if (isGlobalDeclaration(instruction.opcode)) lastDeclaration = i;
    if (instruction.opcode == spv::OpConstant && instruction.words.size() == 3 && instruction.words[0] == type &&
        instruction.words[2] == value)
      return instruction.words[1];
  }
  const u32 id = allocateId();
  instructions_.insert(instructions_.begin() + static_cast<std::ptrdiff_t>(lastDeclaration) + 1,
                       Instruction{spv::OpConstant, {type, id, value}});
  index();
  return id;
}

void SpirvModule::addCapability(u32 capability) {
  for (const Instruction& instruction : instructions_) {
    if (instruction.opcode != spv::OpCapability) continue;
    if (instruction.words[0] == capability) return;
  }
  instructions_.insert(instructions_.begin(), Instruction{spv::OpCapability, {capability}});
  for (auto& [defined, position] : definitions_) ++position;
}

void SpirvModule::removeCapability(u32 capability) {
  for (Instruction& instruction : instructions_) {
    if (instruction.opcode == spv::OpCapability && instruction.words[0] == capability) instruction.opcode = spv::OpNop;
  }
}

}  // namespace mgl::shader

#include "shader/translator/module.h"

#include <algorithm>
#include <array>
#include <bit>

namespace mgl::shader {
namespace {

// Universal limit of SPIR-V, 2.17.
constexpr u32 kMaxBound = 0x3fffff;
// Far above any shader; keeps offsets, and what is added, in 32 bits.
constexpr u32 kMaxWords = 1u << 24;
constexpr u32 kMaxSteps = 1u << 18;
constexpr u32 kMaxVersion = 0x00010600;

enum class Section : u8 {
  Capabilities,
  Extensions,
  Imports,
  MemoryModel,
  EntryPoints,
  Modes,
  Debug,
  Annotations,
  Globals,
  Functions
};

Section sectionOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpCapability:
      return Section::Capabilities;
    case spv::Op::OpExtension:
      return Section::Extensions;
    case spv::Op::OpExtInstImport:
      return Section::Imports;
    case spv::Op::OpMemoryModel:
      return Section::MemoryModel;
    case spv::Op::OpEntryPoint:
      return Section::EntryPoints;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return Section::Modes;
    case spv::Op::OpString:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpSource:
    case spv::Op::OpSourceContinued:
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
    case spv::Op::OpModuleProcessed:
      return Section::Debug;
    case spv::Op::OpDecorate:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorateString:
      return Section::Annotations;
    case spv::Op::OpFunction:
      return Section::Functions;
    default:
      return Section::Globals;
  }
}

// The global instructions that define an id and are looked up: where it is among the operands.
u32 resultIndex(spv::Op op) {
  switch (op) {
    case spv::Op::OpTypeVoid:
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeStruct:
    case spv::Op::OpTypeOpaque:
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeFunction:
      return 1;
    case spv::Op::OpConstant:
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpConstantNull:
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantOp:
    case spv::Op::OpUndef:
    case spv::Op::OpVariable:
      return 2;
    default:
      return 0;
  }
}

// Where the words of the entry point's name end: the index of the first interface id.
u32 afterString(const Module& m, const Inst& inst, u32 start) {
  for (u32 i = start; i < inst.count; ++i) {
    const u32 w = m.operand(inst, i);
    if ((w >> 24) == 0) return i + 1;
  }
  return inst.count;
}

}  // namespace

void Module::fail(std::string fault) {
  if (fault_.empty()) fault_ = std::move(fault);
}

bool Module::spend() {
  if (steps_ < kMaxSteps) return ++steps_, true;
  return fail("Spirv.Types"), false;
}

bool Module::load(std::span<const u32> words) {
  if (words.size() < 5 || words.size() > kMaxWords || words[0] != spv::MagicNumber) return fail("Spirv.Header"), false;
  std::copy_n(words.begin(), 5, header_);
  bound_ = header_[3];
  if (header_[1] > kMaxVersion || bound_ == 0 || bound_ > kMaxBound) return fail("Spirv.Header"), false;
  maxPool_ = u64{words.size()} * 16 + (1u << 20);
  // Room for what the passes add, so that loading allocates the pool once.
  pool_.reserve(words.size() + 1024);
  pool_.assign(words.begin(), words.end());
  definitions_.resize(bound_);
  firstDecoration_.assign(bound_, kNone);

  Code* const sections[] = {&capabilities, &extensions, &imports,     &memoryModel, &entryPoints,
                            &modes,        &debug,      &annotations, &globals,     &functions};
  Section current = Section::Capabilities;
  for (u32 at = 5; at < words.size();) {
    const u32 count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return fail("Spirv.InstructionLength"), false;
    const Inst inst{static_cast<spv::Op>(words[at] & 0xffffu), at, count};
    at += count;
    if (inst.op == spv::Op::OpDecorationGroup || inst.op == spv::Op::OpGroupDecorate ||
        inst.op == spv::Op::OpGroupMemberDecorate)
      return fail("Spirv.DecorationGroup"), false;
    if (inst.op == spv::Op::OpNop) continue;
    const Section section = current == Section::Functions ? current : sectionOf(inst.op);
    if (section < current) return fail("Spirv.SectionOrder"), false;
    current = section;
    sections[indexOf(section)]->push_back(inst);
    if (section == Section::Globals) define(inst);
    if (section == Section::Annotations) index(inst);
  }
  if (memoryModel.size() != 1 || entryPoints.size() != 1) return fail("Spirv.EntryPoints"), false;
  return ok();
}

std::vector<u32> Module::words() const {
  std::vector<u32> out;
  out.reserve(pool_.size());
  out.insert(out.end(), {header_[0], header_[1], header_[2], bound_, header_[4]});
  for (const Code* section : {&capabilities, &extensions, &imports, &memoryModel, &entryPoints, &modes, &debug,
                              &annotations, &globals, &functions})
    for (const Inst& inst : *section)
      out.insert(out.end(), pool_.begin() + inst.at, pool_.begin() + inst.at + inst.count);
  return out;
}

Inst Module::make(spv::Op op, std::span<const u32> operands) {
  if (pool_.size() > maxPool_) fail("Spirv.Growth");
  const Inst inst{op, static_cast<u32>(pool_.size()), static_cast<u32>(operands.size()) + 1};
  pool_.push_back(inst.count << 16 | static_cast<u32>(op));
  pool_.insert(pool_.end(), operands.begin(), operands.end());
  return inst;
}

Inst Module::make(spv::Op op, std::initializer_list<u32> operands) {
  return make(op, std::span<const u32>(operands.begin(), operands.size()));
}

std::vector<u32> Module::interfaceIds() const {
  const Inst& entry = entryPoints[0];
  std::vector<u32> ids;
  for (u32 i = afterString(*this, entry, 3); i < entry.count; ++i) ids.push_back(operand(entry, i));
  return ids;
}

void Module::setInterfaceIds(std::span<const u32> ids) {
  const Inst entry = entryPoints[0];
  std::vector<u32> operands;
  const u32 end = afterString(*this, entry, 3);
  for (u32 i = 1; i < end; ++i) operands.push_back(operand(entry, i));
  operands.insert(operands.end(), ids.begin(), ids.end());
  if (operands.size() >= 0xffff) return fail("Spirv.Interface");
  entryPoints[0] = make(spv::Op::OpEntryPoint, operands);
}

void Module::addInterface(u32 id) {
  std::vector<u32> ids = interfaceIds();
  ids.push_back(id);
  setInterfaceIds(ids);
}

void Module::define(const Inst& inst) {
  const u32 index = resultIndex(inst.op);
  if (index == 0) return;
  const u32 id = operand(inst, index);
  if (id == 0 || id >= bound_) return fail("Spirv.Id");
  if (id >= definitions_.size()) definitions_.resize(bound_);
  definitions_[id] = inst;
}

Inst Module::definition(u32 id) const { return id < definitions_.size() ? definitions_[id] : Inst{}; }

bool Module::hasCapability(spv::Capability capability) const {
  return std::any_of(capabilities.begin(), capabilities.end(),
                     [&](const Inst& i) { return operand(i, 1) == static_cast<u32>(capability); });
}

void Module::addCapability(spv::Capability capability) {
  if (!hasCapability(capability)) capabilities.push_back(make(spv::Op::OpCapability, {static_cast<u32>(capability)}));
}

void Module::addExtension(std::string_view name) {
  std::vector<u32> text(name.size() / 4 + 1, 0);
  for (u32 i = 0; i < name.size(); ++i) text[i / 4] |= static_cast<u32>(static_cast<u8>(name[i])) << (8 * (i % 4));
  for (const Inst& e : extensions) {
    bool same = e.count == text.size() + 1;
    for (u32 i = 0; same && i < text.size(); ++i) same = operand(e, i + 1) == text[i];
    if (same) return;
  }
  extensions.push_back(make(spv::Op::OpExtension, text));
}

void Module::index(const Inst& annotation) {
  const u32 id = operand(annotation, 1);
  if (id == 0 || id >= bound_) return fail("Spirv.Id");
  if (id >= firstDecoration_.size()) firstDecoration_.resize(bound_, kNone);
  nextDecoration_.resize(annotations.size(), kNone);
  nextDecoration_[annotations.size() - 1] = firstDecoration_[id];
  firstDecoration_[id] = static_cast<u32>(annotations.size() - 1);
}

// Calls f on each annotation of the id until it returns true.
template <class F>
bool Module::eachDecoration(u32 id, F&& f) const {
  if (id >= firstDecoration_.size()) return false;
  for (u32 i = firstDecoration_[id]; i != kNone; i = nextDecoration_[i])
    if (f(annotations[i])) return true;
  return false;
}

bool Module::findDecoration(u32 id, spv::Decoration decoration, u32& literal) const {
  return eachDecoration(id, [&](const Inst& a) {
    if (a.op != spv::Op::OpDecorate || operand(a, 2) != static_cast<u32>(decoration)) return false;
    literal = operand(a, 3);
    return true;
  });
}

bool Module::findMemberDecoration(u32 structId, u32 member, spv::Decoration decoration, u32& literal) const {
  return eachDecoration(structId, [&](const Inst& a) {
    if (a.op != spv::Op::OpMemberDecorate || operand(a, 2) != member || operand(a, 3) != static_cast<u32>(decoration))
      return false;
    literal = operand(a, 4);
    return true;
  });
}

bool Module::findBuiltinMember(u32 structId, spv::BuiltIn builtin, u32& member) const {
  return eachDecoration(structId, [&](const Inst& a) {
    if (a.op != spv::Op::OpMemberDecorate || operand(a, 3) != static_cast<u32>(spv::Decoration::BuiltIn) ||
        operand(a, 4) != static_cast<u32>(builtin))
      return false;
    member = operand(a, 2);
    return true;
  });
}

void Module::setDecoration(u32 id, spv::Decoration decoration, u32 literal) {
  const bool found = eachDecoration(id, [&](const Inst& a) {
    if (a.op != spv::Op::OpDecorate || operand(a, 2) != static_cast<u32>(decoration) || a.count < 4) return false;
    setOperand(a, 3, literal);
    return true;
  });
  if (!found) decorate(id, decoration, literal);
}

void Module::decorate(u32 id, spv::Decoration decoration) {
  annotations.push_back(make(spv::Op::OpDecorate, {id, static_cast<u32>(decoration)}));
  index(annotations.back());
}

void Module::decorate(u32 id, spv::Decoration decoration, u32 literal) {
  annotations.push_back(make(spv::Op::OpDecorate, {id, static_cast<u32>(decoration), literal}));
  index(annotations.back());
}

void Module::decorateMember(u32 structId, u32 member, spv::Decoration decoration) {
  annotations.push_back(make(spv::Op::OpMemberDecorate, {structId, member, static_cast<u32>(decoration)}));
  index(annotations.back());
}

void Module::decorateMember(u32 structId, u32 member, spv::Decoration decoration, u32 literal) {
  annotations.push_back(make(spv::Op::OpMemberDecorate, {structId, member, static_cast<u32>(decoration), literal}));
  index(annotations.back());
}

void Module::moveDecorations(u32 from, u32 to) {
  if (from >= firstDecoration_.size()) return;
  if (to >= firstDecoration_.size()) firstDecoration_.resize(bound_, kNone);
  for (u32 i = firstDecoration_[from]; i != kNone; i = nextDecoration_[i]) setOperand(annotations[i], 1, to);
  firstDecoration_[to] = firstDecoration_[from];
  firstDecoration_[from] = kNone;
}

u32 Module::typeOf(spv::Op op, std::initializer_list<u32> operands) {
  const u32 a = operands.size() > 0 ? operands.begin()[0] : 0, b = operands.size() > 1 ? operands.begin()[1] : 0;
  for (const Known& k : known_)
    if (k.op == op && k.a == a && k.b == b) return k.id;
  u32 id = 0;
  for (const Inst& g : globals) {
    if (g.op != op || g.count != operands.size() + 2) continue;
    u32 i = 2;
    if (std::all_of(operands.begin(), operands.end(), [&](u32 w) { return operand(g, i++) == w; })) {
      id = operand(g, 1);
      break;
    }
  }
  if (id == 0) {
    std::vector<u32> all{id = newId()};
    all.insert(all.end(), operands);
    addGlobal(make(op, all));
  }
  known_.push_back({op, a, b, id});
  return id;
}

void Module::addGlobal(const Inst& type) {
  globals.push_back(type);
  define(type);
}

u32 Module::typePointer(spv::StorageClass storage, u32 pointeeType) {
  return typeOf(spv::Op::OpTypePointer, {static_cast<u32>(storage), pointeeType});
}

u32 Module::constantWord(u32 type, u32 word) {
  for (const Known& k : known_)
    if (k.op == spv::Op::OpConstant && k.a == type && k.b == word) return k.id;
  u32 id = 0;
  for (const Inst& g : globals) {
    if (g.op != spv::Op::OpConstant || g.count != 4 || operand(g, 1) != type || operand(g, 3) != word) continue;
    id = operand(g, 2);
    break;
  }
  if (id == 0) {
    id = newId();
    addGlobal(make(spv::Op::OpConstant, {type, id, word}));
  }
  known_.push_back({spv::Op::OpConstant, type, word, id});
  return id;
}

u32 Module::constantFloat(f32 value) { return constantWord(typeFloat32(), std::bit_cast<u32>(value)); }

void Module::addVariableAs(u32 id, spv::StorageClass storage, u32 pointeeType) {
  const u32 pointer = typePointer(storage, pointeeType);
  globals.push_back(make(spv::Op::OpVariable, {pointer, id, static_cast<u32>(storage)}));
  define(globals.back());
}

u32 Module::addVariable(spv::StorageClass storage, u32 pointeeType) {
  const u32 id = newId();
  addVariableAs(id, storage, pointeeType);
  return id;
}

u32 Module::pointee(u32 variable) const {
  const Inst v = definition(variable);
  if (v.op != spv::Op::OpVariable) return 0;
  const Inst pointer = definition(operand(v, 1));
  return pointer.op == spv::Op::OpTypePointer ? operand(pointer, 3) : 0;
}

bool Module::constantValue(u32 id, u32& value) const {
  const Inst c = definition(id);
  if (c.op != spv::Op::OpConstant || c.count != 4 || opOf(operand(c, 1)) != spv::Op::OpTypeInt) return false;
  value = operand(c, 3);
  return true;
}

bool Module::isFloat32(u32 type) const {
  const Inst t = definition(type);
  return t.op == spv::Op::OpTypeFloat && operand(t, 2) == 32;
}

bool Module::isFloatVector(u32 type, u32 components) const {
  const Inst t = definition(type);
  return t.op == spv::Op::OpTypeVector && isFloat32(operand(t, 2)) && operand(t, 3) == components;
}

std::vector<u32> Module::variables(spv::StorageClass storage) {
  std::vector<u32> ids;
  for (const Inst& g : globals)
    if (g.op == spv::Op::OpVariable && operand(g, 3) == static_cast<u32>(storage)) ids.push_back(operand(g, 2));
  if (ids.size() > kMaxInterfaceVariables) {
    fail("Spirv.InterfaceVariables");
    ids.clear();
  }
  return ids;
}

void Module::eraseGlobals(std::span<const u32> ids) {
  if (ids.empty()) return;
  std::vector<bool> gone(bound_);
  for (u32 id : ids)
    if (id < bound_) gone[id] = true;
  const auto isGone = [&](u32 id) { return id < gone.size() && gone[id]; };
  std::erase_if(globals, [&](const Inst& g) { return g.op == spv::Op::OpVariable && isGone(operand(g, 2)); });
  std::erase_if(debug, [&](const Inst& d) { return d.op == spv::Op::OpName && isGone(operand(d, 1)); });
  Code kept;
  kept.swap(annotations);
  nextDecoration_.clear();
  std::fill(firstDecoration_.begin(), firstDecoration_.end(), kNone);
  for (const Inst& a : kept) {
    if (isGone(operand(a, 1))) continue;
    annotations.push_back(a);
    index(a);
  }
  std::vector<u32> interface = interfaceIds();
  if (std::erase_if(interface, isGone) != 0) setInterfaceIds(interface);
  for (u32 id : ids)
    if (id < definitions_.size()) definitions_[id] = {};
}

}  // namespace mgl::shader

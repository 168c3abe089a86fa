#include "interpreter.h"

#include <gtest/gtest.h>
#include <spirv/unified1/GLSL.std.450.h>

#include <bit>
#include <cstring>

namespace mgl::shader::test {

Value Value::of(f32 v) { return {std::bit_cast<u32>(v), {}}; }

Value Value::of(std::initializer_list<f32> v) {
  Value r;
  for (f32 c : v) r.parts.push_back(of(c));
  return r;
}

f32 Value::f() const { return std::bit_cast<f32>(word); }
f32 Value::f(u32 part) const { return parts.at(part).f(); }

Interpreter::Interpreter(std::span<const u32> words) {
  for (std::size_t at = 5; at < words.size();) {
    const u32 count = words[at] >> 16;
    Inst i{static_cast<spv::Op>(words[at] & 0xffff), {words.begin() + at + 1, words.begin() + at + count}};
    const std::size_t index = code_.size();
    switch (i.op) {
      case spv::Op::OpEntryPoint:
        main_ = i.w[1];
        break;
      case spv::Op::OpFunction:
        functionStart_[i.w[1]] = index;
        break;
      case spv::Op::OpVariable:
        definitions_[i.w[1]] = index;
        break;
      default:
        if (i.op >= spv::Op::OpTypeVoid && i.op <= spv::Op::OpTypeFunction) definitions_[i.w[0]] = index;
    }
    code_.push_back(std::move(i));
    at += count;
  }
}

bool Interpreter::decoration(u32 id, spv::Decoration d, u32& literal) const {
  for (const Inst& i : code_)
    if (i.op == spv::Op::OpDecorate && i.w[0] == id && i.w[1] == static_cast<u32>(d)) {
      literal = i.w.size() > 2 ? i.w[2] : 0;
      return true;
    }
  return false;
}

bool Interpreter::memberDecoration(u32 id, u32 member, spv::Decoration d, u32& literal) const {
  for (const Inst& i : code_)
    if (i.op == spv::Op::OpMemberDecorate && i.w[0] == id && i.w[1] == member && i.w[2] == static_cast<u32>(d)) {
      literal = i.w.size() > 3 ? i.w[3] : 0;
      return true;
    }
  return false;
}

Value Interpreter::zero(u32 type) const {
  const Inst& t = code_[definitions_.at(type)];
  Value v;
  switch (t.op) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      v.parts.assign(t.w[2], zero(t.w[1]));
      break;
    case spv::Op::OpTypeArray:
      v.parts.assign(values_.at(t.w[2]).word, zero(t.w[1]));
      break;
    case spv::Op::OpTypeStruct:
      for (std::size_t i = 1; i < t.w.size(); ++i) v.parts.push_back(zero(t.w[i]));
      break;
    default:
      break;
  }
  return v;
}

Value* Interpreter::at(const Pointer& p) {
  Value* v = &memory_.at(p.variable);
  for (u32 index : p.path) v = &v->parts.at(index);
  return v;
}

void Interpreter::snapshot() {
  std::map<Key, Value> out;
  std::vector<Captured> captured;
  for (const auto& [id, value] : memory_) {
    const Inst& variable = code_[definitions_.at(id)];
    if (variable.w[2] != static_cast<u32>(spv::StorageClass::Output)) continue;
    u32 literal = 0, buffer = 0, stride = 0;
    if (decoration(id, spv::Decoration::BuiltIn, literal)) out[{By::BuiltIn, literal}] = value;
    if (decoration(id, spv::Decoration::Location, literal)) out[{By::Location, literal}] = value;
    if (decoration(id, spv::Decoration::XfbBuffer, buffer) && decoration(id, spv::Decoration::XfbStride, stride) &&
        decoration(id, spv::Decoration::Offset, literal))
      captured.push_back({buffer, literal, stride, value});
    const u32 type = code_[definitions_.at(variable.w[0])].w[2];
    for (u32 m = 0; code_[definitions_.at(type)].op == spv::Op::OpTypeStruct && m < value.parts.size(); ++m) {
      if (memberDecoration(type, m, spv::Decoration::BuiltIn, literal)) out[{By::BuiltIn, literal}] = value.parts[m];
      if (memberDecoration(type, m, spv::Decoration::XfbBuffer, buffer) &&
          memberDecoration(type, m, spv::Decoration::XfbStride, stride) &&
          memberDecoration(type, m, spv::Decoration::Offset, literal))
        captured.push_back({buffer, literal, stride, value.parts[m]});
    }
  }
  outputs_.push_back(std::move(out));
  captured_.push_back(std::move(captured));
}

bool Interpreter::run() {
  for (const Inst& i : code_) {
    switch (i.op) {
      case spv::Op::OpConstant:
        values_[i.w[1]] = {i.w[2], {}};
        break;
      case spv::Op::OpConstantTrue:
        values_[i.w[1]] = {1, {}};
        break;
      case spv::Op::OpConstantFalse:
      case spv::Op::OpUndef:
        values_[i.w[1]] = {};
        break;
      case spv::Op::OpConstantComposite: {
        Value v;
        for (std::size_t k = 2; k < i.w.size(); ++k) v.parts.push_back(values_.at(i.w[k]));
        values_[i.w[1]] = v;
        break;
      }
      case spv::Op::OpVariable: {
        const u32 id = i.w[1];
        const auto storage = static_cast<spv::StorageClass>(i.w[2]);
        const u32 type = code_[definitions_.at(i.w[0])].w[2];
        pointers_[id] = {id, {}};
        if (storage == spv::StorageClass::UniformConstant) break;
        memory_[id] = zero(type);
        u32 literal = 0;
        if (storage == spv::StorageClass::Input) {
          for (By by : {By::BuiltIn, By::Location}) {
            const auto d = by == By::BuiltIn ? spv::Decoration::BuiltIn : spv::Decoration::Location;
            if (decoration(id, d, literal) && inputs.count({by, literal})) memory_[id] = inputs[{by, literal}];
          }
        }
        if (storage == spv::StorageClass::PushConstant) {
          u32 words[kDriverConstantsBytes / 4];
          std::memcpy(words, &constants, sizeof words);
          for (u32 m = 0; m < memory_[id].parts.size(); ++m) {
            EXPECT_TRUE(memberDecoration(type, m, spv::Decoration::Offset, literal));
            memory_[id].parts[m].word = words[literal / 4];
          }
        }
        break;
      }
      default:
        break;
    }
    if (i.op == spv::Op::OpFunction) break;
  }
  if (!call(main_, {}, 0)) return false;
  if (outputs_.empty()) snapshot();
  return true;
}

bool Interpreter::call(u32 function, std::span<const u32> arguments, u32 result) {
  std::size_t parameter = 0;
  for (std::size_t at = functionStart_.at(function); code_[at].op != spv::Op::OpFunctionEnd; ++at) {
    const Inst& i = code_[at];
    switch (i.op) {
      case spv::Op::OpFunctionParameter:
        if (pointers_.count(arguments[parameter])) pointers_[i.w[1]] = pointers_[arguments[parameter]];
        if (values_.count(arguments[parameter])) values_[i.w[1]] = values_[arguments[parameter]];
        ++parameter;
        break;
      case spv::Op::OpVariable:
        pointers_[i.w[1]] = {i.w[1], {}};
        memory_[i.w[1]] = zero(code_[definitions_.at(i.w[0])].w[2]);
        break;
      case spv::Op::OpReturn:
        return true;
      case spv::Op::OpReturnValue:
        values_[result] = values_.at(i.w[0]);
        return true;
      default:
        if (!step(i)) return false;
    }
  }
  return true;
}

Value Interpreter::binary(const Inst& i, f32 (*f)(f32, f32)) {
  const Value &a = values_.at(i.w[2]), &b = values_.at(i.w[3]);
  if (a.parts.empty()) return Value::of(f(a.f(), b.f()));
  Value v;
  for (u32 k = 0; k < a.parts.size(); ++k) v.parts.push_back(Value::of(f(a.f(k), b.parts.empty() ? b.f() : b.f(k))));
  return v;
}

bool Interpreter::step(const Inst& i) {
  const auto operand = [&](u32 k) -> const Value& { return values_.at(i.w[k]); };
  const auto set = [&](Value v) { values_[i.w[1]] = std::move(v); };
  switch (i.op) {
    case spv::Op::OpLabel:
    case spv::Op::OpFunction:
    case spv::Op::OpLine:
    case spv::Op::OpEndPrimitive:
      break;
    case spv::Op::OpLoad:
      if (memory_.count(pointers_.at(i.w[2]).variable)) set(*at(pointers_.at(i.w[2])));
      break;
    case spv::Op::OpStore:
      *at(pointers_.at(i.w[0])) = operand(1);
      break;
    case spv::Op::OpAccessChain: {
      Pointer p = pointers_.at(i.w[2]);
      for (std::size_t k = 3; k < i.w.size(); ++k) p.path.push_back(values_.at(i.w[k]).word);
      pointers_[i.w[1]] = p;
      break;
    }
    case spv::Op::OpCompositeExtract: {
      Value v = operand(2);
      for (std::size_t k = 3; k < i.w.size(); ++k) v = Value(v.parts.at(i.w[k]));
      set(v);
      break;
    }
    case spv::Op::OpCompositeInsert: {
      Value v = operand(3);
      v.parts.at(i.w[4]) = operand(2);
      set(v);
      break;
    }
    case spv::Op::OpCompositeConstruct: {
      const bool vector = code_[definitions_.at(i.w[0])].op == spv::Op::OpTypeVector;
      Value v;
      for (std::size_t k = 2; k < i.w.size(); ++k) {
        const Value& part = operand(static_cast<u32>(k));
        if (!vector || part.parts.empty())
          v.parts.push_back(part);
        else
          v.parts.insert(v.parts.end(), part.parts.begin(), part.parts.end());
      }
      set(v);
      break;
    }
    case spv::Op::OpVectorShuffle: {
      Value all = operand(2), v;
      all.parts.insert(all.parts.end(), operand(3).parts.begin(), operand(3).parts.end());
      for (std::size_t k = 4; k < i.w.size(); ++k) v.parts.push_back(all.parts.at(i.w[k]));
      set(v);
      break;
    }
    case spv::Op::OpFAdd:
      set(binary(i, [](f32 a, f32 b) { return a + b; }));
      break;
    case spv::Op::OpFSub:
      set(binary(i, [](f32 a, f32 b) { return a - b; }));
      break;
    case spv::Op::OpFMul:
    case spv::Op::OpVectorTimesScalar:
      set(binary(i, [](f32 a, f32 b) { return a * b; }));
      break;
    case spv::Op::OpISub:
      set({operand(2).word - operand(3).word, {}});
      break;
    case spv::Op::OpConvertSToF:
      set(Value::of(static_cast<f32>(static_cast<i32>(operand(2).word))));
      break;
    case spv::Op::OpBitwiseAnd:
      set({operand(2).word & operand(3).word, {}});
      break;
    case spv::Op::OpINotEqual:
      set({operand(2).word != operand(3).word, {}});
      break;
    case spv::Op::OpFOrdGreaterThan:
      set({operand(2).f() > operand(3).f(), {}});
      break;
    case spv::Op::OpSelect:
      set(operand(2).word ? operand(3) : operand(4));
      break;
    case spv::Op::OpDPdx:
    case spv::Op::OpDPdy:
    case spv::Op::OpDPdyFine:
    case spv::Op::OpDPdyCoarse:
      set(operand(2));
      break;
    case spv::Op::OpExtInst:
      if (i.w[3] != GLSLstd450InterpolateAtOffset) {
        ADD_FAILURE() << "extended instruction " << i.w[3];
        return false;
      }
      set(operand(5));
      break;
    case spv::Op::OpFunctionCall:
      return call(i.w[2], {i.w.begin() + 3, i.w.end()}, i.w[1]);
    case spv::Op::OpEmitVertex:
      snapshot();
      break;
    default:
      ADD_FAILURE() << "instruction " << static_cast<u32>(i.op);
      return false;
  }
  return true;
}

}  // namespace mgl::shader::test

// Runs the main function of small straight-line shaders, so that tests compare values and not instructions. Branches,
// loops and images are not known; a derivative gives its operand, interpolateAtOffset its offset.
#pragma once

#include <map>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "shader/translator/driver_constants.h"

namespace mgl::shader::test {

struct Value {
  u32 word = 0;              // of a scalar
  std::vector<Value> parts;  // of a composite

  static Value of(f32 v);
  static Value of(std::initializer_list<f32> v);
  f32 f(u32 part) const;
  f32 f() const;
};

// An input or output: BuiltIn or Location.
enum class By : u8 { BuiltIn, Location };
using Key = std::pair<By, u32>;
inline Key builtin(spv::BuiltIn b) { return {By::BuiltIn, static_cast<u32>(b)}; }
inline Key location(u32 l) { return {By::Location, l}; }

// Where a value was captured to by transform feedback decorations.
struct Captured {
  u32 buffer, offset, stride;
  Value value;
};

class Interpreter {
 public:
  explicit Interpreter(std::span<const u32> words);

  std::map<Key, Value> inputs;
  DriverConstants constants;

  // False (and a test failure) when an instruction is not known.
  bool run();

  // The outputs at the end of main, or at each vertex that was emitted.
  const std::vector<std::map<Key, Value>>& outputs() const { return outputs_; }
  const std::vector<std::vector<Captured>>& captured() const { return captured_; }

 private:
  struct Inst {
    spv::Op op;
    std::vector<u32> w;  // without the first word
  };
  struct Pointer {
    u32 variable = 0;
    std::vector<u32> path;
  };
  Value zero(u32 type) const;
  Value* at(const Pointer& p);
  Value binary(const Inst& i, f32 (*f)(f32, f32));
  bool step(const Inst& i);
  bool call(u32 function, std::span<const u32> arguments, u32 result);
  void snapshot();
  bool decoration(u32 id, spv::Decoration d, u32& literal) const;
  bool memberDecoration(u32 id, u32 member, spv::Decoration d, u32& literal) const;

  std::vector<Inst> code_;
  std::map<u32, std::size_t> definitions_;  // types and variables, by id
  std::map<u32, std::size_t> functionStart_;
  std::map<u32, Value> values_;
  std::map<u32, Value> memory_;
  std::map<u32, Pointer> pointers_;
  u32 main_ = 0;
  std::vector<std::map<Key, Value>> outputs_;
  std::vector<std::vector<Captured>> captured_;
};

}  // namespace mgl::shader::test

// The two ways in which this folder calls glslang's parser.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shader/compiler/compiler.h"
#include "shader/compiler/interface.h"
#include "shader/compiler/source.h"

namespace mgl::shader {

struct PlainParse {
  bool ok = false;
  std::string log;
  ShaderInterface interface;
};

// Parses as plain GL: what is an error here is an error for the program.
PlainParse parsePlain(Stage stage, const SourceText& source, const CompileOptions& options);

struct CodeUnit {
  Stage stage = Stage::Vertex;
  const CodeText* code = nullptr;
  const Limits* limits = nullptr;
};

struct CodeResult {
  bool ok = false;
  std::string log;
  std::array<std::vector<u32>, countOf<Stage>()> spirv;
};

// Parses all units in the relaxed Vulkan mode, links them (units of a stage into one, the default uniform blocks of all
// stages into one layout) and generates SPIR-V without locations or bindings of our own.
CodeResult generateCode(const std::vector<CodeUnit>& units);

inline constexpr const char* kDefaultBlockName = "mgl_DefaultBlock";
inline constexpr const char* kAtomicBlockName = "mgl_AtomicBuffer";

}  // namespace mgl::shader

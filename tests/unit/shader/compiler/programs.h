// Compiling and linking in a line, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "shader/compiler/compiler.h"

namespace mgl::shader::test {

struct Source {
  Stage stage;
  std::string_view text;
};

// A core context with everything granted.
CompileOptions coreOptions();

CompileResult compile(Stage stage, std::string_view text, const CompileOptions& options = coreOptions());

// Compiles all (a failure fails the test) and links.
LinkResult link(const std::vector<Source>& sources, const LinkOptions& options = {});

// Links, expects success, a consistent archive and modules that SPIRV-Tools accepts for Vulkan 1.1.
LinkResult linkValid(const std::vector<Source>& sources, const LinkOptions& options = {});

// Links and expects failure with `part` in the log.
void expectLinkError(const std::vector<Source>& sources, std::string_view part, const LinkOptions& options = {});

const Uniform* findUniform(const Archive& archive, std::string_view name);
const InterfaceVariable* find(const std::vector<InterfaceVariable>& list, std::string_view name);

// The value of a decoration in a module: of the `nth` variable of that storage class that has it; -1 when there is
// none.
std::vector<u32> decorationsOf(const std::vector<u32>& module, u32 storageClass, u32 decoration);
bool hasInstruction(const std::vector<u32>& module, u16 opcode, u32 firstOperand, u32 position = 0);

inline constexpr std::string_view kVertex140 =
    "#version 140\nin vec4 position;\nvoid main() { gl_Position = position; }\n";
inline constexpr std::string_view kFragment140 = "#version 140\nout vec4 color;\nvoid main() { color = vec4(1.0); }\n";

}  // namespace mgl::shader::test

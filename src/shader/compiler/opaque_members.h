// Samplers and images inside structures. Vulkan's GLSL has none: the code parse sees each of them as a uniform of its
// own, an array over all dimensions on its path, and structures without them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shader/compiler/interface.h"
#include "shader/compiler/source.h"

namespace mgl::shader {

// "lights.shadow" for member shadow of the array lights: names only, `dims` holds the dimensions of all levels,
// outermost first.
struct OpaqueLeaf {
  std::string path;
  std::vector<u32> dims;
  UniformType type = UniformType::Sampler2D;

  u32 elements() const;
};

// Of a uniform: its opaque members at any depth, or itself when it is opaque.
std::vector<OpaqueLeaf> opaqueLeaves(const Variable& variable);

// What the uniform of a leaf is called in the code parse and in SPIR-V.
std::string hoistedName(std::string_view path);

// The path of a uniform as GL names it: "lights[1].shadow[0]" → "lights.shadow".
std::string pathOf(std::string_view uniformName);

// False when no uniform of the shader needs it; else `source` has the structures and uses rewritten, line for line, and
// `declarations` what the uses need. Structures passed to functions are not followed: the code parse then refuses the
// call.
bool hoistOpaqueMembers(const ShaderInterface& shader, SourceText& source, std::string& declarations);

}  // namespace mgl::shader

// The linker's working data, and its steps in the order in which linkProgram takes them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "shader/compiler/compiler.h"
#include "shader/compiler/interface.h"
#include "shader/compiler/shader_object.h"
#include "shader/compiler/spirv_module.h"

namespace mgl::shader {

// A variable of a stage, merged from all shaders of that stage.
struct StageVariable {
  Variable declared;
  bool live = false;      // mentioned by code that main can reach
  i32 location = -1;      // inputs and outputs, once assigned
  i32 index = 0;          // fragment outputs
  bool captured = false;  // outputs: by transform feedback
};

struct LinkStage {
  Stage stage = Stage::Vertex;
  std::vector<const ShaderObject*> shaders;
  ShaderInterface merged;  // modes only; functions and variables are in the fields below
  std::vector<StageVariable> variables;
  std::set<std::string, std::less<>> builtins;  // gl_ names in reachable code
  std::optional<SpirvModule> module;

  StageVariable* find(Storage storage, std::string_view linkName);
};

struct LinkProgram {
  const LinkOptions* options = nullptr;
  std::vector<LinkStage> stages;  // in pipeline order
  std::string log;
  bool failed = false;
  Archive archive;
  // The binding of each sampler and image variable, by its name in SPIR-V.
  std::map<std::string, std::pair<DescriptorSet, u32>, std::less<>> opaqueSlots;

  void error(const std::string& text);
  LinkStage* find(Stage stage);
  LinkStage* lastVertexStage();  // null in a program without one
};

const char* stageName(Stage stage);

// link_stage.cpp: merges the shaders of each stage; missing main, unresolved functions, recursion, conflicting globals.
void mergeStages(LinkProgram& program);

// link_check.cpp: which stages may stand together, uniforms and blocks across stages, the interface of each pair of
// stages.
void checkStages(LinkProgram& program);
void checkUniforms(LinkProgram& program);
void checkVaryings(LinkProgram& program);

// The type of one vertex's value: the outer dimension of per-vertex arrays is left out.
Type perVertexType(const Variable& variable, Stage stage);
// The output of `producer` that feeds `input`; null when there is none.
StageVariable* matchingOutput(LinkStage& producer, const StageVariable& input);

// link_varyings.cpp: locations of attributes, varyings and fragment outputs; their place in the archive.
void assignAttributes(LinkProgram& program);
void assignVaryings(LinkProgram& program);
void assignFragmentOutputs(LinkProgram& program);
void describeInterfaces(LinkProgram& program);

// link_xfb.cpp: resolves the names to capture, before locations are assigned (`captured`), and after it (the archive).
void resolveXfb(LinkProgram& program);
void describeXfb(LinkProgram& program);

// link_uniforms.cpp: uniforms, blocks and opaque resources of the archive, out of the SPIR-V and the declarations.
void describeUniforms(LinkProgram& program);

// spirv_finish.cpp: what the module says about itself for the archive, then names and unused variables out, locations
// and bindings in.
void describeModules(LinkProgram& program);
void finishModule(LinkProgram& program, LinkStage& stage);

// spirv_lower.cpp: rectangle samplers and gl_InstanceID, as archive.h's conventions have them.
void lowerRectangles(SpirvModule& module);
void lowerInstanceIndex(SpirvModule& module);

}  // namespace mgl::shader

#include <algorithm>
#include <map>

#include "shader/compiler/link_program.h"

namespace mgl::shader {
namespace {

bool sameQualifiers(const Layout& a, const Layout& b) { return a.offset == b.offset && a.rowMajor == b.rowMajor; }

// Empty when the two declarations of a uniform or storage block agree.
std::string blockDifference(const Variable& a, const Variable& b) {
  if (a.type.dims != b.type.dims) return "array sizes";
  const auto packing = [](const Variable& v) {
    return v.qualifiers.layout.packing == Packing::None ? Packing::Shared : v.qualifiers.layout.packing;
  };
  if (packing(a) != packing(b)) return "layouts";
  if (a.type.members->size() != b.type.members->size()) return "numbers of members";
  if (a.name.empty() != b.name.empty()) return "kinds: with and without an instance name";
  for (std::size_t i = 0; i < a.type.members->size(); ++i) {
    const Member& x = (*a.type.members)[i];
    const Member& y = (*b.type.members)[i];
    if (x.name != y.name) return "member names: `" + x.name + "' and `" + y.name + "'";
    if (!sameType(x.type, y.type)) return "types of member `" + x.name + "'";
    if (!sameQualifiers(x.qualifiers.layout, y.qualifiers.layout)) return "layouts of member `" + x.name + "'";
  }
  return "";
}

bool isPerVertexArray(const Variable& variable, Stage stage) {
  if (variable.qualifiers.patch) return false;
  if (variable.storage == Storage::Input)
    return stage == Stage::Geometry || stage == Stage::TessControl || stage == Stage::TessEval;
  return variable.storage == Storage::Output && stage == Stage::TessControl;
}

const char* interpolationName(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::Flat:
      return "flat";
    case Interpolation::NoPerspective:
      return "noperspective";
    default:
      return "smooth";
  }
}

Interpolation effective(Interpolation interpolation) {
  return interpolation == Interpolation::None ? Interpolation::Smooth : interpolation;
}

// Blocks match by name and members; their instance names mean nothing outside a stage.
std::string blockInterfaceDifference(const Type& a, const Type& b, u32 version) {
  if (a.dims != b.dims) return "array sizes";
  if (a.members->size() != b.members->size()) return "numbers of members";
  for (std::size_t i = 0; i < a.members->size(); ++i) {
    const Member& x = (*a.members)[i];
    const Member& y = (*b.members)[i];
    if (x.name != y.name) return "member names: `" + x.name + "' and `" + y.name + "'";
    if (!sameType(x.type, y.type)) return "types of member `" + x.name + "'";
    if (version < 440 && effective(x.qualifiers.interpolation) != effective(y.qualifiers.interpolation))
      return "interpolations of member `" + x.name + "'";
  }
  return "";
}

void checkPair(LinkProgram& program, LinkStage& producer, LinkStage& consumer) {
  const u32 version = std::max(producer.merged.version, consumer.merged.version);
  for (StageVariable& input : consumer.variables) {
    const Variable& in = input.declared;
    if (in.storage != Storage::Input || in.qualifiers.isBuiltin) continue;
    StageVariable* output = matchingOutput(producer, input);
    const std::string where =
        std::string(" between the ") + stageName(producer.stage) + " and the " + stageName(consumer.stage) + " shader";
    if (!output) {
      if (input.live)
        program.error("`" + in.linkName() + "' is an input of the " + stageName(consumer.stage) +
                      " shader but no output of the " + stageName(producer.stage) + " shader");
      continue;
    }
    const Variable& out = output->declared;
    const Type inType = perVertexType(in, consumer.stage);
    const Type outType = perVertexType(out, producer.stage);
    if (in.isBlock != out.isBlock) {
      program.error("`" + in.linkName() + "' is a block in one stage and none in the other" + where);
      continue;
    }
    if (in.isBlock) {
      const std::string difference = blockInterfaceDifference(outType, inType, version);
      if (!difference.empty()) program.error("block `" + in.blockName + "' has different " + difference + where);
      continue;
    }
    if (!sameType(inType, outType)) {
      program.error("`" + in.name + "' has different types" + where + ": " + spelling(outType) + " and " +
                    spelling(inType));
      continue;
    }
    if (in.qualifiers.patch != out.qualifiers.patch)
      program.error("`" + in.name + "' is `patch' on one side only" + where);
    if (version < 430 && in.qualifiers.sample != out.qualifiers.sample)
      program.error("`" + in.name + "' is `sample' on one side only" + where);
    if (version < 420 && !producer.merged.es && in.qualifiers.invariant != out.qualifiers.invariant && version >= 130 &&
        consumer.stage == Stage::Fragment)
      program.error("`" + in.name + "' is `invariant' on one side only" + where);
    if (version < 440 && effective(in.qualifiers.interpolation) != effective(out.qualifiers.interpolation))
      program.error("`" + in.name + "' is " + interpolationName(out.qualifiers.interpolation) + " on one side and " +
                    interpolationName(in.qualifiers.interpolation) + " on the other" + where);
  }
}

}  // namespace

Type perVertexType(const Variable& variable, Stage stage) {
  return isPerVertexArray(variable, stage) && variable.type.isArray() ? variable.type.element() : variable.type;
}

StageVariable* matchingOutput(LinkStage& producer, const StageVariable& input) {
  StageVariable* byName = producer.find(Storage::Output, input.declared.linkName());
  const i32 location = input.declared.qualifiers.layout.location;
  if (location < 0 || (byName && byName->declared.qualifiers.layout.location == location)) return byName;
  const i32 component = std::max(input.declared.qualifiers.layout.component, 0);
  for (StageVariable& output : producer.variables) {
    const Layout& layout = output.declared.qualifiers.layout;
    if (output.declared.storage == Storage::Output && layout.location == location &&
        std::max(layout.component, 0) == component && output.declared.isBlock == input.declared.isBlock)
      return &output;
  }
  // An explicit location on one side only matches nothing by location, and implementations then go by name.
  return byName && byName->declared.qualifiers.layout.location < 0 ? byName : nullptr;
}

void checkStages(LinkProgram& program) {
  // Whatever the limits say: what follows expands variables element by element.
  constexpr u32 kMostSlots = 4096;
  constexpr u32 kMostComponents = 1u << 24;
  for (const LinkStage& stage : program.stages) {
    for (const StageVariable& variable : stage.variables) {
      const Variable& declared = variable.declared;
      const bool io = declared.storage == Storage::Input || declared.storage == Storage::Output;
      if (io ? locationSlots(declared.type) > kMostSlots : componentCount(declared.type) > kMostComponents)
        program.error("`" + declared.linkName() + "' is too large");
      const bool opaque = declared.storage == Storage::Uniform && !declared.type.isStruct() &&
                          uniformTypeInfo(declared.type.data).isOpaque();
      if (declared.type.dims.size() > 1 && (opaque || (declared.isBlock && !io)) &&
          declared.type.data != UniformType::AtomicUint)
        program.error("`" + declared.linkName() + "' is an array of arrays of " +
                      (opaque ? "samplers or images" : "blocks") + ", which MobileGL does not support yet");
    }
  }
  const bool has[] = {program.find(Stage::Vertex) != nullptr,   program.find(Stage::TessControl) != nullptr,
                      program.find(Stage::TessEval) != nullptr, program.find(Stage::Geometry) != nullptr,
                      program.find(Stage::Fragment) != nullptr, program.find(Stage::Compute) != nullptr};
  if (has[5] && program.stages.size() > 1)
    program.error("a compute shader may not be linked with shaders of other stages");
  if (!program.options->separable) {
    if (has[3] && !has[0]) program.error("a geometry shader must be linked with a vertex shader");
    if (has[2] && !has[0]) program.error("a tessellation evaluation shader must be linked with a vertex shader");
    if (has[1] && !has[0]) program.error("a tessellation control shader must be linked with a vertex shader");
    if (has[1] && !has[2])
      program.error("a tessellation control shader must be linked with a tessellation evaluation shader");
    if (program.options->profile == Profile::Es && !has[5] && (!has[0] || !has[4]))
      program.error("a program needs a vertex and a fragment shader");
  }
  bool es = false, desktop = false;
  for (const LinkStage& stage : program.stages) {
    for (const ShaderObject* shader : stage.shaders) (shader->interface.es ? es : desktop) = true;
  }
  if (es && desktop) program.error("shaders of GLSL and of GLSL ES may not be linked together");
  if (LinkStage* geometry = program.find(Stage::Geometry)) {
    if (!geometry->merged.hasGeometryInput) program.error("the geometry shader declares no input primitive");
    if (!geometry->merged.hasGeometryOutput) program.error("the geometry shader declares no output primitive");
    if (!geometry->merged.hasMaxVertices) program.error("the geometry shader declares no max_vertices");
  }
  if (LinkStage* control = program.find(Stage::TessControl); control && control->merged.tess.outputVertices == 0)
    program.error("the tessellation control shader declares no number of output vertices");
  if (LinkStage* evaluation = program.find(Stage::TessEval); evaluation && !evaluation->merged.hasGeometryInput)
    program.error("the tessellation evaluation shader declares no primitive mode");
  for (LinkStage& stage : program.stages) {
    if (stage.builtins.count("gl_ClipVertex") && stage.builtins.count("gl_ClipDistance"))
      program.error(std::string("the ") + stageName(stage.stage) +
                    " shader writes both gl_ClipVertex and gl_ClipDistance");
    if (stage.stage != Stage::Fragment) continue;
    bool userOutput = false;
    for (const StageVariable& variable : stage.variables)
      userOutput |=
          variable.live && variable.declared.storage == Storage::Output && !variable.declared.qualifiers.isBuiltin;
    const bool color = stage.builtins.count("gl_FragColor"), data = stage.builtins.count("gl_FragData");
    if (color && data) program.error("the fragment shader writes both gl_FragColor and gl_FragData");
    if (userOutput && (color || data))
      program.error("the fragment shader writes both user-defined outputs and " +
                    std::string(color ? "gl_FragColor" : "gl_FragData"));
  }
}

void checkUniforms(LinkProgram& program) {
  struct First {
    const StageVariable* variable;
    Stage stage;
  };
  std::map<std::string_view, First> uniforms, uniformBlocks, storageBlocks;
  for (const LinkStage& stage : program.stages) {
    for (const StageVariable& variable : stage.variables) {
      const Variable& here = variable.declared;
      if (here.qualifiers.isBuiltin || (here.storage != Storage::Uniform && here.storage != Storage::Buffer)) continue;
      auto& seen = !here.isBlock ? uniforms : here.storage == Storage::Uniform ? uniformBlocks : storageBlocks;
      const auto [at, added] = seen.emplace(here.linkName(), First{&variable, stage.stage});
      if (added) continue;
      const Variable& there = at->second.variable->declared;
      const std::string where =
          std::string(" in the ") + stageName(at->second.stage) + " and the " + stageName(stage.stage) + " shader";
      if (here.isBlock) {
        const std::string difference = blockDifference(there, here);
        if (!difference.empty()) program.error("block `" + here.blockName + "' has different " + difference + where);
      } else {
        const bool sized = here.type.dims == there.type.dims;
        if (!sameType(here.type, there.type) || !sized)
          program.error("uniform `" + here.name + "' has different types" + where + ": " + spelling(there.type) +
                        " and " + spelling(here.type));
        const auto differ = [](i32 a, i32 b) { return a >= 0 && b >= 0 && a != b; };
        if (differ(here.qualifiers.layout.location, there.qualifiers.layout.location))
          program.error("uniform `" + here.name + "' has different locations" + where);
        if (!here.initial.empty() && !there.initial.empty() && here.initial != there.initial)
          program.error("uniform `" + here.name + "' has different initial values" + where);
        if (program.options->profile == Profile::Es && here.type.precision != there.type.precision)
          program.error("uniform `" + here.name + "' has different precisions" + where);
        if (differ(here.qualifiers.layout.offset, there.qualifiers.layout.offset))
          program.error("uniform `" + here.name + "' has different offsets" + where);
      }
      if (here.qualifiers.layout.binding >= 0 && there.qualifiers.layout.binding >= 0 &&
          here.qualifiers.layout.binding != there.qualifiers.layout.binding)
        program.error("`" + here.linkName() + "' has different bindings" + where);
    }
  }
  // The same name for a loose uniform and for a member of a block without an instance name.
  for (const auto& [name, block] : uniformBlocks) {
    const Variable& declared = block.variable->declared;
    if (!declared.name.empty()) continue;
    for (const Member& member : *declared.type.members) {
      if (uniforms.count(member.name))
        program.error("`" + member.name + "' is a uniform in one shader and a member of block `" + declared.blockName +
                      "' in another");
      for (const auto& [otherName, other] : uniformBlocks) {
        if (otherName <= name || !other.variable->declared.name.empty()) continue;
        for (const Member& otherMember : *other.variable->declared.type.members) {
          if (otherMember.name == member.name)
            program.error("`" + member.name + "' is a member of block `" + declared.blockName + "' and of block `" +
                          other.variable->declared.blockName + "'");
        }
      }
    }
  }
}

void checkVaryings(LinkProgram& program) {
  for (std::size_t i = 1; i < program.stages.size(); ++i) {
    if (program.stages[i].stage != Stage::Compute) checkPair(program, program.stages[i - 1], program.stages[i]);
  }
}

}  // namespace mgl::shader

#include <algorithm>

#include "shader/compiler/link_program.h"

namespace mgl::shader {
namespace {

// Which locations are taken.
class LocationMap {
 public:
  bool isFree(u32 first, u32 count) const {
    for (u32 i = first; i < first + count && i < used_.size(); ++i) {
      if (used_[i]) return false;
    }
    return true;
  }
  void take(u32 first, u32 count) {
    if (used_.size() < first + count) used_.resize(first + count);
    std::fill_n(used_.begin() + first, count, true);
  }
  // The lowest gap of that length, taken.
  u32 allocate(u32 count) {
    u32 first = 0;
    while (!isFree(first, count)) ++first;
    take(first, count);
    return first;
  }

 private:
  std::vector<bool> used_;
};

// Explicit location of a variable: its own, or the lowest of its members' for a block whose members carry them.
i32 explicitLocation(const Variable& variable) {
  if (variable.qualifiers.layout.location >= 0) return variable.qualifiers.layout.location;
  if (!variable.isBlock) return -1;
  i32 lowest = -1;
  for (const Member& member : *variable.type.members) {
    const i32 location = member.qualifiers.layout.location;
    if (location >= 0 && (lowest < 0 || location < lowest)) lowest = location;
  }
  return lowest;
}

void takeExplicit(LocationMap& map, const Variable& variable, Stage stage) {
  if (variable.isBlock && variable.qualifiers.layout.location < 0) {
    for (const Member& member : *variable.type.members) {
      if (member.qualifiers.layout.location >= 0)
        map.take(static_cast<u32>(member.qualifiers.layout.location), locationSlots(member.type));
    }
    return;
  }
  map.take(static_cast<u32>(variable.qualifiers.layout.location), locationSlots(perVertexType(variable, stage)));
}

bool isUserInterface(const StageVariable& variable, Storage storage) {
  return variable.declared.storage == storage && !variable.declared.qualifiers.isBuiltin;
}

// An outer interface of a separable program: the same declarations on both sides of the pipeline must get the same
// locations, so the order is that of the names, whatever is live.
void assignOuter(LinkStage& stage, Storage storage) {
  LocationMap map;
  std::vector<StageVariable*> open;
  for (StageVariable& variable : stage.variables) {
    if (!isUserInterface(variable, storage)) continue;
    variable.location = explicitLocation(variable.declared);
    if (variable.location >= 0)
      takeExplicit(map, variable.declared, stage.stage);
    else
      open.push_back(&variable);
  }
  std::stable_sort(open.begin(), open.end(), [](const StageVariable* a, const StageVariable* b) {
    return a->declared.linkName() < b->declared.linkName();
  });
  for (StageVariable* variable : open)
    variable->location = static_cast<i32>(map.allocate(locationSlots(perVertexType(variable->declared, stage.stage))));
}

u32 inputComponentLimit(const Limits& limits, Stage stage) {
  switch (stage) {
    case Stage::TessControl:
      return limits.maxTessControlInputComponents;
    case Stage::TessEval:
      return limits.maxTessEvalInputComponents;
    case Stage::Geometry:
      return limits.maxGeometryInputComponents;
    default:
      return std::max(limits.maxVaryingComponents, limits.maxFragmentInputComponents);
  }
}

u32 outputComponentLimit(const Limits& limits, Stage stage) {
  switch (stage) {
    case Stage::TessControl:
      return limits.maxTessControlOutputComponents;
    case Stage::TessEval:
      return limits.maxTessEvalOutputComponents;
    case Stage::Geometry:
      return limits.maxGeometryOutputComponents;
    default:
      return limits.maxVertexOutputComponents;
  }
}

void assignPair(LinkProgram& program, LinkStage& producer, LinkStage& consumer) {
  LocationMap map;
  for (StageVariable& variable : producer.variables) {
    if (!isUserInterface(variable, Storage::Output)) continue;
    variable.location = explicitLocation(variable.declared);
    if (variable.location >= 0) takeExplicit(map, variable.declared, producer.stage);
  }
  for (StageVariable& variable : consumer.variables) {
    if (!isUserInterface(variable, Storage::Input)) continue;
    variable.location = explicitLocation(variable.declared);
    if (variable.location >= 0) takeExplicit(map, variable.declared, consumer.stage);
  }
  u32 inputComponents = 0, outputComponents = 0;
  const auto joinWithProducer = [&](StageVariable& input) {
    StageVariable* output = matchingOutput(producer, input);
    if (!output) return;
    if (output->location < 0 && input.location < 0)
      output->location =
          static_cast<i32>(map.allocate(std::max(locationSlots(perVertexType(output->declared, producer.stage)),
                                                 locationSlots(perVertexType(input.declared, consumer.stage)))));
    if (output->location < 0) output->location = input.location;
    if (input.location < 0) input.location = output->location;
  };
  // What is used first: it shall have the low locations.
  for (const bool live : {true, false}) {
    for (StageVariable& input : consumer.variables) {
      if (!isUserInterface(input, Storage::Input) || input.live != live) continue;
      joinWithProducer(input);
      if (live && !input.declared.qualifiers.patch)
        inputComponents += componentCount(perVertexType(input.declared, consumer.stage));
    }
  }
  for (const bool live : {true, false}) {
    for (StageVariable& output : producer.variables) {
      if (!isUserInterface(output, Storage::Output) || (output.live || output.captured) != live) continue;
      if (output.location < 0)
        output.location = static_cast<i32>(map.allocate(locationSlots(perVertexType(output.declared, producer.stage))));
      if (live && !output.declared.qualifiers.patch)
        outputComponents += componentCount(perVertexType(output.declared, producer.stage));
    }
  }
  for (StageVariable& input : consumer.variables) {
    if (isUserInterface(input, Storage::Input) && input.location < 0)
      input.location = static_cast<i32>(map.allocate(locationSlots(perVertexType(input.declared, consumer.stage))));
  }
  const Limits& limits = program.options->limits;
  if (inputComponents > inputComponentLimit(limits, consumer.stage))
    program.error(std::string("the ") + stageName(consumer.stage) +
                  " shader uses too many input components: " + std::to_string(inputComponents) + " of " +
                  std::to_string(inputComponentLimit(limits, consumer.stage)));
  if (outputComponents > outputComponentLimit(limits, producer.stage))
    program.error(std::string("the ") + stageName(producer.stage) +
                  " shader uses too many output components: " + std::to_string(outputComponents) + " of " +
                  std::to_string(outputComponentLimit(limits, producer.stage)));
}

// Calls visit(name, type without struct, location offset) for each leaf as GL names them: arrays of structures element
// by element.
template <class Visit>
void forEachLeaf(const std::string& name, const Type& type, i32 location, Visit& visit) {
  if (type.isStruct()) {
    if (type.isArray()) {
      const Type element = type.element();
      for (u32 i = 0; i < std::max(type.dims[0], 1u); ++i) {
        forEachLeaf(name + "[" + std::to_string(i) + "]", element, location, visit);
        location += static_cast<i32>(locationSlots(element));
      }
      return;
    }
    for (const Member& member : *type.members) {
      const i32 own = member.qualifiers.layout.location;
      if (own >= 0) location = own;
      forEachLeaf(name.empty() ? member.name : name + "." + member.name, member.type, location, visit);
      location += static_cast<i32>(locationSlots(member.type));
    }
    return;
  }
  if (type.dims.size() > 1) {
    const Type element = type.element();
    for (u32 i = 0; i < std::max(type.dims[0], 1u); ++i) {
      forEachLeaf(name + "[" + std::to_string(i) + "]", element, location, visit);
      location += static_cast<i32>(locationSlots(element));
    }
    return;
  }
  visit(name, type, location);
}

void describeVariable(const StageVariable& variable, Stage stage, std::vector<InterfaceVariable>& list) {
  const Variable& declared = variable.declared;
  const auto add = [&](const std::string& name, const Type& type, i32 location) {
    InterfaceVariable entry;
    entry.isArray = type.isArray();
    entry.name = entry.isArray ? name + "[0]" : name;
    entry.type = type.data;
    entry.arraySize = entry.isArray ? std::max(type.dims[0], 1u) : 1;
    entry.location = declared.qualifiers.isBuiltin ? -1 : location;
    entry.component = std::max(declared.qualifiers.layout.component, 0);
    entry.index = variable.index;
    entry.perPatch = declared.qualifiers.patch;
    entry.isBuiltin = declared.qualifiers.isBuiltin;
    entry.stages = stageBit(stage);
    list.push_back(std::move(entry));
  };
  std::string root = declared.isBlock ? (declared.name.empty() ? "" : declared.blockName) : declared.name;
  forEachLeaf(root, perVertexType(declared, stage), variable.location, add);
}

void describeBuiltin(const std::string& name, UniformType type, Stage stage, std::vector<InterfaceVariable>& list) {
  InterfaceVariable entry;
  entry.name = name;
  entry.type = type;
  entry.isBuiltin = true;
  entry.stages = stageBit(stage);
  list.push_back(std::move(entry));
}

}  // namespace

// A dvec3 or dvec4 takes two locations, as in Vulkan; GL lets an implementation count them so.
void assignAttributes(LinkProgram& program) {
  LinkStage* stage = program.find(Stage::Vertex);
  if (!stage) return;
  const u32 limit = program.options->limits.maxVertexAttribs;
  LocationMap map;
  std::vector<StageVariable*> open, dead;
  for (StageVariable& variable : stage->variables) {
    if (!isUserInterface(variable, Storage::Input)) continue;
    const u32 slots = locationSlots(variable.declared.type);
    i32 location = variable.declared.qualifiers.layout.location;
    if (location < 0) {
      const auto bound = program.options->attributeBindings.find(variable.declared.name);
      if (bound != program.options->attributeBindings.end()) location = static_cast<i32>(bound->second);
    }
    if (!variable.live) {
      dead.push_back(&variable);
      continue;
    }
    if (location < 0) {
      open.push_back(&variable);
      continue;
    }
    if (static_cast<u32>(location) + slots > limit) {
      program.error("attribute `" + variable.declared.name + "' does not fit at location " + std::to_string(location));
      continue;
    }
    if (!map.isFree(static_cast<u32>(location), slots))
      program.error("attribute `" + variable.declared.name + "' overlaps another one at location " +
                    std::to_string(location));
    map.take(static_cast<u32>(location), slots);
    variable.location = location;
  }
  // Wide ones first, or a matrix may find no gap.
  std::stable_sort(open.begin(), open.end(), [](const StageVariable* a, const StageVariable* b) {
    return locationSlots(a->declared.type) > locationSlots(b->declared.type);
  });
  for (StageVariable* variable : open) {
    const u32 slots = locationSlots(variable->declared.type);
    const u32 location = map.allocate(slots);
    if (location + slots > limit) {
      program.error("too many vertex attributes: no location is left for `" + variable->declared.name + "'");
      return;
    }
    variable->location = static_cast<i32>(location);
  }
  // Not active, but the code may still mention them in branches that never run.
  for (StageVariable* variable : dead)
    variable->location = static_cast<i32>(map.allocate(locationSlots(variable->declared.type)));
  for (const StageVariable& variable : stage->variables) {
    if (!isUserInterface(variable, Storage::Input) || !variable.live || variable.location < 0) continue;
    const u32 slots = locationSlots(variable.declared.type, true);
    for (u32 i = 0; i < slots && static_cast<u32>(variable.location) + i < 32; ++i)
      program.archive.attributeMask |= 1u << (static_cast<u32>(variable.location) + i);
  }
}

void assignVaryings(LinkProgram& program) {
  if (program.stages.front().stage == Stage::Compute) return;
  for (std::size_t i = 1; i < program.stages.size(); ++i) assignPair(program, program.stages[i - 1], program.stages[i]);
  if (program.stages.front().stage != Stage::Vertex) assignOuter(program.stages.front(), Storage::Input);
  if (program.stages.back().stage != Stage::Fragment) assignOuter(program.stages.back(), Storage::Output);
}

void assignFragmentOutputs(LinkProgram& program) {
  LinkStage* stage = program.find(Stage::Fragment);
  if (!stage) return;
  const Limits& limits = program.options->limits;
  const auto& bindings = program.options->fragDataBindings;
  LocationMap maps[2];
  std::vector<StageVariable*> open, dead;
  Archive& archive = program.archive;
  const auto noteOutput = [&](u32 location, u32 index, u32 slots) {
    if (index == 1) archive.dualSource = true;
    for (u32 i = 0; i < slots && location + i < 32 && index == 0; ++i) archive.colorOutputMask |= 1u << (location + i);
  };
  for (StageVariable& variable : stage->variables) {
    if (!isUserInterface(variable, Storage::Output)) continue;
    if (!variable.live) {
      dead.push_back(&variable);
      continue;
    }
    const Variable& declared = variable.declared;
    const u32 slots = locationSlots(declared.type);
    i32 location = declared.qualifiers.layout.location;
    i32 index = std::max(declared.qualifiers.layout.index, 0);
    if (location < 0) {
      auto bound = bindings.find(declared.name);
      if (bound == bindings.end() && declared.type.isArray()) bound = bindings.find(declared.name + "[0]");
      if (bound != bindings.end()) {
        location = static_cast<i32>(bound->second.location);
        index = static_cast<i32>(bound->second.index);
      }
    }
    if (location < 0) {
      open.push_back(&variable);
      continue;
    }
    const u32 limit = index ? limits.maxDualSourceDrawBuffers : limits.maxDrawBuffers;
    if (index > 1 || static_cast<u32>(location) + slots > limit) {
      program.error("fragment output `" + declared.name + "' does not fit at location " + std::to_string(location));
      continue;
    }
    LocationMap& map = maps[index];
    if (declared.qualifiers.layout.component <= 0 && !map.isFree(static_cast<u32>(location), slots))
      program.error("fragment output `" + declared.name + "' overlaps another one at location " +
                    std::to_string(location));
    map.take(static_cast<u32>(location), slots);
    variable.location = location;
    variable.index = index;
    noteOutput(static_cast<u32>(location), static_cast<u32>(index), slots);
  }
  for (StageVariable* variable : open) {
    const u32 slots = locationSlots(variable->declared.type);
    const u32 location = maps[0].allocate(slots);
    if (location + slots > limits.maxDrawBuffers) {
      program.error("too many fragment outputs: no location is left for `" + variable->declared.name + "'");
      return;
    }
    variable->location = static_cast<i32>(location);
    noteOutput(location, 0, slots);
  }
  for (StageVariable* variable : dead)
    variable->location = static_cast<i32>(maps[0].allocate(locationSlots(variable->declared.type)));
  if (stage->builtins.count("gl_FragColor")) {
    archive.fragColorBroadcast = true;
    archive.colorOutputMask |= 1;
  }
  if (stage->builtins.count("gl_FragData")) {
    const u32 count = static_cast<u32>(std::max(stage->merged.maxFragDataIndex, 0)) + 1;
    archive.colorOutputMask |= (1u << std::min(count, 8u)) - 1;
  }
}

void describeInterfaces(LinkProgram& program) {
  LinkStage& first = program.stages.front();
  LinkStage& last = program.stages.back();
  if (first.stage == Stage::Compute) return;
  for (const StageVariable& variable : first.variables) {
    if (isUserInterface(variable, Storage::Input) && variable.live)
      describeVariable(variable, first.stage, program.archive.inputs);
  }
  if (first.stage == Stage::Vertex) {
    for (const char* name : {"gl_VertexID", "gl_InstanceID"}) {
      if (first.builtins.count(name)) describeBuiltin(name, UniformType::Int, first.stage, program.archive.inputs);
    }
  }
  for (const StageVariable& variable : last.variables) {
    if (isUserInterface(variable, Storage::Output) && variable.live)
      describeVariable(variable, last.stage, program.archive.outputs);
  }
  if (last.stage == Stage::Fragment) {
    if (last.builtins.count("gl_FragColor"))
      describeBuiltin("gl_FragColor", UniformType::FloatVec4, last.stage, program.archive.outputs);
    if (last.builtins.count("gl_FragData"))
      describeBuiltin("gl_FragData[0]", UniformType::FloatVec4, last.stage, program.archive.outputs);
    if (last.builtins.count("gl_FragDepth"))
      describeBuiltin("gl_FragDepth", UniformType::Float, last.stage, program.archive.outputs);
  }
}

}  // namespace mgl::shader

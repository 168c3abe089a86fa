#include <algorithm>
#include <map>

#include "shader/compiler/link_program.h"

namespace mgl::shader {
namespace {

struct FunctionRef {
  const ShaderObject* shader = nullptr;
  const Function* function = nullptr;
};
using FunctionMap = std::map<std::string_view, FunctionRef>;

std::string readable(std::string_view mangled) { return std::string(mangled.substr(0, mangled.find('('))); }

// Visits the call graph depth first. `path` holds the functions being visited.
bool hasCycle(const FunctionMap& functions, std::string_view name, std::set<std::string_view>& done,
              std::vector<std::string_view>& path, std::string& culprit) {
  if (std::find(path.begin(), path.end(), name) != path.end()) {
    culprit = readable(name);
    return true;
  }
  if (done.count(name)) return false;
  const auto found = functions.find(name);
  if (found == functions.end()) return false;
  path.push_back(name);
  for (const std::string& callee : found->second.function->calls) {
    if (hasCycle(functions, callee, done, path, culprit)) return true;
  }
  path.pop_back();
  done.insert(name);
  return false;
}

// Sizes by use: the larger one holds, a declared one above all.
void joinSizes(Type& into, const Type& from) {
  if (into.isArray() && from.isArray() && into.sizedByUse) {
    into.dims[0] = from.sizedByUse ? std::max(into.dims[0], from.dims[0]) : from.dims[0];
    into.sizedByUse = from.sizedByUse;
  }
  if (!into.isStruct() || !from.isStruct() || into.members == from.members) return;
  auto members = std::make_shared<std::vector<Member>>(*into.members);
  for (std::size_t i = 0; i < members->size() && i < from.members->size(); ++i)
    joinSizes((*members)[i].type, (*from.members)[i].type);
  into.members = std::move(members);
}

// Merges `from` into the stage's variable of the same name, or adds it. Returns its index.
std::size_t mergeVariable(LinkProgram& program, LinkStage& stage, const Variable& from) {
  for (std::size_t i = 0; i < stage.variables.size(); ++i) {
    Variable& into = stage.variables[i].declared;
    if (into.storage != from.storage || into.isBlock != from.isBlock || into.linkName() != from.linkName()) continue;
    if (into.qualifiers.isBuiltin) return i;
    if (!sameType(into.type, from.type))
      program.error("`" + from.linkName() + "' is declared with different types in two " + stageName(stage.stage) +
                    " shaders: " + spelling(into.type) + " and " + spelling(from.type));
    joinSizes(into.type, from.type);
    const auto mergeValue = [&](i32& a, i32 b, const char* what) {
      if (a >= 0 && b >= 0 && a != b)
        program.error("`" + from.linkName() + "' has different " + what + " qualifiers in two " +
                      stageName(stage.stage) + " shaders");
      if (a < 0) a = b;
    };
    mergeValue(into.qualifiers.layout.location, from.qualifiers.layout.location, "location");
    mergeValue(into.qualifiers.layout.binding, from.qualifiers.layout.binding, "binding");
    mergeValue(into.qualifiers.layout.index, from.qualifiers.layout.index, "index");
    if (!into.initial.empty() && !from.initial.empty() && into.initial != from.initial)
      program.error("`" + from.linkName() + "' has different initial values");
    if (into.initial.empty()) into.initial = from.initial;
    return i;
  }
  stage.variables.push_back({from, false, -1, 0, false});
  return stage.variables.size() - 1;
}

void mergeModes(LinkProgram& program, LinkStage& stage) {
  ShaderInterface& to = stage.merged;
  const auto conflict = [&](const char* what) {
    program.error(std::string("the ") + stageName(stage.stage) + " shaders declare different " + what);
  };
  for (const ShaderObject* shader : stage.shaders) {
    const ShaderInterface& from = shader->interface;
    to.version = std::max(to.version, from.version);
    to.es |= from.es;
    to.originUpperLeft |= from.originUpperLeft;
    to.pixelCenterInteger |= from.pixelCenterInteger;
    to.earlyFragmentTests |= from.earlyFragmentTests;
    to.maxFragDataIndex = std::max(to.maxFragDataIndex, from.maxFragDataIndex);
    if (from.depthLayout != DepthLayout::None) to.depthLayout = from.depthLayout;
    for (u32 i = 0; i < 4; ++i) to.xfbStrides[i] = std::max(to.xfbStrides[i], from.xfbStrides[i]);
    if (from.hasGeometryInput) {
      if (to.hasGeometryInput && (to.geometry.input != from.geometry.input || to.tess.domain != from.tess.domain))
        conflict("input primitives");
      to.hasGeometryInput = true;
      to.geometry.input = from.geometry.input;
      to.tess.domain = from.tess.domain;
      to.tess.spacing = from.tess.spacing;
      to.tess.counterClockwise = from.tess.counterClockwise;
      to.tess.pointMode |= from.tess.pointMode;
    }
    if (from.hasGeometryOutput) {
      if (to.hasGeometryOutput && to.geometry.output != from.geometry.output) conflict("output primitives");
      to.hasGeometryOutput = true;
      to.geometry.output = from.geometry.output;
    }
    if (from.hasMaxVertices) {
      if (to.hasMaxVertices && to.geometry.maxVertices != from.geometry.maxVertices) conflict("max_vertices");
      to.hasMaxVertices = true;
      to.geometry.maxVertices = from.geometry.maxVertices;
    }
    to.geometry.invocations = std::max(to.geometry.invocations, from.geometry.invocations);
    to.geometry.streamMask |= from.geometry.streamMask;
    if (from.tess.outputVertices) {
      if (to.tess.outputVertices && to.tess.outputVertices != from.tess.outputVertices)
        conflict("numbers of output vertices");
      to.tess.outputVertices = from.tess.outputVertices;
    }
    for (u32 i = 0; i < 3; ++i) to.localSize[i] = std::max(to.localSize[i], from.localSize[i]);
  }
}

void mergeStage(LinkProgram& program, LinkStage& stage) {
  stage.merged.stage = stage.stage;
  mergeModes(program, stage);

  FunctionMap functions;
  for (const ShaderObject* shader : stage.shaders) {
    for (const Function& function : shader->interface.functions) {
      if (function.name.empty() || !function.defined) continue;
      const bool added = functions.emplace(function.name, FunctionRef{shader, &function}).second;
      if (!added)
        program.error("function `" + readable(function.name) + "' is defined in more than one " +
                      stageName(stage.stage) + " shader");
    }
  }
  if (!functions.count("main("))
    program.error(std::string("the ") + stageName(stage.stage) + " shader has no main function");
  std::set<std::string_view> acyclic;
  std::string culprit;
  for (const auto& [name, reference] : functions) {
    std::vector<std::string_view> path;
    if (hasCycle(functions, name, acyclic, path, culprit)) {
      program.error("function `" + culprit + "' has static recursion");
      return;
    }
  }

  // Which of a shader's variables became which of the stage's.
  std::map<const ShaderObject*, std::vector<std::size_t>> merged;
  for (const ShaderObject* shader : stage.shaders) {
    for (const Variable& variable : shader->interface.variables)
      merged[shader].push_back(mergeVariable(program, stage, variable));
  }
  std::vector<FunctionRef> queue;
  std::set<std::string_view> reached;
  for (const ShaderObject* shader : stage.shaders) {
    if (!shader->interface.functions.empty()) queue.push_back({shader, &shader->interface.functions[0]});
  }
  if (const auto entry = functions.find("main("); entry != functions.end()) queue.push_back(entry->second);
  while (!queue.empty()) {
    const FunctionRef at = queue.back();
    queue.pop_back();
    for (u32 used : at.function->uses) stage.variables[merged[at.shader][used]].live = true;
    stage.builtins.insert(at.function->builtins.begin(), at.function->builtins.end());
    for (const std::string& callee : at.function->calls) {
      if (!reached.insert(callee).second) continue;
      const auto found = functions.find(callee);
      if (found == functions.end())
        program.error("unresolved reference to function `" + readable(callee) + "'");
      else
        queue.push_back(found->second);
    }
  }
}

}  // namespace

StageVariable* LinkStage::find(Storage storage, std::string_view linkName) {
  for (StageVariable& variable : variables) {
    if (variable.declared.storage == storage && variable.declared.linkName() == linkName) return &variable;
  }
  return nullptr;
}

void LinkProgram::error(const std::string& text) {
  log += "ERROR: " + text + "\n";
  failed = true;
}

LinkStage* LinkProgram::find(Stage stage) {
  for (LinkStage& candidate : stages) {
    if (candidate.stage == stage) return &candidate;
  }
  return nullptr;
}

LinkStage* LinkProgram::lastVertexStage() {
  for (Stage stage : {Stage::Geometry, Stage::TessEval, Stage::Vertex}) {
    if (LinkStage* found = find(stage)) return found;
  }
  return nullptr;
}

const char* stageName(Stage stage) {
  switch (stage) {
    case Stage::Vertex:
      return "vertex";
    case Stage::TessControl:
      return "tessellation control";
    case Stage::TessEval:
      return "tessellation evaluation";
    case Stage::Geometry:
      return "geometry";
    case Stage::Fragment:
      return "fragment";
    default:
      return "compute";
  }
}

void mergeStages(LinkProgram& program) {
  for (LinkStage& stage : program.stages) mergeStage(program, stage);
}

}  // namespace mgl::shader

#include <algorithm>
#include <charconv>
#include <map>

#include "shader/compiler/link_program.h"

namespace mgl::shader {
namespace {

// A name to capture, taken apart.
struct Capture {
  StageVariable* variable = nullptr;
  std::vector<std::string> path;  // members after the variable's own name
  Type type;                      // what is captured
  u32 locationOffset = 0;
  u32 component = 0;
  u32 firstElement = 0;
  bool whole = true;
};

struct Part {
  std::string name;
  std::vector<u32> indices;
};

// "a[1].b" → {a, [1]}, {b, []}; empty when the name is not well formed.
std::vector<Part> splitName(std::string_view name) {
  std::vector<Part> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of(".["), name.size());
    Part part{std::string(name.substr(0, end)), {}};
    if (part.name.empty()) return {};
    name.remove_prefix(end);
    while (!name.empty() && name[0] == '[') {
      const std::size_t close = name.find(']');
      if (close == std::string_view::npos) return {};
      u32 index = 0;
      const auto parsed = std::from_chars(name.data() + 1, name.data() + close, index);
      if (parsed.ec != std::errc() || parsed.ptr != name.data() + close) return {};
      part.indices.push_back(index);
      name.remove_prefix(close + 1);
    }
    if (!name.empty()) {
      if (name[0] != '.') return {};
      name.remove_prefix(1);
      if (name.empty()) return {};
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

bool applyIndices(const Part& part, Capture& capture) {
  for (u32 index : part.indices) {
    if (!capture.type.isArray() || index >= capture.type.dims[0]) return false;
    capture.type = capture.type.element();
    capture.locationOffset += index * locationSlots(capture.type);
    capture.firstElement = index;
    capture.whole = false;
  }
  return true;
}

bool enterMember(const std::string& name, Capture& capture) {
  if (!capture.type.isStruct() || capture.type.isArray()) return false;
  const std::shared_ptr<const std::vector<Member>> members = capture.type.members;
  for (const Member& member : *members) {
    if (member.name == name) {
      capture.type = member.type;
      capture.whole = false;
      return true;
    }
    capture.locationOffset += locationSlots(member.type);
  }
  return false;
}

std::optional<Capture> resolve(LinkStage& stage, std::string_view name) {
  const std::vector<Part> parts = splitName(name);
  if (parts.empty()) return std::nullopt;
  for (StageVariable& variable : stage.variables) {
    const Variable& declared = variable.declared;
    if (declared.storage != Storage::Output || declared.qualifiers.isBuiltin) continue;
    Capture capture;
    capture.variable = &variable;
    capture.type = perVertexType(declared, stage.stage);
    capture.component = static_cast<u32>(std::max(declared.qualifiers.layout.component, 0));
    std::size_t at = 0;
    if (!declared.isBlock || !declared.name.empty()) {
      if (parts[0].name != declared.linkName() || !applyIndices(parts[0], capture)) continue;
      at = 1;
    } else if (capture.type.isArray()) {
      continue;
    }
    bool found = at < parts.size() || !declared.isBlock;
    for (; found && at < parts.size(); ++at)
      found = enterMember(parts[at].name, capture) && applyIndices(parts[at], capture);
    if (found) return capture;
  }
  return std::nullopt;
}

std::optional<u32> skippedComponents(std::string_view name) {
  constexpr std::string_view kPrefix = "gl_SkipComponents";
  if (name.size() != kPrefix.size() + 1 || name.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
  const char digit = name.back();
  if (digit < '1' || digit > '4') return std::nullopt;
  return static_cast<u32>(digit - '0');
}

struct BuiltinOutput {
  std::string_view name;
  XfbSource source;
  UniformType type;
};
constexpr BuiltinOutput kBuiltinOutputs[] = {
    {"gl_Position", XfbSource::Position, UniformType::FloatVec4},
    {"gl_PointSize", XfbSource::PointSize, UniformType::Float},
    {"gl_ClipDistance", XfbSource::ClipDistance, UniformType::Float},
    {"gl_CullDistance", XfbSource::CullDistance, UniformType::Float},
};

const BuiltinOutput* builtinOutput(std::string_view name) {
  const std::string_view root = name.substr(0, name.find('['));
  for (const BuiltinOutput& output : kBuiltinOutputs) {
    if (output.name == root) return &output;
  }
  return nullptr;
}

// Whether a shader asks for capture by xfb_ qualifiers, which then take the place of the names given by the API.
bool hasQualifiers(const LinkStage& stage) {
  for (const StageVariable& variable : stage.variables) {
    if (variable.declared.storage != Storage::Output) continue;
    if (variable.declared.qualifiers.layout.xfbOffset >= 0) return true;
    if (!variable.declared.isBlock) continue;
    for (const Member& member : *variable.declared.type.members) {
      if (member.qualifiers.layout.xfbOffset >= 0) return true;
    }
  }
  return false;
}

void addQualified(LinkProgram& program, LinkStage& stage) {
  Xfb& xfb = program.archive.xfb;
  const auto add = [&](StageVariable& variable, const std::string& name, const Type& type, const Layout& layout,
                       u32 locationOffset, bool whole, bool builtin) {
    if (layout.xfbOffset < 0) return;
    XfbVarying varying;
    varying.name = name;
    varying.type = type.data;
    varying.arraySize = type.isArray() ? std::max(type.dims[0], 1u) : 1;
    varying.buffer = static_cast<u32>(std::max(layout.xfbBuffer, 0));
    varying.offset = static_cast<u32>(layout.xfbOffset);
    varying.sizeBytes = componentCount(type) * 4;
    varying.stream = static_cast<u32>(std::max(layout.stream, 0));
    if (builtin) {
      if (const BuiltinOutput* output = builtinOutput(name)) varying.source = output->source;
    } else {
      varying.location = variable.location + static_cast<i32>(locationOffset);
      varying.component = static_cast<u32>(std::max(layout.component, 0));
    }
    varying.wholeVariable = whole;
    xfb.varyings.push_back(std::move(varying));
  };
  for (StageVariable& variable : stage.variables) {
    Variable& declared = variable.declared;
    if (declared.storage != Storage::Output) continue;
    if (!declared.isBlock) {
      if (!declared.type.isStruct())
        add(variable, declared.name, perVertexType(declared, stage.stage), declared.qualifiers.layout, 0, true,
            declared.qualifiers.isBuiltin);
      continue;
    }
    u32 offset = 0;
    const std::string prefix = declared.name.empty() || declared.qualifiers.isBuiltin ? "" : declared.blockName + ".";
    for (const Member& member : *declared.type.members) {
      if (!member.type.isStruct())
        add(variable, prefix + member.name, member.type, member.qualifiers.layout, offset, false,
            declared.qualifiers.isBuiltin);
      offset += locationSlots(member.type);
    }
  }
  std::stable_sort(xfb.varyings.begin(), xfb.varyings.end(), [](const XfbVarying& a, const XfbVarying& b) {
    return a.buffer != b.buffer ? a.buffer < b.buffer : a.offset < b.offset;
  });
  for (const XfbVarying& varying : xfb.varyings) {
    if (varying.buffer >= 4) continue;
    if (xfb.strides.size() <= varying.buffer) xfb.strides.resize(varying.buffer + 1);
    u32& stride = xfb.strides[varying.buffer];
    stride = std::max({stride, stage.merged.xfbStrides[varying.buffer], varying.offset + varying.sizeBytes});
  }
}

}  // namespace

void resolveXfb(LinkProgram& program) {
  LinkStage* stage = program.lastVertexStage();
  const LinkOptions& options = *program.options;
  if (!stage) {
    if (!options.xfbVaryings.empty() && !program.find(Stage::Compute))
      program.error("transform feedback needs a vertex shader");
    return;
  }
  if (hasQualifiers(*stage)) {
    for (StageVariable& variable : stage->variables) variable.captured |= variable.declared.storage == Storage::Output;
    return;
  }
  std::map<std::string_view, bool> seen;
  u32 buffers = options.xfbVaryings.empty() ? 0 : 1;
  u32 interleaved = 0;
  for (const std::string& name : options.xfbVaryings) {
    const bool special = name == "gl_NextBuffer" || skippedComponents(name);
    if (special) {
      if (options.xfbMode == XfbMode::Separate)
        program.error("`" + name + "' may not be captured into separate buffers");
      if (name == "gl_NextBuffer" && ++buffers > options.limits.maxXfbBuffers)
        program.error("too many transform feedback buffers");
      interleaved += skippedComponents(name).value_or(0);
      continue;
    }
    if (!seen.emplace(name, true).second) {
      program.error("transform feedback varying `" + name + "' is named more than once");
      continue;
    }
    u32 components = 0;
    if (const BuiltinOutput* output = builtinOutput(name)) {
      if (!stage->builtins.count(output->name)) {
        program.error("transform feedback varying `" + name + "' is not written");
        continue;
      }
      components = output->type == UniformType::FloatVec4 ? 4 : 1;
    } else {
      const auto capture = resolve(*stage, name);
      if (!capture) {
        program.error("transform feedback varying `" + name + "' is no output of the " + stageName(stage->stage) +
                      " shader");
        continue;
      }
      if (capture->type.isStruct()) {
        program.error("transform feedback varying `" + name + "' is a structure or a block");
        continue;
      }
      capture->variable->captured = true;
      components = componentCount(capture->type);
    }
    if (options.xfbMode == XfbMode::Separate && components > options.limits.maxXfbSeparateComponents)
      program.error("transform feedback varying `" + name + "' has too many components for a separate buffer");
    interleaved += components;
  }
  if (options.xfbMode == XfbMode::Separate && options.xfbVaryings.size() > options.limits.maxXfbSeparateAttribs)
    program.error("too many transform feedback varyings for separate buffers");
  if (options.xfbMode == XfbMode::Interleaved && interleaved > options.limits.maxXfbInterleavedComponents)
    program.error("too many components of transform feedback: " + std::to_string(interleaved) + " of " +
                  std::to_string(options.limits.maxXfbInterleavedComponents));
}

void describeXfb(LinkProgram& program) {
  LinkStage* stage = program.lastVertexStage();
  if (!stage) return;
  Xfb& xfb = program.archive.xfb;
  xfb.stage = stage->stage;
  xfb.mode = program.options->xfbMode;
  if (hasQualifiers(*stage)) {
    xfb.mode = XfbMode::Interleaved;
    addQualified(program, *stage);
    return;
  }
  u32 buffer = 0, offset = 0;
  for (const std::string& name : program.options->xfbVaryings) {
    XfbVarying varying;
    varying.name = name;
    varying.buffer = buffer;
    varying.offset = offset;
    if (name == "gl_NextBuffer") {
      varying.source = XfbSource::NextBuffer;
      varying.arraySize = 0;
      xfb.strides.push_back(offset);
      ++buffer;
      offset = 0;
      xfb.varyings.push_back(std::move(varying));
      continue;
    }
    if (const auto skipped = skippedComponents(name)) {
      varying.source = XfbSource::SkipComponents;
      varying.arraySize = *skipped;
      varying.sizeBytes = *skipped * 4;
    } else if (const BuiltinOutput* output = builtinOutput(name)) {
      varying.source = output->source;
      varying.type = output->type;
      const std::vector<Part> parts = splitName(name);
      const bool element = !parts.empty() && !parts[0].indices.empty();
      const u32 declaredSize = output->source == XfbSource::ClipDistance   ? program.archive.clipDistances
                               : output->source == XfbSource::CullDistance ? program.archive.cullDistances
                                                                           : 1;
      varying.arraySize = element ? 1 : std::max(declaredSize, 1u);
      varying.firstElement = element ? parts[0].indices[0] : 0;
      varying.wholeVariable = !element;
      varying.sizeBytes = varying.arraySize * (output->type == UniformType::FloatVec4 ? 16 : 4);
    } else if (const auto capture = resolve(*stage, name)) {
      const Variable& declared = capture->variable->declared;
      varying.type = capture->type.data;
      varying.arraySize = capture->type.isArray() ? std::max(capture->type.dims[0], 1u) : 1;
      varying.sizeBytes = componentCount(capture->type) * 4;
      varying.stream = static_cast<u32>(std::max(declared.qualifiers.layout.stream, 0));
      varying.location = capture->variable->location + static_cast<i32>(capture->locationOffset);
      varying.component = capture->component;
      varying.firstElement = capture->firstElement;
      varying.wholeVariable = capture->whole;
    } else {
      continue;
    }
    offset += varying.sizeBytes;
    if (program.options->xfbMode == XfbMode::Separate) {
      xfb.strides.push_back(varying.sizeBytes);
      ++buffer;
      offset = 0;
    }
    xfb.varyings.push_back(std::move(varying));
  }
  if (program.options->xfbMode == XfbMode::Interleaved && !xfb.varyings.empty()) xfb.strides.push_back(offset);
}

}  // namespace mgl::shader

#include "backend/espryt/program.h"

#include <algorithm>
#include <cstring>

#include "base/log.h"
#include "shader/translator/essl.h"
#include "shader/translator/translate.h"

namespace mgl::espryt {

using shader::DescriptorSet;

Program::~Program() {
  if (engine == nullptr) return;
  for (const auto& variant : variants) engine->bury(Dead::Program, variant->name);
}

// Where each resource of a source goes, in the same order whenever it is asked for.
std::vector<Programs::Source> Programs::place(Program& program, bool fill) {
  std::vector<Source> sources;
  for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
    auto* from = program.pipeline ? static_cast<Program*>(program.stages[i].get()) : &program;
    if (from == nullptr || from->spirv[i].empty()) continue;
    auto at = std::find_if(sources.begin(), sources.end(), [from](const Source& s) { return s.program == from; });
    if (at == sources.end()) at = sources.insert(at, {from, 0, {}});
    at->stages |= 1u << i;
  }
  u32 point = 0, unit = 0;
  for (Source& source : sources) {
    const shader::Archive& a = source.program->archive;
    if (a.defaultBlockBytes != 0 && (a.defaultBlockStages & source.stages) != 0) {
      source.remaps.push_back({indexOf(DescriptorSet::DefaultBlock), 0, point});
      if (fill) program.uniformSlots.push_back({source.program, -1, point});
      ++point;
    }
    for (u32 i = 0; i < a.uniformBlocks.size();) {
      const u32 count = std::max(a.uniformBlocks[i].arraySize, 1u);
      u32 stages = 0;
      for (u32 e = 0; e < count && i + e < a.uniformBlocks.size(); ++e) stages |= a.uniformBlocks[i + e].stages;
      if ((stages & source.stages) != 0) {
        source.remaps.push_back({indexOf(DescriptorSet::UniformBlocks), i, point});
        for (u32 e = 0; e < count && fill; ++e)
          program.uniformSlots.push_back({source.program, static_cast<i32>(i + e), point + e});
        point += count;
      }
      i += count;
    }
    u32 flat = 0;
    for (u32 i = 0; i < a.samplers.size(); ++i) {
      const shader::Sampler& sampler = a.samplers[i];
      if ((sampler.stages & source.stages) != 0) {
        source.remaps.push_back({indexOf(DescriptorSet::Samplers), i, unit});
        for (u32 e = 0; e < sampler.arraySize && fill; ++e)
          program.samplerSlots.push_back({source.program, flat + e, unit + e, shader::uniformTypeInfo(sampler.type)});
        unit += sampler.arraySize;
      }
      flat += sampler.arraySize;
    }
  }
  if (fill) {
    const auto units = std::min<u32>(static_cast<u32>(engine_.features.maxTextureUnits), kMaxUnits);
    const auto points = std::min<u32>(static_cast<u32>(engine_.features.maxUniformBindings), kMaxUniformPoints);
    program.usable = point <= points && unit < units;
  }
  return sources;
}

bool Programs::prepare(Program& program) {
  if (program.builtSerial == program.serial) return program.usable;
  program.engine = &engine_;
  for (const auto& variant : program.variants) engine_.bury(Dead::Program, variant->name);
  program.variants.clear();
  program.uniformSlots.clear();
  program.samplerSlots.clear();
  const std::vector<Source> sources = place(program, true);
  program.sources = {};
  program.stagesPresent = program.attributeMask = 0;
  program.clipDistances = 0;
  program.usesPointCoord = program.usesFragCoord = program.originUpperLeft = program.pixelCenterInteger = false;
  program.fragColorBroadcast = program.dualSource = false;
  program.streamedSerial = ~u64{0};
  for (const Source& source : sources) {
    const shader::Archive& a = source.program->archive;
    program.stagesPresent |= source.stages;
    for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
      if ((source.stages >> i) & 1) program.sources[i] = source.program;
    }
    if ((source.stages & 1) != 0) {
      program.attributeMask = a.attributeMask;
      for (const shader::InterfaceVariable& input : a.inputs) {
        if (input.location < 0) continue;
        const shader::UniformTypeInfo& type = shader::uniformTypeInfo(input.type);
        for (u32 c = 0; c < type.columns * input.arraySize; ++c) {
          const u32 location = static_cast<u32>(input.location) + c;
          if (location < program.attributeKinds.size()) program.attributeKinds[location] = type.scalar;
        }
      }
    }
    if ((source.stages >> indexOf(pipe::Stage::Fragment)) & 1) {
      program.usesPointCoord = a.usesPointCoord;
      program.usesFragCoord = a.usesFragCoord;
      program.originUpperLeft = a.originUpperLeft;
      program.pixelCenterInteger = a.pixelCenterInteger;
      program.fragColorBroadcast = a.fragColorBroadcast;
      program.dualSource = a.dualSource;
    }
    if ((source.stages & ~(1u << indexOf(pipe::Stage::Fragment))) != 0)
      program.clipDistances = std::max(program.clipDistances, a.clipDistances);
  }
  program.builtSerial = program.serial;
  if (!program.usable) engine_.decline("a program with more blocks or samplers than the host has binding points");
  return program.usable;
}

void Programs::refuse(Variant& variant, const std::string& why) {
  variant.failed = true;
  const std::string text = "a shader cannot be used on this host: " + why;
  MGL_LOGW("%s", text.c_str());
  engine_.sink.log(pipe::DebugSeverity::High, text);
}

Variant* Programs::variant(HostContext& context, Program& program, const VariantKey& key) {
  for (const auto& known : program.variants) {
    if (known->key == key) return known->failed ? nullptr : known.get();
  }
  Variant& variant = *program.variants.emplace_back(std::make_unique<Variant>());
  variant.key = key;
  variant.driver.fill(-1);
  const std::vector<Source> sources = place(program, false);
  u32 last = indexOf(pipe::Stage::Vertex);
  for (u32 i : {indexOf(pipe::Stage::TessEvaluation), indexOf(pipe::Stage::Geometry)}) {
    if ((program.stagesPresent >> i) & 1) last = i;
  }
  std::array<shader::TranslateResult, countOf<pipe::Stage>()> modules;
  shader::EsslInput essl;
  essl.version = engine_.features.version >= 320 ? 320 : 310;
  essl.dualSource = program.dualSource;
  for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
    Program* source = program.sources[i];
    if (source == nullptr) continue;
    const auto at = std::find_if(sources.begin(), sources.end(), [source](const Source& s) { return s.program == source; });
    std::vector<shader::BindingRemap> remaps;
    for (const auto& [set, binding, point] : at->remaps) remaps.push_back({set, binding, set, point});
    shader::TranslateInput input;
    input.spirv = source->spirv[i];
    input.stage = static_cast<shader::Stage>(i);
    input.bindings = remaps;
    if (i == indexOf(pipe::Stage::Fragment)) {
      input.transformWindow = key.window;
      input.broadcastOutputs = key.broadcast;
    }
    input.lodBiases = key.lodBiases;
    input.zeroBaseInstance = input.splitInputArrays = true;
    if (i == last) {
      input.writePointSize = key.points;
      input.maskClipDistances = key.maskClip;
    }
    modules[i] = shader::translate(input);
    countHeld(Counter::Translations);
    if (!modules[i].ok()) return refuse(variant, modules[i].error), nullptr;
    essl.spirv[i] = modules[i].spirv;
  }
  const shader::EsslResult text = shader::translateToEssl(essl);
  if (!text.ok()) return refuse(variant, text.error), nullptr;

  constexpr GLenum kStages[] = {GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER,     GL_COMPUTE_SHADER};
  const Gl& gl = engine_.gl;
  const GLuint name = gl.CreateProgram();
  std::string why;
  for (u32 i = 0; i < countOf<pipe::Stage>() && why.empty(); ++i) {
    if (program.sources[i] == nullptr) continue;
    const GLuint shader = gl.CreateShader(kStages[i]);
    const char* source = text.source[i].c_str();
    gl.ShaderSource(shader, 1, &source, nullptr);
    gl.CompileShader(shader);
    GLint good = 0;
    gl.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good == 0) {
      char log[1024] = {};
      gl.GetShaderInfoLog(shader, sizeof log, nullptr, log);
      why = log;
      MGL_LOGD("%s", source);
    }
    gl.AttachShader(name, shader);
    gl.DeleteShader(shader);
  }
  if (why.empty()) {
    gl.LinkProgram(name);
    GLint good = 0;
    gl.GetProgramiv(name, GL_LINK_STATUS, &good);
    if (good == 0) {
      char log[1024] = {};
      gl.GetProgramInfoLog(name, sizeof log, nullptr, log);
      why = std::string("link: ") + log;
      for (const std::string& source : text.source) MGL_LOGD("%s", source.c_str());
    }
  }
  if (!why.empty()) {
    gl.DeleteProgram(name);
    return refuse(variant, why), nullptr;
  }
  variant.name = name;
  variant.id = engine_.nextId++;
  constexpr const char* kMembers[] = {"fragYScale", "fragYOffset", "pointYScale", "pointYOffset",
                                      "windowYSign", "fragXOffset", "clipMask", "pointSize"};
  for (u32 i = 0; i < variant.driver.size(); ++i) {
    const std::string member = std::string(shader::kEsslDriver) + "." + kMembers[i];
    variant.driver[i] = gl.GetUniformLocation(name, member.c_str());
  }
  // Uniforms begin as zeros.
  variant.constants = {0, 0, 0, 0, 0, 0, 0, 0};
  static_cast<void>(context);
  return &variant;
}

// REQUIRES the variant in use.
void Programs::setConstants(HostContext&, Variant& variant, const shader::DriverConstants& constants) {
  if (std::memcmp(&variant.constants, &constants, sizeof constants) == 0) return;
  u32 held[8], wanted[8];
  std::memcpy(held, &variant.constants, sizeof held);
  std::memcpy(wanted, &constants, sizeof wanted);
  for (u32 i = 0; i < 8; ++i) {
    if (variant.driver[i] < 0 || held[i] == wanted[i]) continue;
    if (i == offsetof(shader::DriverConstants, clipMask) / 4) {
      engine_.gl.Uniform1ui(variant.driver[i], wanted[i]);
    } else {
      f32 value = 0;
      std::memcpy(&value, &wanted[i], 4);
      engine_.gl.Uniform1f(variant.driver[i], value);
    }
  }
  variant.constants = constants;
}

}  // namespace mgl::espryt

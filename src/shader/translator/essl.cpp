#include "shader/translator/essl.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <spirv_cross/spirv_glsl.hpp>
#include <vector>

namespace mgl::shader {

namespace {

using spirv_cross::CompilerGLSL;
using spirv_cross::Resource;
using spirv_cross::ShaderResources;
using spirv_cross::SPIRType;

constexpr const char* kStageNames[] = {"vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
constexpr const char* kTags[] = {"v", "c", "e", "g", "f", "k"};
static_assert(std::size(kTags) == countOf<Stage>());

u32 locationsOf(const CompilerGLSL& compiler, const SPIRType& type) {
  u32 count = std::max(type.columns, 1u);
  if (type.basetype == SPIRType::Struct) {
    count = 0;
    for (const auto& member : type.member_types) count += locationsOf(compiler, compiler.get_type(member));
  }
  for (u32 size : type.array) count *= std::max(size, 1u);
  return count;
}

std::string typeText(const SPIRType& type) {
  const bool isInt = type.basetype == SPIRType::Int, isUint = type.basetype == SPIRType::UInt;
  const std::string size = std::to_string(type.vecsize);
  if (type.columns > 1)
    return type.columns == type.vecsize ? "mat" + size : "mat" + std::to_string(type.columns) + "x" + size;
  if (type.vecsize > 1) return std::string(isInt ? "i" : isUint ? "u" : "") + "vec" + size;
  return isInt ? "int" : isUint ? "uint" : "float";
}

class Program {
 public:
  explicit Program(const EsslInput& input) : in_(input) {}

  EsslResult run() {
    EsslResult result;
    u32 stage = 0;
    try {
      for (stage = 0; stage < countOf<Stage>(); ++stage) {
        if (!in_.spirv[stage].empty()) load(stage);
      }
      u32 before = countOf<Stage>();
      for (stage = 0; stage < countOf<Stage>(); ++stage) {
        if (compilers_[stage] == nullptr) continue;
        if (before != countOf<Stage>()) declareMissing(before, stage);
        before = stage;
      }
      for (stage = 0; stage < countOf<Stage>(); ++stage) {
        if (compilers_[stage] != nullptr) result.source[stage] = compilers_[stage]->compile();
      }
    } catch (const std::exception& error) {
      result.error = std::string(kStageNames[std::min<u32>(stage, countOf<Stage>() - 1)]) + ": " + error.what();
    }
    return result;
  }

 private:
  void load(u32 stage) {
    const auto words = in_.spirv[stage];
    compilers_[stage] = std::make_unique<CompilerGLSL>(std::vector<u32>(words.begin(), words.end()));
    CompilerGLSL& c = *compilers_[stage];
    CompilerGLSL::Options options;
    options.version = in_.version;
    options.es = true;
    options.vulkan_semantics = false;
    options.enable_420pack_extension = false;
    options.fragment.default_float_precision = CompilerGLSL::Options::Highp;
    options.fragment.default_int_precision = CompilerGLSL::Options::Highp;
    options.vertex.support_nonzero_base_instance = false;
    c.set_common_options(options);
    if (stage == indexOf(Stage::Fragment) && in_.dualSource) c.require_extension("GL_EXT_blend_func_extended");
    for (const spv::Capability capability : c.get_declared_capabilities()) {
      if (capability == spv::CapabilityClipDistance || capability == spv::CapabilityCullDistance)
        c.require_extension("GL_EXT_clip_cull_distance");
      if (capability == spv::CapabilityGeometryPointSize) c.require_extension("GL_EXT_geometry_point_size");
      if (capability == spv::CapabilityTessellationPointSize) c.require_extension("GL_EXT_tessellation_point_size");
    }
    resources_[stage] = c.get_shader_resources();
    name(c, resources_[stage], kTags[stage]);
  }

  // Blocks are a stage's own, so that no two stages have to agree on what they declare; samplers are the program's.
  void name(CompilerGLSL& c, const ShaderResources& resources, const std::string& tag) {
    for (const Resource& block : resources.uniform_buffers) {
      const std::string at = tag + std::to_string(c.get_decoration(block.id, spv::DecorationBinding));
      c.set_name(block.base_type_id, "mglBlock_" + at);
      c.set_name(block.id, "mgl_" + at);
    }
    for (const Resource& sampler : resources.sampled_images)
      c.set_name(sampler.id, "mglSampler" + std::to_string(c.get_decoration(sampler.id, spv::DecorationBinding)));
    for (const Resource& driver : resources.push_constant_buffers) {
      c.set_name(driver.base_type_id, "MglDriver");
      c.set_name(driver.id, kEsslDriver);
      constexpr const char* kMembers[] = {"fragYScale", "fragYOffset", "pointYScale", "pointYOffset",
                                          "windowYSign", "fragXOffset", "clipMask", "pointSize"};
      for (u32 i = 0; i < std::size(kMembers); ++i) c.set_member_name(driver.base_type_id, i, kMembers[i]);
    }
  }

  // GL lets a stage read what the one before it never writes; OpenGL ES links no such program. The stage before declares it.
  void declareMissing(u32 producer, u32 consumer) {
    const CompilerGLSL& from = *compilers_[producer];
    CompilerGLSL& to = *compilers_[consumer];
    std::vector<bool> written(256);
    for (const Resource& output : resources_[producer].stage_outputs) {
      const u32 first = from.get_decoration(output.id, spv::DecorationLocation);
      const u32 count = locationsOf(from, from.get_type(output.type_id));
      for (u32 i = first; i < first + count && i < written.size(); ++i) written[i] = true;
    }
    for (const Resource& input : resources_[consumer].stage_inputs) {
      const SPIRType& type = to.get_type(input.type_id);
      const u32 location = to.get_decoration(input.id, spv::DecorationLocation);
      if (location >= written.size() || written[location] || type.basetype == SPIRType::Struct) continue;
      // Inputs of the stages between are arrays of vertices.
      const bool perVertex = consumer != indexOf(Stage::Fragment) && !type.array.empty();
      std::string line = "layout(location = " + std::to_string(location) + ") ";
      const bool integer = type.basetype != SPIRType::Float;
      if (integer || to.has_decoration(input.id, spv::DecorationFlat)) line += "flat ";
      line += "out highp " + typeText(type) + " mglUnwritten" + std::to_string(location);
      for (std::size_t i = type.array.size(); i-- > (perVertex ? 1u : 0u);) {
        if (perVertex && i == type.array.size() - 1) continue;
        line += "[" + std::to_string(type.array[i]) + "]";
      }
      compilers_[producer]->add_header_line(line + ";");
    }
  }

  const EsslInput& in_;
  std::array<std::unique_ptr<CompilerGLSL>, countOf<Stage>()> compilers_;
  std::array<ShaderResources, countOf<Stage>()> resources_;
};

}  // namespace

EsslResult translateToEssl(const EsslInput& input) { return Program(input).run(); }

}  // namespace mgl::shader

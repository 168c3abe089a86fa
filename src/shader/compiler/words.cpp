#include "shader/compiler/words.h"

#include <algorithm>

namespace mgl::shader {
namespace {

template <class Range>
bool contains(const Range& range, std::string_view name) {
  return std::find(std::begin(range), std::end(range), name) != std::end(range);
}

constexpr std::string_view kUnknownToGlslang[] = {
    "GL_AMD_conservative_depth",  "GL_AMD_vertex_shader_layer",  "GL_ARB_ES2_compatibility",
    "GL_ARB_ES3_1_compatibility", "GL_ARB_arrays_of_arrays",     "GL_ARB_blend_func_extended",
    "GL_ARB_conservative_depth",  "GL_ARB_draw_buffers",         "GL_ARB_fragment_layer_viewport",
    "GL_ARB_shader_precision",    "GL_ARB_texture_query_levels", "GL_ARB_transform_feedback3",
    "GL_EXT_texture_array",       "GL_EXT_draw_instanced",       "GL_ARB_map_buffer_alignment",
};

constexpr std::string_view kAlwaysGranted[] = {"GL_core_profile", "GL_compatibility_profile", "GL_es_profile", "GL_ES",
                                               "GL_FRAGMENT_PRECISION_HIGH"};

struct Keyword {
  std::string_view word;
  u16 version;
};
constexpr Keyword kKeywords[] = {
    {"active", 140},
    {"atomic_uint", 420},
    {"buffer", 430},
    {"case", 130},
    {"centroid", 120},
    {"coherent", 420},
    {"common", 140},
    {"default", 130},
    {"dmat2", 400},
    {"dmat3", 400},
    {"dmat4", 400},
    {"double", 400},
    {"dvec2", 400},
    {"dvec3", 400},
    {"dvec4", 400},
    {"filter", 140},
    {"flat", 130},
    {"highp", 130},
    {"image1D", 140},
    {"image2D", 140},
    {"image3D", 140},
    {"imageBuffer", 140},
    {"imageCube", 140},
    {"invariant", 120},
    {"layout", 140},
    {"lowp", 130},
    {"mediump", 130},
    {"noperspective", 130},
    {"partition", 140},
    {"patch", 400},
    {"precise", 400},
    {"precision", 130},
    {"readonly", 420},
    {"resource", 420},
    {"restrict", 420},
    {"sample", 400},
    {"shared", 430},
    {"smooth", 130},
    {"subroutine", 400},
    {"superp", 130},
    {"switch", 130},
    {"uint", 130},
    {"uvec2", 130},
    {"uvec3", 130},
    {"uvec4", 130},
    {"writeonly", 420},
    {"sampler", kVulkanOnly},
    {"samplerShadow", kVulkanOnly},
    {"subpassInput", kVulkanOnly},
    {"subpassInputMS", kVulkanOnly},
    {"isubpassInput", kVulkanOnly},
    {"usubpassInput", kVulkanOnly},
};

struct ShadowLookup {
  std::string_view name;
  std::string_view wrapper;
};
constexpr ShadowLookup kShadowLookups[] = {
    {"shadow1D", "vec4 mgl_shadow1D(sampler1DShadow s, vec3 p) { return vec4(texture(s, p)); }\n"},
    {"shadow2D", "vec4 mgl_shadow2D(sampler2DShadow s, vec3 p) { return vec4(texture(s, p)); }\n"},
    {"shadow1DProj", "vec4 mgl_shadow1DProj(sampler1DShadow s, vec4 p) { return vec4(textureProj(s, p)); }\n"},
    {"shadow2DProj", "vec4 mgl_shadow2DProj(sampler2DShadow s, vec4 p) { return vec4(textureProj(s, p)); }\n"},
    {"shadow1DLod", "vec4 mgl_shadow1DLod(sampler1DShadow s, vec3 p, float l) { return vec4(textureLod(s, p, l)); }\n"},
    {"shadow2DLod", "vec4 mgl_shadow2DLod(sampler2DShadow s, vec3 p, float l) { return vec4(textureLod(s, p, l)); }\n"},
    {"shadow1DProjLod",
     "vec4 mgl_shadow1DProjLod(sampler1DShadow s, vec4 p, float l) { return vec4(textureProjLod(s, p, l)); }\n"},
    {"shadow2DProjLod",
     "vec4 mgl_shadow2DProjLod(sampler2DShadow s, vec4 p, float l) { return vec4(textureProjLod(s, p, l)); }\n"},
    {"shadow2DRect", "vec4 mgl_shadow2DRect(sampler2DRectShadow s, vec3 p) { return vec4(texture(s, p)); }\n"},
    {"shadow2DRectProj",
     "vec4 mgl_shadow2DRectProj(sampler2DRectShadow s, vec4 p) { return vec4(textureProj(s, p)); }\n"},
};

constexpr RaisedVersion kRaisedByExtension[] = {
    {"GL_ARB_explicit_attrib_location", 140}, {"GL_ARB_explicit_uniform_location", 140},
    {"GL_ARB_uniform_buffer_object", 140},    {"GL_EXT_texture_array", 130},
    {"GL_ARB_draw_instanced", 140},           {"GL_EXT_draw_instanced", 140},
    {"GL_ARB_shader_bit_encoding", 330},      {"GL_ARB_gpu_shader5", 400},
    {"GL_ARB_tessellation_shader", 400},      {"GL_ARB_conservative_depth", 420},
    {"GL_AMD_conservative_depth", 420},       {"GL_ARB_shading_language_packing", 420},
    {"GL_ARB_shader_image_load_store", 420},  {"GL_ARB_shader_atomic_counters", 420},
    {"GL_ARB_compute_shader", 430},           {"GL_ARB_shader_storage_buffer_object", 430},
    {"GL_ARB_arrays_of_arrays", 430},         {"GL_ARB_texture_query_levels", 430},
    {"GL_ARB_fragment_layer_viewport", 430},  {"GL_ARB_cull_distance", 450},
};

constexpr std::string_view kRemovedFrom140[] = {
    "gl_BackColor",
    "gl_BackLightModelProduct",
    "gl_BackLightProduct",
    "gl_BackMaterial",
    "gl_BackSecondaryColor",
    "gl_ClipPlane",
    "gl_ClipVertex",
    "gl_Color",
    "gl_EyePlaneQ",
    "gl_EyePlaneR",
    "gl_EyePlaneS",
    "gl_EyePlaneT",
    "gl_Fog",
    "gl_FogCoord",
    "gl_FogFragCoord",
    "gl_FogParameters",
    "gl_FrontColor",
    "gl_FrontLightModelProduct",
    "gl_FrontLightProduct",
    "gl_FrontMaterial",
    "gl_FrontSecondaryColor",
    "gl_LightModel",
    "gl_LightModelParameters",
    "gl_LightModelProducts",
    "gl_LightProducts",
    "gl_LightSource",
    "gl_LightSourceParameters",
    "gl_MaterialParameters",
    "gl_MaxClipPlanes",
    "gl_MaxLights",
    "gl_MaxTextureCoords",
    "gl_MaxTextureUnits",
    "gl_ModelViewMatrix",
    "gl_ModelViewMatrixInverse",
    "gl_ModelViewMatrixInverseTranspose",
    "gl_ModelViewMatrixTranspose",
    "gl_ModelViewProjectionMatrix",
    "gl_ModelViewProjectionMatrixInverse",
    "gl_ModelViewProjectionMatrixInverseTranspose",
    "gl_ModelViewProjectionMatrixTranspose",
    "gl_MultiTexCoord0",
    "gl_MultiTexCoord1",
    "gl_MultiTexCoord2",
    "gl_MultiTexCoord3",
    "gl_MultiTexCoord4",
    "gl_MultiTexCoord5",
    "gl_MultiTexCoord6",
    "gl_MultiTexCoord7",
    "gl_Normal",
    "gl_NormalMatrix",
    "gl_NormalScale",
    "gl_ObjectPlaneQ",
    "gl_ObjectPlaneR",
    "gl_ObjectPlaneS",
    "gl_ObjectPlaneT",
    "gl_Point",
    "gl_PointParameters",
    "gl_ProjectionMatrix",
    "gl_ProjectionMatrixInverse",
    "gl_ProjectionMatrixInverseTranspose",
    "gl_ProjectionMatrixTranspose",
    "gl_SecondaryColor",
    "gl_TexCoord",
    "gl_TextureEnvColor",
    "gl_TextureMatrix",
    "gl_TextureMatrixInverse",
    "gl_TextureMatrixInverseTranspose",
    "gl_TextureMatrixTranspose",
    "gl_Vertex",
    "ftransform",
};

}  // namespace

bool isUnknownToGlslang(std::string_view extension) { return contains(kUnknownToGlslang, extension); }
bool isAlwaysGranted(std::string_view word) { return contains(kAlwaysGranted, word); }
bool isRemovedFrom140(std::string_view word) { return contains(kRemovedFrom140, word); }
std::span<const RaisedVersion> raisedByExtension() { return kRaisedByExtension; }

std::optional<u16> keywordSince(std::string_view word) {
  const auto* found =
      std::find_if(std::begin(kKeywords), std::end(kKeywords), [&](const Keyword& k) { return k.word == word; });
  return found != std::end(kKeywords) ? std::optional(found->version) : std::nullopt;
}

std::string_view shadowWrapper(std::string_view word) {
  const auto* found = std::find_if(std::begin(kShadowLookups), std::end(kShadowLookups),
                                   [&](const ShadowLookup& s) { return s.name == word; });
  return found != std::end(kShadowLookups) ? found->wrapper : std::string_view();
}

bool isVulkanTextureType(std::string_view word) {
  if (!word.empty() && (word[0] == 'i' || word[0] == 'u')) word.remove_prefix(1);
  if (word.substr(0, 7) != "texture") return false;
  word.remove_prefix(7);
  static constexpr std::string_view kShapes[] = {"1D",      "2D",      "3D",        "Cube",
                                                 "1DArray", "2DArray", "CubeArray", "Buffer",
                                                 "2DRect",  "2DMS",    "2DMSArray", "External2DY2YEXT"};
  return contains(kShapes, word);
}

std::string_view modernLookup(std::string_view word) {
  if (word.substr(0, 7) != "texture") return {};
  word.remove_prefix(7);
  static constexpr std::string_view kDims[] = {"1DArray", "2DArray", "1D", "2DRect", "2D", "3D", "Cube"};
  for (std::string_view dim : kDims) {
    if (word.substr(0, dim.size()) != dim) continue;
    const std::string_view rest = word.substr(dim.size());
    if (rest.empty()) return "texture";
    if (rest == "Proj") return "textureProj";
    if (rest == "Lod" || rest == "LodEXT" || rest == "LodARB") return "textureLod";
    if (rest == "ProjLod" || rest == "ProjLodEXT" || rest == "ProjLodARB") return "textureProjLod";
    if (rest == "Grad" || rest == "GradEXT" || rest == "GradARB") return "textureGrad";
    if (rest == "ProjGrad" || rest == "ProjGradEXT" || rest == "ProjGradARB") return "textureProjGrad";
  }
  return {};
}

}  // namespace mgl::shader

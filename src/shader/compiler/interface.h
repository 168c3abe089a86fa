// What one shader declares, taken out of glslang's tree into plain data: the linker works on this and never on the
// tree.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "shader/archive/archive.h"

namespace mgl::shader {

enum class Storage : u8 { Input, Output, Uniform, Buffer, Shared, Global };
enum class Interpolation : u8 { None, Smooth, Flat, NoPerspective };
enum class Packing : u8 { None, Shared, Packed, Std140, Std430 };

struct Layout {
  i32 location = -1;
  i32 component = -1;
  i32 index = -1;
  i32 binding = -1;
  i32 offset = -1;
  i32 align = -1;
  i32 stream = -1;
  i32 xfbBuffer = -1;
  i32 xfbOffset = -1;
  i32 xfbStride = -1;
  u32 format = 0;  // SPIR-V image format
  Packing packing = Packing::None;
  bool rowMajor = false;
};

struct Qualifiers {
  Layout layout;
  Interpolation interpolation = Interpolation::None;
  bool centroid = false;
  bool sample = false;
  bool patch = false;
  bool invariant = false;
  bool readOnly = false;
  bool writeOnly = false;
  bool coherent = false;
  bool isBuiltin = false;
};

struct Member;

// A GLSL type. `dims` lists array dimensions, outermost first; 0 is a dimension without a size (run-time sized, or
// sized by use).
struct Type {
  UniformType data = UniformType::Float;  // without members
  std::string structName;
  std::shared_ptr<const std::vector<Member>> members;  // structures and blocks
  std::vector<u32> dims;
  bool sizedByUse = false;  // the outer dimension has no declared size, dims[0] is what the shader's own indices need
  u8 precision = 0;

  bool isStruct() const { return members != nullptr; }
  bool isArray() const { return !dims.empty(); }
  Type element() const;  // one dimension less
};

struct Member {
  std::string name;
  Type type;
  Qualifiers qualifiers;
};

// SPIR-V allows structures in structures 255 deep.
inline constexpr u32 kMostStructureNesting = 200;
u32 structureNesting(const Type& type);

// Same type as far as GL's linking rules see it: shape, member names and types; not the qualifiers of members.
bool sameType(const Type& a, const Type& b);

// The number of locations between stages (or for attributes, or for uniforms), all array elements included.
u32 locationSlots(const Type& type, bool vertexInput = false);
u32 uniformLocations(const Type& type);

// 32-bit components, as limits on varyings and uniforms count them.
u32 componentCount(const Type& type);

std::string spelling(const Type& type);

struct Variable {
  std::string name;       // instance name for blocks, empty for anonymous ones
  std::string blockName;  // blocks only
  Type type;
  Storage storage = Storage::Global;
  Qualifiers qualifiers;
  std::vector<u32> initial;  // uniform initialiser: one word per component, two per double; column by column, in order
  bool isBlock = false;

  // The name that links it to other shaders.
  const std::string& linkName() const { return isBlock ? blockName : name; }
};

struct Function {
  std::string name;  // mangled, "main(" for main
  bool defined = false;
  std::vector<std::string> calls;
  std::vector<u32> uses;              // variables that it mentions, ascending
  std::vector<std::string> builtins;  // gl_ names that it mentions, ascending
};

struct ShaderInterface {
  Stage stage = Stage::Vertex;
  u32 version = 110;
  bool es = false;
  std::vector<Variable> variables;
  std::vector<Function> functions;  // the first one stands for initialisers of globals
  bool originUpperLeft = false;
  bool pixelCenterInteger = false;
  bool earlyFragmentTests = false;
  DepthLayout depthLayout = DepthLayout::None;
  GeometryInfo geometry;
  bool hasGeometryInput = false;
  bool hasGeometryOutput = false;
  bool hasMaxVertices = false;
  TessInfo tess;
  u32 localSize[3] = {0, 0, 0};
  u32 xfbStrides[4] = {0, 0, 0, 0};
  i32 maxFragDataIndex = -1;  // highest element of gl_FragData that is mentioned
};

}  // namespace mgl::shader

// What a linked program is: the answers to the program's introspection queries, and what the server must know to run
// the SPIR-V that travels beside it. Plain data, constant once linked, so any thread may read it.
//
// Conventions of the SPIR-V (version 1.3, Vulkan 1.1 semantics, entry point "main", one module per stage):
// - Descriptor set = resource class (DescriptorSet below); binding = index of the resource in the archive's list of
// that
//   class, program-wide and the same in every stage. The default uniform block is set 0 binding 0, std140. An array
//   of samplers or images is one list entry and one binding with descriptor count = the array's size. An array of
//   blocks is one entry per element in the list and one binding with a descriptor count, at the first element's index.
//   Atomic counter buffers are storage buffers in set 5.
// - Varyings match by Location (and Component) between stages. Vertex inputs sit at their GL locations, fragment
// outputs at
//   their GL location and index.
// - Booleans in blocks are 32-bit, false = 0.
// - gl_VertexID is VertexIndex (with the base vertex), gl_InstanceID is InstanceIndex - BaseInstance
//   (`usesBaseInstance` says that the module reads BaseInstance). gl_DepthRange, gl_NumSamples and fixed-function state
//   are members of the default block, listed in `builtinUniforms`.
// - Rectangle samplers are 2D samplers whose coordinates the module itself scales; the archive still says Rect.
// - Clip space is GL's (z from -w to w, y up), gl_FragCoord and gl_PointCoord as GL defines them for an upper-left
// origin
//   in the image's own row order: the translator adapts both to the host (design section 5).
// - Transform feedback is not decorated: the translator does it from `xfb`.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"
#include "shader/archive/uniform_type.h"

namespace mgl::shader {

enum class Stage : u8 { Vertex, TessControl, TessEval, Geometry, Fragment, Compute, Count };
using StageMask = u8;
constexpr StageMask stageBit(Stage stage) { return static_cast<StageMask>(1u << indexOf(stage)); }

enum class DescriptorSet : u8 { DefaultBlock, UniformBlocks, StorageBlocks, Samplers, Images, AtomicBuffers, Count };

// An active uniform. Named as GL names it: arrays end in "[0]", structures are expanded to their members, outer
// dimensions of arrays of arrays are expanded too. Members of named uniform blocks are uniforms as well (`blockIndex`
// >= 0).
struct Uniform {
  std::string name;
  UniformType type = UniformType::Float;
  bool isArray = false;
  u32 arraySize = 1;     // elements; 1 when not an array
  i32 location = -1;     // of element 0, the others follow; -1 in blocks and for atomic counters
  i32 blockIndex = -1;   // into uniformBlocks; -1: default block or opaque
  i32 offset = -1;       // bytes in its block or atomic counter buffer; -1 for samplers and images
  i32 arrayStride = 0;   // bytes; 0 when not an array in a block
  i32 matrixStride = 0;  // bytes; 0 when not a matrix
  bool rowMajor = false;
  StageMask stages = 0;
  i32 samplerIndex = -1;       // into samplers
  i32 imageIndex = -1;         // into images
  i32 atomicBufferIndex = -1;  // into atomicBuffers
  // The element of that sampler's or image's array where this uniform starts: elements of an array of structures share
  // one.
  u32 opaqueElement = 0;
};

// A uniform or shader storage block; an array of blocks has one entry per element, "Name[0]", "Name[1]" …, in a row.
struct Block {
  std::string name;
  u32 binding = 0;     // initial GL binding point, from layout(binding) or 0
  u32 sizeBytes = 0;   // minimum size of the data store
  u32 arrayIndex = 0;  // of this element
  u32 arraySize = 0;   // of the whole array of blocks; 0 when not an array
  StageMask stages = 0;
  bool readOnly = false;     // storage blocks: no stage can write it
  std::vector<u32> members;  // into uniforms (uniform blocks) or bufferVariables (storage blocks)
};

// An active member of a shader storage block, named as GL_BUFFER_VARIABLE names it.
struct BufferVariable {
  std::string name;
  UniformType type = UniformType::Float;
  bool isArray = false;
  u32 arraySize = 1;  // 0: run-time sized
  i32 blockIndex = -1;
  i32 offset = 0;
  i32 arrayStride = 0;
  i32 matrixStride = 0;
  bool rowMajor = false;
  u32 topLevelArraySize = 1;
  i32 topLevelArrayStride = 0;
  StageMask stages = 0;
};

// An active program input or output (vertex attributes, fragment outputs, the outer interfaces of separable programs).
struct InterfaceVariable {
  std::string name;
  UniformType type = UniformType::Float;
  bool isArray = false;
  u32 arraySize = 1;
  i32 location = -1;  // -1 for built-ins
  i32 component = 0;
  i32 index = 0;  // fragment outputs: 1 is the second source of dual-source blending
  bool perPatch = false;
  bool isBuiltin = false;
  StageMask stages = 0;
};

// One entry is one variable of the SPIR-V. `uniformIndex` names the first of its uniforms; `arraySize` counts the
// elements of all.
struct Sampler {
  u32 uniformIndex = 0;
  u32 arraySize = 1;
  UniformType type = UniformType::Sampler2D;
  u32 initialUnit = 0;  // from layout(binding), element i starts at initialUnit + i when hasBinding, else all at 0
  bool hasBinding = false;
  StageMask stages = 0;
};

// Values are those of SPIR-V's Image Format operand (Unknown = 0 … R8ui = 39).
using SpirvImageFormat = u32;

struct Image {
  u32 uniformIndex = 0;
  u32 arraySize = 1;
  UniformType type = UniformType::Image2D;
  SpirvImageFormat format = 0;
  u32 initialUnit = 0;
  bool hasBinding = false;
  bool readOnly = false;
  bool writeOnly = false;
  StageMask stages = 0;
};

struct AtomicBuffer {
  u32 binding = 0;  // GL binding point of layout(binding)
  u32 sizeBytes = 0;
  StageMask stages = 0;
  std::vector<u32> members;  // into uniforms
};

// What the compiler hides in the default block because GL has it as a built-in. The client writes these as it writes
// uniforms.
enum class BuiltinUniformKind : u8 {
  DepthRange,  // three floats: near, far, far - near
  NumSamples,  // int
  Count
};
struct BuiltinUniform {
  BuiltinUniformKind kind = BuiltinUniformKind::DepthRange;
  u32 index = 0;   // element, for built-ins that are arrays
  u32 offset = 0;  // bytes in the default block
  u32 arrayStride = 0;
  u32 matrixStride = 0;
  StageMask stages = 0;
};

enum class XfbMode : u8 { Interleaved, Separate, Count };
enum class XfbSource : u8 {
  Variable,
  Position,
  PointSize,
  ClipDistance,
  CullDistance,
  SkipComponents,
  NextBuffer,
  Count
};

// One entry of the transform feedback varyings, in the order given by the program (or by xfb_ qualifiers).
struct XfbVarying {
  std::string name;  // as GL reports it
  XfbSource source = XfbSource::Variable;
  UniformType type = UniformType::Float;
  u32 arraySize = 1;  // elements captured; SkipComponents: components skipped
  u32 buffer = 0;
  u32 offset = 0;  // bytes in a vertex's record of that buffer
  u32 sizeBytes = 0;
  u32 stream = 0;  // geometry stream
  // Where the captured bytes are in the last vertex-processing stage's outputs. Components count 32-bit units from
  // `location`, `component`; each column or array element starts a new location. `firstElement` is the element where
  // capture starts.
  i32 location = -1;
  u32 component = 0;
  u32 firstElement = 0;
  bool wholeVariable = true;  // false: an element or member of the output variable at `location`
};

struct Xfb {
  Stage stage = Stage::Vertex;  // the stage whose outputs are captured
  XfbMode mode = XfbMode::Interleaved;
  std::vector<XfbVarying> varyings;
  std::vector<u32> strides;  // bytes per vertex for each buffer
};

enum class Primitive : u8 {
  Points,
  Lines,
  LinesAdjacency,
  Triangles,
  TrianglesAdjacency,
  LineStrip,
  TriangleStrip,
  Quads,
  Isolines,
  Count
};
enum class TessSpacing : u8 { Equal, FractionalEven, FractionalOdd, Count };
enum class DepthLayout : u8 { None, Any, Greater, Less, Unchanged, Count };

struct GeometryInfo {
  Primitive input = Primitive::Triangles;
  Primitive output = Primitive::TriangleStrip;
  u32 maxVertices = 0;
  u32 invocations = 1;
  u32 streamMask = 1;  // streams that an EmitStreamVertex names
};

struct TessInfo {
  u32 outputVertices = 0;                   // control stage; 0 without one
  Primitive domain = Primitive::Triangles;  // Triangles, Quads or Isolines
  TessSpacing spacing = TessSpacing::Equal;
  bool counterClockwise = true;
  bool pointMode = false;
};

struct Archive {
  StageMask stages = 0;
  bool separable = false;
  u16 glslVersion = 0;  // the highest among the shaders

  u32 defaultBlockBytes = 0;  // 0: no stage has a default block
  StageMask defaultBlockStages = 0;
  std::vector<std::byte> defaultBlockInitial;  // defaultBlockBytes long, or empty when all zero
  u32 uniformLocationCount = 0;                // highest location in use + 1

  std::vector<Uniform> uniforms;
  std::vector<Block> uniformBlocks;
  std::vector<Block> storageBlocks;
  std::vector<BufferVariable> bufferVariables;
  std::vector<InterfaceVariable> inputs;  // with a vertex stage: the attributes
  std::vector<InterfaceVariable> outputs;
  std::vector<Sampler> samplers;
  std::vector<Image> images;
  std::vector<AtomicBuffer> atomicBuffers;
  std::vector<BuiltinUniform> builtinUniforms;
  Xfb xfb;

  GeometryInfo geometry;
  TessInfo tess;
  u32 localSize[3] = {0, 0, 0};

  // Vertex inputs in use, by location (a matrix takes one bit per column).
  u32 attributeMask = 0;
  // The last vertex-processing stage.
  bool writesPointSize = false;
  bool writesLayer = false;
  bool writesViewportIndex = false;
  u8 clipDistances = 0;
  u8 cullDistances = 0;
  // The vertex stage.
  bool usesVertexId = false;
  bool usesInstanceId = false;
  bool usesDrawId = false;
  bool usesBaseVertex = false;
  bool usesBaseInstance = false;
  // The fragment stage.
  bool usesFragCoord = false;
  bool usesPointCoord = false;
  bool usesDerivatives = false;
  bool usesSampleShading = false;  // gl_SampleID, gl_SamplePosition or a sample-qualified input
  bool usesDiscard = false;
  bool writesFragDepth = false;
  bool writesSampleMask = false;
  bool readsSampleMask = false;
  bool earlyFragmentTests = false;
  bool originUpperLeft = false;     // layout(origin_upper_left) on gl_FragCoord
  bool pixelCenterInteger = false;  // layout(pixel_center_integer)
  bool fragColorBroadcast = false;  // gl_FragColor: the output at location 0 goes to every draw buffer
  bool dualSource = false;
  DepthLayout depthLayout = DepthLayout::None;
  u32 colorOutputMask = 0;  // by location, index 0
  // Any stage writes memory (images, storage blocks, atomic counters).
  StageMask sideEffectStages = 0;
};

// The byte form: little-endian, no padding, versioned by a magic word. Never fails; bytes depend on the archive's value
// only.
std::vector<std::byte> serialize(const Archive& archive);

// False, with `out` unspecified, when the bytes are not a whole archive or break an invariant: a count or enumerator
// out of range, an index outside its list, a member outside its block, trailing bytes. Allocates no more than a small
// multiple of bytes.size().
[[nodiscard]] bool deserialize(Bytes bytes, Archive& out);

// The cross-references that deserialize checks; true for whatever linkProgram returns.
[[nodiscard]] bool isConsistent(const Archive& archive);

}  // namespace mgl::shader

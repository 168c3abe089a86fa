#include "shader/archive/archive.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

namespace mgl::shader {
namespace {

// Every list has an entry and every field a value that is not its default where the invariants allow it.
Archive fullArchive() {
  Archive a;
  a.stages = stageBit(Stage::Vertex) | stageBit(Stage::Geometry) | stageBit(Stage::Fragment);
  a.separable = true;
  a.glslVersion = 430;
  a.defaultBlockBytes = 64;
  a.defaultBlockStages = stageBit(Stage::Vertex);
  a.defaultBlockInitial.assign(64, std::byte{0x5a});
  a.uniformLocationCount = 12;

  Uniform color;
  color.name = "color[0]";
  color.type = UniformType::FloatVec4;
  color.isArray = true;
  color.arraySize = 3;
  color.location = 2;
  color.offset = 16;
  color.arrayStride = 16;
  color.stages = stageBit(Stage::Vertex);
  a.uniforms.push_back(color);

  Uniform texture;
  texture.name = "textures[0]";
  texture.type = UniformType::UintSampler2DArray;
  texture.isArray = true;
  texture.arraySize = 2;
  texture.location = 5;
  texture.samplerIndex = 0;
  a.uniforms.push_back(texture);

  Uniform image;
  image.name = "image";
  image.type = UniformType::IntImage3D;
  image.location = 7;
  image.imageIndex = 0;
  a.uniforms.push_back(image);

  Uniform matrix;
  matrix.name = "Camera.view";
  matrix.type = UniformType::FloatMat4x3;
  matrix.blockIndex = 0;
  matrix.offset = 16;
  matrix.matrixStride = 16;
  matrix.rowMajor = true;
  a.uniforms.push_back(matrix);

  Uniform counter;
  counter.name = "counter";
  counter.type = UniformType::AtomicUint;
  counter.offset = 4;
  counter.atomicBufferIndex = 0;
  a.uniforms.push_back(counter);

  a.uniformBlocks.push_back({"Camera[0]", 3, 64, 0, 2, stageBit(Stage::Fragment), false, {3}});
  a.uniformBlocks.push_back({"Camera[1]", 4, 64, 1, 2, stageBit(Stage::Fragment), false, {3}});
  a.storageBlocks.push_back({"Particles", 1, 32, 0, 0, stageBit(Stage::Vertex), true, {0}});
  BufferVariable variable;
  variable.name = "Particles.positions[0]";
  variable.type = UniformType::FloatVec4;
  variable.isArray = true;
  variable.arraySize = 0;
  variable.blockIndex = 0;
  variable.offset = 16;
  variable.arrayStride = 16;
  variable.topLevelArraySize = 4;
  variable.topLevelArrayStride = 64;
  variable.stages = stageBit(Stage::Vertex);
  a.bufferVariables.push_back(variable);
  a.inputs.push_back({"position", UniformType::FloatVec3, false, 1, 4, 0, 0, false, false, stageBit(Stage::Vertex)});
  a.outputs.push_back({"color", UniformType::IntVec4, true, 2, 1, 2, 1, true, true, stageBit(Stage::Fragment)});
  a.samplers.push_back({1, 2, UniformType::UintSampler2DArray, 3, true, stageBit(Stage::Fragment)});
  a.images.push_back({2, 1, UniformType::IntImage3D, 21, 1, true, true, false, stageBit(Stage::Fragment)});
  a.atomicBuffers.push_back({2, 8, stageBit(Stage::Fragment), {4}});
  a.builtinUniforms.push_back({BuiltinUniformKind::NumSamples, 0, 60, 0, 0, stageBit(Stage::Fragment)});
  a.xfb.stage = Stage::Geometry;
  a.xfb.mode = XfbMode::Separate;
  a.xfb.strides = {16, 12};
  XfbVarying captured;
  captured.name = "out.a[1]";
  captured.type = UniformType::FloatVec3;
  captured.buffer = 1;
  captured.sizeBytes = 12;
  captured.stream = 1;
  captured.location = 5;
  captured.component = 1;
  captured.firstElement = 1;
  captured.wholeVariable = false;
  a.xfb.varyings.push_back(captured);
  a.geometry = {Primitive::LinesAdjacency, Primitive::LineStrip, 17, 2, 3};
  a.tess = {4, Primitive::Isolines, TessSpacing::FractionalOdd, false, true};
  a.localSize[0] = 8;
  a.localSize[2] = 2;
  a.attributeMask = 0x10;
  a.writesPointSize = a.writesLayer = a.writesViewportIndex = true;
  a.clipDistances = 6;
  a.cullDistances = 2;
  a.usesVertexId = a.usesInstanceId = a.usesDrawId = a.usesBaseVertex = a.usesBaseInstance = true;
  a.usesFragCoord = a.usesPointCoord = a.usesDerivatives = a.usesSampleShading = a.usesDiscard = true;
  a.writesFragDepth = a.writesSampleMask = a.readsSampleMask = a.earlyFragmentTests = true;
  a.originUpperLeft = a.pixelCenterInteger = a.fragColorBroadcast = a.dualSource = true;
  a.depthLayout = DepthLayout::Greater;
  a.colorOutputMask = 0xff;
  a.sideEffectStages = stageBit(Stage::Fragment);
  return a;
}

TEST(Archive, RoundTripKeepsEveryByte) {
  const Archive archive = fullArchive();
  ASSERT_TRUE(isConsistent(archive));
  const std::vector<std::byte> bytes = serialize(archive);
  Archive back;
  ASSERT_TRUE(deserialize(bytes, back));
  EXPECT_EQ(serialize(back), bytes);
  EXPECT_EQ(back.uniforms[0].name, "color[0]");
  EXPECT_EQ(back.uniforms[3].matrixStride, 16);
  EXPECT_TRUE(back.uniforms[3].rowMajor);
  EXPECT_EQ(back.uniformBlocks[1].arrayIndex, 1u);
  EXPECT_EQ(back.xfb.strides, (std::vector<u32>{16, 12}));
  EXPECT_EQ(back.tess.spacing, TessSpacing::FractionalOdd);
  EXPECT_EQ(back.depthLayout, DepthLayout::Greater);
  EXPECT_EQ(back.colorOutputMask, 0xffu);
}

TEST(Archive, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = serialize(fullArchive());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Archive back;
    EXPECT_FALSE(deserialize(Bytes(bytes).first(length), back)) << length;
  }
}

TEST(Archive, TrailingBytesAreRefused) {
  std::vector<std::byte> bytes = serialize(fullArchive());
  bytes.push_back(std::byte{0});
  Archive back;
  EXPECT_FALSE(deserialize(bytes, back));
}

TEST(Archive, DamagedBytesNeverYieldAnInconsistentArchive) {
  const std::vector<std::byte> good = serialize(fullArchive());
  std::mt19937 random(7);
  u32 refused = 0;
  constexpr u32 kRounds = 20000;
  for (u32 round = 0; round < kRounds; ++round) {
    std::vector<std::byte> bytes = good;
    for (u32 i = 0; i < 1 + round % 4; ++i) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    Archive back;
    if (deserialize(bytes, back))
      EXPECT_TRUE(isConsistent(back));
    else
      ++refused;
  }
  EXPECT_GT(refused, kRounds / 4);
}

TEST(Archive, ACountLargerThanTheBytesIsRefused) {
  std::vector<std::byte> bytes = serialize(Archive{});
  // With an empty archive the uniforms' count follows the magic, five scalars, the initial bytes' count and the
  // location count.
  const std::size_t at = 4 + 1 + 1 + 2 + 4 + 1 + 4 + 4;
  const u32 many = 0x7fffffff;
  std::memcpy(bytes.data() + at, &many, 4);
  Archive back;
  EXPECT_FALSE(deserialize(bytes, back));
}

TEST(Archive, CrossReferencesAreChecked) {
  const auto breaks = [](auto change) {
    Archive archive = fullArchive();
    change(archive);
    Archive back;
    return !isConsistent(archive) && !deserialize(serialize(archive), back);
  };
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[0].offset = 32; }));  // past the default block's end
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[0].arraySize = 4; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[0].arraySize = 0xffffffff; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[0].location = 10; }));  // three elements, twelve locations
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[1].samplerIndex = 1; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[1].samplerIndex = -1; }));  // a sampler without an entry
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[3].blockIndex = 2; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.uniforms[3].matrixStride = 32; }));  // three rows of 32 bytes end past 64
  EXPECT_TRUE(breaks([](Archive& a) { a.uniformBlocks[0].members[0] = 5; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.uniformBlocks[1].arrayIndex = 2; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.bufferVariables[0].blockIndex = 1; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.samplers[0].uniformIndex = 5; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.samplers[0].arraySize = 1; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.images[0].format = 40; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.atomicBuffers[0].sizeBytes = 4; }));  // the counter lies at 4
  EXPECT_TRUE(breaks([](Archive& a) { a.builtinUniforms[0].offset = 61; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.xfb.varyings[0].offset = 4; }));  // 12 bytes of a stride of 12
  EXPECT_TRUE(breaks([](Archive& a) { a.xfb.varyings[0].buffer = 2; }));
  EXPECT_TRUE(breaks([](Archive& a) { a.defaultBlockInitial.pop_back(); }));
  EXPECT_TRUE(breaks([](Archive& a) { a.stages = 0x40; }));
}

TEST(UniformTypes, ShapesAreThoseOfTheSpecification) {
  const UniformTypeInfo& mat = uniformTypeInfo(UniformType::FloatMat4x3);
  EXPECT_EQ(mat.spelling, "mat4x3");
  EXPECT_EQ(mat.columns, 4);  // GLSL 4.60, 4.1.6: the first number is columns
  EXPECT_EQ(mat.rows, 3);
  EXPECT_EQ(uniformTypeInfo(UniformType::DoubleVec3).scalarBytes(), 8u);
  EXPECT_EQ(uniformTypeInfo(UniformType::BoolVec2).scalarBytes(), 4u);
  const UniformTypeInfo& shadow = uniformTypeInfo(UniformType::SamplerCubeArrayShadow);
  EXPECT_TRUE(shadow.shadow && shadow.arrayed && shadow.dim == TextureDim::Cube);
  EXPECT_EQ(uniformTypeInfo(UniformType::UintSampler2DRect).dim, TextureDim::Rect);
}

TEST(UniformTypes, LookUpsAreInversesOfTheTable) {
  std::set<std::string_view> spellings;
  for (u32 i = 0; i < countOf<UniformType>(); ++i) {
    const UniformType type = static_cast<UniformType>(i);
    const UniformTypeInfo& info = uniformTypeInfo(type);
    EXPECT_TRUE(spellings.insert(info.spelling).second) << info.spelling;
    if (info.isOpaque())
      EXPECT_EQ(opaqueType(info.opaque, info.scalar, info.dim, info.shadow, info.arrayed, info.multisample), type)
          << info.spelling;
    else
      EXPECT_EQ(dataType(info.scalar, info.columns, info.rows), type) << info.spelling;
  }
  EXPECT_FALSE(dataType(ScalarKind::Int, 2, 2));
  EXPECT_FALSE(opaqueType(OpaqueKind::Sampler, ScalarKind::Int, TextureDim::Dim2, true, false, false));
}

}  // namespace
}  // namespace mgl::shader

#include "shader/compiler/extract.h"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>

#include "shader/compiler/glslang_headers.h"

namespace mgl::shader {
namespace {

using namespace glslang;

std::string toString(const TString& text) { return {text.c_str(), text.size()}; }

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

ScalarKind scalarKind(TBasicType basic) {
  switch (basic) {
    case EbtDouble:
      return ScalarKind::Double;
    case EbtInt:
      return ScalarKind::Int;
    case EbtUint:
      return ScalarKind::Uint;
    case EbtBool:
      return ScalarKind::Bool;
    default:
      return ScalarKind::Float;
  }
}

TextureDim textureDim(TSamplerDim dim) {
  switch (dim) {
    case Esd1D:
      return TextureDim::Dim1;
    case Esd3D:
      return TextureDim::Dim3;
    case EsdCube:
      return TextureDim::Cube;
    case EsdRect:
      return TextureDim::Rect;
    case EsdBuffer:
      return TextureDim::Buffer;
    default:
      return TextureDim::Dim2;
  }
}

u32 spirvFormat(TLayoutFormat format) {
  switch (format) {
    case ElfRgba32f:
      return 1;
    case ElfRgba16f:
      return 2;
    case ElfR32f:
      return 3;
    case ElfRgba8:
      return 4;
    case ElfRgba8Snorm:
      return 5;
    case ElfRg32f:
      return 6;
    case ElfRg16f:
      return 7;
    case ElfR11fG11fB10f:
      return 8;
    case ElfR16f:
      return 9;
    case ElfRgba16:
      return 10;
    case ElfRgb10A2:
      return 11;
    case ElfRg16:
      return 12;
    case ElfRg8:
      return 13;
    case ElfR16:
      return 14;
    case ElfR8:
      return 15;
    case ElfRgba16Snorm:
      return 16;
    case ElfRg16Snorm:
      return 17;
    case ElfRg8Snorm:
      return 18;
    case ElfR16Snorm:
      return 19;
    case ElfR8Snorm:
      return 20;
    case ElfRgba32i:
      return 21;
    case ElfRgba16i:
      return 22;
    case ElfRgba8i:
      return 23;
    case ElfR32i:
      return 24;
    case ElfRg32i:
      return 25;
    case ElfRg16i:
      return 26;
    case ElfRg8i:
      return 27;
    case ElfR16i:
      return 28;
    case ElfR8i:
      return 29;
    case ElfRgba32ui:
      return 30;
    case ElfRgba16ui:
      return 31;
    case ElfRgba8ui:
      return 32;
    case ElfR32ui:
      return 33;
    case ElfRgb10a2ui:
      return 34;
    case ElfRg32ui:
      return 35;
    case ElfRg16ui:
      return 36;
    case ElfRg8ui:
      return 37;
    case ElfR16ui:
      return 38;
    case ElfR8ui:
      return 39;
    default:
      return 0;
  }
}

Primitive primitive(TLayoutGeometry geometry) {
  switch (geometry) {
    case ElgPoints:
      return Primitive::Points;
    case ElgLines:
      return Primitive::Lines;
    case ElgLinesAdjacency:
      return Primitive::LinesAdjacency;
    case ElgLineStrip:
      return Primitive::LineStrip;
    case ElgTrianglesAdjacency:
      return Primitive::TrianglesAdjacency;
    case ElgTriangleStrip:
      return Primitive::TriangleStrip;
    case ElgQuads:
      return Primitive::Quads;
    case ElgIsolines:
      return Primitive::Isolines;
    default:
      return Primitive::Triangles;
  }
}

Qualifiers convertQualifiers(const TQualifier& from) {
  Qualifiers to;
  if (from.hasLocation()) to.layout.location = static_cast<i32>(from.layoutLocation);
  if (from.hasComponent()) to.layout.component = static_cast<i32>(from.layoutComponent);
  if (from.hasIndex()) to.layout.index = static_cast<i32>(from.layoutIndex);
  if (from.hasBinding()) to.layout.binding = static_cast<i32>(from.layoutBinding);
  if (from.hasOffset()) to.layout.offset = from.layoutOffset;
  if (from.hasAlign()) to.layout.align = from.layoutAlign;
  if (from.hasStream()) to.layout.stream = static_cast<i32>(from.layoutStream);
  if (from.hasXfbBuffer()) to.layout.xfbBuffer = static_cast<i32>(from.layoutXfbBuffer);
  if (from.hasXfbOffset()) to.layout.xfbOffset = static_cast<i32>(from.layoutXfbOffset);
  if (from.hasXfbStride()) to.layout.xfbStride = static_cast<i32>(from.layoutXfbStride);
  to.layout.format = spirvFormat(from.layoutFormat);
  switch (from.layoutPacking) {
    case ElpStd140:
      to.layout.packing = Packing::Std140;
      break;
    case ElpStd430:
      to.layout.packing = Packing::Std430;
      break;
    case ElpShared:
      to.layout.packing = Packing::Shared;
      break;
    case ElpPacked:
      to.layout.packing = Packing::Packed;
      break;
    default:
      break;
  }
  to.layout.rowMajor = from.layoutMatrix == ElmRowMajor;
  if (from.flat)
    to.interpolation = Interpolation::Flat;
  else if (from.nopersp)
    to.interpolation = Interpolation::NoPerspective;
  else if (from.smooth)
    to.interpolation = Interpolation::Smooth;
  to.centroid = from.centroid;
  to.sample = from.sample;
  to.patch = from.patch;
  to.invariant = from.invariant;
  to.readOnly = from.readonly;
  to.writeOnly = from.writeonly;
  to.coherent = from.coherent;
  to.isBuiltin = from.builtIn != EbvNone;
  return to;
}

// One level more than what compileShader accepts.
constexpr u32 kMostNesting = kMostStructureNesting + 1;

// `sizedByUse`: an outer dimension without a size gets the one that the shader's indices imply.
Type convertType(const TType& from, bool sizedByUse, u32 depth = 0) {
  Type to;
  if (depth > kMostNesting) return to;
  to.precision = static_cast<u8>(from.getQualifier().precision);
  if (from.isArray()) {
    const TArraySizes& sizes = *from.getArraySizes();
    for (int i = 0; i < sizes.getNumDims(); ++i) to.dims.push_back(static_cast<u32>(sizes.getDimSize(i)));
    if (to.dims[0] == 0 && sizedByUse) {
      to.dims[0] = static_cast<u32>(std::max(sizes.getImplicitSize(), 0));
      to.sizedByUse = true;
    }
  }
  if (from.isStruct()) {
    to.structName = toString(from.getTypeName());
    auto members = std::make_shared<std::vector<Member>>();
    const TTypeList& list = *from.getStruct();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const TType& type = *list[i].type;
      if (type.hiddenMember()) continue;
      const bool last =
          i + 1 == list.size() && from.getBasicType() == EbtBlock && from.getQualifier().storage == EvqBuffer;
      members->push_back(
          {toString(type.getFieldName()), convertType(type, !last, depth + 1), convertQualifiers(type.getQualifier())});
    }
    to.members = std::move(members);
  } else if (from.getBasicType() == EbtSampler) {
    const TSampler& sampler = from.getSampler();
    to.data = opaqueType(sampler.isImage() ? OpaqueKind::Image : OpaqueKind::Sampler, scalarKind(sampler.type),
                         textureDim(sampler.dim), sampler.shadow, sampler.arrayed, sampler.ms)
                  .value_or(UniformType::Sampler2D);
  } else if (from.getBasicType() == EbtAtomicUint) {
    to.data = UniformType::AtomicUint;
  } else {
    const u32 columns = from.isMatrix() ? static_cast<u32>(from.getMatrixCols()) : 1;
    const u32 rows = static_cast<u32>(from.isMatrix() ? from.getMatrixRows() : from.getVectorSize());
    to.data = dataType(scalarKind(from.getBasicType()), columns, rows).value_or(UniformType::Float);
  }
  return to;
}

std::vector<u32> convertInitial(const TConstUnionArray& values) {
  std::vector<u32> words;
  for (int i = 0; i < values.size(); ++i) {
    const TConstUnion& value = values[i];
    switch (value.getType()) {
      case EbtInt:
        words.push_back(static_cast<u32>(value.getIConst()));
        break;
      case EbtUint:
        words.push_back(value.getUConst());
        break;
      case EbtBool:
        words.push_back(value.getBConst() ? 1 : 0);
        break;
      // glslang folds floats in double: which of the two the variable is, the variable's type says.
      default: {
        const u64 bits = std::bit_cast<u64>(value.getDConst());
        words.push_back(static_cast<u32>(bits));
        words.push_back(static_cast<u32>(bits >> 32));
      }
    }
  }
  return words;
}

std::optional<Storage> convertStorage(const TQualifier& qualifier) {
  if (qualifier.isPipeInput()) return Storage::Input;
  if (qualifier.isPipeOutput()) return Storage::Output;
  switch (qualifier.storage) {
    case EvqUniform:
      return Storage::Uniform;
    case EvqBuffer:
      return Storage::Buffer;
    case EvqShared:
      return Storage::Shared;
    case EvqGlobal:
      return Storage::Global;
    default:
      return std::nullopt;
  }
}

// Collects, per function, what is called and mentioned.
class UseCollector : public TIntermTraverser {
 public:
  UseCollector(ShaderInterface& shader, const std::unordered_map<long long, u32>& variableOfId)
      : TIntermTraverser(true, false, true), shader_(shader), variableOfId_(variableOfId) {
    shader_.functions.emplace_back();
    shader_.functions.back().name = "";
    shader_.functions.back().defined = true;
    sets_.emplace_back();
  }

  void finish() {
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      Function& function = shader_.functions[i];
      function.uses.assign(sets_[i].uses.begin(), sets_[i].uses.end());
      function.calls.assign(sets_[i].calls.begin(), sets_[i].calls.end());
      function.builtins.assign(sets_[i].builtins.begin(), sets_[i].builtins.end());
    }
  }

  void visitSymbol(TIntermSymbol* symbol) override {
    const auto found = variableOfId_.find(symbol->getId());
    if (found != variableOfId_.end()) sets_[current_].uses.insert(found->second);
    const std::string_view name(symbol->getName().c_str(), symbol->getName().size());
    if (startsWith(name, "gl_")) {
      sets_[current_].builtins.insert(std::string(name));
      if (name == "gl_FragData" && !indexedFragData_) shader_.maxFragDataIndex = std::max(shader_.maxFragDataIndex, 7);
    }
  }

  bool visitBinary(TVisit visit, TIntermBinary* node) override {
    if (visit != EvPreVisit) return true;
    const TIntermSymbol* symbol = node->getLeft()->getAsSymbolNode();
    const TIntermConstantUnion* index = node->getRight()->getAsConstantUnion();
    if (node->getOp() == EOpIndexDirect && symbol && index && symbol->getName() == "gl_FragData") {
      shader_.maxFragDataIndex = std::max(shader_.maxFragDataIndex, index->getConstArray()[0].getIConst());
      indexedFragData_ = true;
      visitSymbol(node->getLeft()->getAsSymbolNode());
      indexedFragData_ = false;
      return false;
    }
    if (node->getOp() == EOpIndexDirectStruct && index) {
      const TType& type = node->getLeft()->getType();
      if (type.getBasicType() == EbtBlock && type.getTypeName() == "gl_PerVertex") {
        const TTypeList& members = *type.getStruct();
        const std::size_t at = static_cast<std::size_t>(index->getConstArray()[0].getIConst());
        if (at < members.size()) sets_[current_].builtins.insert(toString(members[at].type->getFieldName()));
      }
    }
    return true;
  }

  bool visitAggregate(TVisit visit, TIntermAggregate* node) override {
    switch (node->getOp()) {
      case EOpLinkerObjects:
        return false;
      case EOpFunction:
        if (visit == EvPreVisit) {
          current_ = functionIndex(toString(node->getName()));
          shader_.functions[current_].defined = true;
        } else {
          current_ = 0;
        }
        return true;
      case EOpFunctionCall:
        if (visit == EvPreVisit && node->isUserDefined()) sets_[current_].calls.insert(toString(node->getName()));
        return true;
      case EOpEmitStreamVertex:
        if (visit == EvPreVisit) noteStream(node->getSequence().empty() ? nullptr : node->getSequence()[0]);
        return true;
      default:
        return true;
    }
  }

  bool visitUnary(TVisit visit, TIntermUnary* node) override {
    if (visit == EvPreVisit && node->getOp() == EOpEmitStreamVertex) noteStream(node->getOperand());
    return true;
  }

 private:
  struct Sets {
    std::set<u32> uses;
    std::set<std::string> calls;
    std::set<std::string> builtins;
  };

  void noteStream(TIntermNode* node) {
    const TIntermConstantUnion* stream = node ? node->getAsConstantUnion() : nullptr;
    if (!stream) return;
    const int index = stream->getConstArray()[0].getIConst();
    if (index >= 0 && index < 32) shader_.geometry.streamMask |= 1u << index;
  }

  std::size_t functionIndex(const std::string& name) {
    const auto [at, added] = indexOfName_.emplace(name, shader_.functions.size());
    if (added) {
      shader_.functions.emplace_back();
      shader_.functions.back().name = name;
      sets_.emplace_back();
    }
    return at->second;
  }

  ShaderInterface& shader_;
  const std::unordered_map<long long, u32>& variableOfId_;
  std::vector<Sets> sets_;
  std::unordered_map<std::string, std::size_t> indexOfName_;
  std::size_t current_ = 0;
  bool indexedFragData_ = false;
};

void extractModes(const TIntermediate& from, ShaderInterface& to) {
  to.originUpperLeft = from.getOriginUpperLeft();
  to.pixelCenterInteger = from.getPixelCenterInteger();
  to.earlyFragmentTests = from.getEarlyFragmentTests();
  switch (from.getDepth()) {
    case EldAny:
      to.depthLayout = DepthLayout::Any;
      break;
    case EldGreater:
      to.depthLayout = DepthLayout::Greater;
      break;
    case EldLess:
      to.depthLayout = DepthLayout::Less;
      break;
    case EldUnchanged:
      to.depthLayout = DepthLayout::Unchanged;
      break;
    default:
      break;
  }
  const bool hasVertices = from.getVertices() != TQualifier::layoutNotSet;
  if (to.stage == Stage::Geometry) {
    to.hasGeometryInput = from.getInputPrimitive() != ElgNone;
    to.hasGeometryOutput = from.getOutputPrimitive() != ElgNone;
    to.hasMaxVertices = hasVertices;
    to.geometry.input = primitive(from.getInputPrimitive());
    to.geometry.output = primitive(from.getOutputPrimitive());
    if (hasVertices) to.geometry.maxVertices = static_cast<u32>(from.getVertices());
    if (from.getInvocations() != TQualifier::layoutNotSet)
      to.geometry.invocations = static_cast<u32>(from.getInvocations());
  }
  if (to.stage == Stage::TessControl && hasVertices) to.tess.outputVertices = static_cast<u32>(from.getVertices());
  if (to.stage == Stage::TessEval) {
    to.hasGeometryInput = from.getInputPrimitive() != ElgNone;
    to.tess.domain = primitive(from.getInputPrimitive());
    to.tess.spacing = from.getVertexSpacing() == EvsFractionalEven  ? TessSpacing::FractionalEven
                      : from.getVertexSpacing() == EvsFractionalOdd ? TessSpacing::FractionalOdd
                                                                    : TessSpacing::Equal;
    to.tess.counterClockwise = from.getVertexOrder() != EvoCw;
    to.tess.pointMode = from.getPointMode();
  }
  if (to.stage == Stage::Compute) {
    for (int i = 0; i < 3; ++i) to.localSize[i] = from.getLocalSize(i);
  }
  for (int i = 0; i < 4; ++i) {
    const unsigned stride = from.getXfbStride(i);
    if (stride != TQualifier::layoutXfbStrideEnd) to.xfbStrides[i] = stride;
  }
}

// Initialisers are kept as glslang has them, floats as doubles; this narrows to the variable's own type.
void narrowInitial(const Type& type, const std::vector<u32>& from, std::size_t& at, std::vector<u32>& to) {
  if (type.isArray()) {
    for (u32 i = 0; i < type.dims[0]; ++i) narrowInitial(type.element(), from, at, to);
    return;
  }
  if (type.isStruct()) {
    for (const Member& member : *type.members) narrowInitial(member.type, from, at, to);
    return;
  }
  const UniformTypeInfo& info = uniformTypeInfo(type.data);
  const bool isFloat = info.scalar == ScalarKind::Float, isDouble = info.scalar == ScalarKind::Double;
  for (u32 i = 0; i < info.components(); ++i) {
    if (at + (isFloat || isDouble ? 2 : 1) > from.size()) return;
    if (isFloat) {
      const f64 value = std::bit_cast<f64>(u64{from[at]} | u64{from[at + 1]} << 32);
      to.push_back(std::bit_cast<u32>(static_cast<f32>(value)));
      at += 2;
    } else {
      to.push_back(from[at++]);
      if (isDouble) to.push_back(from[at++]);
    }
  }
}

}  // namespace

ShaderInterface extractInterface(const TIntermediate& intermediate, Stage stage) {
  ShaderInterface shader;
  shader.stage = stage;
  shader.version = static_cast<u32>(intermediate.getVersion());
  shader.es = intermediate.getProfile() == EEsProfile;
  extractModes(intermediate, shader);
  TIntermNode* root = intermediate.getTreeRoot();
  TIntermAggregate* globals = root ? root->getAsAggregate() : nullptr;
  if (!globals) return shader;

  std::unordered_map<long long, u32> variableOfId;
  for (TIntermNode* node : globals->getSequence()) {
    TIntermAggregate* objects = node->getAsAggregate();
    if (!objects || objects->getOp() != EOpLinkerObjects) continue;
    for (TIntermNode* object : objects->getSequence()) {
      const TIntermSymbol* symbol = object->getAsSymbolNode();
      if (!symbol) continue;
      const TType& type = symbol->getType();
      const auto storage = convertStorage(type.getQualifier());
      if (!storage || variableOfId.count(symbol->getId())) continue;
      Variable variable;
      variable.name = toString(symbol->getName());
      variable.isBlock = type.getBasicType() == EbtBlock;
      if (variable.isBlock) {
        variable.blockName = toString(type.getTypeName());
        if (startsWith(variable.name, "anon@")) variable.name.clear();
      }
      variable.type = convertType(type, true);
      variable.storage = *storage;
      variable.qualifiers = convertQualifiers(type.getQualifier());
      if (startsWith(variable.linkName(), "gl_")) variable.qualifiers.isBuiltin = true;
      if (*storage == Storage::Uniform && !symbol->getConstArray().empty()) {
        const std::vector<u32> wide = convertInitial(symbol->getConstArray());
        std::size_t at = 0;
        narrowInitial(variable.type, wide, at, variable.initial);
      }
      variableOfId.emplace(symbol->getId(), static_cast<u32>(shader.variables.size()));
      shader.variables.push_back(std::move(variable));
    }
  }
  UseCollector collector(shader, variableOfId);
  root->traverse(&collector);
  collector.finish();
  return shader;
}

}  // namespace mgl::shader

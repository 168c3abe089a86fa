#include "shader/translator/translate.h"

#include "shader/translator/passes.h"

namespace mgl::shader {
namespace {

spv::ExecutionModel modelOf(Stage stage) {
  switch (stage) {
    case Stage::Vertex:
      return spv::ExecutionModel::Vertex;
    case Stage::TessControl:
      return spv::ExecutionModel::TessellationControl;
    case Stage::TessEval:
      return spv::ExecutionModel::TessellationEvaluation;
    case Stage::Geometry:
      return spv::ExecutionModel::Geometry;
    case Stage::Fragment:
      return spv::ExecutionModel::Fragment;
    case Stage::Compute:
      return spv::ExecutionModel::GLCompute;
    case Stage::Count:
      break;
  }
  return spv::ExecutionModel::Max;
}

bool isVertexProcessing(Stage stage) {
  return stage == Stage::Vertex || stage == Stage::TessEval || stage == Stage::Geometry;
}

class Translator {
 public:
  explicit Translator(const TranslateInput& input)
      : in_(input), constants_(m_), inputs_(m_, constants_), vertex_(m_, constants_), capture_(m_), fragment_(m_), lodBias_(m_) {}

  TranslateResult run() {
    if (m_.load(in_.spirv)) prepare();
    if (m_.ok()) rewriteFunctions();
    TranslateResult result;
    if (!m_.ok()) {
      result.error = m_.fault();
      return result;
    }
    result.spirv = m_.words();
    result.usesDriverConstants = constants_.used();
    return result;
  }

 private:
  void prepare() {
    if (m_.operand(m_.entryPoints[0], 1) != static_cast<u32>(modelOf(in_.stage)))
      return m_.fail("Spirv.EntryPoints: of another stage");
    std::erase_if(m_.modes, [&](const Inst& mode) {
      const auto kind = static_cast<spv::ExecutionMode>(m_.operand(mode, 2));
      if (kind == spv::ExecutionMode::OriginLowerLeft) m_.fail("Spirv.OriginLowerLeft");
      return kind == spv::ExecutionMode::PixelCenterInteger;
    });
    const std::vector<bool> used = usedVariables(m_);
    remapBindings(m_, in_.bindings, used);
    inputs_.prepare(in_, used);
    lodBias_.prepare(in_);
    if (isVertexProcessing(in_.stage)) {
      // First, while the outputs are only those of the program.
      capture_.prepare(in_);
      vertex_.prepare(in_);
    }
    if (in_.stage == Stage::Fragment) {
      fragment_.prepare(in_);
      if (in_.transformWindow) glslImport_ = findGlslImport(m_);
    }
  }

  bool hasOutputCode() const { return !vertex_.empty() || !capture_.empty() || !fragment_.empty(); }

  void emitOutputs(Emitter& e) {
    capture_.emit(e);
    vertex_.emit(e);
    fragment_.emit(e);
  }

  void rewriteFunctions() {
    const Code code = std::move(m_.functions);
    m_.functions = {};
    Code& out = m_.functions;
    out.reserve(code.size() + 64);
    Emitter e(m_, out);
    bool inMain = false, prologueDone = true;
    for (const Inst& inst : code) {
      switch (inst.op) {
        case spv::Op::OpFunction:
          inMain = m_.operand(inst, 2) == m_.entryFunction();
          prologueDone = !inMain;
          break;
        case spv::Op::OpFunctionEnd:
          inMain = false;
          break;
        case spv::Op::OpFunctionParameter:
        case spv::Op::OpLabel:
        case spv::Op::OpVariable:
        case spv::Op::OpLine:
        case spv::Op::OpNoLine:
          break;
        default:
          if (!prologueDone) {
            inputs_.emitPrologue(e);
            prologueDone = true;
          }
      }
      if (outputsComplete(inst.op, inMain)) emitOutputs(e);
      inputs_.rewriteUse(inst);
      if (in_.transformWindow && in_.stage == Stage::Fragment && emitWindowSpace(m_, constants_, inst, glslImport_, e))
        continue;
      if (lodBias_.emit(inst, e)) continue;
      out.push_back(inst);
      if (!m_.ok()) return;
    }
  }

  bool outputsComplete(spv::Op op, bool inMain) const {
    if (!hasOutputCode()) return false;
    if (in_.stage == Stage::Geometry) return op == spv::Op::OpEmitVertex || op == spv::Op::OpEmitStreamVertex;
    return inMain && op == spv::Op::OpReturn;
  }

  const TranslateInput& in_;
  Module m_;
  DriverBlock constants_;
  ShadowInputs inputs_;
  VertexOutputs vertex_;
  Capture capture_;
  FragmentOutputs fragment_;
  LodBias lodBias_;
  u32 glslImport_ = 0;
};

}  // namespace

TranslateResult translate(const TranslateInput& input) { return Translator(input).run(); }

}  // namespace mgl::shader

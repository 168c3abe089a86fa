// Programs, pipelines, their bindings and default uniforms.
#include <algorithm>
#include <cstring>

#include "server/session_tables.h"

namespace mgl::server {

using backend::Program;

static_assert(countOf<pipe::Stage>() == countOf<shader::Stage>(), "stages of the pipe and of the archive are the same");

namespace {

constexpr u32 kSpirvMagic = 0x07230203;

// One entry per element, as GL's units count; false: more than any program may have.
template <class T>
bool initialUnits(const std::vector<T>& resources, u32 most, std::vector<u32>* units) {
  units->clear();
  for (const T& resource : resources) {
    if (resource.arraySize > most - units->size()) return false;
    for (u32 i = 0; i < resource.arraySize; ++i) units->push_back(resource.hasBinding ? resource.initialUnit + i : 0);
  }
  return std::all_of(units->begin(), units->end(), [most](u32 unit) { return unit < most; });
}

bool initialBindings(const std::vector<shader::Block>& blocks, std::vector<u32>* bindings) {
  if (blocks.size() > pipe::kMaxBlockBindings) return false;
  bindings->clear();
  for (const shader::Block& block : blocks) bindings->push_back(block.binding);
  return std::all_of(bindings->begin(), bindings->end(), [](u32 b) { return b < pipe::kMaxBufferBindings; });
}

u32 windowOf(const std::vector<u32>& units) {
  u32 window = 0;
  for (u32 unit : units) window = std::max(window, unit + 1);
  return window;
}

// Over what the vector holds by default; entries that the record leaves out keep it.
template <class Element>
bool overwrite(std::span<const Element> from, std::vector<u32>* to) {
  if (from.size() > to->size()) return false;
  static_assert(sizeof(Element) == sizeof(u32));
  if (!from.empty()) std::memcpy(to->data(), from.data(), from.size_bytes());
  return true;
}

}  // namespace

bool Session::applyCreateProgram(pipe::RecordView<pipe::CreateProgram> record) {
  const pipe::CreateProgram& head = record.head;
  Program* program = programs_.find(head.program);
  if (program == nullptr && !programs_.isFresh(head.program.slot, head.program.gen))
    return corrupt("CreateProgram.program");
  if (program != nullptr && program->pipeline) return corrupt("CreateProgram.program");

  std::array<Bytes, countOf<pipe::Stage>()> modules;
  for (u32 i = 0; i < modules.size(); ++i) {
    bool fits = false;
    modules[i] = blobBytes(head.spirv[i], &fits);
    const bool wanted = head.linked != 0 && (head.stages >> i & 1) != 0;
    u32 magic = 0;
    if (modules[i].size() >= 20) std::memcpy(&magic, modules[i].data(), sizeof magic);
    if (!fits || modules[i].size() % 4 != 0 || (wanted && magic != kSpirvMagic)) return corrupt("CreateProgram.spirv");
    if (!wanted) modules[i] = {};
  }
  bool fits = false;
  const Bytes archiveBytes = blobBytes(head.archive, &fits);
  if (!fits) return corrupt("CreateProgram.archive");
  shader::Archive archive;
  std::vector<u32> blockBindings, storageBindings, samplerUnits, imageUnits;
  if (head.linked != 0) {
    if (!shader::deserialize(archiveBytes, archive) || archive.stages != head.stages ||
        archive.defaultBlockBytes > pipe::kMaxUniformBlockBytes ||
        (!archive.defaultBlockInitial.empty() && archive.defaultBlockInitial.size() != archive.defaultBlockBytes))
      return corrupt("CreateProgram.archive");
    if (head.stages == 0) return corrupt("CreateProgram.stages");
    if (!initialBindings(archive.uniformBlocks, &blockBindings) ||
        !initialBindings(archive.storageBlocks, &storageBindings) ||
        !initialUnits(archive.samplers, pipe::kMaxTextureUnits, &samplerUnits) ||
        !initialUnits(archive.images, pipe::kMaxImageUnits, &imageUnits))
      return corrupt("CreateProgram.archive");
  }

  if (program == nullptr) program = &programs_.insert(head.program, backend_->makeProgram());
  program->linked = head.linked != 0;
  program->stageMask = head.linked != 0 ? head.stages : 0;
  for (u32 i = 0; i < modules.size(); ++i) {
    program->spirv[i].resize(modules[i].size() / 4);
    if (!modules[i].empty()) std::memcpy(program->spirv[i].data(), modules[i].data(), modules[i].size());
  }
  program->archive = std::move(archive);
  program->blockBindings = std::move(blockBindings);
  program->storageBindings = std::move(storageBindings);
  program->samplerUnits = std::move(samplerUnits);
  program->imageUnits = std::move(imageUnits);
  program->samplerWindow = windowOf(program->samplerUnits);
  program->drawWindow = program->linked ? program->samplerWindow : ~0u;
  program->uniforms = program->archive.defaultBlockInitial;
  program->uniforms.resize(program->archive.defaultBlockBytes);
  ++program->bindingsSerial;
  ++program->uniformsSerial;
  ++program->serial;
  backend_->programChanged(*program);
  return true;
}

bool Session::applyCreatePipeline(pipe::RecordView<pipe::CreatePipeline> record) {
  const pipe::CreatePipeline& head = record.head;
  Program* pipeline = programs_.find(head.pipeline);
  if (pipeline == nullptr && !programs_.isFresh(head.pipeline.slot, head.pipeline.gen))
    return corrupt("CreatePipeline.pipeline");
  if (pipeline != nullptr && !pipeline->pipeline) return corrupt("CreatePipeline.pipeline");
  std::array<Program*, countOf<pipe::Stage>()> stages{};
  for (u32 i = 0; i < stages.size(); ++i) {
    if (!lookUp(programs_, head.stages[i], &stages[i])) return corrupt("CreatePipeline.stages");
    // A pipeline holds programs only: no chain and no cycle of references.
    if (stages[i] != nullptr && stages[i]->pipeline) return corrupt("CreatePipeline.stages");
  }
  if (pipeline == nullptr) pipeline = &programs_.insert(head.pipeline, backend_->makeProgram());
  pipeline->pipeline = true;
  pipeline->stageMask = 0;
  for (u32 i = 0; i < stages.size(); ++i) {
    pipeline->stages[i] = Ref(stages[i]);
    if (stages[i] != nullptr) pipeline->stageMask |= 1u << i;
  }
  pipeline->linked = pipeline->stageMask != 0;
  ++pipeline->serial;
  backend_->programChanged(*pipeline);
  return true;
}

bool Session::applySetProgramBindings(pipe::RecordView<pipe::SetProgramBindings> record) {
  Program* program = programs_.find(record.head.program);
  if (program == nullptr || program->pipeline) return corrupt("SetProgramBindings.program");
  if (!overwrite(record.tail<0>(), &program->blockBindings)) return corrupt("SetProgramBindings.blockCount");
  if (!overwrite(record.tail<1>(), &program->storageBindings)) return corrupt("SetProgramBindings.storageCount");
  if (!overwrite(record.tail<2>(), &program->samplerUnits)) return corrupt("SetProgramBindings.samplerCount");
  if (!overwrite(record.tail<3>(), &program->imageUnits)) return corrupt("SetProgramBindings.imageCount");
  program->samplerWindow = windowOf(program->samplerUnits);
  program->drawWindow = program->linked ? program->samplerWindow : ~0u;
  ++program->bindingsSerial;
  backend_->programBindingsChanged(*program);
  return true;
}

bool Session::applyDestroyProgram(pipe::RecordView<pipe::DestroyProgram> record) {
  return destroy(programs_, record.head.program, "DestroyProgram.program");
}

}  // namespace mgl::server

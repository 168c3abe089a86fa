// Queries, transform feedback, fences, and what is for the host's debugger.
#include "server/image_checks.h"
#include "server/session_tables.h"

namespace mgl::server {

using backend::Group;
using backend::Query;
using backend::StreamOutput;

bool Session::applyCreateQuery(pipe::RecordView<pipe::CreateQuery> record) {
  const pipe::CreateQuery& head = record.head;
  if (!queries_.isFresh(head.query.slot, head.query.gen)) return corrupt("CreateQuery.query");
  Query& query = queries_.insert(head.query, backend_->makeQuery());
  query.kind = head.kind;
  query.stream = head.stream;
  return true;
}

bool Session::applyDestroyQuery(pipe::RecordView<pipe::DestroyQuery> record) {
  Query* query = queries_.find(record.head.query);
  if (query == nullptr) return corrupt("DestroyQuery.query");
  // A run whose query goes ends with it; no result is asked for any more.
  for (u32 slot = 0; query->active && slot < contexts_.slots(); ++slot) {
    backend::ContextState* context = contexts_.inSlot(slot);
    if (context == nullptr) continue;
    Ref<Query>& active = context->activeQueries[indexOf(query->kind)];
    if (active != query) continue;
    query->active = false;
    backend_->endQuery(*context, *query);
    active.reset();
  }
  return destroy(queries_, record.head.query, "DestroyQuery.query");
}

bool Session::applyBeginQuery(pipe::RecordView<pipe::BeginQuery> record) {
  Query* query = queries_.find(record.head.query);
  if (query == nullptr || query->kind == pipe::QueryKind::Timestamp) return corrupt("BeginQuery.query");
  if (query->active) return corrupt("BeginQuery.active");
  Ref<Query>& active = current_->activeQueries[indexOf(query->kind)];
  if (query->stream == 0 && active) return corrupt("BeginQuery.kind");
  query->active = true;
  query->runSerial = record.head.serial;
  ++query->serial;
  if (query->stream == 0) active = Ref(query);
  backend_->beginQuery(*current_, *query);
  return true;
}

bool Session::applyEndQuery(pipe::RecordView<pipe::EndQuery> record) {
  Query* query = queries_.find(record.head.query);
  if (query == nullptr || !query->active) return corrupt("EndQuery.query");
  Ref<Query>& active = current_->activeQueries[indexOf(query->kind)];
  if (query->stream == 0 && active != query) return corrupt("EndQuery.context");
  query->active = false;
  backend_->endQuery(*current_, *query);
  if (query->stream == 0) active.reset();
  return true;
}

bool Session::applyWriteTimestamp(pipe::RecordView<pipe::WriteTimestamp> record) {
  Query* query = queries_.find(record.head.query);
  if (query == nullptr || query->kind != pipe::QueryKind::Timestamp) return corrupt("WriteTimestamp.query");
  query->runSerial = record.head.serial;
  ++query->serial;
  backend_->writeTimestamp(*current_, *query);
  return true;
}

bool Session::applyWaitQuery(pipe::RecordView<pipe::WaitQuery> record) {
  Query* query = queries_.find(record.head.query);
  if (query == nullptr) return corrupt("WaitQuery.query");
  // A run that never was or that has not ended has no result to wait for.
  if (query->active || query->runSerial == 0) return corrupt("WaitQuery.active");
  return reply(pipe::Call::WaitQuery, record.head.replySlot, backend_->beginWaitQuery(*query), sizeof(u64));
}

bool Session::applyQueryResultToBuffer(pipe::RecordView<pipe::QueryResultToBuffer> record) {
  const pipe::QueryResultToBuffer& head = record.head;
  Query* query = queries_.find(head.query);
  if (query == nullptr || query->active || query->runSerial == 0) return corrupt("QueryResultToBuffer.query");
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("QueryResultToBuffer.buffer");
  const u32 bytes = head.wide != 0 ? 8 : 4;
  if (head.offset % 4 != 0 || !rangeFits(head.offset, bytes, buffer->bytes))
    return corrupt("QueryResultToBuffer.offset");
  backend_->queryResultToBuffer(*query, *buffer, head.offset, head.wide != 0, head.wait != 0, head.availability != 0);
  return true;
}

bool Session::applyCreateStreamOutput(pipe::RecordView<pipe::CreateStreamOutput> record) {
  const pipe::StreamOutputHandle handle = record.head.streamOutput;
  if (!streamOutputs_.isFresh(handle.slot, handle.gen)) return corrupt("CreateStreamOutput.streamOutput");
  streamOutputs_.insert(handle, backend_->makeStreamOutput());
  return true;
}
bool Session::applyDestroyStreamOutput(pipe::RecordView<pipe::DestroyStreamOutput> record) {
  const StreamOutput* output = streamOutputs_.find(record.head.streamOutput);
  if (output != nullptr && output->active) return corrupt("DestroyStreamOutput.active");
  return destroy(streamOutputs_, record.head.streamOutput, "DestroyStreamOutput.streamOutput");
}

// Transform feedback is state that draws look at: begin and end of a span change it, the backend reads it from the
// context.
bool Session::applyBeginStreamOutput(pipe::RecordView<pipe::BeginStreamOutput> record) {
  StreamOutput* output = streamOutputs_.find(record.head.streamOutput);
  if (output == nullptr) return corrupt("BeginStreamOutput.streamOutput");
  if (output->active) return corrupt("BeginStreamOutput.active");
  output->active = true;
  output->paused = false;
  output->mode = record.head.mode;
  ++output->serial;
  current_->streamOutput = Ref(output);
  touch(Group::StreamOutput);
  return true;
}
bool Session::applyEndStreamOutput(pipe::RecordView<pipe::EndStreamOutput> record) {
  StreamOutput* output = streamOutputs_.find(record.head.streamOutput);
  if (output == nullptr || !output->active) return corrupt("EndStreamOutput.streamOutput");
  output->active = output->paused = false;
  ++output->serial;
  touch(Group::StreamOutput);
  return true;
}
bool Session::applyPauseStreamOutput(pipe::RecordView<pipe::PauseStreamOutput> record) {
  StreamOutput* output = streamOutputs_.find(record.head.streamOutput);
  if (output == nullptr || !output->active || output->paused) return corrupt("PauseStreamOutput.streamOutput");
  output->paused = true;
  ++output->serial;
  touch(Group::StreamOutput);
  return true;
}
bool Session::applyResumeStreamOutput(pipe::RecordView<pipe::ResumeStreamOutput> record) {
  StreamOutput* output = streamOutputs_.find(record.head.streamOutput);
  if (output == nullptr || !output->active || !output->paused) return corrupt("ResumeStreamOutput.streamOutput");
  output->paused = false;
  ++output->serial;
  current_->streamOutput = Ref(output);
  touch(Group::StreamOutput);
  return true;
}

bool Session::applyCreateFence(pipe::RecordView<pipe::CreateFence> record) {
  const pipe::CreateFence& head = record.head;
  if (!syncs_.isFresh(head.sync.slot, head.sync.gen)) return corrupt("CreateFence.sync");
  if (head.serial < lastSerial_) return corrupt("CreateFence.serial");
  lastSerial_ = head.serial;
  backend::Sync& sync = syncs_.insert(head.sync, backend_->makeSync());
  sync.fenceSerial = head.serial;
  backend_->createFence(sync, head.serial);
  return true;
}
bool Session::applyWaitFence(pipe::RecordView<pipe::WaitFence> record) {
  const backend::Sync* sync = syncs_.find(record.head.sync);
  if (sync == nullptr) return corrupt("WaitFence.sync");
  reply(pipe::Call::WaitFence, record.head.replySlot, {}, 0);
  reply_.value = sync->fenceSerial;
  reply_.timeoutNs = record.head.timeoutNs;
  return true;
}
bool Session::applyServerWaitFence(pipe::RecordView<pipe::ServerWaitFence> record) {
  backend::Sync* sync = syncs_.find(record.head.sync);
  if (sync == nullptr) return corrupt("ServerWaitFence.sync");
  backend_->serverWaitFence(*sync);
  return true;
}
bool Session::applyDestroySync(pipe::RecordView<pipe::DestroySync> record) {
  return destroy(syncs_, record.head.sync, "DestroySync.sync");
}
bool Session::applyImportSyncFd(pipe::RecordView<pipe::ImportSyncFd>) {
  return unimplemented(pipe::Call::ImportSyncFd);
}
bool Session::applyExportSyncFd(pipe::RecordView<pipe::ExportSyncFd>) {
  return unimplemented(pipe::Call::ExportSyncFd);
}

bool Session::applyLabel(pipe::RecordView<pipe::Label> record) {
  using pipe::LabelKind;
  const u32 slot = record.head.slot, gen = record.head.gen;
  backend::Object* object = nullptr;
  switch (record.head.kind) {
    case LabelKind::Buffer:
      object = buffers_.find({slot, gen});
      break;
    case LabelKind::Program:
    case LabelKind::Pipeline:
      object = programs_.find({slot, gen});
      break;
    case LabelKind::VertexArray:
      object = vertexArrays_.find({slot, gen});
      break;
    case LabelKind::Query:
      object = queries_.find({slot, gen});
      break;
    case LabelKind::StreamOutput:
      object = streamOutputs_.find({slot, gen});
      break;
    case LabelKind::Sampler:
      object = samplers_.find({slot, gen});
      break;
    case LabelKind::Texture:
    case LabelKind::Renderbuffer:
      object = textures_.find({slot, gen});
      break;
    case LabelKind::Framebuffer:
      object = framebuffers_.find({slot, gen});
      break;
    case LabelKind::Sync:
      object = syncs_.find({slot, gen});
      break;
    case LabelKind::Shader:  // no object of the pipe
    case LabelKind::Count:
      break;
  }
  if (object == nullptr) return true;
  const auto text = record.tail<0>();
  object->label.assign(text.begin(), text.end());
  backend_->labelChanged(*object);
  return true;
}

namespace {

std::string_view textOf(std::span<const u8> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool Session::applyDebugMessage(pipe::RecordView<pipe::DebugMessage> record) {
  backend_->debugMarker(textOf(record.tail<0>()), 0);
  return true;
}
bool Session::applyPushDebugGroup(pipe::RecordView<pipe::PushDebugGroup> record) {
  ++debugDepth_;
  backend_->debugMarker(textOf(record.tail<0>()), 1);
  return true;
}
bool Session::applyPopDebugGroup(pipe::RecordView<pipe::PopDebugGroup>) {
  if (debugDepth_ == 0) return corrupt("PopDebugGroup.depth");
  --debugDepth_;
  backend_->debugMarker({}, -1);
  return true;
}

}  // namespace mgl::server

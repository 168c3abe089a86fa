// Buffers and vertex arrays.
#include <algorithm>

#include "server/image_checks.h"
#include "server/session_tables.h"

namespace mgl::server {

bool Session::applyCreateVertexFormat(pipe::RecordView<pipe::CreateVertexFormat> record) {
  const pipe::VertexFormatHandle handle = record.head.format;
  if (!vertexFormats_.isFresh(handle.slot, handle.gen)) return corrupt("CreateVertexFormat.format");
  const auto attribs = record.tail<0>();
  u32 mask = 0;
  for (const pipe::VertexAttrib& attrib : attribs) {
    if ((mask >> attrib.location & 1) != 0) return corrupt("CreateVertexFormat.VertexAttrib.location");
    mask |= 1u << attrib.location;
  }
  backend::VertexFormat& format = vertexFormats_.insert(handle, backend_->makeVertexFormat());
  format.attribs.assign(attribs.begin(), attribs.end());
  format.locationMask = mask;
  ++format.serial;
  backend_->initVertexFormat(format);
  return true;
}
bool Session::applyDestroyVertexFormat(pipe::RecordView<pipe::DestroyVertexFormat> record) {
  return destroy(vertexFormats_, record.head.format, "DestroyVertexFormat.format");
}

bool Session::applyCreateVertexArray(pipe::RecordView<pipe::CreateVertexArray> record) {
  const pipe::VertexArrayHandle handle = record.head.vertexArray;
  if (!vertexArrays_.isFresh(handle.slot, handle.gen)) return corrupt("CreateVertexArray.vertexArray");
  vertexArrays_.insert(handle, backend_->makeVertexArray());
  return true;
}

bool Session::applyUpdateVertexArray(pipe::RecordView<pipe::UpdateVertexArray> record) {
  backend::VertexArray* vertexArray = vertexArrays_.find(record.head.vertexArray);
  if (vertexArray == nullptr) return corrupt("UpdateVertexArray.vertexArray");
  backend::VertexFormat* format = vertexFormats_.find(record.head.format);
  if (format == nullptr) return corrupt("UpdateVertexArray.format");
  backend::Buffer* indexBuffer = nullptr;
  if (!lookUp(buffers_, record.head.indexBuffer, &indexBuffer)) return corrupt("UpdateVertexArray.indexBuffer");
  const auto bindings = record.tail<0>();
  for (const pipe::VertexAttrib& attrib : format->attribs) {
    if (attrib.binding >= bindings.size()) return corrupt("UpdateVertexArray.count");
  }
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    backend::Buffer* buffer = nullptr;
    if (!lookUp(buffers_, bindings[i].buffer, &buffer)) return corrupt("UpdateVertexArray.VertexBinding.buffer");
    backend::VertexBinding& binding = vertexArray->bindings[i];
    if (binding.buffer != buffer) binding.buffer = Ref(buffer);
    binding.offset = bindings[i].offset;
    binding.stride = bindings[i].stride;
    binding.divisor = bindings[i].divisor;
  }
  for (std::size_t i = bindings.size(); i < vertexArray->bindingCount; ++i) vertexArray->bindings[i] = {};
  vertexArray->bindingCount = record.head.count;
  vertexArray->format = Ref(format);
  vertexArray->indexBuffer = Ref(indexBuffer);
  ++vertexArray->serial;
  backend_->vertexArrayChanged(*vertexArray);
  return true;
}
bool Session::applyDestroyVertexArray(pipe::RecordView<pipe::DestroyVertexArray> record) {
  return destroy(vertexArrays_, record.head.vertexArray, "DestroyVertexArray.vertexArray");
}

bool Session::applyCreateBuffer(pipe::RecordView<pipe::CreateBuffer> record) {
  const pipe::BufferHandle handle = record.head.buffer;
  if (!buffers_.isFresh(handle.slot, handle.gen)) return corrupt("CreateBuffer.buffer");
  buffers_.insert(handle, backend_->makeBuffer());
  return true;
}

bool Session::applyBufferStorage(pipe::RecordView<pipe::BufferStorage> record) {
  const pipe::BufferStorage& head = record.head;
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("BufferStorage.buffer");
  bool fits = false;
  const Bytes data = blobBytes(head.data, &fits);
  if (!fits || data.size() > head.bytes) return corrupt("BufferStorage.data");
  buffer->bytes = head.bytes;
  buffer->flags = head.flags;
  buffer->mapped = false;
  buffer->storeSerial = head.store;
  ++buffer->serial;
  backend_->bufferStorage(*buffer, data);
  return true;
}

bool Session::applyBufferSubData(pipe::RecordView<pipe::BufferSubData> record) {
  backend::Buffer* buffer = buffers_.find(record.head.buffer);
  if (buffer == nullptr) return corrupt("BufferSubData.buffer");
  bool fits = false;
  const Bytes data = blobBytes(record.head.data, &fits);
  if (!fits) return corrupt("BufferSubData.data");
  if (!rangeFits(record.head.offset, data.size(), buffer->bytes)) return corrupt("BufferSubData.offset");
  if (!data.empty()) backend_->bufferSubData(*buffer, record.head.offset, data);
  return true;
}

bool Session::applyCopyBuffer(pipe::RecordView<pipe::CopyBuffer> record) {
  const pipe::CopyBuffer& head = record.head;
  backend::Buffer* src = buffers_.find(head.src);
  backend::Buffer* dst = buffers_.find(head.dst);
  if (src == nullptr) return corrupt("CopyBuffer.src");
  if (dst == nullptr) return corrupt("CopyBuffer.dst");
  if (!rangeFits(head.srcOffset, head.bytes, src->bytes)) return corrupt("CopyBuffer.srcOffset");
  if (!rangeFits(head.dstOffset, head.bytes, dst->bytes)) return corrupt("CopyBuffer.dstOffset");
  const u64 apart = head.srcOffset > head.dstOffset ? head.srcOffset - head.dstOffset : head.dstOffset - head.srcOffset;
  if (src == dst && apart < head.bytes) return corrupt("CopyBuffer.bytes");
  if (head.bytes != 0) backend_->copyBuffer(*src, *dst, head.srcOffset, head.dstOffset, head.bytes);
  return true;
}

bool Session::applyClearBuffer(pipe::RecordView<pipe::ClearBuffer> record) {
  const pipe::ClearBuffer& head = record.head;
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("ClearBuffer.buffer");
  if (!rangeFits(head.offset, head.bytes, buffer->bytes)) return corrupt("ClearBuffer.offset");
  if (head.bytes % head.patternBytes != 0) return corrupt("ClearBuffer.patternBytes");
  const Bytes pattern = std::as_bytes(std::span(head.pattern)).first(head.patternBytes);
  if (head.bytes != 0) backend_->clearBuffer(*buffer, head.offset, head.bytes, pattern);
  return true;
}

bool Session::applyInvalidateBuffer(pipe::RecordView<pipe::InvalidateBuffer> record) {
  backend::Buffer* buffer = buffers_.find(record.head.buffer);
  if (buffer == nullptr) return corrupt("InvalidateBuffer.buffer");
  if (!rangeFits(record.head.offset, record.head.bytes, buffer->bytes)) return corrupt("InvalidateBuffer.offset");
  backend_->invalidateBuffer(*buffer, record.head.offset, record.head.bytes);
  return true;
}
bool Session::applyDestroyBuffer(pipe::RecordView<pipe::DestroyBuffer> record) {
  return destroy(buffers_, record.head.buffer, "DestroyBuffer.buffer");
}

bool Session::applyReadBuffer(pipe::RecordView<pipe::ReadBuffer> record) {
  const pipe::ReadBuffer& head = record.head;
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("ReadBuffer.buffer");
  if (!rangeFits(head.offset, head.bytes, buffer->bytes)) return corrupt("ReadBuffer.offset");
  const backend::Pending pending =
      head.bytes != 0 ? backend_->beginReadBuffer(*buffer, head.offset, head.bytes) : backend::Pending{};
  return reply(pipe::Call::ReadBuffer, head.replySlot, pending, head.bytes);
}

bool Session::applyMapBuffer(pipe::RecordView<pipe::MapBuffer> record) {
  const pipe::MapBuffer& head = record.head;
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("MapBuffer.buffer");
  if (!rangeFits(head.offset, head.bytes, buffer->bytes)) return corrupt("MapBuffer.offset");
  buffer->mapped = true;
  return reply(pipe::Call::MapBuffer, head.replySlot,
               backend_->beginMapBuffer(*buffer, head.offset, head.bytes, head.flags), 0);
}

// Without a blob the bytes are in the mapping already and data.bytes is the length of the range.
bool Session::applyFlushMappedRange(pipe::RecordView<pipe::FlushMappedRange> record) {
  const pipe::FlushMappedRange& head = record.head;
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("FlushMappedRange.buffer");
  if (!rangeFits(head.offset, head.data.bytes, buffer->bytes)) return corrupt("FlushMappedRange.offset");
  if (head.data.where == pipe::BlobWhere::None) {
    backend_->flushMappedRange(*buffer, head.offset, head.data.bytes);
    return true;
  }
  bool fits = false;
  const Bytes data = blobBytes(head.data, &fits);
  if (!fits) return corrupt("FlushMappedRange.data");
  if (!data.empty()) backend_->bufferSubData(*buffer, head.offset, data);
  return true;
}

// A mapping that was not granted may be ended too.
bool Session::applyUnmapBuffer(pipe::RecordView<pipe::UnmapBuffer> record) {
  backend::Buffer* buffer = buffers_.find(record.head.buffer);
  if (buffer == nullptr) return corrupt("UnmapBuffer.buffer");
  if (buffer->mapped) backend_->unmapBuffer(*buffer);
  buffer->mapped = false;
  return true;
}

}  // namespace mgl::server

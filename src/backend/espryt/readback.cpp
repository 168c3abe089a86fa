#include "backend/espryt/readback.h"

#include <algorithm>
#include <cstring>

#include "backend/espryt/wait_thread.h"

namespace mgl::espryt {

backend::Pending ReadBacks::add(Entry entry) {
  const std::scoped_lock lock(mutex_);
  const u64 token = nextToken_++;
  const backend::Pending pending{entry.ticket, token};
  entries_.emplace(token, std::move(entry));
  return pending;
}

backend::Pending ReadBacks::immediate(std::vector<std::byte> bytes) {
  return add({0, std::make_shared<std::vector<std::byte>>(std::move(bytes)), {}, {}});
}
backend::Pending ReadBacks::afterTicket(u64 ticket) { return add({ticket, nullptr, {}, {}}); }
backend::Pending ReadBacks::afterTicket(u64 ticket, std::function<u64()> value) {
  return add({ticket, nullptr, {}, std::move(value)});
}

backend::Pending ReadBacks::beginMade(HostContext& host, GLuint buffer, u64 bytes, Convert convert) {
  auto raw = std::make_shared<std::vector<std::byte>>();
  const Gl& gl = engine_.gl;
  // On the waiting thread, whose context has no shadow: what it binds it binds each time.
  const u64 ticket = engine_.waiter->push(engine_.fence(host), [&gl, raw, buffer, bytes](bool lost) {
    if (!lost) {
      gl.BindBuffer(GL_COPY_READ_BUFFER, buffer);
      const void* mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT);
      if (mapped != nullptr) {
        raw->resize(bytes);
        std::memcpy(raw->data(), mapped, bytes);
        gl.UnmapBuffer(GL_COPY_READ_BUFFER);
      }
    }
    gl.DeleteBuffers(1, &buffer);
  });
  return add({ticket, std::move(raw), std::move(convert), {}});
}

backend::Pending ReadBacks::beginBuffer(Buffer& buffer, u64 offset, u64 bytes) {
  const HostScope context(engine_);
  if (!context || buffer.host.name == 0 || bytes == 0) return immediate(std::vector<std::byte>(bytes));
  const Gl& gl = engine_.gl;
  HostObject copy;
  gl.GenBuffers(1, &copy.name);
  copy = engine_.named(copy.name);
  context->bindBuffer(BufferTarget::CopyRead, buffer.host);
  context->bindBuffer(BufferTarget::CopyWrite, copy);
  gl.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STREAM_READ);
  gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset), 0,
                       static_cast<GLsizeiptr>(bytes));
  return beginMade(*context, copy.name, bytes, {});
}

bool ReadBacks::finish(backend::Pending pending, MutableBytes dst) {
  Entry entry;
  {
    const std::scoped_lock lock(mutex_);
    const auto at = entries_.find(pending.token);
    if (at == entries_.end()) return false;
    entry = std::move(at->second);
    entries_.erase(at);
  }
  if (entry.ticket != 0 && !engine_.waiter->wait(entry.ticket)) return false;
  if (entry.value) {
    const u64 value = entry.value();
    if (dst.size() >= sizeof value) std::memcpy(dst.data(), &value, sizeof value);
    return !engine_.waiter->lost();
  }
  if (entry.raw == nullptr) return true;
  std::fill(dst.begin(), dst.end(), std::byte{0});
  if (entry.convert) {
    if (!entry.raw->empty()) static_cast<void>(entry.convert(*entry.raw, dst));
  } else if (!dst.empty() && !entry.raw->empty()) {
    std::memcpy(dst.data(), entry.raw->data(), std::min(dst.size(), entry.raw->size()));
  }
  return true;
}

}  // namespace mgl::espryt

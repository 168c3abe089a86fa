// Reads into client memory: begin reads into a pixel buffer of the host and puts a fence behind; the waiting thread maps the
// buffer once the fence completed; finish converts and hands the bytes out. begin* under the session's lock, finish on any
// thread.
#pragma once

#include <functional>
#include <mutex>
#include <unordered_map>

#include "backend/espryt/buffer.h"
#include "backend/espryt/texels.h"

namespace mgl::espryt {

class ReadBacks {
 public:
  using Convert = std::function<bool(Bytes raw, MutableBytes dst)>;
  explicit ReadBacks(Engine& engine) : engine_(engine) {}

  backend::Pending beginBuffer(Buffer& buffer, u64 offset, u64 bytes);
  // Takes over a buffer of the host that holds `bytes` bytes once the commands so far are done.
  backend::Pending beginMade(HostContext& host, GLuint buffer, u64 bytes, Convert convert);
  backend::Pending immediate(std::vector<std::byte> bytes);
  backend::Pending afterTicket(u64 ticket);
  // Finishes with eight bytes that `value` gives; it may wait, on the finishing thread.
  backend::Pending afterTicket(u64 ticket, std::function<u64()> value);

  bool finish(backend::Pending pending, MutableBytes dst);

 private:
  struct Entry {
    u64 ticket = 0;
    std::shared_ptr<std::vector<std::byte>> raw;
    Convert convert;
    std::function<u64()> value;
  };
  backend::Pending add(Entry entry);

  Engine& engine_;
  std::mutex mutex_;
  u64 nextToken_ = 1;
  std::unordered_map<u64, Entry> entries_;
};

}  // namespace mgl::espryt

#include "client/inproc.h"

#include "client/link_transport.h"
#include "server/apply_loop.h"

namespace mgl::client {

namespace {

// What would be shared memory between two processes.
struct Memory {
  explicit Memory(const wire::Sizes& s) : sizes(s) {}
  static std::unique_ptr<u64[]> make(u64 bytes) { return std::unique_ptr<u64[]>(new u64[bytes / 8]); }
  server::Segments segments() {
    const auto bytes = [](const std::unique_ptr<u64[]>& words) { return reinterpret_cast<std::byte*>(words.get()); };
    return {&control, bytes(commands), bytes(stage), bytes(replies), bytes(events), sizes};
  }

  const wire::Sizes sizes;
  wire::Control control;
  const std::unique_ptr<u64[]> commands = make(sizes.commands), stage = make(sizes.stage),
                               replies = make(sizes.replies), events = make(sizes.events);
};

class Inproc final : public LinkTransport {
 public:
  // segments: those of memory.
  Inproc(const server::Segments& segments, std::unique_ptr<Memory> memory, std::unique_ptr<server::Session> server,
         bool hostile)
      : LinkTransport(*segments.control, segments.commands, segments.stage, segments.replies, segments.events,
                      segments.sizes),
        memory_(std::move(memory)),
        server_(std::move(server)),
        loop_(std::make_unique<server::ApplyLoop>(*server_, segments, hostile)) {}
  ~Inproc() override {
    memory_->control.stopping.store(1, std::memory_order_seq_cst);
    loop_.reset();
  }
  bool start() { return loop_->start(); }

  const pipe::Caps& caps() const override { return server_->caps(); }
  u64 gpuTimestampNs() override { return server_->gpuTimestampNs(); }
  // What a record met first: the flag is set after it.
  std::string fault() const override {
    if (!isLost()) return {};
    return server_->isOver() ? server_->whyOver() : server_->faulted() ? server_->fault().text() : std::string();
  }

 private:
  const std::unique_ptr<Memory> memory_;
  const std::unique_ptr<server::Session> server_;
  std::unique_ptr<server::ApplyLoop> loop_;
};

}  // namespace

std::unique_ptr<Transport> openInproc(const InprocOptions& options, std::string* error) {
  auto server = server::Session::open(server::OpenOptions{options.backend, options.device}, error);
  if (!server) return nullptr;
  auto memory = std::make_unique<Memory>(options.sizes);
  const server::Segments segments = memory->segments();
  auto transport = std::make_unique<Inproc>(segments, std::move(memory), std::move(server), options.hostile);
  if (!transport->start()) {
    *error = "the system gives no thread for the applier";
    return nullptr;
  }
  return transport;
}

}  // namespace mgl::client

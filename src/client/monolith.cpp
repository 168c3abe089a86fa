#include "client/monolith.h"

#include <array>
#include <mutex>
#include <unordered_map>

#include "server/session.h"

namespace mgl::client {

namespace {

// The stage of the loopback: what SEG_STAGE is for a link. One record's blobs at a time.
constexpr u32 kStageBytes = 32u << 20;

class Monolith final : public Transport {
 public:
  Monolith(std::unique_ptr<server::Session> server, bool loopback) : server_(std::move(server)), loopback_(loopback) {
    if (loopback_) stage_.reset(new std::byte[kStageBytes]);
  }

  const pipe::Caps& caps() const override { return server_->caps(); }
  bool takesHostSpans() const override { return !loopback_; }

  std::byte* stage(u32 bytes, u64* offset) override {
    const u32 at = alignUp(stageUsed_, 16u);
    if (u64{at} + bytes > kStageBytes) return nullptr;
    stageUsed_ = at + bytes;
    *offset = at;
    return stage_.get() + at;
  }

  bool send(const pipe::RecordHeader* record, std::span<const pipe::HostSpan> blobs) override {
    return apply(record, blobs).ok;
  }

  bool begin(const pipe::RecordHeader* record, u64* ticket) override {
    const server::ApplyResult result = apply(record, {});
    if (!result.ok || result.reply == nullptr) return false;
    const std::scoped_lock lock(repliesMutex_);
    *ticket = ++lastTicket_;
    replies_.emplace(*ticket, *result.reply);
    return true;
  }

  Reply finish(u64 ticket, MutableBytes dst) override {
    server::PendingReply pending;
    {
      const std::scoped_lock lock(repliesMutex_);
      const auto found = replies_.find(ticket);
      if (found == replies_.end()) return {};
      pending = found->second;
      replies_.erase(found);
    }
    // Results of a word come as the reply's value: their bytes need no place of the caller's.
    std::array<std::byte, 16> word;
    if (dst.empty() && pending.bytes <= word.size()) dst = word;
    if (pending.bytes > dst.size()) return {};
    const server::ReplyResult result = server_->finishReply(pending, dst);
    return {result.ok, result.value, result.grant.tier, result.grant.memory};
  }

  bool waitCompleted(u64 serial, u64 timeoutNs) override { return server_->waitCompleted(serial, timeoutNs); }
  u64 completedSerial() const override { return server_->events().completedSerial(); }

  bool drainEvents(EventReceiver& receiver) override {
    if (!server_->events().hasEvents()) return false;
    return server_->events().drain([&receiver](const server::ServerEvent& event) { deliver(receiver, event); });
  }

  u64 gpuTimestampNs() override { return server_->gpuTimestampNs(); }
  std::string fault() const override { return server_->faulted() ? server_->fault().text() : std::string(); }

 private:
  server::ApplyResult apply(const pipe::RecordHeader* record, std::span<const pipe::HostSpan> blobs) {
    if (!loopback_) [[likely]]
      return server_->apply(record, blobs);
    const server::ApplyResult result =
        server_->applyHostile(std::as_bytes(std::span(reinterpret_cast<const char*>(record), record->bytes)),
                              Bytes(stage_.get(), stageUsed_));
    stageUsed_ = 0;
    return result;
  }

  static void deliver(EventReceiver& to, const server::ServerEvent& event) {
    switch (event.type) {
      case pipe::Event::OnCompleted: return to.onCompleted(event.serial);
      case pipe::Event::OnQueryResult: return to.onQueryResult({event.slot, event.gen}, event.serial, event.value);
      case pipe::Event::OnPresented: return to.onPresented({event.slot, event.gen}, event.serial);
      case pipe::Event::OnSurfaceChanged:
        return to.onSurfaceChanged({event.slot, event.gen}, event.width, event.height);
      case pipe::Event::OnGlError: return to.onGlError(event.slot, event.error, event.call);
      case pipe::Event::OnLog: return to.onLog(event.severity, event.text);
      default: return;  // frames and write-backs have no bytes to cross here
    }
  }

  std::unique_ptr<server::Session> server_;
  const bool loopback_;
  std::unique_ptr<std::byte[]> stage_;
  u32 stageUsed_ = 0;
  std::mutex repliesMutex_;
  u64 lastTicket_ = 0;
  std::unordered_map<u64, server::PendingReply> replies_;
};

}  // namespace

std::unique_ptr<Transport> openMonolith(const MonolithOptions& options, std::string* error) {
  auto server = server::Session::open(server::OpenOptions{options.backend, options.device}, error);
  if (!server) return nullptr;
  return std::make_unique<Monolith>(std::move(server), options.loopback);
}

}  // namespace mgl::client

#include "client/monolith.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "base/counters.h"
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

  ~Monolith() override {
    count(Counter::RecordsCrossed, crossed_);
    count(Counter::BytesCrossed, crossedBytes_);
  }

  const pipe::Caps& caps() const override { return server_->caps(); }
  bool takesHostSpans() const override { return !loopback_; }
  bool appliesHere() const override { return true; }

  std::byte* stage(u32 bytes, u64* offset, u64*) override {
    const u32 at = alignUp(stageUsed_, 16u);
    if (u64{at} + bytes > kStageBytes) return nullptr;
    stageUsed_ = at + bytes;
    *offset = at;
    return stage_.get() + at;
  }
  bool canStage(u64) const override { return false; }  // what does not fit now never does: nothing is in flight

  void dropStaged(const BlobList&) override { stageUsed_ = 0; }
  bool hasGroupRoom() const override { return true; }

  Sent send(const pipe::RecordHeader* record, const BlobList* blobs) override {
    if (blobs == nullptr && plain_) [[likely]]
      return server_->applyPlain(record) ? Sent::Yes : Sent::Lost;
    return sendAny(record, blobs);
  }

  u32 openReply(MutableBytes dst) override {
    const std::scoped_lock lock(repliesMutex_);
    u32 slot = 0;
    while (slot < replies_.size() && replies_[slot].open) ++slot;
    if (slot == replies_.size()) replies_.emplace_back();
    replies_[slot] = {true, false, dst, {}};
    plain_ = false;
    return slot;
  }

  Reply finish(u32 slot) override {
    Asked asked;
    {
      const std::scoped_lock lock(repliesMutex_);
      asked = replies_[slot];
      replies_[slot].open = false;
    }
    if (!asked.begun) return {};
    // Results of a word come as the reply's value: their bytes need no place of the caller's.
    std::array<std::byte, 16> word;
    MutableBytes dst = asked.dst;
    if (dst.empty() && asked.pending.bytes <= word.size()) dst = word;
    if (asked.pending.bytes > dst.size()) return {};
    const server::ReplyResult result = server_->finishReply(asked.pending, dst);
    return {result.ok, result.value, result.grant.tier, result.grant.memory, result.noMemory};
  }

  void abandon(u32 slot) override {
    const std::scoped_lock lock(repliesMutex_);
    replies_[slot].open = false;
  }

  void waitSpace(u32) override {}
  void waitStage(u32) override {}
  void waitGroupRoom() override {}
  void waitApplied() override {}
  void waitEvents(u64 timeoutNs) override {
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min<u64>(timeoutNs, 50'000)));
  }
  bool waitCompleted(u64 serial, u64 timeoutNs) override { return server_->waitCompleted(serial, timeoutNs); }
  u64 completedSerial() const override { return server_->events().completedSerial(); }

  bool drainEvents(EventReceiver& receiver) override {
    if (!server_->events().hasEvents()) return false;
    return server_->events().drain([&receiver](const server::ServerEvent& event) { deliver(receiver, event); });
  }

  u64 gpuTimestampNs() override { return server_->gpuTimestampNs(); }
  bool isLost() const override { return server_->isOver(); }
  std::string fault() const override {
    return server_->isOver() ? server_->whyOver() : server_->faulted() ? server_->fault().text() : std::string();
  }

 private:
  Sent sendAny(const pipe::RecordHeader* record, const BlobList* blobs) {
    server::ApplyResult result;
    if (loopback_) {
      result = server_->applyHostile(Bytes(reinterpret_cast<const std::byte*>(record), record->bytes),
                                     Bytes(stage_.get(), stageUsed_));
      stageUsed_ = 0;
      ++crossed_;
      crossedBytes_ += record->bytes;
    } else {
      result = server_->apply(
          record, blobs == nullptr ? std::span<const pipe::HostSpan>() : std::span(blobs->spans.data(), blobs->count));
    }
    if (result.reply != nullptr) {
      keep(*result.reply);
      plain_ = !loopback_;
    }
    return result.ok ? Sent::Yes : Sent::Lost;
  }

  void keep(const server::PendingReply& pending) {
    const std::scoped_lock lock(repliesMutex_);
    if (pending.replySlot >= replies_.size()) return;
    replies_[pending.replySlot].pending = pending;
    replies_[pending.replySlot].begun = true;
  }

  static void deliver(EventReceiver& to, const server::ServerEvent& event) {
    switch (event.type) {
      case pipe::Event::OnCompleted:
        return to.onCompleted(event.serial);
      case pipe::Event::OnQueryResult:
        return to.onQueryResult({event.slot, event.gen}, event.serial, event.value);
      case pipe::Event::OnPresented:
        return to.onPresented({event.slot, event.gen}, event.serial);
      case pipe::Event::OnSurfaceChanged:
        return to.onSurfaceChanged({event.slot, event.gen}, event.width, event.height);
      case pipe::Event::OnGlError:
        return to.onGlError({{event.slot, event.gen},
                             event.error,
                             {},
                             static_cast<u32>(event.call),
                             event.store.slot,
                             event.store.gen,
                             event.store.store,
                             0});
      case pipe::Event::OnLog:
        return to.onLog(event.severity, event.text);
      default:
        return;  // frames and write-backs have no bytes to cross here
    }
  }

  std::unique_ptr<server::Session> server_;
  const bool loopback_;
  bool plain_ = !loopback_;  // under the stream's lock: no reply was asked for by the next record
  std::unique_ptr<std::byte[]> stage_;
  u32 stageUsed_ = 0;
  u64 crossed_ = 0, crossedBytes_ = 0;  // through the codec
  struct Asked {
    bool open = false, begun = false;
    MutableBytes dst;
    server::PendingReply pending;
  };
  std::mutex repliesMutex_;
  std::vector<Asked> replies_;  // by slot
};

}  // namespace

std::unique_ptr<Transport> openMonolith(const MonolithOptions& options, std::string* error) {
  auto server = server::Session::open(server::OpenOptions{options.backend, options.device}, error);
  if (!server) return nullptr;
  return std::make_unique<Monolith>(std::move(server), options.loopback);
}

}  // namespace mgl::client

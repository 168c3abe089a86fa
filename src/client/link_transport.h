// A transport over the rings of a link: what lies behind them, a thread or a process, it does not know.
//
// Under the stream's lock: records, stage space, reply slots. Without it, any thread: the waits. Whoever waits takes in
// what the server sent, replies for others included, and sleeps on the client's doorbell.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "client/transport.h"
#include "wire/segments.h"
#include "wire/stage.h"

namespace mgl::client {

class LinkTransport : public Transport {
 public:
  bool takesHostSpans() const override { return false; }
  std::byte* stage(u32 bytes, u64* offset, u64* reservation) override;
  bool canStage(u64 bytes) const override { return stageSpace_.canEverFit(bytes); }
  void dropStaged(const BlobList& blobs) override;
  bool hasGroupRoom() const override { return commands_.hasFree(groupRoom_); }
  Sent send(const pipe::RecordHeader* record, const BlobList* blobs) override;
  u32 openReply(MutableBytes dst) override;

  void waitSpace(u32 bytes) override;
  void waitStage(u32 bytes) override;
  void waitGroupRoom() override;
  void waitApplied() override;
  Reply finish(u32 slot) override;
  void abandon(u32 slot) override;
  bool waitCompleted(u64 serial, u64 timeoutNs) override;
  void waitEvents(u64 timeoutNs) override;

  u64 completedSerial() const override { return control_.completedSerial.load(std::memory_order_acquire); }
  bool drainEvents(EventReceiver& receiver) override;
  bool isLost() const override { return control_.lost.load(std::memory_order_seq_cst) != 0; }

 protected:
  LinkTransport(wire::Control& control, std::byte* commands, std::byte* stage, const std::byte* replies,
                const std::byte* events, const wire::Sizes& sizes);

 private:
  struct Slot {
    bool open = false, abandoned = false;  // under slotsMutex_
    MutableBytes dst;
    Reply reply;
    std::atomic<u32> done{0};
  };
  // Takes in everything that is there; what it finds for others, they are woken for.
  void pump();
  bool takeReply(const pipe::RecordHeader* record, u32 bytes);
  bool takeEvent(const pipe::RecordHeader* record, u32 bytes);
  bool somethingCame() const { return replies_.hasRecords() || events_.hasRecords(); }
  void corrupt();

  wire::Control& control_;
  std::byte* const stage_;

  // ---- Under the stream's lock
  wire::RingWriter commands_;
  const u64 groupRoom_;
  const u64 ringBatch_;
  u64 unrung_ = 0;  // bytes of records since the server was last rung for
  wire::Stage stageSpace_;
  std::atomic<u64> sent_{0};

  std::mutex slotsMutex_;
  std::vector<std::unique_ptr<Slot>> slots_;

  // ---- Under pumpMutex_
  std::mutex pumpMutex_;
  wire::RingReader replies_, events_;
  std::vector<std::vector<u64>> queued_;  // events as they came, until somebody drains
  std::atomic<bool> hasQueued_{false};
};

}  // namespace mgl::client

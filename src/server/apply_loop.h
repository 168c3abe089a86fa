// The server's end of a link: a thread that applies the records of the command ring in order, and one that waits for
// what the client asked for. Neither touches memory of the client's but the segments.
//
// mgl-srv-apply never waits but for records, and at a record boundary for room in the event ring. mgl-srv-reply waits
// for the GPU and writes the answers; they leave in the order in which they were asked for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "base/thread.h"
#include "server/session.h"
#include "wire/segments.h"

namespace mgl::server {

struct Segments {
  wire::Control* control = nullptr;
  std::byte *commands = nullptr, *stage = nullptr, *replies = nullptr, *events = nullptr;
  wire::Sizes sizes;
};

class ApplyLoop {
 public:
  // hostile: every record is copied and checked against the catalogue first.
  ApplyLoop(Session& session, const Segments& segments, bool hostile);
  // Applies what was published, then ends both threads. The client must have set control.stopping.
  ~ApplyLoop();
  // False when the system gives no thread.
  [[nodiscard]] bool start();

 private:
  void applyAll();
  void answerAll();
  // Runs it; without memory to go on, the session is lost, and not the process.
  template <class Work>
  void guarded(const Work& work);
  void releaseReply();
  bool applyOne(const pipe::RecordHeader* record, u32 bytes);
  // False: the ring is full, and what did not fit waits.
  bool pushEvents();
  bool writeEvent(const ServerEvent& event);
  void answer(const PendingReply& reply);
  bool writePiece(const wire::ReplyPiece& piece, const std::byte* data);
  void lose();
  bool stopping() const { return control_.stopping.load(std::memory_order_seq_cst) != 0; }

  static constexpr u32 kLogBytes = 4096;  // longer messages are cut

  Session& session_;
  wire::Control& control_;
  const Bytes stage_;
  const bool hostile_;
  const u64 roomBatch_;
  const u32 pieceBytes_, largestEvent_;
  wire::RingReader commands_;
  wire::RingWriter replies_, events_;
  std::deque<ServerEvent> waiting_;  // events that did not fit
  // A reply that its record just began: it is answered once the events of the records up to it are in the ring, so that
  // who has the answer finds the errors too.
  std::optional<PendingReply> begun_;
  u64 appliedBytes_ = 0;
  u64 roomSinceRing_ = 0;  // bytes applied since who waits for room was rung for
  Thread applyThread_, replyThread_;

  std::mutex mutex_;
  std::condition_variable asked_;
  std::deque<PendingReply> pending_;
  bool ended_ = false;
};

}  // namespace mgl::server

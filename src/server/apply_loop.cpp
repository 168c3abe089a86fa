#include "server/apply_loop.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/counters.h"
#include "base/log.h"

namespace mgl::server {

ApplyLoop::ApplyLoop(Session& session, const Segments& segments, bool hostile)
    : session_(session),
      control_(*segments.control),
      stage_(segments.stage, segments.sizes.stage),
      hostile_(hostile),
      roomBatch_(segments.sizes.commands / 8),
      pieceBytes_(static_cast<u32>(std::min<u64>(wire::kReplyPieceBytes, segments.sizes.replies / 4))),
      largestEvent_(static_cast<u32>(std::min<u64>(kLogBytes + 64, segments.sizes.events / 2))),
      commands_(control_.commands, segments.commands, segments.sizes.commands),
      replies_(control_.replies, segments.replies, segments.sizes.replies),
      events_(control_.events, segments.events, segments.sizes.events) {
  session_.events().onChange([this] {
    control_.completedSerial.store(session_.completedSerial(), std::memory_order_seq_cst);
    if (session_.events().isLost()) control_.lost.store(1, std::memory_order_seq_cst);
    control_.ringClient();
    control_.serverBell.ring();
  });
}

ApplyLoop::~ApplyLoop() {
  control_.serverBell.ring();
  applyThread_.join();
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  asked_.notify_all();
  replyThread_.join();
  session_.events().onChange({});
  count(Counter::RecordsCrossed, control_.applied.load(std::memory_order_relaxed));
  count(Counter::BytesCrossed, appliedBytes_);
  count(Counter::Doorbells, control_.serverBell.wakes() + control_.clientBell.wakes() + control_.spaceBell.wakes());
}

bool ApplyLoop::start() {
  return replyThread_.start("mgl-srv-reply", [this] { guarded([this] { answerAll(); }); }) &&
         applyThread_.start("mgl-srv-apply", [this] { guarded([this] { applyAll(); }); });
}

template <class Work>
void ApplyLoop::guarded(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    count(Counter::OutOfMemory);
    MGL_LOGE("no memory for a session's events and replies: it is lost");
    lose();
  }
}

void ApplyLoop::lose() {
  control_.lost.store(1, std::memory_order_seq_cst);
  control_.ringClient();
}

void ApplyLoop::applyAll() {
  for (;;) {
    if (!pushEvents()) {
      // Parked at a record boundary until the client drains: every wait of its does.
      const ScopedStall stall(Stall::EventSpace);
      control_.serverBell.wait([this] { return events_.hasRoom(largestEvent_) || stopping(); });
      if (stopping()) waiting_.clear();
      continue;
    }
    releaseReply();
    u64 available = 0;
    bool corrupt = false;
    const pipe::RecordHeader* record = commands_.front(&available, &corrupt);
    if (record == nullptr) {
      if (corrupt || stopping()) break;
      control_.serverBell.wait(
          [this] { return commands_.hasRecords() || stopping() || session_.events().hasEvents(); });
      continue;
    }
    // The peer may change the word at any time: it is read once, and nothing beyond it is looked at or taken.
    const u32 bytes = wire::recordBytes(record, available);
    if (bytes == 0) break;
    if (!applyOne(record, bytes)) lose();
    control_.applied.store(control_.applied.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    appliedBytes_ += bytes;
    commands_.pop(bytes);
    // Who waits for room hears of it when there is some, not of every record.
    roomSinceRing_ += bytes;
    if (roomSinceRing_ >= roomBatch_ || !commands_.hasRecords() ||
        control_.stageWaiters.load(std::memory_order_seq_cst) != 0) {
      roomSinceRing_ = 0;
      control_.spaceBell.ring();
    }
  }
  if (!stopping()) lose();
}

bool ApplyLoop::applyOne(const pipe::RecordHeader* record, u32 bytes) {
  const ApplyResult result =
      hostile_ ? session_.applyHostile(Bytes(reinterpret_cast<const std::byte*>(record), bytes), stage_)
               : session_.applyStaged(record, stage_);
  if (!result.ok) return false;
  if (result.reply != nullptr) begun_ = *result.reply;
  return true;
}

void ApplyLoop::releaseReply() {
  if (!begun_) return;
  {
    const std::scoped_lock lock(mutex_);
    pending_.push_back(*begun_);
  }
  begun_.reset();
  asked_.notify_one();
}

// ---- Replies

void ApplyLoop::answerAll() {
  for (;;) {
    PendingReply next;
    {
      std::unique_lock lock(mutex_);
      asked_.wait(lock, [this] { return ended_ || !pending_.empty(); });
      if (pending_.empty()) return;
      next = pending_.front();
      pending_.pop_front();
    }
    answer(next);
  }
}

void ApplyLoop::answer(const PendingReply& reply) {
  const std::unique_ptr<std::byte[]> memory(new (std::nothrow) std::byte[static_cast<std::size_t>(reply.bytes)]());
  const u64 size = memory != nullptr ? reply.bytes : 0;
  const ReplyResult result = session_.finishReply(reply, MutableBytes(memory.get(), size));
  if (!result.ok) lose();
  const MutableBytes bytes(memory.get(), result.noMemory ? 0 : size);
  for (u64 offset = 0;;) {
    wire::ReplyPiece piece{};
    piece.bytes = static_cast<u32>(std::min<u64>(bytes.size() - offset, pieceBytes_));
    piece.header = {wire::kReplyCall, 0, static_cast<u32>(sizeof piece + alignUp(piece.bytes, 8u))};
    piece.slot = reply.replySlot;
    piece.offset = offset;
    piece.value = result.value;
    piece.memory = reinterpret_cast<u64>(result.grant.memory);
    piece.tier = static_cast<u32>(result.grant.tier);
    const bool last = offset + piece.bytes == bytes.size();
    piece.flags = (result.ok ? wire::kReplyOk : 0) | (last ? wire::kReplyLast : 0) |
                  (result.noMemory ? wire::kReplyNoMemory : 0);
    if (!writePiece(piece, bytes.data() + offset)) return;
    offset += piece.bytes;
    if (last) return;
  }
}

bool ApplyLoop::writePiece(const wire::ReplyPiece& piece, const std::byte* data) {
  std::byte* at = replies_.reserve(piece.header.bytes);
  while (at == nullptr) {
    control_.serverBell.wait([&] { return replies_.hasRoom(piece.header.bytes) || stopping(); });
    if (stopping()) return false;
    at = replies_.reserve(piece.header.bytes);
  }
  std::memcpy(at, &piece, sizeof piece);
  if (piece.bytes != 0) std::memcpy(at + sizeof piece, data, piece.bytes);
  replies_.publish(piece.header.bytes);
  control_.ringClient();
  return true;
}

// ---- Events

bool ApplyLoop::pushEvents() {
  if (waiting_.empty() && !session_.events().hasEvents()) return true;
  session_.events().drain([this](const ServerEvent& event) { waiting_.push_back(event); });
  while (!waiting_.empty()) {
    if (!writeEvent(waiting_.front())) return false;
    waiting_.pop_front();
  }
  return true;
}

bool ApplyLoop::writeEvent(const ServerEvent& event) {
  const auto write = [&]<class P>(const P& payload, std::string_view text = {}) {
    const u32 bytes = static_cast<u32>(sizeof(pipe::RecordHeader) + sizeof(P) + alignUp<std::size_t>(text.size(), 8));
    std::byte* at = events_.reserve(bytes);
    if (at == nullptr) return false;
    const pipe::RecordHeader header{static_cast<u16>(event.type), 0, bytes};
    std::memcpy(at, &header, sizeof header);
    std::memcpy(at + sizeof header, &payload, sizeof payload);
    if (!text.empty()) {
      std::memset(at + bytes - 8, 0, 8);
      std::memcpy(at + sizeof header + sizeof payload, text.data(), text.size());
    }
    events_.publish(bytes);
    control_.ringClient();
    return true;
  };
  switch (event.type) {
    case pipe::Event::OnCompleted:
      return write(pipe::OnCompleted{event.serial});
    case pipe::Event::OnGlError:
      return write(pipe::OnGlError{{event.slot, event.gen}, event.error, {}, static_cast<u32>(event.call), event.store.slot,
                                   event.store.gen, event.store.store, 0});
    case pipe::Event::OnQueryResult:
      return write(pipe::OnQueryResult{{event.slot, event.gen}, event.serial, event.value});
    case pipe::Event::OnPresented:
      return write(pipe::OnPresented{{event.slot, event.gen}, event.serial});
    case pipe::Event::OnSurfaceChanged:
      return write(pipe::OnSurfaceChanged{{event.slot, event.gen}, event.width, event.height});
    case pipe::Event::OnLog: {
      const std::string_view text = std::string_view(event.text).substr(0, largestEvent_ - 64);
      return write(pipe::OnLog{event.severity, {}, static_cast<u32>(text.size())}, text);
    }
    default:
      return true;  // frames and write-backs: not made yet
  }
}

}  // namespace mgl::server

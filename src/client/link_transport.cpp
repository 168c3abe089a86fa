#include "client/link_transport.h"

#include <algorithm>
#include <cstring>

#include "base/counters.h"
#include "base/knobs.h"
#include "base/log.h"
#include "pipe/check.h"

namespace mgl::client {

namespace {

// What the records of a verb and its state take at most: a state's many records are small, and few are the largest.
constexpr u64 kGroupRoom = 2u << 20;
// Records that a sleeping server is woken for: some thirty draws.
constexpr u64 kRingBatch = 4096;

}  // namespace

LinkTransport::LinkTransport(wire::Control& control, std::byte* commands, std::byte* stage, const std::byte* replies,
                             const std::byte* events, const wire::Sizes& sizes)
    : control_(control),
      stage_(stage),
      commands_(control.commands, commands, sizes.commands),
      groupRoom_(std::min(kGroupRoom, sizes.commands / 4)),
      ringBatch_(knobs().ipcBatchRings ? std::min(kRingBatch, sizes.commands / 8) : 0),
      stageSpace_(sizes.stage),
      replies_(control.replies, replies, sizes.replies),
      events_(control.events, events, sizes.events) {
  for (u32 i = 0; i < pipe::kMaxReplySlots; ++i) slots_.push_back(std::make_unique<Slot>());
}

// ---- Under the stream's lock

std::byte* LinkTransport::stage(u32 bytes, u64* offset, u64* reservation) {
  stageSpace_.reclaim(control_.applied.load(std::memory_order_acquire));
  return stageSpace_.reserve(bytes, offset, reservation) ? stage_ + *offset : nullptr;
}

Sent LinkTransport::send(const pipe::RecordHeader* record, const BlobList* blobs) {
  if (isLost()) [[unlikely]]
    return Sent::Lost;
  std::byte* at = commands_.reserve(record->bytes);
  if (at == nullptr) [[unlikely]]
    return Sent::Full;
  std::memcpy(at, record, record->bytes);
  const u64 ordinal = sent_.load(std::memory_order_relaxed) + 1;
  if (blobs != nullptr) {
    for (u32 i = 0; i < blobs->count; ++i) stageSpace_.bind(blobs->reservations[i], ordinal);
  }
  sent_.store(ordinal, std::memory_order_relaxed);
  commands_.publish(record->bytes);
  // A server that sleeps is woken for a batch: nothing has to be done before the program flushes, swaps or waits. Blobs are
  // work that is better begun early.
  unrung_ += record->bytes;
  const auto call = static_cast<pipe::Call>(record->call);
  if (unrung_ >= ringBatch_ || blobs != nullptr || call == pipe::Call::Flush || call == pipe::Call::Present) [[unlikely]] {
    unrung_ = 0;
    control_.serverBell.ring();
  }
  return commands_.keepsFree(groupRoom_) ? Sent::Yes : Sent::Low;
}

// As if an applied record had carried them.
void LinkTransport::dropStaged(const BlobList& blobs) {
  for (u32 i = 0; i < blobs.count; ++i) stageSpace_.bind(blobs.reservations[i], 0);
}

u32 LinkTransport::openReply(MutableBytes dst) {
  const std::scoped_lock lock(slotsMutex_);
  for (u32 i = 0; i < slots_.size(); ++i) {
    Slot& slot = *slots_[i];
    if (slot.open) continue;
    slot.open = true;
    slot.abandoned = false;
    slot.dst = dst;
    slot.reply = {};
    slot.done.store(0, std::memory_order_relaxed);
    return i;
  }
  MGL_LOGE("more than %u replies are waited for at once", pipe::kMaxReplySlots);
  corrupt();
  return 0;
}

// ---- Taking in

void LinkTransport::corrupt() {
  control_.lost.store(1, std::memory_order_seq_cst);
  control_.ringClient();
}

void LinkTransport::pump() {
  const std::scoped_lock lock(pumpMutex_);
  bool took = false, bad = false;
  u64 available = 0;
  while (const pipe::RecordHeader* record = replies_.front(&available, &bad)) {
    const u32 bytes = wire::recordBytes(record, available);
    if (bytes == 0 || !takeReply(record, bytes)) return corrupt();
    replies_.pop(bytes);
    took = true;
  }
  while (const pipe::RecordHeader* record = events_.front(&available, &bad)) {
    const u32 bytes = wire::recordBytes(record, available);
    if (bytes == 0 || !takeEvent(record, bytes)) return corrupt();
    events_.pop(bytes);
    took = true;
  }
  if (bad) return corrupt();
  if (!took) return;
  control_.serverBell.ring();  // it may wait for room
  control_.ringClient();
}

bool LinkTransport::takeReply(const pipe::RecordHeader* record, u32 bytes) {
  wire::ReplyPiece piece;
  if (bytes < sizeof piece) return false;
  std::memcpy(&piece, record, sizeof piece);
  if (piece.header.call != wire::kReplyCall || sizeof piece + alignUp(u64{piece.bytes}, u64{8}) != bytes ||
      piece.slot >= slots_.size())
    return false;
  Slot& slot = *slots_[piece.slot];
  if (slot.done.load(std::memory_order_relaxed) != 0) return false;
  // Results of a word come as the value; a place that is too small takes none.
  if (piece.bytes != 0 && !slot.dst.empty()) {
    if (piece.offset > slot.dst.size() || piece.bytes > slot.dst.size() - piece.offset) return false;
    std::memcpy(slot.dst.data() + piece.offset, reinterpret_cast<const std::byte*>(record) + sizeof piece, piece.bytes);
  }
  if ((piece.flags & wire::kReplyLast) == 0) return true;
  slot.reply = {(piece.flags & wire::kReplyOk) != 0, piece.value, static_cast<pipe::MapTier>(piece.tier),
                reinterpret_cast<void*>(piece.memory), (piece.flags & wire::kReplyNoMemory) != 0};
  slot.done.store(1, std::memory_order_seq_cst);
  const std::scoped_lock lock(slotsMutex_);
  if (slot.abandoned) slot.open = false;
  return true;
}

bool LinkTransport::takeEvent(const pipe::RecordHeader* record, u32 bytes) {
  std::vector<u64> copy(bytes / 8);
  std::memcpy(copy.data(), record, bytes);
  pipe::Fault fault;
  if (!pipe::checkEvent(reinterpret_cast<const pipe::RecordHeader*>(copy.data()), bytes, {}, &fault)) {
    MGL_LOGE("an event that cannot be: %s", fault.text().c_str());
    return false;
  }
  // Errors and what is said of them, again before anybody listened: once is enough, for a program that never asks.
  const auto type = static_cast<pipe::Event>(record->call);
  const bool repeats = type == pipe::Event::OnGlError || type == pipe::Event::OnLog;
  if (repeats && std::find(queued_.begin(), queued_.end(), copy) != queued_.end()) return true;
  queued_.push_back(std::move(copy));
  hasQueued_.store(true, std::memory_order_release);
  return true;
}

bool LinkTransport::drainEvents(EventReceiver& to) {
  if (!hasQueued_.load(std::memory_order_acquire) && !somethingCame()) return false;
  pump();
  std::vector<std::vector<u64>> events;
  {
    const std::scoped_lock lock(pumpMutex_);
    events.swap(queued_);
    hasQueued_.store(false, std::memory_order_relaxed);
  }
  for (const std::vector<u64>& event : events) {
    const auto* record = reinterpret_cast<const pipe::RecordHeader*>(event.data());
    const auto payload = [record]<class P>(P) { return *reinterpret_cast<const P*>(record + 1); };
    switch (static_cast<pipe::Event>(record->call)) {
      case pipe::Event::OnCompleted:
        to.onCompleted(payload(pipe::OnCompleted{}).serial);
        break;
      case pipe::Event::OnQueryResult: {
        const auto told = payload(pipe::OnQueryResult{});
        to.onQueryResult(told.query, told.serial, told.value);
        break;
      }
      case pipe::Event::OnPresented: {
        const auto told = payload(pipe::OnPresented{});
        to.onPresented(told.surface, told.frameSerial);
        break;
      }
      case pipe::Event::OnSurfaceChanged: {
        const auto told = payload(pipe::OnSurfaceChanged{});
        to.onSurfaceChanged(told.surface, told.width, told.height);
        break;
      }
      case pipe::Event::OnGlError:
        to.onGlError(payload(pipe::OnGlError{}));
        break;
      case pipe::Event::OnLog: {
        const auto told = payload(pipe::OnLog{});
        const char* text = reinterpret_cast<const char*>(record + 1) + sizeof told;
        to.onLog(told.severity, {text, told.bytes});
        break;
      }
      default:
        break;  // frames and write-backs: nobody sends them yet
    }
  }
  count(Counter::EventsDrained, events.size());
  return !events.empty();
}

// ---- Waits

void LinkTransport::waitSpace(u32 bytes) {
  control_.serverBell.ring();
  pump();
  control_.spaceBell.wait([&] { return commands_.hasRoom(bytes) || isLost() || somethingCame(); });
}

void LinkTransport::waitGroupRoom() {
  control_.serverBell.ring();
  pump();
  control_.spaceBell.wait([&] { return hasGroupRoom() || isLost() || somethingCame(); });
}

void LinkTransport::waitStage(u32) {
  control_.serverBell.ring();
  pump();
  const u64 applied = control_.applied.load(std::memory_order_seq_cst);
  if (applied == sent_.load(std::memory_order_relaxed)) return;
  control_.stageWaiters.fetch_add(1, std::memory_order_seq_cst);
  control_.spaceBell.wait(
      [&] { return control_.applied.load(std::memory_order_seq_cst) != applied || isLost() || somethingCame(); });
  control_.stageWaiters.fetch_sub(1, std::memory_order_seq_cst);
}

void LinkTransport::waitApplied() {
  const u64 wanted = sent_.load(std::memory_order_relaxed);
  control_.serverBell.ring();
  while (control_.applied.load(std::memory_order_seq_cst) < wanted && !isLost()) {
    pump();
    control_.spaceBell.wait(
        [&] { return control_.applied.load(std::memory_order_seq_cst) >= wanted || isLost() || somethingCame(); });
  }
}

Reply LinkTransport::finish(u32 index) {
  Slot& slot = *slots_[index];
  const auto done = [&slot] { return slot.done.load(std::memory_order_seq_cst) != 0; };
  control_.serverBell.ring();
  while (!done() && !isLost()) {
    pump();
    control_.clientBell.wait([&] { return done() || isLost() || somethingCame(); });
  }
  const Reply reply = done() ? slot.reply : Reply{};
  const std::scoped_lock lock(slotsMutex_);
  slot.open = false;
  return reply;
}

void LinkTransport::abandon(u32 index) {
  const std::scoped_lock lock(slotsMutex_);
  Slot& slot = *slots_[index];
  slot.abandoned = true;
  if (slot.done.load(std::memory_order_relaxed) != 0) slot.open = false;
}

bool LinkTransport::waitCompleted(u64 serial, u64 timeoutNs) {
  const auto completed = [&] { return control_.completedSerial.load(std::memory_order_seq_cst) >= serial; };
  const u64 begin = detail::monotonicNs();
  control_.serverBell.ring();
  for (;;) {
    pump();
    if (completed() || isLost()) return true;
    const u64 gone = detail::monotonicNs() - begin;
    if (timeoutNs != kForever && gone >= timeoutNs) return false;
    control_.clientBell.wait([&] { return completed() || isLost() || somethingCame(); },
                             timeoutNs == kForever ? kForever : timeoutNs - gone);
  }
}

void LinkTransport::waitEvents(u64 timeoutNs) {
  control_.serverBell.ring();
  control_.clientBell.wait(
      [&] { return hasQueued_.load(std::memory_order_seq_cst) || events_.hasRecords() || isLost(); }, timeoutNs);
}

}  // namespace mgl::client

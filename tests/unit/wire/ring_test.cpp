#include "wire/ring.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "wire/doorbell.h"
#include "wire/stage.h"

namespace mgl::wire {
namespace {

struct Rig {
  explicit Rig(u64 size) : words(size / 8), writer(cursors, bytes(), size), reader(cursors, bytes(), size) {}
  std::byte* bytes() { return reinterpret_cast<std::byte*>(words.data()); }
  bool write(u16 call, u32 size) {
    std::byte* at = writer.reserve(size);
    if (at == nullptr) return false;
    const pipe::RecordHeader header{call, 0, size};
    std::memcpy(at, &header, sizeof header);
    std::memset(at + sizeof header, call & 0xff, size - sizeof header);
    writer.publish(size);
    return true;
  }
  // The call of the oldest record, which is checked and taken; -1: none.
  int read() {
    u64 available = 0;
    bool corrupt = false;
    const pipe::RecordHeader* record = reader.front(&available, &corrupt);
    EXPECT_FALSE(corrupt);
    if (record == nullptr) return -1;
    EXPECT_LE(record->bytes, available);
    const auto* body = reinterpret_cast<const u8*>(record + 1);
    for (u32 i = 0; i < record->bytes - sizeof *record; ++i) EXPECT_EQ(body[i], record->call & 0xff);
    const int call = record->call;
    reader.pop(record->bytes);
    return call;
  }
  RingCursors cursors;
  std::vector<u64> words;
  RingWriter writer;
  RingReader reader;
};

TEST(Ring, RecordsOfAllSizesComeOutInOrderAndInOnePiece) {
  Rig rig(256);
  u16 written = 0, read = 0;
  u32 random = 1;
  while (read < 5000) {
    random = random * 1664525 + 1013904223;
    if (written < 5000 && rig.write(written, 8 + 8 * ((random >> 20) % 16))) {
      ++written;
      continue;
    }
    const int call = rig.read();
    ASSERT_EQ(call, read);
    ++read;
  }
  EXPECT_EQ(rig.read(), -1);
}

TEST(Ring, IsFullNotOverwritten) {
  Rig rig(128);
  EXPECT_TRUE(rig.write(1, 64));
  EXPECT_TRUE(rig.write(2, 64));
  EXPECT_FALSE(rig.write(3, 8));
  EXPECT_FALSE(rig.writer.hasRoom(8));
  EXPECT_EQ(rig.read(), 1);
  EXPECT_TRUE(rig.writer.hasRoom(64));
  EXPECT_TRUE(rig.write(3, 64));
  EXPECT_EQ(rig.read(), 2);
  EXPECT_EQ(rig.read(), 3);
}

TEST(Ring, ImpossibleCursorsAreCorrupt) {
  for (const u64 head : {u64{129}, u64{1} << 40, u64{136}}) {
    Rig rig(128);
    rig.cursors.head.store(head);
    u64 available = 0;
    bool corrupt = false;
    EXPECT_EQ(rig.reader.front(&available, &corrupt), nullptr);
    EXPECT_TRUE(corrupt);
  }
}

TEST(Ring, APadThatEndsTooEarlyIsCorrupt) {
  Rig rig(128);
  const pipe::RecordHeader pad{kPadCall, 0, 16};
  std::memcpy(rig.bytes(), &pad, sizeof pad);
  rig.cursors.head.store(16);
  u64 available = 0;
  bool corrupt = false;
  EXPECT_EQ(rig.reader.front(&available, &corrupt), nullptr);
  EXPECT_TRUE(corrupt);
}

TEST(Ring, ASizeThatCannotBeIsNone) {
  for (const u32 size : {0u, 4u, 12u, 72u, ~0u}) {
    const pipe::RecordHeader header{1, 0, size};
    EXPECT_EQ(recordBytes(&header, 64), 0u) << size;
  }
  const pipe::RecordHeader header{1, 0, 64};
  EXPECT_EQ(recordBytes(&header, 64), 64u);
  EXPECT_EQ(recordBytes(&header, 56), 0u);
  EXPECT_EQ(recordBytes(&header, 4), 0u);
}

// Both ends park on doorbells; each in turn is the slow one.
TEST(Ring, TwoThreadsOverATinyRing) {
  for (const u32 slow : {0u, 1u, 2u}) {
    Rig rig(256);
    Doorbell data, room;
    constexpr u32 kRecords = 20000;
    std::thread writer([&] {
      for (u32 i = 0; i < kRecords; ++i) {
        const u32 size = 8 + 8 * (i % 13);
        while (!rig.write(static_cast<u16>(i % 1000), size)) room.wait([&] { return rig.writer.hasRoom(size); });
        data.ring();
        if (slow == 1 && i % 512 == 0) std::this_thread::yield();
      }
    });
    for (u32 i = 0; i < kRecords; ++i) {
      data.wait([&] { return rig.reader.hasRecords(); });
      ASSERT_EQ(rig.read(), static_cast<int>(i % 1000));
      room.ring();
      if (slow == 2 && i % 512 == 0) std::this_thread::yield();
    }
    writer.join();
  }
}

TEST(Doorbell, GivesUpWhenTheTimeIsOver) {
  Doorbell bell;
  EXPECT_FALSE(bell.wait([] { return false; }, 1'000'000));
  EXPECT_TRUE(bell.wait([] { return true; }, 0));
}

TEST(Doorbell, OnlyAParkedPeerCostsACall) {
  Doorbell bell;
  for (u32 i = 0; i < 100; ++i) bell.ring();
  EXPECT_EQ(bell.wakes(), 0u);
}

TEST(Stage, GivesBackInOrderOfTheRecordsThatCarry) {
  Stage stage(256);
  u64 offset = 0, a = 0, b = 0, c = 0;
  ASSERT_TRUE(stage.reserve(100, &offset, &a));
  EXPECT_EQ(offset, 0u);
  ASSERT_TRUE(stage.reserve(100, &offset, &b));
  EXPECT_EQ(offset, 112u);
  EXPECT_FALSE(stage.reserve(64, &offset, &c));
  stage.bind(a, 5);
  stage.reclaim(4);
  EXPECT_FALSE(stage.reserve(64, &offset, &c));
  stage.reclaim(5);
  ASSERT_TRUE(stage.reserve(64, &offset, &c));
  EXPECT_EQ(offset, 0u);  // in one piece: the end was too short
  // Unbound: held whatever was applied.
  stage.reclaim(1000);
  EXPECT_FALSE(stage.reserve(200, &offset, &a));
}

}  // namespace
}  // namespace mgl::wire

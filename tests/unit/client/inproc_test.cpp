// The link within a process: tiny rings, a chatty server, each end slow in turn; loss; the controls of its waits.
#include "client/inproc.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/counters.h"
#include "contexts.h"

namespace mgl::client {
namespace {

std::shared_ptr<Session> openTiny(wire::Sizes sizes, bool hostile = true) {
  std::string error;
  auto transport = openInproc({"null", "", hostile, sizes}, &error);
  EXPECT_NE(transport, nullptr) << error;
  return transport == nullptr ? nullptr : Session::over(std::move(transport));
}

// Fills a buffer in pieces and reads it: blobs, replies and fences cross rings that hold a few of them.
void writeAndRead(Session& session, StreamContext& context, u32 seed) {
  pipe::BufferHandle buffer;
  constexpr u32 kBytes = 3000, kPiece = 500;
  std::vector<std::byte> data(kBytes);
  for (u32 i = 0; i < kBytes; ++i) data[i] = static_cast<std::byte>(i * 7 + seed);
  {
    Group group(session, context);
    buffer = group.allocate<pipe::Kind::Buffer>();
    pipe::CreateBuffer create{};
    create.buffer = buffer;
    group.emit(create);
    pipe::BufferStorage storage{};
    storage.buffer = buffer;
    storage.bytes = kBytes;
    group.emit(storage);
  }
  for (u32 at = 0; at < kBytes; at += kPiece) {
    Group group(session, context);
    pipe::BufferSubData sub{};
    sub.buffer = buffer;
    sub.offset = at;
    sub.data = group.blob(Bytes(data).subspan(at, kPiece));
    group.emit(sub);
  }
  u64 serial = 0;
  {
    Group group(session, context);
    serial = group.nextSerial();
    group.emit(pipe::Flush{serial});
  }
  // Null keeps no contents and answers zeros; what it answers must arrive whole.
  std::vector<std::byte> read(kBytes, std::byte{0xff});
  {
    Group group(session, context);
    pipe::ReadBuffer ask{};
    ask.buffer = buffer;
    ask.bytes = kBytes;
    EXPECT_TRUE(group.ask(ask, read).ok);
  }
  EXPECT_EQ(read, std::vector<std::byte>(kBytes));
  EXPECT_TRUE(session.waitCompleted(serial, kForever, &context));
  session.retire(buffer);
}

TEST(Inproc, TinyRingsWithOneThread) {
  const auto session = openTiny({1024, 2048, 2048, 512});
  StreamContext context;
  makeContext(*session, &context);
  for (u32 i = 0; i < 50; ++i) writeAndRead(*session, context, i);
  EXPECT_FALSE(session->lost()) << session->fault();
  dropContext(*session, context);
}

TEST(Inproc, TinyRingsWithSeveralThreads) {
  const auto session = openTiny({1024, 2048, 2048, 512});
  std::vector<std::thread> threads;
  for (u32 t = 0; t < 3; ++t) {
    threads.emplace_back([&session, t] {
      StreamContext context;
      makeContext(*session, &context);
      for (u32 i = 0; i < 30; ++i) {
        writeAndRead(*session, context, 10 * t + i);
        if (i % 4 == t) std::this_thread::yield();
        session->drainEvents();
      }
      dropContext(*session, context);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(session->lost()) << session->fault();
}

// The client does not drain for long: the server parks at a record boundary, and nothing is lost.
TEST(Inproc, AFullEventRingParksTheServer) {
  const auto session = openTiny({4096, 2048, 2048, 256});
  StreamContext context;
  makeContext(*session, &context);
  const CounterSnapshot before = CounterSnapshot::take();
  u64 last = 0;
  for (u32 i = 0; i < 200; ++i) {
    Group group(*session, context);
    last = group.nextSerial();
    group.emit(pipe::Flush{last});
  }
  EXPECT_TRUE(session->waitCompleted(last, kForever, &context));
  session->drainEvents();
  {
    Group group(*session, context);
    EXPECT_TRUE(group.ask(pipe::Finish{}).ok);
  }
  EXPECT_FALSE(session->lost()) << session->fault();
  EXPECT_GT(before.since(Stall::EventSpace), 0u);
  dropContext(*session, context);
}

// What can never lie in the stage together ends the session instead of waiting for ever.
TEST(Inproc, BlobsThatNeverFitAreNotWaitedFor) {
  const auto session = openTiny({1024, 2048, 2048, 512});
  StreamContext context;
  makeContext(*session, &context);
  const std::vector<std::byte> data(600);
  {
    Group group(*session, context);
    for (u32 i = 0; i < 3; ++i) EXPECT_EQ(group.blob(data).bytes, 600u);
    EXPECT_FALSE(session->lost());
    EXPECT_EQ(group.blob(data).bytes, 0u);
  }
  EXPECT_TRUE(session->lost());
  dropContext(*session, context);
}

TEST(Inproc, ABadRecordEndsTheSessionAndWakesWhoWaits) {
  const auto session = openTiny({}, true);
  StreamContext context;
  makeContext(*session, &context);
  {
    Group group(*session, context);
    group.emit(pipe::BindRenderState{{77, 1}});  // no such object
  }
  {
    Group group(*session, context);
    EXPECT_FALSE(group.ask(pipe::Finish{}).ok);
  }
  EXPECT_TRUE(session->lost());
  EXPECT_NE(session->fault().find("BindRenderState"), std::string::npos) << session->fault();
  EXPECT_TRUE(session->waitCompleted(~u64{0}, kForever, &context));
  dropContext(*session, context);
}

}  // namespace
}  // namespace mgl::client

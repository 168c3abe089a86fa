// Memory that is not to be had for a record ends the record: not the session, not the process.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "backend/null/null_backend.h"
#include "base/counters.h"
#include "world.h"

namespace mgl::server {
namespace {

using namespace pipe;

struct Poor final : null::NullBackend {
  using NullBackend::NullBackend;
  void draw(backend::ContextState&, const backend::DrawCall&) override {
    if (poor) throw std::bad_alloc();
    ++draws;
  }
  void bufferSubData(backend::Buffer&, u64, Bytes) override {
    if (poor) throw std::length_error("vector");
  }
  backend::Pending beginReadBuffer(backend::Buffer& buffer, u64 offset, u64 bytes) override {
    if (poor) throw std::bad_alloc();
    return NullBackend::beginReadBuffer(buffer, offset, bytes);
  }
  bool finish(backend::Pending pending, MutableBytes dst) override {
    if (poor) throw std::bad_alloc();
    return NullBackend::finish(pending, dst);
  }
  Ref<backend::Buffer> makeBuffer() override {
    if (poor) throw std::bad_alloc();
    return NullBackend::makeBuffer();
  }
  bool poor = false;
  u32 draws = 0;
};

class PoorTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    session = Session::open(
        [this](backend::EventSink& events) {
          auto made = std::make_unique<Poor>(events);
          poor = made.get();
          backend::OpenResult result;
          result.backend = std::move(made);
          return result;
        },
        &error);
    for (const Emitted& emitted : setUp()) ASSERT_TRUE(apply(emitted).ok) << session->fault().text();
    errors();
  }
  ApplyResult apply(const Emitted& emitted) { return session->apply(emitted.header(), emitted.spans()); }
  std::vector<ServerEvent> errors() {
    std::vector<ServerEvent> found;
    session->events().drain([&found](const ServerEvent& event) {
      if (event.type == Event::OnGlError) found.push_back(event);
    });
    return found;
  }
  std::unique_ptr<Session> session;
  Poor* poor = nullptr;
};

TEST_F(PoorTest, ADrawIsSkippedToldAndCounted) {
  poor->poor = true;
  const CounterSnapshot before = CounterSnapshot::take();
  EXPECT_TRUE(session->applyPlain(warmDraw().header()));
  EXPECT_TRUE(session->applyPlain(warmDraw().header()));
  const auto told = errors();
  // Once, as nobody listened in between.
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].error, GlError::OutOfMemory);
  EXPECT_EQ(told[0].call, Call::Draw);
  EXPECT_EQ(told[0].slot, kContext.slot);
  EXPECT_EQ(told[0].gen, kContext.gen);
  EXPECT_EQ(before.since(Counter::OutOfMemory), 2u);
  poor->poor = false;
  EXPECT_TRUE(session->applyPlain(warmDraw().header()));
  EXPECT_EQ(poor->draws, 1u);
  EXPECT_TRUE(errors().empty());
}

TEST_F(PoorTest, TheErrorIsOfTheContextThatIsCurrent) {
  ASSERT_TRUE(apply(record(CreateContext{kOtherContext, 0, 1})).ok);
  ASSERT_TRUE(apply(record(SwitchContext{kOtherContext})).ok);
  poor->poor = true;
  EXPECT_TRUE(apply(record(BufferSubData{kBuffer, 0, hostBlob(0, 4)}, {std::vector<std::byte>(4)})).ok);
  const auto told = errors();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].slot, kOtherContext.slot);
  EXPECT_EQ(told[0].call, Call::BufferSubData);
}

TEST_F(PoorTest, AnAnswerThatWasNotBegunComesEmptyAndSaysWhy) {
  poor->poor = true;
  const ApplyResult result = apply(record(ReadBuffer{kBuffer, 0, 64, 5, 0}));
  EXPECT_TRUE(result.ok);
  ASSERT_NE(result.reply, nullptr);
  EXPECT_EQ(result.reply->replySlot, 5u);
  std::vector<std::byte> data(64, std::byte{1});
  const ReplyResult answer = session->finishReply(*result.reply, data);
  EXPECT_TRUE(answer.ok);
  EXPECT_TRUE(answer.noMemory);
  EXPECT_EQ(data[0], std::byte{1});
  EXPECT_EQ(errors().size(), 1u);
}

TEST_F(PoorTest, AnAnswerThatCannotBeFinishedSaysWhy) {
  const ApplyResult result = apply(record(ReadBuffer{kBuffer, 0, 64, 5, 0}));
  ASSERT_NE(result.reply, nullptr);
  const PendingReply reply = *result.reply;
  poor->poor = true;
  std::vector<std::byte> data(64);
  const ReplyResult answer = session->finishReply(reply, data);
  EXPECT_TRUE(answer.ok);
  EXPECT_TRUE(answer.noMemory);
  EXPECT_FALSE(session->faulted());
}

TEST_F(PoorTest, AnObjectThatCannotBeMadeEndsTheSessionByName) {
  poor->poor = true;
  EXPECT_FALSE(apply(record(CreateBuffer{{9, 1}})).ok);
  EXPECT_EQ(session->fault().code, FaultCode::BackendLost);
  EXPECT_EQ(session->fault().where, "no memory for CreateBuffer");
}

}  // namespace
}  // namespace mgl::server

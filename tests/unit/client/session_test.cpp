#include "client/session.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "base/counters.h"
#include "contexts.h"

namespace mgl::client {
namespace {

std::shared_ptr<Session> openNull() {
  std::string error;
  auto session = Session::open({"null", "", "monolith"}, &error);
  EXPECT_NE(session, nullptr) << error;
  return session;
}

TEST(Session, GroupsOfSeveralContextsSwitchTheStream) {
  const auto session = openNull();
  StreamContext a, b;
  makeContext(*session, &a);
  makeContext(*session, &b);
  const CounterSnapshot before = CounterSnapshot::take();
  for (StreamContext* context : {&a, &a, &b, &b, &a}) {
    Group group(*session, *context);
    group.emit(pipe::SetBlendColor{});
  }
  EXPECT_EQ(before.since(Counter::ContextSwitches), 3u);
  EXPECT_FALSE(session->lost()) << session->fault();
  dropContext(*session, a);
  dropContext(*session, b);
}

TEST(Session, ThreadsWithContextsOfTheirOwn) {
  const auto session = openNull();
  std::vector<std::thread> threads;
  for (u32 t = 0; t < 3; ++t) {
    threads.emplace_back([&session, t] {
      StreamContext context;
      makeContext(*session, &context);
      for (u32 i = 0; i < 3000; ++i) {
        {
          Group group(*session, context);
          group.emit(pipe::SetBlendColor{});
        }
        if (i % 500 == t) session->flushUpTo(~u64{0}, &context);
        if (i % 700 == t) {
          Group group(*session, context);
          EXPECT_TRUE(group.ask(pipe::Finish{}).ok);
        }
      }
      dropContext(*session, context);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(session->lost()) << session->fault();
}

// The child has no server: what it emits goes nowhere, what it asks is answered with nothing, and it can open its own.
TEST(Session, IsLostInTheChildOfAFork) {
  const auto session = openNull();
  StreamContext context;
  makeContext(*session, &context);
  {
    Group group(*session, context);
    group.emit(pipe::SetBlendColor{});
  }
  const CounterSnapshot before = CounterSnapshot::take();
  // Another thread holds the lock while the process forks.
  StreamContext other;
  makeContext(*session, &other);
  std::atomic<int> step{0};
  std::thread holder([&] {
    Group group(*session, other);
    step = 1;
    while (step != 2) std::this_thread::yield();
  });
  while (step != 1) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    int wrong = session->lost() ? 0 : 1;
    {
      Group group(*session, context);
      group.emit(pipe::SetBlendColor{});
    }
    {
      Group group(*session, context);
      wrong |= group.ask(pipe::Finish{}).ok ? 2 : 0;
    }
    wrong |= session->waitCompleted(~u64{0}, 0, &context) ? 0 : 4;
    if (CounterSnapshot::take().counters[indexOf(Counter::RecordsApplied)] !=
        before.counters[indexOf(Counter::RecordsApplied)])
      wrong |= 8;
    std::string error;
    const auto own = Session::open({"null", "", "monolith"}, &error);
    wrong |= own != nullptr && own != session && !own->lost() ? 0 : 16;
    _exit(wrong);
  }
  step = 2;
  holder.join();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(session->lost());
  dropContext(*session, context);
  dropContext(*session, other);
}

}  // namespace
}  // namespace mgl::client

#include <gtest/gtest.h>

#include <cfenv>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "base/counters.h"
#include "base/event.h"
#include "base/thread.h"

namespace mgl {
namespace {

TEST(Thread, HasItsNameBlocksSignalsAndRoundsToNearest) {
  char threadName[16] = {};
  sigset_t mask;
  sigemptyset(&mask);
  int rounding = -1;
  std::fesetround(FE_UPWARD);
  Thread thread;
  ASSERT_TRUE(thread.start("mgl-test-with-a-long-name", [&] {
    pthread_getname_np(pthread_self(), threadName, sizeof threadName);
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    rounding = std::fegetround();
  }));
  EXPECT_TRUE(thread.running());
  thread.join();
  std::fesetround(FE_TONEAREST);
  EXPECT_FALSE(thread.running());
  EXPECT_STREQ(threadName, "mgl-test-with-a");
  for (int signal : {SIGINT, SIGTERM, SIGALRM, SIGPROF, SIGUSR1, SIGCHLD, SIGPIPE}) {
    EXPECT_EQ(sigismember(&mask, signal), 1) << strsignal(signal);
  }
  EXPECT_EQ(sigismember(&mask, SIGSEGV), 0);
  EXPECT_EQ(rounding, FE_TONEAREST);
}

TEST(Thread, TheStartersMaskIsKept) {
  sigset_t before;
  sigset_t after;
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  {
    Thread thread;
    ASSERT_TRUE(thread.start("mgl-test", [] {}));
  }
  pthread_sigmask(SIG_BLOCK, nullptr, &after);
  for (int signal = 1; signal < 32; ++signal) EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal));
}

TEST(Event, WakesAllWhoWaitAndThoseWhoComeLater) {
  Event event;
  int payload = 0;
  std::atomic<int> woken{0};
  std::vector<std::thread> waiters;
  for (int i = 0; i < 4; ++i) {
    waiters.emplace_back([&] {
      EXPECT_TRUE(event.wait());
      EXPECT_EQ(payload, 42);
      ++woken;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(woken, 0);
  payload = 42;
  event.set();
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(woken, 4);
  EXPECT_TRUE(event.wait(0));
  event.reset();
  EXPECT_FALSE(event.isSet());
}

TEST(Event, TimesOut) {
  Event event;
  const u64 begin = detail::monotonicNs();
  EXPECT_FALSE(event.wait(30'000'000));
  EXPECT_GE(detail::monotonicNs() - begin, 30'000'000u);
  EXPECT_FALSE(event.wait(0));
}

TEST(Counters, CountFromManyThreads) {
  const CounterSnapshot before = CounterSnapshot::take();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < 10000; ++n) count(Counter::EventsDrained);
    });
  }
  for (std::thread& thread : threads) thread.join();
  countHeld(Counter::RecordBytes, 96);
  EXPECT_EQ(before.since(Counter::EventsDrained), 40000u);
  EXPECT_EQ(before.since(Counter::RecordBytes), 96u);
  EXPECT_EQ(before.since(Counter::Draws), 0u);
}

TEST(Counters, AStallCountsItsTime) {
  const CounterSnapshot before = CounterSnapshot::take();
  const u64 ns = stallNs(Stall::FenceWait);
  {
    ScopedStall stall(Stall::FenceWait);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(before.since(Stall::FenceWait), 1u);
  EXPECT_GE(stallNs(Stall::FenceWait) - ns, 5'000'000u);
  EXPECT_EQ(name(Stall::FenceWait), "FenceWait");
  EXPECT_EQ(name(Counter::Records), "Records");
}

}  // namespace
}  // namespace mgl

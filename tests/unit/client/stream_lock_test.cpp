#include "client/stream_lock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/counters.h"

namespace mgl::client {
namespace {

TEST(StreamLock, OneAtATime) {
  StreamLock lock;
  // Hand-overs are what can go wrong: owners rest often, so that they are revoked while they come back.
  constexpr u32 kThreads = 4, kGroups = 20000;
  u64 plain = 0;  // no atomic: the lock is what makes it right
  std::vector<std::thread> threads;
  for (u32 t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      StreamLock::Owner self;
      for (u32 i = 0; i < kGroups; ++i) {
        lock.lock(self);
        plain = plain + 1;
        lock.unlock(self);
        if (i % 1000 == 0) lock.handOver(self);
      }
      lock.forget(self);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(plain, u64{kThreads} * kGroups);
}

TEST(StreamLock, SaysWhetherSomebodyElseHadIt) {
  StreamLock lock;
  StreamLock::Owner a, b;
  EXPECT_FALSE(lock.lock(a));
  lock.unlock(a);
  EXPECT_TRUE(lock.lock(a));
  lock.unlock(a);
  EXPECT_FALSE(lock.lock(b));  // a rests: revoked
  lock.unlock(b);
  EXPECT_FALSE(lock.lock(a));
  lock.unlock(a);
}

TEST(StreamLock, AnOwnerThatKeepsItIsNotRevoked) {
  StreamLock lock;
  StreamLock::Owner self;
  lock.lock(self);
  std::atomic<bool> got{false};
  std::thread other([&] {
    StreamLock::Owner owner;
    lock.lock(owner);
    got = true;
    lock.unlock(owner);
    lock.forget(owner);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(got);
  lock.unlock(self);
  other.join();
  EXPECT_TRUE(got);
  lock.forget(self);
}

// Two busy threads do not take turns at every group: an asked owner goes on for a while.
TEST(StreamLock, BusyOwnersKeepItForManyGroups) {
  StreamLock lock;
  const CounterSnapshot before = CounterSnapshot::take();
  constexpr u32 kGroups = 40000;
  std::atomic<u32> ready{0};
  const auto body = [&] {
    StreamLock::Owner self;
    ready.fetch_add(1);
    while (ready.load() != 2) {
    }
    for (u32 i = 0; i < kGroups; ++i) {
      lock.lock(self);
      lock.unlock(self);
    }
    lock.forget(self);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  // At least a few dozen groups between two hand-overs; the scheduler may add some of its own.
  EXPECT_LT(before.since(Counter::LockHandOvers), 2 * kGroups / 16);
}

TEST(StreamLock, AForgottenOwnerHoldsNobodyUp) {
  StreamLock lock;
  {
    StreamLock::Owner gone;
    lock.lock(gone);
    lock.unlock(gone);
    lock.forget(gone);
  }
  StreamLock::Owner self;
  EXPECT_FALSE(lock.lock(self));
  lock.unlock(self);
}

}  // namespace
}  // namespace mgl::client

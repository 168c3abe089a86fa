// The one thread that calls the queue, and the one that waits for the GPU. Batches are handed over in order and
// complete in order: by a timeline semaphore, else by a fence each.
//
// submit: the apply thread. completed, wait, waitClient, lost: any thread. The sink's completed() and a batch's `done`
// functions run on the waiting thread, in order, before wait() returns for that batch.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "backend/backend.h"
#include "backend/magma/vk.h"
#include "base/thread.h"

namespace mgl::magma {

struct Submission {
  u64 serial = 0;  // grows by one from 1
  std::array<VkCommandBuffer, 2> commands{};
  u32 commandCount = 0;  // 0: nothing for the queue; completes with what is before it
  std::vector<u64> clientSerials;
  std::vector<std::function<void(bool lost)>> done;
  // Work for the host on what the batches before this one made: runs on the submitting thread once they are complete
  // and before this one reaches the queue. Not at all when the device is lost.
  std::vector<std::function<void()>> before;
};

class SubmitThread {
 public:
  SubmitThread(VkDevice device, const VolkDeviceTable& vk, u32 queueFamily, bool timeline, backend::EventSink& sink);
  // Submits and waits for what was handed over.
  ~SubmitThread();
  SubmitThread(const SubmitThread&) = delete;
  SubmitThread& operator=(const SubmitThread&) = delete;

  bool start();
  void submit(Submission&& submission);
  u64 completed() const { return completed_.load(std::memory_order_acquire); }
  // False: the time went by, or the device is lost.
  bool wait(u64 serial, u64 timeoutNs);
  bool waitClient(u64 clientSerial, u64 timeoutNs);
  bool lost() const { return lost_.load(std::memory_order_acquire); }

 private:
  struct Running {
    Submission submission;
    VkFence fence = VK_NULL_HANDLE;
    bool onQueue = false;
  };
  void submitLoop();
  void waitLoop();
  Running toQueue(Submission&& submission);
  void awaitGpu(Running& running);
  void markLost(const char* where, VkResult result);
  template <class Reached>
  bool waitFor(u64 timeoutNs, Reached reached);

  VkDevice device_;
  const VolkDeviceTable& vk_;
  backend::EventSink& sink_;
  const u64 loseAt_, hangAt_;  // a test's (backend/test_mutation.h)
  u64 submissions_ = 0;  // the submit thread's
  u64 awaited_ = 0;      // the waiting thread's
  VkQueue queue_ = VK_NULL_HANDLE;
  bool timeline_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;

  std::mutex mutex_;
  std::condition_variable toSubmit_, toWait_;
  std::deque<Submission> pending_;
  std::deque<Running> running_;
  std::vector<VkFence> fences_;
  bool stopSubmit_ = false, stopWait_ = false;
  std::atomic<u64> clientCompleted_{0}, completed_{0};
  std::atomic<u32> progress_{0};  // moves with either: what waits sleep on
  std::atomic<bool> lost_{false};
  Thread submitter_, waiter_;
};

}  // namespace mgl::magma

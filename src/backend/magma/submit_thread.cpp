#include "backend/magma/submit_thread.h"
#include "backend/test_mutation.h"

#include <algorithm>
#include <new>
#include <string>

#include "base/counters.h"
#include "base/event.h"
#include "base/knobs.h"
#include "base/log.h"

namespace mgl::magma {

SubmitThread::SubmitThread(VkDevice device, const VolkDeviceTable& vk, u32 queueFamily, bool timeline,
                           backend::EventSink& sink)
    : device_(device), vk_(vk), sink_(sink), loseAt_(backend::deviceLostAt()), hangAt_(backend::gpuHangsAt()), timeline_(timeline) {
  vk_.vkGetDeviceQueue(device, queueFamily, 0, &queue_);
  if (timeline_) {
    const VkSemaphoreTypeCreateInfoKHR type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO_KHR, nullptr,
                                            VK_SEMAPHORE_TYPE_TIMELINE_KHR, 0};
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    if (vk_.vkCreateSemaphore(device, &info, nullptr, &semaphore_) != VK_SUCCESS) timeline_ = false;
  }
}

SubmitThread::~SubmitThread() {
  {
    const std::lock_guard lock(mutex_);
    stopSubmit_ = true;
  }
  toSubmit_.notify_all();
  submitter_.join();
  {
    const std::lock_guard lock(mutex_);
    stopWait_ = true;
  }
  toWait_.notify_all();
  waiter_.join();
  for (VkFence fence : fences_) vk_.vkDestroyFence(device_, fence, nullptr);
  if (semaphore_ != VK_NULL_HANDLE) vk_.vkDestroySemaphore(device_, semaphore_, nullptr);
}

bool SubmitThread::start() {
  return submitter_.start("mgl-vk-submit", [this] { submitLoop(); }) &&
         waiter_.start("mgl-vk-wait", [this] { waitLoop(); });
}

void SubmitThread::submit(Submission&& submission) {
  {
    const std::lock_guard lock(mutex_);
    pending_.push_back(std::move(submission));
  }
  toSubmit_.notify_one();
}

void SubmitThread::markLost(const char* where, VkResult result) {
  if (lost_.exchange(true, std::memory_order_acq_rel)) return;
  const std::string text = std::string("the device is lost: ") + where + " gave " + resultName(result);
  MGL_LOGE("%s", text.c_str());
  sink_.lost(text);
}

SubmitThread::Running SubmitThread::toQueue(Submission&& submission) {
  Running running{std::move(submission), VK_NULL_HANDLE, false};
  if (!running.submission.before.empty() && !lost()) {
    bool alive = true;
    if (completed() + 1 < running.submission.serial) {
      const ScopedStall stall(Stall::HostStep);
      alive = wait(running.submission.serial - 1, kForever);
    }
    for (std::size_t i = 0; alive && i < running.submission.before.size(); ++i) {
      try {
        running.submission.before[i]();
      } catch (const std::bad_alloc&) {
        count(Counter::OutOfMemory);
        sink_.log(pipe::DebugSeverity::High, "no memory for a conversion on the host: what was to be made is undefined");
      }
    }
  }
  if (running.submission.commandCount == 0 || lost()) return running;
  VkTimelineSemaphoreSubmitInfoKHR values{
      VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO_KHR, nullptr, 0, nullptr, 1, &running.submission.serial};
  VkSubmitInfo info{
      VK_STRUCTURE_TYPE_SUBMIT_INFO,      nullptr, 0,      nullptr, nullptr, running.submission.commandCount,
      running.submission.commands.data(), 0,       nullptr};
  if (timeline_) {
    info.pNext = &values;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore_;
  } else {
    {
      const std::lock_guard lock(mutex_);
      if (!fences_.empty()) {
        running.fence = fences_.back();
        fences_.pop_back();
      }
    }
    if (running.fence == VK_NULL_HANDLE) {
      const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
      if (const VkResult made = vk_.vkCreateFence(device_, &fence, nullptr, &running.fence); made != VK_SUCCESS) {
        markLost("vkCreateFence", made);
        return running;
      }
    }
  }
  const VkResult result = ++submissions_ == loseAt_ ? VK_ERROR_DEVICE_LOST : vk_.vkQueueSubmit(queue_, 1, &info, running.fence);
  count(Counter::Submits);
  if (result != VK_SUCCESS) {
    markLost("vkQueueSubmit", result);
  } else {
    running.onQueue = true;
  }
  return running;
}

void SubmitThread::submitLoop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    toSubmit_.wait(lock, [this] { return stopSubmit_ || !pending_.empty(); });
    if (pending_.empty()) return;
    Submission submission = std::move(pending_.front());
    pending_.pop_front();
    lock.unlock();
    Running running = toQueue(std::move(submission));
    lock.lock();
    running_.push_back(std::move(running));
    toWait_.notify_one();
  }
}

void SubmitThread::awaitGpu(Running& running) {
  if (!running.onQueue || lost()) return;
  VkResult result = VK_TIMEOUT;
  const bool hangs = ++awaited_ == hangAt_;
  for (i64 seconds = 0; result == VK_TIMEOUT && seconds < knobs().watchdogSeconds; ++seconds) {
    if (timeline_) {
      const VkSemaphoreWaitInfoKHR info{
          VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO_KHR, nullptr, 0, 1, &semaphore_, &running.submission.serial};
      result = vk_.vkWaitSemaphoresKHR(device_, &info, 1'000'000'000);
    } else {
      result = vk_.vkWaitForFences(device_, 1, &running.fence, VK_TRUE, 1'000'000'000);
    }
  }
  if (hangs) result = VK_TIMEOUT;
  if (result != VK_SUCCESS)
    markLost(result == VK_TIMEOUT ? "the watchdog (MOBILEGL_WATCHDOG_SECONDS)" : "the wait for a batch", result);
  if (running.fence != VK_NULL_HANDLE && result == VK_SUCCESS) vk_.vkResetFences(device_, 1, &running.fence);
}

void SubmitThread::waitLoop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    toWait_.wait(lock, [this] { return stopWait_ || !running_.empty(); });
    if (running_.empty()) return;
    Running running = std::move(running_.front());
    running_.pop_front();
    lock.unlock();
    awaitGpu(running);
    for (auto& done : running.submission.done) done(lost());
    for (u64 serial : running.submission.clientSerials) sink_.completed(serial);
    lock.lock();
    if (running.fence != VK_NULL_HANDLE) fences_.push_back(running.fence);
    for (u64 serial : running.submission.clientSerials)
      clientCompleted_.store(std::max(clientCompleted_.load(std::memory_order_relaxed), serial), std::memory_order_release);
    completed_.store(running.submission.serial, std::memory_order_release);
    progress_.fetch_add(1, std::memory_order_release);
    futexWake(progress_);
  }
}

template <class Reached>
bool SubmitThread::waitFor(u64 timeoutNs, Reached reached) {
  const bool forever = timeoutNs > 1ull << 60;
  const u64 begin = forever ? 0 : mgl::detail::monotonicNs();
  for (;;) {
    const u32 seen = progress_.load(std::memory_order_acquire);
    if (reached()) return !lost();
    const u64 gone = forever ? 0 : mgl::detail::monotonicNs() - begin;
    if (!forever && gone >= timeoutNs) return false;
    futexWait(progress_, seen, forever ? kForever : timeoutNs - gone);
  }
}

bool SubmitThread::wait(u64 serial, u64 timeoutNs) {
  if (completed() >= serial) return !lost();
  return waitFor(timeoutNs, [this, serial] { return completed() >= serial; });
}

bool SubmitThread::waitClient(u64 clientSerial, u64 timeoutNs) {
  return waitFor(timeoutNs, [this, clientSerial] { return clientCompleted_.load(std::memory_order_acquire) >= clientSerial; });
}

}  // namespace mgl::magma

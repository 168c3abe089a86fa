#include "backend/espryt/wait_thread.h"

#include <chrono>

#include "backend/espryt/engine.h"
#include "backend/espryt/query.h"

namespace mgl::espryt {

bool WaitThread::start() {
  return thread_.start("mgl-es-wait", [this] { loop(); });
}

void WaitThread::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wanted_.notify_all();
  thread_.join();
}

u64 WaitThread::push(Entry entry) {
  u64 ticket = 0;
  {
    const std::scoped_lock lock(mutex_);
    ticket = entry.ticket = nextTicket_++;
    entries_.push_back(std::move(entry));
  }
  wanted_.notify_one();
  return ticket;
}

u64 WaitThread::push(GLsync fence, std::function<void(bool lost)> done) {
  return push(Entry{0, 0, fence, std::move(done)});
}

u64 WaitThread::pushClient(GLsync fence, u64 clientSerial) { return push(Entry{0, clientSerial, fence, {}}); }

void WaitThread::lose(const char* why) {
  if (!lost_.exchange(true)) engine_.sink.lost(std::string("the OpenGL ES device is lost: ") + why);
}

void WaitThread::loop() {
  if (!context_->makeCurrent()) lose("the host does not make the waiting thread's context current");
  const Gl& gl = engine_.gl;
  for (;;) {
    Entry entry;
    {
      std::unique_lock lock(mutex_);
      wanted_.wait(lock, [this] { return stopping_ || !entries_.empty(); });
      if (entries_.empty()) break;
      entry = std::move(entries_.front());
      entries_.pop_front();
    }
    if (entry.fence != nullptr) {
      while (!lost()) {
        const GLenum state = gl.ClientWaitSync(entry.fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1'000'000'000);
        if (state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED) break;
        if (state == GL_WAIT_FAILED) lose("the host's fence cannot be waited for");
      }
      gl.DeleteSync(entry.fence);
    }
    if (entry.done) entry.done(lost());
    if (entry.clientSerial != 0) engine_.sink.completed(entry.clientSerial);
    {
      const std::scoped_lock lock(mutex_);
      completed_.store(entry.ticket, std::memory_order_release);
      if (entry.clientSerial > clientCompleted_) clientCompleted_ = entry.clientSerial;
    }
    progress_.notify_all();
    if (engine_.queries != nullptr && engine_.queries->hasPending()) engine_.sink.pollWanted();
  }
  context_.reset();
}

template <class Reached>
bool WaitThread::waitFor(u64 timeoutNs, Reached reached) {
  std::unique_lock lock(mutex_);
  const auto over = [&] { return reached() || lost(); };
  if (timeoutNs >= kForever / 4) {
    progress_.wait(lock, over);
  } else {
    progress_.wait_for(lock, std::chrono::nanoseconds(timeoutNs), over);
  }
  return reached() && !lost();
}

bool WaitThread::wait(u64 ticket, u64 timeoutNs) {
  return waitFor(timeoutNs, [&] { return completed() >= ticket; });
}

bool WaitThread::waitClient(u64 clientSerial, u64 timeoutNs) {
  return waitFor(timeoutNs, [&] { return clientCompleted_ >= clientSerial; });
}

}  // namespace mgl::espryt

#include "gl/program/link_worker.h"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <thread>

namespace mgl::gl {

namespace {

constexpr u32 kMostWorkers = 4;

}  // namespace

void LinkJob::run() {
  try {
    result = shader::linkProgram(shaders, options);
  } catch (const std::bad_alloc&) {
    result = {};
    result.infoLog = "ERROR: there is no memory for the link\n";
  }
  done.set();
}

std::shared_ptr<LinkWorkers> LinkWorkers::shared() {
  static std::mutex* const mutex = new std::mutex;
  static std::weak_ptr<LinkWorkers>* const alive = new std::weak_ptr<LinkWorkers>;
  static pid_t owner = 0;  // the child of a fork has none of its parent's threads
  const std::scoped_lock lock(*mutex);
  if (owner == getpid())
    if (auto workers = alive->lock()) return workers;
  std::shared_ptr<LinkWorkers> made(new LinkWorkers);
  *alive = made;
  owner = getpid();
  return made;
}

LinkWorkers::LinkWorkers() {
  const u32 count = std::clamp(std::thread::hardware_concurrency(), 1u, kMostWorkers);
  for (u32 i = 0; i < count; ++i) {
    auto thread = std::make_unique<Thread>();
    if (!thread->start("mgl-link", [this] { work(); })) break;
    threads_.push_back(std::move(thread));
  }
}

LinkWorkers::~LinkWorkers() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  posted_.fetch_add(1, std::memory_order_release);
  futexWake(posted_);
  threads_.clear();
}

void LinkWorkers::post(std::shared_ptr<LinkJob> job) {
  if (threads_.empty()) return job->run();
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  posted_.fetch_add(1, std::memory_order_release);
  futexWake(posted_, 1);
}

std::shared_ptr<LinkJob> LinkWorkers::next() {
  for (;;) {
    const u32 seen = posted_.load(std::memory_order_acquire);
    {
      const std::scoped_lock lock(mutex_);
      if (!jobs_.empty()) {
        auto job = std::move(jobs_.front());
        jobs_.pop_front();
        return job;
      }
      if (ending_) return nullptr;
    }
    futexWait(posted_, seen);
  }
}

void LinkWorkers::work() {
  while (const auto job = next()) job->run();
}

}  // namespace mgl::gl

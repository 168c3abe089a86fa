#include "base/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>

#include "base/assert.h"

namespace mgl {

namespace {

constexpr std::size_t kLineBytes = 4096;

struct Sink {
  std::mutex mutex;
  LogSink function = nullptr;
  void* user = nullptr;
};

// Never destroyed: threads of the program may log while the process exits.
Sink& sink() {
  static Sink* const instance = new Sink;
  return *instance;
}

void writeAll(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

int openLog() {
  const std::string& path = knobReading().values.logFile;
  if (path.empty()) return STDERR_FILENO;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd >= 0) return fd;
  const char* cause = std::strerror(errno);
  char line[kLineBytes];
  const int length = std::snprintf(
      line, sizeof line, "mobilegl: error: MOBILEGL_LOG_FILE: cannot append to %s: %s; logging to standard error\n",
      path.c_str(), cause);
  writeAll(STDERR_FILENO, line, std::min(static_cast<std::size_t>(length), sizeof line - 1));
  return STDERR_FILENO;
}

int logFd() {
  static const int fd = openLog();
  return fd;
}

// SIGPIPE is the program's business: a log whose reader went away must not end it.
void emit(LogLevel level, char* line, std::size_t length) {
  Sink& out = sink();
  {
    std::lock_guard lock(out.mutex);
    if (out.function != nullptr) {
      out.function(level, line, length, out.user);
      return;
    }
  }
  line[length] = '\n';
  sigset_t pipeSignal;
  sigset_t old;
  sigset_t pending;
  sigemptyset(&pipeSignal);
  sigaddset(&pipeSignal, SIGPIPE);
  sigpending(&pending);
  const bool wasPending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipeSignal, &old);
  errno = 0;
  writeAll(logFd(), line, length + 1);
  if (errno == EPIPE && !wasPending) {
    const timespec noWait{};
    sigtimedwait(&pipeSignal, nullptr, &noWait);
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

// True when the site may log now; dropped gets what it left out since its last line.
bool admit(detail::LogSite& site, u32& dropped) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  const u64 second = static_cast<u64>(now.tv_sec) + 1;
  u64 seen = site.second.load(std::memory_order_relaxed);
  if (seen != second && site.second.compare_exchange_strong(seen, second, std::memory_order_relaxed)) {
    site.count.store(0, std::memory_order_relaxed);
  }
  if (site.count.fetch_add(1, std::memory_order_relaxed) >= kLogBurst) {
    site.dropped.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  dropped = site.dropped.exchange(0, std::memory_order_relaxed);
  return true;
}

}  // namespace

void setLogSink(LogSink function, void* user) {
  Sink& out = sink();
  std::lock_guard lock(out.mutex);
  out.function = function;
  out.user = user;
}

void detail::log(LogLevel level, LogSite* site, const char* format, ...) {
  const int savedErrno = errno;
  logThreshold.store(static_cast<u8>(knobReading().values.logLevel), std::memory_order_relaxed);
  u32 dropped = 0;
  if (logEnabled(level) && (site == nullptr || admit(*site, dropped))) {
    char line[kLineBytes];
    constexpr std::size_t kRoom = sizeof line - 1;
    const std::string_view levelName = name(level);
    std::size_t length = static_cast<std::size_t>(
        std::snprintf(line, kRoom, "mobilegl: %.*s: ", static_cast<int>(levelName.size()), levelName.data()));
    std::va_list args;
    va_start(args, format);
    errno = savedErrno;
    const int written = std::vsnprintf(line + length, kRoom - length, format, args);
    va_end(args);
    if (written > 0) length = std::min(length + static_cast<std::size_t>(written), kRoom - 1);
    if (dropped > 0) {
      const int more = std::snprintf(line + length, kRoom - length, " (and %u like it left out)", dropped);
      if (more > 0) length = std::min(length + static_cast<std::size_t>(more), kRoom - 1);
    }
    emit(level, line, length);
  }
  errno = savedErrno;
}

void detail::checkFailed(const char* condition, const char* file, int line) {
  log(LogLevel::Error, nullptr, "%s:%d: check failed: %s", file, line, condition);
  std::abort();
}

}  // namespace mgl

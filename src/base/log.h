// The log: printf-checked, levelled, limited per site.
//
//   MGL_LOGW("texture %u is not complete: %s", name, reason);
//
// A line goes out with one write, to standard error or to MOBILEGL_LOG_FILE, as "mobilegl: warning: ...". Any thread;
// errno is kept. A message under MOBILEGL_LOG_LEVEL costs one load and one compare, and its arguments are not
// evaluated. A site that logs more than kLogBurst lines in a second is silent for the rest of that second, and its
// next line says how many were left out.
#pragma once

#include <atomic>

#include "base/knobs.h"
#include "base/types.h"

namespace mgl {

constexpr u32 kLogBurst = 20;

namespace detail {

// Above every level until the knobs are read, so that the first message takes the slow path, which reads them.
inline std::atomic<u8> logThreshold{255};

struct LogSite {
  std::atomic<u64> second{0};
  std::atomic<u32> count{0};
  std::atomic<u32> dropped{0};
};

[[gnu::format(printf, 3, 4), gnu::cold]] void log(LogLevel level, LogSite* site, const char* format, ...);

}  // namespace detail

inline bool logEnabled(LogLevel level) {
  return static_cast<u8>(level) <= detail::logThreshold.load(std::memory_order_relaxed);
}

// Takes the finished line without its end instead of the file; null puts the file back. For tests and for a server
// that sends its log to the client. The sink may be called from any thread and must not log.
using LogSink = void (*)(LogLevel level, const char* line, std::size_t length, void* user);
void setLogSink(LogSink sink, void* user);

}  // namespace mgl

#define MGL_LOG_AT(level, ...)                             \
  do {                                                     \
    if (::mgl::logEnabled(level)) [[unlikely]] {           \
      static constinit ::mgl::detail::LogSite mglLogSite;  \
      ::mgl::detail::log(level, &mglLogSite, __VA_ARGS__); \
    }                                                      \
  } while (false)

#define MGL_LOGE(...) MGL_LOG_AT(::mgl::LogLevel::Error, __VA_ARGS__)
#define MGL_LOGW(...) MGL_LOG_AT(::mgl::LogLevel::Warning, __VA_ARGS__)
#define MGL_LOGI(...) MGL_LOG_AT(::mgl::LogLevel::Info, __VA_ARGS__)
#define MGL_LOGD(...) MGL_LOG_AT(::mgl::LogLevel::Debug, __VA_ARGS__)

// Once per site and process: MGL_LOG_ONCE(Warning, "...").
#define MGL_LOG_ONCE(level, ...)                                                                             \
  do {                                                                                                       \
    static constinit std::atomic<bool> mglLogged{false};                                                     \
    if (::mgl::logEnabled(::mgl::LogLevel::level) && !mglLogged.exchange(true, std::memory_order_relaxed)) { \
      ::mgl::detail::log(::mgl::LogLevel::level, nullptr, __VA_ARGS__);                                      \
    }                                                                                                        \
  } while (false)

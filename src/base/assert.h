// Bugs of our own. Errors of the program are GL errors, bad bytes of a peer are session faults: neither comes here.
//
// MGL_ASSERT is there in debug builds only and its condition is not evaluated elsewhere. MGL_CHECK is always there: it
// guards what would otherwise read or write outside of stream memory. Both print the condition and the place and abort.
#pragma once

namespace mgl::detail {

[[noreturn, gnu::cold]] void checkFailed(const char* condition, const char* file, int line);

}  // namespace mgl::detail

#define MGL_CHECK(condition)                                      \
  do {                                                            \
    if (!(condition)) [[unlikely]]                                \
      ::mgl::detail::checkFailed(#condition, __FILE__, __LINE__); \
  } while (false)

#ifdef MOBILEGL_DEBUG
#define MGL_ASSERT(condition) MGL_CHECK(condition)
#else
#define MGL_ASSERT(condition)                \
  do {                                       \
    if (false) static_cast<void>(condition); \
  } while (false)
#endif

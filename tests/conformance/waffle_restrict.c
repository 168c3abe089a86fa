// Preloaded into piglit's programs: lets them have an OpenGL 3.3 core context and nothing else, on any driver.
//
// Requests for OpenGL ES, for a compatibility profile and for a legacy context are refused; a core request above 3.3 is
// passed on for the driver to refuse; "3.1, no profile" (piglit's idiom for core 3.1) becomes 3.3 core.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

struct waffle_config;
struct waffle_display;

// From waffle.h, whose values are its ABI.
enum {
  kContextApi = 0x020a,
  kContextOpengl = 0x020b,
  kContextMajor = 0x020e,
  kContextMinor = 0x020f,
  kContextProfile = 0x0210,
  kContextCore = 0x0211,
  kContextForwardCompatible = 0x0215,
  kMostPairs = 32,
};

__attribute__((visibility("default"))) struct waffle_config* waffle_config_choose(struct waffle_display* display,
                                                                                  const int32_t attributes[]) {
  typedef struct waffle_config* (*Choose)(struct waffle_display*, const int32_t[]);
  int32_t asked[2 * kMostPairs + 9];
  size_t count = 0;
  int32_t api = kContextOpengl, major = 1, minor = 0, profile = 0;
  for (const int32_t* pair = attributes; pair != NULL && *pair != 0; pair += 2) {
    switch (pair[0]) {
      case kContextApi:
        api = pair[1];
        break;
      case kContextMajor:
        major = pair[1];
        break;
      case kContextMinor:
        minor = pair[1];
        break;
      case kContextProfile:
        profile = pair[1];
        break;
      case kContextForwardCompatible:
        break;
      default:
        if (count == 2 * kMostPairs) return NULL;
        asked[count++] = pair[0];
        asked[count++] = pair[1];
    }
  }
  const int32_t version = 10 * major + minor;
  if (api != kContextOpengl || version < 31) return NULL;
  if (version >= 32 && profile != kContextCore) return NULL;
  const int32_t granted = version <= 33 ? 33 : version;
  const int32_t context[] = {kContextApi,     kContextOpengl, kContextMajor,
                             granted / 10,    kContextMinor,  granted % 10,
                             kContextProfile, kContextCore,   0};
  for (size_t i = 0; i < sizeof context / sizeof context[0]; ++i) asked[count++] = context[i];
  Choose choose = (Choose)(uintptr_t)dlsym(RTLD_NEXT, "waffle_config_choose");
  return choose != NULL ? choose(display, asked) : NULL;
}

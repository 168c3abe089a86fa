// What libEGL loads: __egl_Main, the only symbol of the library.
#include "base/glvnd.h"
#include "base/log.h"
#include "winsys/egl/dispatch.h"
#include "winsys/egl/driver.h"
#include "winsys/egl/functions.h"
#include "winsys/egl/proc_address.h"
#include "winsys/egl/thread_state.h"
#include "winsys/egl/vendor_abi.h"

namespace mgl::winsys::egl {
namespace {

// Extensions that add a platform to eglGetPlatformDisplay and nothing else.
const char* vendorString(int name) {
  return name == __EGL_VENDOR_STRING_PLATFORM_EXTENSIONS ? "EGL_EXT_platform_device EGL_MESA_platform_surfaceless"
                                                         : nullptr;
}

EGLBoolean supports(EGLenum api) { return supportsApi(api) ? EGL_TRUE : EGL_FALSE; }
void* findProc(const char* name) { return procAddress(name); }
void* findDispatch(const char* name) { return dispatchAddress(name); }
void takeIndex(const char* name, int index) { setDispatchIndex(name, index); }

}  // namespace
}  // namespace mgl::winsys::egl

extern "C" __attribute__((visibility("default"))) EGLBoolean __egl_Main(uint32_t version, const __EGLapiExports* exports,
                                                                        __EGLvendorInfo* vendor, __EGLapiImports* imports) {
  using namespace mgl::winsys::egl;
  if (EGL_VENDOR_ABI_GET_MAJOR_VERSION(version) != EGL_VENDOR_ABI_MAJOR_VERSION) {
    MGL_LOGE("libEGL speaks version %u of the vendor interface, this library version %u",
             EGL_VENDOR_ABI_GET_MAJOR_VERSION(version), EGL_VENDOR_ABI_MAJOR_VERSION);
    return EGL_FALSE;
  }
  libEglExports = exports;
  mgl::setGlvndEgl({version, exports, vendor});
  imports->getPlatformDisplay = &api::GetPlatformDisplay;
  imports->getSupportsAPI = &supports;
  imports->getVendorString = &vendorString;
  imports->getProcAddress = &findProc;
  imports->getDispatchAddress = &findDispatch;
  imports->setDispatchIndex = &takeIndex;
  return EGL_TRUE;
}

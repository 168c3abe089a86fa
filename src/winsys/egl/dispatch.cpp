#include "winsys/egl/dispatch.h"

#include "base/types.h"
#include "winsys/egl/functions.h"

namespace mgl::winsys::egl {

const __EGLapiExports* libEglExports = nullptr;

namespace {

enum class By : u8 { Display, Device };

__EGLvendorInfo* vendorOf(By by, void* handle) {
  return by == By::Display ? libEglExports->getVendorFromDisplay(handle) : libEglExports->getVendorFromDevice(handle);
}

// One per function: its index, and a stub that finds the vendor of the first argument, which need not be this library.
template <auto Function, By by>
struct Dispatch;

template <class R, class Handle, class... Args, R (*Function)(Handle, Args...), By by>
struct Dispatch<Function, by> {
  static inline int index = -1;

  static R stub(Handle handle, Args... args) {
    libEglExports->threadInit();
    __EGLvendorInfo* vendor = vendorOf(by, handle);
    const auto entry = vendor == nullptr ? nullptr : libEglExports->fetchDispatchEntry(vendor, index);
    if (entry == nullptr) {
      libEglExports->setEGLError(by == By::Display ? EGL_BAD_DISPLAY : EGL_BAD_DEVICE_EXT);
      return R{};  // EGL_FALSE, EGL_NO_SYNC_KHR, a null string
    }
    libEglExports->setLastVendor(vendor);
    return reinterpret_cast<decltype(&stub)>(entry)(handle, args...);
  }
};

struct Row {
  std::string_view name;
  void* stub;
  int* index;
};

const Row* findRow(std::string_view name) {
#define MGL_EGL(Name)
#define MGL_EGL_DISPATCHED(Name, by)                                           \
  {"egl" #Name, reinterpret_cast<void*>(&Dispatch<&api::Name, By::by>::stub), \
   &Dispatch<&api::Name, By::by>::index},
  static const Row kRows[] = {
#include "winsys/egl/entries.def"
  };
  for (const Row& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

void* dispatchAddress(std::string_view name) {
  const Row* row = findRow(name);
  return row == nullptr ? nullptr : row->stub;
}

void setDispatchIndex(std::string_view name, int index) {
  if (const Row* row = findRow(name)) *row->index = index;
}

}  // namespace mgl::winsys::egl

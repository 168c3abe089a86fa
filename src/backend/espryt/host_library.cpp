#include "backend/espryt/host_library.h"

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <sstream>

#include <GL/gl.h>
#include <glvnd/libeglabi.h>

#include "base/glvnd.h"

namespace mgl::espryt {

namespace {

// What a vendor's library may ask libEGL for, where there is no libEGL: nothing is current and nobody has a display.
const __EGLapiExports& noLibEgl() {
  static const __EGLapiExports kExports = [] {
    __EGLapiExports e{};
    e.threadInit = [] {};
    e.getCurrentApi = []() -> EGLenum { return EGL_OPENGL_ES_API; };
    e.getCurrentVendor = []() -> __EGLvendorInfo* { return nullptr; };
    e.getCurrentContext = []() -> EGLContext { return EGL_NO_CONTEXT; };
    e.getCurrentDisplay = []() -> EGLDisplay { return EGL_NO_DISPLAY; };
    e.getCurrentSurface = [](EGLint) -> EGLSurface { return EGL_NO_SURFACE; };
    e.fetchDispatchEntry = [](__EGLvendorInfo*, int) -> __eglMustCastToProperFunctionPointerType { return nullptr; };
    e.setEGLError = [](EGLint) {};
    e.setLastVendor = [](__EGLvendorInfo*) -> EGLBoolean { return EGL_TRUE; };
    e.getVendorFromDisplay = [](EGLDisplay) -> __EGLvendorInfo* { return nullptr; };
    e.getVendorFromDevice = [](EGLDeviceEXT) -> __EGLvendorInfo* { return nullptr; };
    e.setVendorForDevice = [](EGLDeviceEXT, __EGLvendorInfo*) -> EGLBoolean { return EGL_TRUE; };
    return e;
  }();
  return kExports;
}

// The value of "library_path" in a vendor's file. The files are a few lines of JSON with this one word of interest.
std::string libraryPath(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  const std::size_t key = all.find("\"library_path\"");
  if (key == std::string::npos) return {};
  const std::size_t colon = all.find(':', key);
  const std::size_t begin = colon == std::string::npos ? colon : all.find('"', colon);
  const std::size_t end = begin == std::string::npos ? begin : all.find('"', begin + 1);
  return end == std::string::npos ? std::string() : all.substr(begin + 1, end - begin - 1);
}

template <class F>
void take(HostFn<F>& to, void* from) {
  to.pointer = reinterpret_cast<typename HostFn<F>::Pointer>(from);
}

}  // namespace

std::vector<std::string> HostLibrary::candidates() {
  std::vector<std::string> found;
  for (const char* folder : {"/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"}) {
    std::vector<std::string> files;
    if (DIR* dir = opendir(folder)) {
      while (const dirent* entry = readdir(dir)) {
        const std::string name = entry->d_name;
        if (name.ends_with(".json")) files.push_back(std::string(folder) + '/' + name);
      }
      closedir(dir);
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
      const std::string path = libraryPath(file);
      const bool ours = path.find("mobilegl") != std::string::npos;
      if (!path.empty() && !ours && std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
    }
  }
  if (found.empty()) found = {"libEGL_nvidia.so.0", "libEGL_mesa.so.0"};
  return found;
}

const HostLibrary* HostLibrary::open(const std::string& path, std::string* error) {
  static std::mutex mutex;
  static auto* const opened = new std::vector<std::unique_ptr<HostLibrary>>;
  const std::scoped_lock lock(mutex);
  for (const auto& library : *opened) {
    if (library->path_ == path) return library.get();
  }
  std::unique_ptr<HostLibrary> library(new HostLibrary);
  library->path_ = path;
  if (!library->load(error)) return nullptr;
  return opened->emplace_back(std::move(library)).get();
}

bool HostLibrary::load(std::string* error) {
  void* handle = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    *error = why != nullptr ? why : path_ + " cannot be opened";
    return false;
  }
  const auto main = reinterpret_cast<__PFNEGLMAINPROC>(dlsym(handle, __EGL_MAIN_PROTO_NAME));
  if (main == nullptr) {
    *error = path_ + " is no vendor library of libglvnd (it has no __egl_Main)";
    return false;
  }
  // The last that the library is given counts for all of the process, so it is given the real ones where there are any.
  const GlvndEgl given = glvndEgl();
  const u32 version = given.version != 0 ? given.version : EGL_VENDOR_ABI_VERSION;
  const auto* exports = given.exports != nullptr ? static_cast<const __EGLapiExports*>(given.exports) : &noLibEgl();
  auto* const kept = new __EGLapiImports{};  // the library may keep its address
  imports_ = kept;
  __EGLapiImports& imports = *kept;
  if (!main(version, exports, static_cast<__EGLvendorInfo*>(given.vendor), &imports) ||
      imports.getProcAddress == nullptr || imports.getPlatformDisplay == nullptr) {
    *error = path_ + " refuses version " + std::to_string(version >> 16) + " of the vendor interface";
    return false;
  }
  getProcAddress_ = imports.getProcAddress;
  egl_.getPlatformDisplay = imports.getPlatformDisplay;
  const char* missing = nullptr;
#define MGL_EGL(name)                              \
  take(egl_.name, getProcAddress_("egl" #name));   \
  if (!egl_.name) missing = "egl" #name;
#define MGL_GL(name)
#define MGL_GL_32(name, alias)
#define MGL_GL_EXT(name)
#include "backend/espryt/host_functions.def"
  if (missing != nullptr) *error = path_ + " has no " + missing;
  return missing == nullptr;
}

Gl HostLibrary::loadGl(std::string* missing) const {
  Gl gl;
#define MGL_EGL(name)
#define MGL_GL(name)                            \
  take(gl.name, getProcAddress_("gl" #name));   \
  if (!gl.name) *missing = "gl" #name;
#define MGL_GL_32(name, alias)                \
  take(gl.name, getProcAddress_("gl" #name)); \
  if (!gl.name) take(gl.name, getProcAddress_("gl" #alias));
#define MGL_GL_EXT(name) take(gl.name, getProcAddress_("gl" #name));
#include "backend/espryt/host_functions.def"
  return gl;
}

}  // namespace mgl::espryt

#include "vendor_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/strings.h"

namespace mgl::tool {

namespace {

namespace fs = std::filesystem;

constexpr char kDescription[] = "share/glvnd/egl_vendor.d/50_mobilegl.json";
constexpr char kLibrary[] = "libEGL_mobilegl.so.0";

// The library folder's name differs between prefixes: lib, lib64, lib/x86_64-linux-gnu.
fs::path findLibrary(const fs::path& prefix) {
  std::error_code error;
  for (const char* folder : {"lib", MOBILEGL_LIBDIR, "lib64"}) {
    const fs::path library = prefix / folder / kLibrary;
    if (fs::exists(library, error)) return library;
  }
  return {};
}

std::string libraryOf(const fs::path& description) {
  std::ifstream file(description);
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_discarded() || !json.contains("ICD")) return {};
  return json["ICD"].value("library_path", "");
}

// A folder that only this user can write to, so that nobody else decides which library the program loads.
std::string privateFolder(std::string& cause) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string path = runtime != nullptr && *runtime == '/' ? std::string(runtime) + "/mobilegl"
                                                                 : formatText("/tmp/mobilegl-%u", geteuid());
  struct stat info;
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    cause = path + ": " + std::strerror(errno);
  } else if (lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
             (info.st_mode & 022) != 0) {
    cause = path + ": not a folder that only this user can write to";
  }
  return path;
}

VendorFile writeDescription(const fs::path& library) {
  std::string cause;
  const std::string folder = privateFolder(cause);
  if (!cause.empty()) return {"", "cannot describe the vendor library of this moved tree: " + cause};
  const nlohmann::json json = {{"file_format_version", "1.0.0"}, {"ICD", {{"library_path", library.string()}}}};
  const std::string path =
      formatText("%s/50_mobilegl-%016lx.json", folder.c_str(), static_cast<unsigned long>(hashText(library.string())));
  // Renamed into place: another `mobilegl run` may be reading it.
  const std::string draft = formatText("%s.%d", path.c_str(), getpid());
  {
    std::ofstream file(draft);
    file << json.dump(2) << '\n';
    if (!file.flush()) cause = draft + ": " + std::strerror(errno);
  }
  if (cause.empty() && std::rename(draft.c_str(), path.c_str()) != 0) cause = path + ": " + std::strerror(errno);
  if (!cause.empty()) return {"", "cannot describe the vendor library of this moved tree: " + cause};
  return {path, ""};
}

std::vector<std::string> pathsOf(const char* variable) {
  const char* value = std::getenv(variable);
  std::vector<std::string> paths;
  if (value != nullptr)
    for (const std::string_view path : split(value, ":")) paths.emplace_back(path);
  return paths;
}

}  // namespace

std::vector<std::string> vendorsBehind() {
  std::vector<std::string> files = pathsOf("__EGL_VENDOR_LIBRARY_FILENAMES");
  if (files.empty()) {
    std::vector<std::string> folders = pathsOf("__EGL_VENDOR_LIBRARY_DIRS");
    if (folders.empty()) folders = {"/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"};
    for (const char* variable : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"})
      for (const std::string& driver : pathsOf(variable))
        folders.push_back((fs::path(driver).parent_path() / "../../glvnd/egl_vendor.d").lexically_normal().string());
    for (const std::string& folder : folders) {
      std::error_code error;
      for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path().string());
    }
  }
  std::vector<std::string> found;
  for (const std::string& file : files)
    if (libraryOf(file).find("libEGL_nvidia") != std::string::npos && std::find(found.begin(), found.end(), file) == found.end())
      found.push_back(file);
  return found;
}

VendorFile findEglVendorFile() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error) return {"", "cannot find out where mobilegl itself is: " + error.message()};
  const fs::path prefix = executable.parent_path().parent_path();
  const fs::path library = findLibrary(prefix);
  if (library.empty()) {
    return {"", std::string(kLibrary) + " is not in " + (prefix / "lib").string() +
                    "; build it (`make build`) or install MobileGL again"};
  }
  const fs::path description = prefix / kDescription;
  const std::string described = libraryOf(description);
  if (!described.empty() && fs::equivalent(described, library, error)) return {description.string(), ""};
  return writeDescription(library);
}

}  // namespace mgl::tool

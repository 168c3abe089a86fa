// Where libglvnd's description of our EGL vendor is, seen from this executable: in a build tree and in an installed
// prefix alike it is ../share/glvnd/egl_vendor.d/50_mobilegl.json.
#pragma once

#include <string>
#include <vector>

namespace mgl::tool {

struct VendorFile {
  std::string path;   // to put into __EGL_VENDOR_LIBRARY_FILENAMES; empty when there is none
  std::string cause;  // why there is none, with the mend
};

// The description has an absolute path to the library in it, because dlopen() knows nothing else that is independent
// of the working directory. In a tree that was copied or moved that path leads elsewhere: then a description with the
// right path is written for the user, under XDG_RUNTIME_DIR or /tmp.
VendorFile findEglVendorFile();

// Vendors to name behind ours. NVIDIA's Vulkan driver asks libEGL for NVIDIA's devices when there is no X server, and has
// none of its own where libEGL knows no vendor of theirs. Looked for where libglvnd looks, and beside the Vulkan driver's own
// description (VK_DRIVER_FILES, VK_ICD_FILENAMES).
std::vector<std::string> vendorsBehind();

}  // namespace mgl::tool

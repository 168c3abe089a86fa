// The Vulkan instance of a session, the devices it lists, and the choice among them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/magma/vk.h"

namespace mgl::magma {

class Instance {
 public:
  // Null with `error` set: no loader, no driver, no validation layer. Any thread.
  static std::unique_ptr<Instance> create(bool validation, std::string* error);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  VkInstance handle() const { return handle_; }
  bool hasDebugUtils() const { return debugUtils_; }
  // In the loader's order, which is the order of the indices.
  const std::vector<VkPhysicalDevice>& devices() const { return devices_; }

  static backend::DeviceInfo describe(VkPhysicalDevice device);
  // VK_NULL_HANDLE with `error` set, which lists the devices there are.
  VkPhysicalDevice choose(const std::string& selector, std::string* error) const;

 private:
  Instance() = default;
  VkInstance handle_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  bool debugUtils_ = false;
  std::vector<VkPhysicalDevice> devices_;
};

}  // namespace mgl::magma

#include "backend/magma/instance.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "base/counters.h"
#include "base/log.h"
#include "base/strings.h"

namespace mgl::magma {

const char* resultName(VkResult result) {
  switch (result) {
#define MGL_CASE(name) \
  case name:           \
    return #name
    MGL_CASE(VK_SUCCESS);
    MGL_CASE(VK_NOT_READY);
    MGL_CASE(VK_TIMEOUT);
    MGL_CASE(VK_ERROR_OUT_OF_HOST_MEMORY);
    MGL_CASE(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    MGL_CASE(VK_ERROR_INITIALIZATION_FAILED);
    MGL_CASE(VK_ERROR_DEVICE_LOST);
    MGL_CASE(VK_ERROR_MEMORY_MAP_FAILED);
    MGL_CASE(VK_ERROR_LAYER_NOT_PRESENT);
    MGL_CASE(VK_ERROR_EXTENSION_NOT_PRESENT);
    MGL_CASE(VK_ERROR_FEATURE_NOT_PRESENT);
    MGL_CASE(VK_ERROR_INCOMPATIBLE_DRIVER);
    MGL_CASE(VK_ERROR_TOO_MANY_OBJECTS);
    MGL_CASE(VK_ERROR_FORMAT_NOT_SUPPORTED);
    MGL_CASE(VK_ERROR_FRAGMENTED_POOL);
    MGL_CASE(VK_ERROR_OUT_OF_POOL_MEMORY);
#undef MGL_CASE
    default:
      return "VkResult";
  }
}

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

VkResult initializeLoader() {
  static std::once_flag once;
  static VkResult result = VK_ERROR_INITIALIZATION_FAILED;
  std::call_once(once, [] { result = volkInitialize(); });
  return result;
}

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                         VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  const char* id = data->pMessageIdName == nullptr ? "-" : data->pMessageIdName;
  count(Counter::ValidationMessages);
  if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) {
    count(Counter::ValidationErrors);
    MGL_LOGE("validation error: [%s] %s", id, data->pMessage);
  } else {
    MGL_LOGW("validation warning: [%s] %s", id, data->pMessage);
  }
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo() {
  return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
          .pNext = nullptr,
          .flags = 0,
          .messageSeverity =
              VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
          .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
          .pfnUserCallback = onMessage,
          .pUserData = nullptr};
}

template <class List>
bool lists(const List& list, const char* name) {
  return std::any_of(list.begin(), list.end(), [name](const auto& row) {
    if constexpr (requires { row.layerName; }) {
      return std::strcmp(row.layerName, name) == 0;
    } else {
      return std::strcmp(row.extensionName, name) == 0;
    }
  });
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return text;
}

std::string hexOf(const std::array<u8, 16>& uuid) {
  std::string text;
  char digits[3];
  for (u8 byte : uuid) {
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

std::string uuidText(const std::array<u8, 16>& uuid) {
  std::string text = hexOf(uuid);
  for (std::size_t at : {20, 16, 12, 8}) text.insert(at, 1, '-');
  return text;
}

bool matches(const backend::DeviceInfo& info, u32 index, const std::string& selector) {
  const bool digits = !selector.empty() && selector.size() < 4 &&
                      std::all_of(selector.begin(), selector.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits) return static_cast<u32>(std::stoul(selector)) == index;
  const std::string wanted = lower(selector);
  std::string compact = wanted;
  std::erase(compact, '-');
  if (compact == hexOf(info.uuid)) return true;
  if (!info.pciAddress.empty() && (wanted == info.pciAddress || "0000:" + wanted == info.pciAddress)) return true;
  return lower(info.name).find(wanted) != std::string::npos;
}

}  // namespace

std::unique_ptr<Instance> Instance::create(bool validation, std::string* error) {
  if (initializeLoader() != VK_SUCCESS) {
    *error =
        "no Vulkan loader: libvulkan.so.1 cannot be opened; install it (Debian: libvulkan1) and a driver (Debian: "
        "mesa-vulkan-drivers)";
    return nullptr;
  }
  const u32 loader = volkGetInstanceVersion();
  if (loader < VK_API_VERSION_1_1) {
    *error = "the Vulkan loader is older than 1.1; install a newer libvulkan.so.1";
    return nullptr;
  }
  u32 layerCount = 0;
  vkEnumerateInstanceLayerProperties(&layerCount, nullptr);
  std::vector<VkLayerProperties> layers(layerCount);
  vkEnumerateInstanceLayerProperties(&layerCount, layers.data());
  if (validation && !lists(layers, kValidationLayer)) {
    *error =
        "MOBILEGL_VALIDATION is set, but the layer VK_LAYER_KHRONOS_validation is not installed (Debian: "
        "vulkan-validationlayers)";
    return nullptr;
  }
  const char* layer = validation ? kValidationLayer : nullptr;
  std::vector<VkExtensionProperties> extensions;
  for (const char* from : {static_cast<const char*>(nullptr), layer}) {
    u32 extensionCount = 0;
    vkEnumerateInstanceExtensionProperties(from, &extensionCount, nullptr);
    const std::size_t old = extensions.size();
    extensions.resize(old + extensionCount);
    vkEnumerateInstanceExtensionProperties(from, &extensionCount, extensions.data() + old);
    if (layer == nullptr) break;
  }

  std::unique_ptr<Instance> instance(new Instance);
  instance->debugUtils_ = lists(extensions, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  std::vector<const char*> names;
  if (instance->debugUtils_) names.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  const bool features = validation && lists(extensions, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
  if (features) names.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);

  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  const VkValidationFeaturesEXT validationFeatures{
      VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, nullptr, 1, &enabled, 0, nullptr};
  const VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO,       nullptr, "MobileGL", 0, "MobileGL", 0,
                                      std::min<u32>(loader, VK_API_VERSION_1_3)};
  const VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  features ? &validationFeatures : nullptr,
                                  0,
                                  &application,
                                  layer == nullptr ? 0u : 1u,
                                  &layer,
                                  static_cast<u32>(names.size()),
                                  names.data()};
  const VkResult result = vkCreateInstance(&info, nullptr, &instance->handle_);
  if (result != VK_SUCCESS) {
    *error = std::string("no Vulkan instance (") + resultName(result) +
             "): no driver is installed for it (Debian: mesa-vulkan-drivers), or VK_ICD_FILENAMES names a file that "
             "does not "
             "serve";
    return nullptr;
  }
  volkLoadInstanceOnly(instance->handle_);
  if (validation && instance->debugUtils_) {
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo();
    vkCreateDebugUtilsMessengerEXT(instance->handle_, &messenger, nullptr, &instance->messenger_);
  }
  u32 deviceCount = 0;
  vkEnumeratePhysicalDevices(instance->handle_, &deviceCount, nullptr);
  instance->devices_.resize(deviceCount);
  vkEnumeratePhysicalDevices(instance->handle_, &deviceCount, instance->devices_.data());
  instance->devices_.resize(deviceCount);
  if (deviceCount == 0) {
    *error =
        "Vulkan lists no device: check that a driver is installed (Debian: mesa-vulkan-drivers) and that /dev/dri can "
        "be "
        "opened, or point VK_ICD_FILENAMES at a driver's file";
    return nullptr;
  }
  return instance;
}

Instance::~Instance() {
  if (messenger_ != VK_NULL_HANDLE) vkDestroyDebugUtilsMessengerEXT(handle_, messenger_, nullptr);
  if (handle_ != VK_NULL_HANDLE) vkDestroyInstance(handle_, nullptr);
}

backend::DeviceInfo Instance::describe(VkPhysicalDevice device) {
  u32 extensionCount = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &extensionCount, nullptr);
  std::vector<VkExtensionProperties> extensions(extensionCount);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &extensionCount, extensions.data());

  VkPhysicalDeviceDriverPropertiesKHR driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES_KHR;
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci{};
  pci.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT;
  VkPhysicalDeviceIDProperties ids{};
  ids.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &ids;
  if (lists(extensions, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) {
    driver.pNext = properties.pNext;
    properties.pNext = &driver;
  }
  const bool hasPci = lists(extensions, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
  if (hasPci) {
    pci.pNext = properties.pNext;
    properties.pNext = &pci;
  }
  vkGetPhysicalDeviceProperties2(device, &properties);

  backend::DeviceInfo info;
  info.name = properties.properties.deviceName;
  info.driver = driver.driverName[0] == '\0' ? "unknown" : std::string(driver.driverName) + " " + driver.driverInfo;
  std::copy(std::begin(ids.deviceUUID), std::end(ids.deviceUUID), info.uuid.begin());
  if (hasPci) {
    char text[32];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", pci.pciDomain, pci.pciBus, pci.pciDevice, pci.pciFunction);
    info.pciAddress = text;
  }
  return info;
}

VkPhysicalDevice Instance::choose(const std::string& selector, std::string* error) const {
  std::string present;
  for (u32 i = 0; i < devices_.size(); ++i) {
    const backend::DeviceInfo info = describe(devices_[i]);
    if (selector.empty() || matches(info, i, selector)) return devices_[i];
    present += (i == 0 ? "" : "; ") + std::to_string(i) + ": " + info.name + " (UUID " + uuidText(info.uuid) +
               (info.pciAddress.empty() ? "" : ", PCI " + info.pciAddress) + ")";
  }
  *error =
      "MOBILEGL_DEVICE=" + selector + " matches no device by index, UUID, PCI address or name; there are: " + present;
  return VK_NULL_HANDLE;
}

}  // namespace mgl::magma

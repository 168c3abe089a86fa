// What the parts of a session's Magma share. Made by magma.cpp; the apply thread only, but for read-backs' second
// halves.
#pragma once

#include <map>
#include <string>

#include "backend/magma/backend_epoch.h"
#include "backend/magma/image.h"
#include "base/counters.h"

namespace mgl::magma {

class Blitter;
class Buffers;
class DummyTextures;
class PassManager;
class PipelineCache;
class Programs;
class Queries;
class ReadBacks;
class Samplers;
class Textures;

struct Engine {
  Engine(std::unique_ptr<Device> opened, bool pipelineCache);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const VolkDeviceTable& vk() const { return device->vk(); }
  const HostFeatures& features() const { return device->features(); }

  // Main's command buffer outside of any pass, with the gathered barriers recorded.
  VkCommandBuffer outside();
  // Main's command buffer; a pass may be open.
  VkCommandBuffer main() { return recorder.main(); }
  // Ends the pass, executes what waits, hands the batch over. Returns the serial to wait for.
  u64 submit();
  // For work on the host on what the GPU makes (conversions that the device cannot do). The apply thread does not wait
  // for it: openHostStep sees to it that batch `made`, which makes it, is handed over, and `work` given to hostStep
  // after that runs on the submitting thread before the open batch reaches the queue. It may touch mapped memory that
  // is marked as used in the open batch, and nothing else of the apply thread's.
  void openHostStep(u64 made);
  void hostStep(std::function<void()> work);
  // Submits and waits, counted as `why`: only where nothing else is right.
  void waitForGpu(Stall why);
  // Before a store, or the staging of a transfer, is given up: waits for what the GPU still holds and lets go of it. What
  // was gathered for the open batch is of no use after it.
  void reclaim();
  // Upload memory for a transfer that may be large; empty after reclaim() did not help, and told.
  StreamSlice stage(u64 bytes, std::string_view what);
  // A host call failed, or something cannot be done: the verb is skipped. Each is counted; the program is told of the first
  // of a kind, and of every kTellEach-th.
  void decline(std::string_view what);
  // Something is done as nearly as the device can: told as decline() does, not counted.
  void approximate(std::string_view what);

  std::unique_ptr<Device> device;
  FormatTable formats;
  pipe::Caps caps;
  Recorder recorder;
  Barriers barriers;  // for the next point of main outside of a pass
  BackendEpoch epoch;
  // Grows when somebody else than the draw path bound something in main (or main is a new command buffer).
  u64 commandState = 1;

  std::unique_ptr<PassManager> passes;
  std::unique_ptr<Buffers> buffers;
  std::unique_ptr<Textures> textures;
  std::unique_ptr<Samplers> samplers;
  std::unique_ptr<DummyTextures> dummies;
  std::unique_ptr<ReadBacks> readBacks;
  std::unique_ptr<Blitter> blitter;
  std::unique_ptr<Programs> programs;
  std::unique_ptr<PipelineCache> pipelines;
  std::unique_ptr<Queries> queries;

 private:
  void tell(std::string_view how, std::string_view what);
  std::map<std::string, u64, std::less<>> told_;  // how often
};

}  // namespace mgl::magma

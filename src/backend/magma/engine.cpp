#include "backend/magma/engine.h"

#include "backend/magma/blit.h"
#include "backend/magma/pass_manager.h"
#include "backend/magma/pipeline.h"
#include "backend/magma/query.h"
#include "backend/magma/sampler.h"
#include "base/counters.h"
#include "base/event.h"
#include "base/log.h"

namespace mgl::magma {

Engine::Engine(std::unique_ptr<Device> opened, bool pipelineCache)
    : device(std::move(opened)),
      formats(device->adapter()),
      caps(makeCaps(device->adapter(), formats)),
      recorder(*device) {
  passes = std::make_unique<PassManager>(*this);
  buffers = std::make_unique<Buffers>(*this);
  textures = std::make_unique<Textures>(*this);
  samplers = std::make_unique<Samplers>(*this);
  dummies = std::make_unique<DummyTextures>(*this);
  readBacks = std::make_unique<ReadBacks>(*this);
  blitter = std::make_unique<Blitter>(*this);
  programs = std::make_unique<Programs>(*this);
  pipelines = std::make_unique<PipelineCache>(*this, pipelineCache);
  queries = std::make_unique<Queries>(*this);
}

Engine::~Engine() {
  const u64 last = submit();
  device->submitter().wait(last, kForever);
}

VkCommandBuffer Engine::outside() {
  passes->close();
  const VkCommandBuffer commands = recorder.main();
  barriers.record(vk(), commands);
  return commands;
}

u64 Engine::submit() {
  passes->settleAll();
  passes->close();
  if (!barriers.empty()) barriers.record(vk(), recorder.main());
  const u64 before = recorder.serial();
  const u64 serial = recorder.submit();
  if (recorder.serial() != before) {
    epoch.move(EpochWriter::Batch);
    ++commandState;
  }
  return serial;
}

void Engine::waitForGpu(Stall why) {
  const u64 serial = submit();
  const ScopedStall stall(why);
  device->submitter().wait(serial, kForever);
}

void Engine::reclaim() {
  waitForGpu(Stall::Reclaim);
  recorder.trim();
  device->trim();
}

StreamSlice Engine::stage(u64 bytes, std::string_view what) {
  StreamSlice slice = recorder.tryStream(bytes, 16);
  if (slice.buffer == VK_NULL_HANDLE) {
    reclaim();
    slice = recorder.tryStream(bytes, 16);
  }
  if (slice.buffer == VK_NULL_HANDLE) device->outOfMemory(what);
  return slice;
}

void Engine::openHostStep(u64 made) {
  if (!features().hostSteps) {
    if (!recorder.isComplete(made)) waitForGpu(Stall::ApplyGpu);
  } else if (made == recorder.serial()) {
    submit();
  }
}

void Engine::hostStep(std::function<void()> work) {
  countHeld(Counter::HostSteps);
  if (features().hostSteps) {
    recorder.beforeBatch(std::move(work));
  } else {
    work();
  }
}

void Engine::decline(std::string_view what) {
  count(Counter::DrawsDeclined);
  tell("skipped: ", what);
}

void Engine::approximate(std::string_view what) { tell("not exact: ", what); }

void Engine::tell(std::string_view how, std::string_view what) {
  constexpr u64 kTellEach = 4096;
  std::string text(how);
  text += what;
  if (told_[text]++ % kTellEach == 0) device->sink().log(pipe::DebugSeverity::High, text);
}

}  // namespace mgl::magma

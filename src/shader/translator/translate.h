// Makes the SPIR-V of a linked program (conventions: shader/archive/archive.h) into SPIR-V for one Vulkan device and
// the state that the backend bakes in. Pure functions of their input; any thread. Malformed words give an error, never
// a read out of bounds; whether a well-formed module is valid is validateSpirv's question (validate.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "shader/archive/archive.h"
#include "shader/translator/driver_constants.h"

namespace mgl::shader {

struct BindingRemap {
  u32 set = 0, binding = 0;        // as the compiler gave them
  u32 newSet = 0, newBinding = 0;  // as the pipeline layout has them
};

// A fragment output found by (location, index) moves to another place.
struct OutputRemap {
  u32 location = 0, index = 0;
  u32 newLocation = 0, newIndex = 0;
};

struct TranslateInput {
  std::span<const u32> spirv;
  Stage stage = Stage::Vertex;

  // Every resource that the module's code uses must be listed; one that is declared and neither used nor listed is
  // dropped.
  std::span<const BindingRemap> bindings;

  // Fragment stage: gl_FragCoord, gl_PointCoord, gl_SamplePosition, dFdy and interpolateAtOffset go by DriverConstants.
  bool transformWindow = false;
  // Fragment stage, gl_FragColor (Archive::fragColorBroadcast): the output at location 0, index 0 is written to
  // locations 1 … broadcastOutputs - 1 too. 0 and 1 add nothing.
  u32 broadcastOutputs = 0;
  std::span<const OutputRemap> outputs;

  // Vertex stage: loads of gl_InstanceIndex give it without the base instance. Only for modules whose compiler has not
  // subtracted already: ours has (archive.h).
  bool subtractBaseInstance = false;

  // By the sampler's new binding: added to the level of detail of each access; for hosts whose samplers have no bias.
  // Accesses with explicit derivatives are left as they are.
  std::span<const f32> lodBiases;

  // Vertex stage: loads of gl_BaseInstance give 0, for hosts whose gl_InstanceID never includes it and that have no such input.
  bool zeroBaseInstance = false;
  // Vertex stage: an input that is an array becomes an input for each element.
  bool splitInputArrays = false;

  // The rest concerns the last vertex-processing stage and is applied when its outputs are complete: where main
  // returns, or at each EmitVertex.
  // Position z from [-w, w] to [0, w]; for devices without VK_EXT_depth_clip_control.
  bool convertClipDepth = false;
  // Points: gl_PointSize is DriverConstants::pointSize, or where that is 0 what the shader wrote (1 if it never does).
  // In geometry and tessellation stages the device needs shaderTessellationAndGeometryPointSize.
  bool writePointSize = false;
  // gl_ClipDistance of planes that DriverConstants::clipMask disables become 0, for Vulkan clips by all that are
  // declared.
  bool maskClipDistances = false;
  // Captures these varyings (ignored when null or without varyings); the values are those before the adaptations above.
  const Xfb* xfb = nullptr;
};

struct TranslateResult {
  std::vector<u32> spirv;            // empty on an error
  std::string error;                 // names what was wrong; empty on success
  bool usesDriverConstants = false;  // the module has the push-constant block

  bool ok() const { return error.empty(); }
};

[[nodiscard]] TranslateResult translate(const TranslateInput& input);

}  // namespace mgl::shader

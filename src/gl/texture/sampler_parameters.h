// Setting and asking for sampler parameters, of sampler objects and of textures (OpenGL 4.6 table 23.18 and section 8.2).
#pragma once

#include "gl/context.h"
#include "gl/texture/parameter_value.h"
#include "gl/texture/sampler.h"

namespace mgl::gl {

enum class Setting : u8 {
  NotMine,  // no sampler parameter: no error was set
  Failed,   // an error was set
  Same,
  Changed,
};

// clampOnly: a rectangle texture, which neither repeats nor has mipmaps.
Setting setSamplerParameter(Context& ctx, SamplerParameters& parameters, GLenum pname, const ParameterValue& value,
                            bool clampOnly, const char* call);
// False: no sampler parameter.
bool getSamplerParameter(const Context& ctx, const SamplerParameters& parameters, GLenum pname, const ParameterAnswer& answer);

}  // namespace mgl::gl

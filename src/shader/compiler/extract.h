// Reads a ShaderInterface out of glslang's tree. The only consumer of the plain parse besides its log.
#pragma once

#include "shader/compiler/interface.h"

namespace glslang {
class TIntermediate;
}

namespace mgl::shader {

// REQUIRES: called on the thread that parsed `intermediate`, before it parses anything else (glslang's nodes allocate
// from that thread's pool).
ShaderInterface extractInterface(const glslang::TIntermediate& intermediate, Stage stage);

}  // namespace mgl::shader

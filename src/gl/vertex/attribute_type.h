// What glVertexAttrib*Pointer and *Format accept (OpenGL 4.6 table 10.3) in the pipe's words.
#pragma once

#include "gl/api.h"
#include "pipe/enums.h"

namespace mgl::gl {

enum class AttributeUse : u8 { Float, Integer, Double };

struct AttributeFormat {
  pipe::VertexType type = pipe::VertexType::Float;
  pipe::AttribClass cls = pipe::AttribClass::Float;
  u8 components = 4;
  bool normalized = false, bgra = false;
  u32 bytes = 0;  // of one attribute, tightly packed
};

// False with the error that the specification names.
bool attributeFormat(Context& ctx, GLint size, GLenum type, bool normalized, AttributeUse use, AttributeFormat* out,
                     const char* command);
GLenum gl(pipe::VertexType type);

}  // namespace mgl::gl

// GL objects as workloads make them, outside of a frame.
#pragma once

#include <cstdint>
#include <string>

#include "frame/gl.h"
#include "frame/random.h"

namespace workload {

// Sources without a #version line: "#version 330 core", or 320 es with its precisions, stands before them.
GLuint makeProgram(const std::string& vertex, const std::string& fragment, const std::string& defines = "");

inline GLint uniformAt(GLuint program, const char* name) { return gl.GetUniformLocation(program, name); }

// Random texels, opaque, mipmapped.
GLuint makeNoiseTexture(Random& random, int size);
// Without contents, filtered nearest, clamped: to be drawn to.
GLuint makeTarget(GLenum internalFormat, GLenum format, GLenum type, int width, int height);
// color and depth may be 0.
GLuint makeFramebuffer(GLuint color, GLuint depth);

GLuint makeBuffer(GLenum target, const void* data, std::size_t bytes, GLenum usage);

inline const void* bufferOffset(std::size_t offset) { return reinterpret_cast<const void*>(offset); }

// Counted, as calls of a frame.
void toggle(GLenum capability, bool on);

}  // namespace workload

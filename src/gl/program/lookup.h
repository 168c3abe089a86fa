// Names of shaders and programs, and the options that the compiler gets from a context.
#pragma once

#include "gl/context.h"
#include "gl/program/program.h"

namespace mgl::gl {

// Null with GL_INVALID_VALUE (no such name) or GL_INVALID_OPERATION (the other kind of object).
Ref<Shader> shaderOf(Context& ctx, GLuint name, const char* command);
// With its link settled, and as it is: for commands that ask for nothing that a link makes.
Ref<Program> programOf(Context& ctx, GLuint name, const char* command);
Ref<Program> unsettledProgramOf(Context& ctx, GLuint name, const char* command);
// The same, and that the last link succeeded (GL_INVALID_OPERATION).
Ref<Program> linkedProgramOf(Context& ctx, GLuint name, const char* command);
// The one that glUniform* writes: in use, or the active program of the pipeline bound. Null with GL_INVALID_OPERATION.
Program* currentProgram(Context& ctx, const char* command);

shader::Limits shaderLimits(const Context& ctx);
shader::Profile shaderProfile(const Context& ctx);

// Copies a string into a program's buffer as glGet*InfoLog and friends do.
void copyString(std::string_view text, GLsizei bufSize, GLsizei* length, GLchar* out);

}  // namespace mgl::gl

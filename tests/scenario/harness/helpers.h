// Small things that most scenarios need.  All act on the current context; a failed build of a helper ends the scenario.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/gl.h"
#include "harness/image.h"

namespace mgl::scenario {

struct Rect {
  int x = 0, y = 0, w = 0, h = 0;
};

struct Color {
  float r = 0, g = 0, b = 0, a = 1;
};

// A framebuffer with one 2D texture of zeros and, when asked, a depth(-stencil) renderbuffer of undefined contents;
// bound with its viewport set.
struct [[maybe_unused]] Target {
  GLuint framebuffer = 0;
  GLuint color = 0;
  GLuint depth = 0;
  int width = 0;
  int height = 0;

  // Binds for drawing and reading and sets the viewport.
  void bind() const;
};

Target makeTarget(int width, int height, GLenum format = GL_RGBA8, GLenum depthFormat = 0);

// A 2D texture with one level, nearest filters, edges clamped; bound to the active unit.
GLuint makeTexture(int width, int height, GLenum internalFormat, GLenum format, GLenum type, const void* texels);
// RGBA8 of one colour.
GLuint makeSolidTexture(int width, int height, const Rgba8& color);

GLuint makeBuffer(GLenum target, std::size_t bytes, const void* data, GLenum usage = GL_STATIC_DRAW);

GLuint compileShader(GLenum stage, const std::string& source);
// Sources without "#version" get "#version 330 core".
GLuint makeProgram(const std::string& vertex, const std::string& fragment, const std::string& geometry = "");
// Links what is attached; ends the scenario with the log when it fails.
void link(GLuint program);
GLint uniform(GLuint program, const char* name);

// Vertex shader over the whole target from gl_VertexID alone (three vertices): out vec2 vUv in 0..1.
extern const char* const kFullVertex;
// Draws with an own empty VAO, three vertices; leaves the program and VAO 0 bound.
void drawFull(GLuint program);
// A program for drawFull whose fragment colour is the expression; `declarations` come before main.
GLuint makeFullProgram(const std::string& declarations, const std::string& expression);
// Draws texture unit 0 over the whole viewport: sampler is "sampler2D" and so on, expression gets `t` and `vUv`.
void drawTexture(const std::string& sampler, const std::string& expression);

// Fills rectangles, in pixels of the size given, with one colour at one depth (window depth = (depth + 1) / 2).
class Painter {
 public:
  Painter(int width, int height);
  void fill(const Rect& rect, const Color& color, float depth = 0) const;
  void fill(const Color& color, float depth = 0) const { fill({0, 0, width_, height_}, color, depth); }

 private:
  int width_, height_;
  GLuint program_ = 0, vao_ = 0;
  GLint rect_ = -1, color_ = -1;
};

// Asks again until the answer is true; false after 20 seconds.
bool soon(const std::function<bool()>& answer);

GLint getInteger(GLenum name);
void clearColor(const Color& color);

}  // namespace mgl::scenario

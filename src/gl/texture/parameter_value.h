// A parameter's value in whichever type the program gave it, and answers in whichever type it asks for (OpenGL 4.6 section 2.2.1).
#pragma once

#include <array>

#include "gl/api.h"
#include "pipe/enums.h"

namespace mgl::gl {

class ParameterValue {
 public:
  static ParameterValue of(const GLfloat* values, bool vector) { return {Type::Float, values, vector}; }
  static ParameterValue of(const GLint* values, bool vector) { return {Type::Int, values, vector}; }
  // glTexParameterIiv and Iuiv: integers that stay integers.
  static ParameterValue pure(const GLint* values) { return {Type::PureInt, values, true}; }
  static ParameterValue pure(const GLuint* values) { return {Type::PureUint, values, true}; }

  bool isVector() const { return vector_; }
  f32 asFloat() const;
  i32 asInt() const;  // floats are rounded
  GLenum asEnum() const { return static_cast<GLenum>(asInt()); }
  i32 asInt(u32 i) const;
  // A border colour: bits and their class. Plain integers are normalised to floats.
  pipe::BorderClass border(std::array<u32, 4>* bits) const;

 private:
  enum class Type : u8 { Float, Int, PureInt, PureUint };
  ParameterValue(Type type, const void* values, bool vector) : type_(type), vector_(vector), values_(values) {}
  Type type_;
  bool vector_;
  const void* values_;
};

class ParameterAnswer {
 public:
  explicit ParameterAnswer(GLfloat* out) : type_(Type::Float), out_(out) {}
  explicit ParameterAnswer(GLint* out) : type_(Type::Int), out_(out) {}
  static ParameterAnswer pure(GLint* out) { return {Type::PureInt, out}; }
  static ParameterAnswer pure(GLuint* out) { return {Type::PureUint, out}; }

  void setInt(i64 value, u32 i = 0) const;
  void setFloat(f32 value) const;  // rounded for integers
  void setBorder(const std::array<u32, 4>& bits, pipe::BorderClass cls) const;

 private:
  enum class Type : u8 { Float, Int, PureInt, PureUint };
  ParameterAnswer(Type type, void* out) : type_(type), out_(out) {}
  Type type_;
  void* out_;
};

}  // namespace mgl::gl

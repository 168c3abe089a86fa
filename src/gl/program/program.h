// Shader and program objects. They share one name space.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gl/object.h"
#include "gl/program/link_worker.h"
#include "gl/share_group.h"
#include "shader/compiler/compiler.h"

namespace mgl::gl {

struct ShaderOrProgram : Object {
  using Object::Object;
  virtual bool isProgram() const = 0;
};

struct Shader : ShaderOrProgram {
  Shader(u32 glName, GLenum t) : ShaderOrProgram(glName), type(t) {}
  bool isProgram() const override { return false; }
  const GLenum type;
  std::vector<std::string> sources;  // the strings of glShaderSource
  bool compiled = false;
  std::string infoLog;
  std::shared_ptr<const shader::CompiledShader> object;  // of the last successful compile
  u32 attachCount = 0;
};

// A location: where its value lies, resolved at the link so that glUniform* needs nothing else.
struct alignas(16) UniformLocation {
  enum class Kind : u8 { Unused, Float, Double, Int, Uint, Bool, Sampler, Image };
  Kind kind = Kind::Unused;  // Unused: an explicit location of an inactive uniform
  bool isArray = false;
  u8 columns = 1, rows = 1;
  u32 uniform = 0;    // index into archive.uniforms
  u32 element = 0;    // of the array
  u32 remaining = 0;  // elements from this one to the array's end
  u32 offset = 0;     // bytes in the block; samplers and images: index into samplerUnits, imageUnits
  u32 arrayStride = 0, matrixStride = 0;

  // Not an array, one column, of that kind and size.
  bool isPlain(Kind own, u8 size) const { return kind == own && !isArray && columns == 1 && rows == size; }
};

// What one successful link made; immutable but for the values. Kept by those that use the program until they use it anew.
struct Executable {
  shader::Archive archive;
  std::array<std::vector<u32>, countOf<shader::Stage>()> spirv;
  std::vector<UniformLocation> locations;  // by location

  // Default block values: the client's copy (glGetUniform reads it) and what changed since the last draw.
  std::vector<std::byte> block;
  static constexpr u32 kBlockSlackBytes = 64;  // allocated behind the block's end: short values are copied whole
  static constexpr u32 kPatches = 16;
  std::array<pipe::UniformPatch, kPatches> patches;
  u32 patchCount = 0;                // kPatches + 1: too many, send the range below whole
  u32 dirtyBegin = 0, dirtyEnd = 0;  // when there are too many
  void markDirty(u32 offset, u32 bytes) {
    if (patchCount == 0) [[likely]] {
      patches[0] = {offset, bytes};
      patchCount = 1;
    } else {
      markMore(offset, bytes);
    }
  }
  void markMore(u32 offset, u32 bytes);
  void clean() { patchCount = 0; }

  std::vector<u32> samplerUnits;   // elements of archive.samplers, flattened
  std::vector<u32> imageUnits;     // likewise
  std::vector<u32> blockBindings;  // by uniform block
  std::vector<u32> storageBindings;
  std::vector<u32> samplerFirst;   // first flattened element of each archive sampler
  std::vector<u32> imageFirst;
  u64 bindingsVersion = 1;         // moves with the four above
  u32 unitCount = 0;               // highest sampler unit used + 1; follows samplerUnits
};

// `version` moves at every successful link and with sampler units, image units and block bindings.
struct Program : ShaderOrProgram {
  Program(u32 glName, ShareGroup& group);
  ~Program() override;
  bool isProgram() const override { return true; }

  const std::shared_ptr<client::Session> session;
  pipe::ProgramHandle handle;  // null until the first successful link
  std::vector<Ref<Shader>> attached;
  bool linked = false;      // the last link succeeded
  bool validated = false;
  bool separable = false, binaryRetrievable = false;
  std::string infoLog;
  std::shared_ptr<Executable> executable;  // of the last successful link; null: never linked, or a link is under way
  std::atomic<bool> linking{false};        // settleLink comes before a look at what a link makes
  std::shared_ptr<LinkJob> link;           // under the session's lock
  std::shared_ptr<Executable> before;      // while linking: what `executable` is again if that fails
  u64 linkVersion = 1;                     // moves at every successful link
  u32 useCount = 0;
  // For the next link
  std::map<std::string, u32> attribBindings;
  std::map<std::string, std::pair<u32, u32>> fragDataBindings;  // location, index
  std::vector<std::string> xfbVaryings;
  GLenum xfbMode = GL_INTERLEAVED_ATTRIBS;

  // ---- The tracker's slice
  u64 emittedLink = 0, emittedBindings = 0;
};

// Waits for the link under way, if there is one, and makes what it made the program's. With a group open it may give the lock
// back (Group::interruptions). REQUIRES: not under the share group's mutex.
void settleLink(Context& ctx, Program& program);
void settleLink(client::Group& group, Program& program);

struct Pipeline : Object {
  Pipeline(u32 glName, std::shared_ptr<client::Session> session);
  ~Pipeline() override;
  const std::shared_ptr<client::Session> session;
  pipe::ProgramHandle handle;  // a composite on the pipe
  std::array<Ref<Program>, countOf<shader::Stage>()> stages;
  Ref<Program> activeProgram;
  std::string infoLog;
  bool validated = false;
  u64 emittedVersion = 0;
};

}  // namespace mgl::gl

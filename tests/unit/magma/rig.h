// Drives a Magma backend as the applier does, without one: objects are made and filled by hand. On lavapipe under the
// validation layers with synchronisation validation; whatever they say fails the test.
#pragma once

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "backend/magma/magma.h"

namespace mgl::magma::test {

class Sink final : public backend::EventSink {
 public:
  void completed(u64 serial) override;
  void queryResult(u32 slot, u32 gen, u64 runSerial, u64 value) override;
  void presented(u32, u32, u64 frameSerial) override;
  void surfaceChanged(u32, u32, u32, u32) override {}
  void glError(pipe::GlError error, pipe::Call, const backend::StoreId& = {}) override;
  void pollWanted() override {}
  void log(pipe::DebugSeverity, std::string_view text) override;
  void lost(std::string_view why) override { log(pipe::DebugSeverity::High, why); }

  struct Result {
    u64 runSerial, value;
  };
  std::mutex mutex;
  std::vector<u64> completions, frames;
  std::vector<Result> results;
  std::vector<pipe::GlError> errors;
  std::vector<std::string> logs;
};

struct Texels {
  u32 width = 0, height = 0;
  std::vector<u8> rgba;
  std::array<u8, 4> at(u32 x, u32 y) const;
};

class Rig : public ::testing::Test {
 public:
  static OpenOptions options();
  void SetUp() override;
  void TearDown() override;
  // Opens anew, with parts of the device hidden.
  void openWith(std::vector<std::string> hidden);

  Ref<backend::Buffer> buffer(Bytes data);
  template <class T>
  Ref<backend::Buffer> bufferOf(std::initializer_list<T> values) {
    return buffer({reinterpret_cast<const std::byte*>(values.begin()), values.size() * sizeof(T)});
  }
  Ref<backend::Texture> storage(pipe::TextureTarget target, format::Format format, u32 width, u32 height, u32 depth = 1,
                                u32 levels = 1, u32 samples = 0);
  Ref<backend::Texture> mutableTexture(pipe::TextureTarget target);
  void specify(backend::Texture& texture, u32 level, format::Format format, u32 width, u32 height, u32 depth = 1,
               u32 face = 0);
  void upload(backend::Texture& texture, u32 level, const pipe::TexelBox& box, format::TransferFormat format,
              format::TransferType type, Bytes data);
  Ref<backend::Framebuffer> framebuffer(const Ref<backend::Texture>& color,
                                        const Ref<backend::Texture>& depth = nullptr);
  Ref<backend::Program> program(const char* vertex, const char* fragment, const char* geometry = nullptr);
  void setUniform(backend::Program& program, const char* name, Bytes value);
  template <class T>
  void setUniform(backend::Program& program, const char* name, std::initializer_list<T> values) {
    setUniform(program, name, {reinterpret_cast<const std::byte*>(values.begin()), values.size() * sizeof(T)});
  }
  Ref<backend::VertexArray> vertexArray(const Ref<backend::Buffer>& vertices, std::vector<pipe::VertexAttrib> attribs,
                                        u32 stride, const Ref<backend::Buffer>& indices = nullptr);
  Ref<backend::Query> query(pipe::QueryKind kind);
  Ref<backend::Sampler> sampler(const pipe::SamplerState& state);

  // A context that draws to the framebuffer's whole area, with GL's defaults.
  void target(const Ref<backend::Framebuffer>& framebuffer, u32 width, u32 height);
  pipe::RenderState& state();  // call stateChanged() after writing it
  void stateChanged();
  void bindTexture(u32 unit, const Ref<backend::Texture>& texture, const Ref<backend::Sampler>& sampler = nullptr);
  void draw(backend::Program& program, backend::VertexArray& array, pipe::Primitive mode, u32 first, u32 count,
            u32 instances = 1);
  void drawIndexed(backend::Program& program, backend::VertexArray& array, pipe::Primitive mode, pipe::IndexType type,
                   u64 offset, u32 count, i32 baseVertex = 0);
  void clearColor(const Ref<backend::Framebuffer>& framebuffer, f32 r, f32 g, f32 b, f32 a);
  pipe::Clear colorClear(f32 r, f32 g, f32 b, f32 a);
  std::vector<std::byte> read(const Ref<backend::Framebuffer>& framebuffer, const pipe::Rect& rect,
                              format::TransferFormat format, format::TransferType type);
  Texels readRgba(const Ref<backend::Framebuffer>& framebuffer, u32 width, u32 height);
  std::vector<std::byte> readTexture(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                                     format::TransferFormat format, format::TransferType type);
  void finish();

  Sink sink;
  std::unique_ptr<backend::Backend> backend;
  Ref<backend::ContextState> context;
  u64 validationBefore = 0;
  bool expectValidation = false;

 private:
  void open(const OpenOptions& options);
  void close();
  u64 nextSerial_ = 1;
  Ref<backend::RenderState> renderState_;
};

pipe::VertexAttrib attrib(u32 location, pipe::VertexType type, u32 components, u32 offset, bool normalized = false,
                          pipe::AttribClass cls = pipe::AttribClass::Float);
pipe::SamplerState nearestState();

}  // namespace mgl::magma::test

// The host below us, and the shadow of what is set in it.
#include <gtest/gtest.h>

#include <cstring>

#include "backend/espryt/engine.h"
#include "backend/espryt/espryt.h"
#include "backend/espryt/stream_ring.h"

namespace mgl::espryt {
namespace {

struct Sink final : backend::EventSink {
  void completed(u64) override {}
  void queryResult(u32, u32, u64, u64) override {}
  void presented(u32, u32, u64) override {}
  void surfaceChanged(u32, u32, u32, u32) override {}
  void glError(pipe::GlError, pipe::Call, const backend::StoreId&) override {}
  void log(pipe::DebugSeverity, std::string_view) override {}
  void lost(std::string_view) override {}
  void pollWanted() override {}
};

struct Host {
  explicit Host(const std::vector<std::string>& limit = {}) {
    std::string error;
    for (const std::string& path : HostLibrary::candidates()) {
      engine = Engine::open(path, limit, sink, &error);
      if (engine != nullptr) break;
    }
    EXPECT_NE(engine, nullptr) << error;
  }
  std::unique_ptr<HostContext> context() {
    std::string error;
    auto made = HostContext::create(*engine, engine->service.get(), &error);
    EXPECT_NE(made, nullptr) << error;
    return made;
  }
  Sink sink;
  std::unique_ptr<Engine> engine;
};

// Calls of the host, counted in front of it.
u32 enables = 0, textureBinds = 0;
HostFn<decltype(::glEnable)>::Pointer realEnable = nullptr;
HostFn<decltype(::glBindTexture)>::Pointer realBindTexture = nullptr;

void interpose(Gl& gl) {
  enables = textureBinds = 0;
  realEnable = gl.Enable.pointer;
  realBindTexture = gl.BindTexture.pointer;
  gl.Enable.pointer = [](GLenum cap) {
    ++enables;
    realEnable(cap);
  };
  gl.BindTexture.pointer = [](GLenum target, GLuint name) {
    ++textureBinds;
    realBindTexture(target, name);
  };
}

TEST(HostLibrary, IsTheMachinesOwn) {
  const Host host;
  ASSERT_NE(host.engine, nullptr);
  EXPECT_GE(host.engine->features.version, 310u);
  EXPECT_FALSE(host.engine->features.renderer.empty());
  EXPECT_EQ(host.engine->features.renderer.find("MobileGL"), std::string::npos);
  EXPECT_EQ(host.engine->caps.backendName, "Espryt");
}

TEST(HostLibrary, SaysWhatItTriedAndMissed) {
  std::string error;
  EXPECT_EQ(HostLibrary::open("libEGL_of_nobody.so.0", &error), nullptr);
  EXPECT_NE(error.find("libEGL_of_nobody.so.0"), std::string::npos);
  error.clear();
  EXPECT_EQ(HostLibrary::open("libm.so.6", &error), nullptr);
  EXPECT_NE(error.find("__egl_Main"), std::string::npos);
  Sink sink;
  const backend::OpenResult opened = open({"no such renderer", {}}, sink);
  EXPECT_EQ(opened.backend, nullptr);
  EXPECT_NE(opened.error.find("no such renderer"), std::string::npos);
}

TEST(HostContext, SetsNothingTwice) {
  Host host;
  ASSERT_NE(host.engine, nullptr);
  const auto context = host.context();
  ASSERT_TRUE(context->makeCurrent());
  interpose(host.engine->gl);
  context->enable(Cap::DepthTest, false);
  EXPECT_EQ(enables, 0u);
  context->enable(Cap::DepthTest, true);
  context->enable(Cap::DepthTest, true);
  EXPECT_EQ(enables, 1u);
  context->release();
}

TEST(HostContext, BindsAgainWhatAnotherContextWrote) {
  Host host;
  ASSERT_NE(host.engine, nullptr);
  const auto one = host.context(), other = host.context();
  ASSERT_TRUE(one->makeCurrent());
  interpose(host.engine->gl);
  GLuint name = 0;
  host.engine->gl.GenTextures(1, &name);
  HostObject texture = host.engine->named(name);
  one->bindTexture(3, GL_TEXTURE_2D, texture);
  host.engine->wrote(*one, texture);
  one->bindTexture(3, GL_TEXTURE_2D, texture);
  EXPECT_EQ(textureBinds, 1u) << "its own writes are seen";
  host.engine->wrote(*other, texture);
  one->bindTexture(3, GL_TEXTURE_2D, texture);
  one->bindTexture(3, GL_TEXTURE_2D, texture);
  EXPECT_EQ(textureBinds, 2u);
  host.engine->bury(Dead::Texture, name);
  one->release();
}

TEST(HostContext, IsCurrentOnOneThreadAndBorrowedWhereNoneIs) {
  Host host;
  ASSERT_NE(host.engine, nullptr);
  EXPECT_EQ(HostContext::current(*host.engine), nullptr);
  {
    const HostScope scope(*host.engine);
    ASSERT_TRUE(scope);
    EXPECT_TRUE(host.engine->service->isCurrent());
  }
  EXPECT_EQ(HostContext::current(*host.engine), nullptr);
  EXPECT_EQ(host.engine->egl->GetCurrentContext(), EGL_NO_CONTEXT);
}

// What is written is read back, with persistent memory of the host's and without.
TEST(StreamRing, HoldsWhatWasWritten) {
  for (const char* hidden : {"", "GL_EXT_buffer_storage"}) {
    Host host({hidden});
    ASSERT_NE(host.engine, nullptr);
    EXPECT_EQ(host.engine->features.bufferStorage, *hidden == '\0' && host.engine->features.has("GL_EXT_buffer_storage"));
    const auto context = host.context();
    ASSERT_TRUE(context->makeCurrent());
    {
      StreamRing ring(*host.engine, *context);
      const u64 before = ring.generation();
      // More than a chunk, so that several are used.
      std::vector<u32> words(100000);
      for (u32 round = 0; round < 8; ++round) {
        for (u32 i = 0; i < words.size(); ++i) words[i] = i * 7 + round;
        const StreamSlice slice = ring.write(std::as_bytes(std::span(words)), 16);
        ASSERT_NE(slice.buffer, nullptr);
        EXPECT_EQ(slice.offset % 16, 0u);
        const Gl& gl = host.engine->gl;
        GLuint copy = 0;
        gl.GenBuffers(1, &copy);
        gl.BindBuffer(GL_ARRAY_BUFFER, copy);
        const auto bytes = static_cast<GLsizeiptr>(words.size() * 4);
        gl.BufferData(GL_ARRAY_BUFFER, bytes, nullptr, GL_STREAM_READ);
        context->bindBuffer(BufferTarget::CopyRead, *slice.buffer);
        gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, static_cast<GLintptr>(slice.offset), 0, bytes);
        const void* mapped = gl.MapBufferRange(GL_ARRAY_BUFFER, 0, bytes, GL_MAP_READ_BIT);
        ASSERT_NE(mapped, nullptr);
        EXPECT_EQ(std::memcmp(mapped, words.data(), words.size() * 4), 0);
        gl.UnmapBuffer(GL_ARRAY_BUFFER);
        gl.DeleteBuffers(1, &copy);
      }
      EXPECT_GT(ring.generation(), before + 1);
    }
    context->release();
  }
}

}  // namespace
}  // namespace mgl::espryt

// That the tracker's mechanisms engage when they should and only then: each is seen by its counter, on the Null backend.
#include <gtest/gtest.h>

#include "base/counters.h"
#include "client/session.h"
#include "gl/context.h"
#include "gl/registry/lookup.h"
#include "gl/surface.h"

namespace mgl::tracker {
namespace {

using gl::Context;

// An entry point as a program calls it, its stub with its bump.
template <class... A>
auto call(const char* name, A... args) {
  return reinterpret_cast<void (*)(A...)>(gl::findEntryPoint(name))(args...);
}
template <class R, class... A>
R ask(const char* name, A... args) {
  return reinterpret_cast<R (*)(A...)>(gl::findEntryPoint(name))(args...);
}

const char* const kVertex = "#version 330\nlayout(location = 0) in vec4 a; void main() { gl_Position = a; }";
const char* const kFragment =
    "#version 330\nuniform vec4 c; uniform sampler2D t; out vec4 o; void main() { o = c + texelFetch(t, ivec2(0), 0); }";

class MechanismTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    session = client::Session::open({"null", "", "monolith"}, &error);
    ASSERT_NE(nullptr, session) << error;
    share = Ref<gl::ShareGroup>(new gl::ShareGroup(session));
    context = std::make_unique<Context>(session, share, gl::ContextConfig{});
    makeCurrent(*context);
    program = makeProgram();
    prepare();
  }
  void TearDown() override {
    EXPECT_EQ(static_cast<GLenum>(GL_NO_ERROR), context->firstError);
    EXPECT_FALSE(session->lost()) << session->fault();
    Context::makeCurrent(nullptr, nullptr, nullptr);
  }

  void makeCurrent(Context& which) {
    if (surface == nullptr) {
      gl::SurfaceConfig config;
      config.kind = pipe::SurfaceKind::Pbuffer;
      config.colorFormat = pipe::Format::RGBA8;
      surface = std::make_shared<gl::Surface>(session, config, 16, 16);
    }
    Context::makeCurrent(&which, surface, surface);
  }

  static GLuint makeProgram() {
    const GLuint made = ask<GLuint>("glCreateProgram");
    for (const auto& [stage, source] : {std::pair(GL_VERTEX_SHADER, kVertex), std::pair(GL_FRAGMENT_SHADER, kFragment)}) {
      const GLuint shader = ask<GLuint, GLenum>("glCreateShader", static_cast<GLenum>(stage));
      call<GLuint, GLsizei, const char* const*, const GLint*>("glShaderSource", shader, 1, &source, nullptr);
      call<GLuint>("glCompileShader", shader);
      call<GLuint, GLuint>("glAttachShader", made, shader);
    }
    call<GLuint>("glLinkProgram", made);
    return made;
  }
  // What a draw needs in the current context.
  void prepare() {
    call<GLuint>("glUseProgram", program);
    array = makeArray();
    draw();
    settle();
  }
  static GLuint makeArray() {
    GLuint name = 0, buffer = 0;
    call<GLsizei, GLuint*>("glGenVertexArrays", 1, &name);
    call<GLuint>("glBindVertexArray", name);
    call<GLsizei, GLuint*>("glGenBuffers", 1, &buffer);
    call<GLenum, GLuint>("glBindBuffer", GL_ARRAY_BUFFER, buffer);
    call<GLenum, GLsizeiptr, const void*, GLenum>("glBufferData", GL_ARRAY_BUFFER, 256, nullptr, GL_STATIC_DRAW);
    call<GLuint, GLint, GLenum, GLboolean, GLsizei, const void*>("glVertexAttribPointer", 0, 4, GL_FLOAT, GL_FALSE, 0,
                                                               nullptr);
    call<GLuint>("glEnableVertexAttribArray", 0);
    return name;
  }
  static void draw(GLint first = 0) { call<GLenum, GLint, GLsizei>("glDrawArrays", GL_TRIANGLES, first, 3); }
  // Publishes what is counted under the lock.
  static void settle() { call<>("glFinish"); }
  void setColor(f32 value) {
    const GLint at = ask<GLint, GLuint, const char*>("glGetUniformLocation", program, "c");
    call<GLint, GLfloat, GLfloat, GLfloat, GLfloat>("glUniform4f", at, value, 0, 0, 1);
  }

  // What `work` adds to a counter, all published.
  template <class Work>
  static u64 added(Counter counter, const Work& work) {
    settle();
    const CounterSnapshot before = CounterSnapshot::take();
    work();
    settle();
    return before.since(counter);
  }
  // What a draw after `change` adds, which another draw came before.
  template <class Change>
  static u64 addedByDrawAfter(Counter counter, const Change& change) {
    draw();
    return added(counter, [&change] {
      change();
      draw();
    });
  }

  std::shared_ptr<client::Session> session;
  Ref<gl::ShareGroup> share;
  std::shared_ptr<gl::Surface> surface;
  std::unique_ptr<Context> context;
  GLuint program = 0, array = 0;
};

TEST_F(MechanismTest, DrawsThatDifferInNothingButTheirRangeAreMerged) {
  EXPECT_EQ(2u, added(Counter::DrawsMerged, [] { draw(0), draw(3), draw(6); }));
  EXPECT_EQ(1u, added(Counter::DrawRecords, [] { draw(0), draw(3), draw(6); }));
}
TEST_F(MechanismTest, DrawsThatDifferAreNotMerged) {
  EXPECT_EQ(0u, added(Counter::DrawsMerged, [this] { draw(), setColor(0.25f), draw(), setColor(0.5f), draw(); }));
  EXPECT_EQ(0u, added(Counter::DrawsMerged, [] { draw(), call<>("glFlush"), draw(); }));
  const GLuint other = makeArray();
  draw();
  EXPECT_EQ(0u, added(Counter::DrawsMerged, [&] {
              draw();
              call<GLuint>("glBindVertexArray", array);
              draw();
              call<GLuint>("glBindVertexArray", other);
              draw();
            }));
  EXPECT_EQ(0u, added(Counter::DrawsMerged, [] {
              draw();
              call<GLenum, GLint, GLsizei, GLsizei>("glDrawArraysInstanced", GL_TRIANGLES, 0, 3, 2);
              call<GLenum, GLint, GLsizei>("glDrawArrays", GL_LINES, 0, 2);
            }));
  EXPECT_EQ(0u, added(Counter::DrawsMerged, [] {
              draw();
              call<GLbitfield>("glClear", GL_COLOR_BUFFER_BIT);
              draw();
            }));
}

TEST_F(MechanismTest, TheDeltaHoldsWhileNothingOfTheContextMoves) {
  const auto hits = [](const auto& change) { return addedByDrawAfter(Counter::DeltaHits, change); };
  EXPECT_EQ(1u, hits([] {}));
  EXPECT_EQ(1u, hits([this] { setColor(0.75f); }));
  EXPECT_EQ(1u, hits([] { call<GLenum>("glDisable", GL_BLEND); })) << "set to itself";
  const GLuint other = makeArray();  // a new store is the share group's
  draw();
  EXPECT_EQ(1u, hits([this] { call<GLuint>("glBindVertexArray", array); })) << "the vertex array is a key";
  EXPECT_EQ(1u, hits([&] {
              call<GLuint>("glBindVertexArray", other);
              call<GLuint, GLuint>("glVertexAttribDivisor", 0, 1);
            }))
      << "its contents are a slice";
  EXPECT_EQ(1u, hits([] { call<GLenum, GLuint>("glBindBuffer", GL_ARRAY_BUFFER, 0u); }));
  EXPECT_EQ(1u, hits([] { call<GLenum>("glActiveTexture", GL_TEXTURE3); }));
  EXPECT_EQ(1u, hits([] { ask<GLenum>("glGetError"); }));
}
TEST_F(MechanismTest, TheDeltaDoesNotHoldWhenItMoves) {
  const auto misses = [](const auto& change) { return addedByDrawAfter(Counter::DeltaMisses, change); };
  EXPECT_EQ(0u, misses([] {}));
  EXPECT_EQ(1u, misses([] { call<GLenum>("glEnable", GL_BLEND); }));
  EXPECT_EQ(1u, misses([] { call<GLfloat, GLfloat, GLfloat, GLfloat>("glBlendColor", 1, 0, 0, 1); }));
  EXPECT_EQ(1u, misses([] {
              GLuint texture = 0;
              call<GLsizei, GLuint*>("glGenTextures", 1, &texture);
              call<GLenum, GLuint>("glBindTexture", GL_TEXTURE_2D, texture);
            }));
  EXPECT_EQ(1u, misses([] { call<GLenum, GLenum, GLint>("glTexParameteri", GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1); }));
  EXPECT_EQ(1u, misses([this] {
              const GLint at = ask<GLint, GLuint, const char*>("glGetUniformLocation", program, "t");
              call<GLint, GLint>("glUniform1i", at, 5);
            }));
  EXPECT_EQ(1u, misses([this] { call<GLuint>("glLinkProgram", program); }));
  EXPECT_EQ(1u, misses([this] { makeCurrent(*context); }));
}
TEST_F(MechanismTest, AMapThatTheDrawDoesNotReadLeavesTheDeltaAlone) {
  GLuint other = 0;
  call<GLsizei, GLuint*>("glGenBuffers", 1, &other);
  call<GLenum, GLuint>("glBindBuffer", GL_COPY_READ_BUFFER, other);
  call<GLenum, GLsizeiptr, const void*, GLenum>("glBufferData", GL_COPY_READ_BUFFER, 64, nullptr, GL_STATIC_DRAW);
  ask<void*, GLenum, GLintptr, GLsizeiptr, GLbitfield>("glMapBufferRange", GL_COPY_READ_BUFFER, 0, 64, GL_MAP_WRITE_BIT);
  draw();  // a new store is the share group's
  EXPECT_EQ(3u, added(Counter::DeltaHits, [] { draw(), draw(), draw(); }));
  EXPECT_EQ(0u, added(Counter::DeltaMisses, [] { draw(), draw(), draw(); }));
  // One that it reads: an error, no draw, and after it all is as before.
  ask<void*, GLenum, GLintptr, GLsizeiptr, GLbitfield>("glMapBufferRange", GL_ARRAY_BUFFER, 0, 64, GL_MAP_WRITE_BIT);
  EXPECT_EQ(0u, added(Counter::Draws, [] { draw(); }));
  EXPECT_EQ(static_cast<GLenum>(GL_INVALID_OPERATION), ask<GLenum>("glGetError"));
  ask<GLboolean, GLenum>("glUnmapBuffer", GL_ARRAY_BUFFER);
  EXPECT_EQ(1u, added(Counter::DeltaHits, [] { draw(); }));
}

TEST_F(MechanismTest, StatesThatComeBackAreFound) {
  const auto toggled = [](Counter counter, GLenum function) {
    return added(counter, [function] {
      call<GLenum>("glDepthFunc", function);
      draw();
    });
  };
  EXPECT_EQ(1u, toggled(Counter::CsoMisses, GL_GREATER));
  EXPECT_EQ(1u, toggled(Counter::CsoHits, GL_LESS));
  EXPECT_EQ(1u, toggled(Counter::CsoHits, GL_GREATER));
  EXPECT_EQ(0u, toggled(Counter::CsoMisses, GL_LESS));
  EXPECT_EQ(0u, added(Counter::CsoHits, [] { draw(), draw(); })) << "nothing moved: nothing is looked up";
}
// Beyond the last few the content is hashed; it is no miss, and no record.
TEST_F(MechanismTest, StatesOfLongAgoAreFoundToo) {
  const auto all = [] {
    for (GLenum function = GL_NEVER; function <= GL_ALWAYS; ++function) {
      call<GLenum>("glDepthFunc", function);
      draw();
    }
  };
  all();
  EXPECT_EQ(0u, added(Counter::CsoMisses, all));
}

TEST_F(MechanismTest, TheStreamIsSwitchedWhenAnotherContextWrites) {
  EXPECT_EQ(0u, added(Counter::ContextSwitches, [] { draw(), draw(); }));
  Context other(session, share, gl::ContextConfig{});
  makeCurrent(other);
  prepare();
  const u64 switches = added(Counter::ContextSwitches, [&] {
    for (int i = 0; i < 3; ++i) {
      makeCurrent(*context);
      draw();
      makeCurrent(other);
      draw();
    }
  });
  EXPECT_GE(switches, 6u);
  EXPECT_EQ(0u, added(Counter::ContextSwitches, [] { draw(), draw(); }));
  Context::makeCurrent(context.get(), surface, surface);
}

TEST_F(MechanismTest, AFlushIsSentOncePerPollThatNeedsIt) {
  EXPECT_EQ(1u, added(Counter::Flushes, [] { call<>("glFlush"); }));
  const auto fence = ask<GLsync, GLenum, GLbitfield>("glFenceSync", GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  const auto wait = [fence] { ask<GLenum, GLsync, GLbitfield, GLuint64>("glClientWaitSync", fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1); };
  settle();
  EXPECT_EQ(0u, added(Counter::Flushes, wait)) << "it is done";
  call<GLsync>("glDeleteSync", fence);
}

// Uniforms travel in the draw; more than fits go ahead of it.
TEST_F(MechanismTest, UniformsTravelInTheDraw) {
  EXPECT_EQ(1u, added(Counter::Records, [this] { setColor(0.1f), draw(); }) - added(Counter::Records, [] {}));
  EXPECT_EQ(0u, added(Counter::Blobs, [this] { setColor(0.2f), draw(); }));
}

TEST_F(MechanismTest, ALinkRunsElsewhereAndIsTakenOnce) {
  const CounterSnapshot before = CounterSnapshot::take();
  call<GLuint>("glLinkProgram", program);
  draw();
  GLint done = 0;
  call<GLuint, GLenum, GLint*>("glGetProgramiv", program, GL_COMPLETION_STATUS_KHR, &done);
  EXPECT_EQ(GL_TRUE, done);
  EXPECT_EQ(1u, before.since(Counter::ProgramsLinked));
  call<GLuint>("glMaxShaderCompilerThreadsKHR", 0u);
  const CounterSnapshot inPlace = CounterSnapshot::take();
  call<GLuint>("glLinkProgram", program);
  draw();
  EXPECT_EQ(0u, inPlace.since(Stall::LinkResult)) << "it was done when glLinkProgram returned";
}

}  // namespace
}  // namespace mgl::tracker

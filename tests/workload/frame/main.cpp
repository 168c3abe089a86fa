// The program around a workload: options, warm-up, measured frames, the picture and the figures.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "frame/picture.h"
#include "frame/screen.h"
#include "frame/workload.h"

namespace workload {

namespace {

struct Options {
  unsigned frames = 60, warmup = 5;
  int width = 854, height = 480;
  std::string picture;
  bool offscreen = false, read = true, expect = false;
};

int usage() {
  std::fprintf(stderr,
               "%s [--frames N] [--warmup N] [--size WxH] [--picture FILE.png|ppm] [--expect] [--offscreen] "
               "[--no-read]\n"
               "  --expect     print the frame's figures, known by construction: draws, calls, passes, …\n"
               "  --offscreen  draw to a framebuffer object without a surface, and flush instead of swapping\n"
               "  --no-read    read no picture back\n",
               kName);
  return 2;
}

bool parse(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (option == "--offscreen") {
      options->offscreen = true;
    } else if (option == "--no-read") {
      options->read = false;
    } else if (option == "--expect") {
      options->expect = true;
    } else if (value == nullptr) {
      return false;
    } else {
      ++i;
      if (option == "--frames") {
        options->frames = static_cast<unsigned>(std::atoi(value));
      } else if (option == "--warmup") {
        options->warmup = static_cast<unsigned>(std::atoi(value));
      } else if (option == "--picture") {
        options->picture = value;
      } else if (option != "--size" || std::sscanf(value, "%dx%d", &options->width, &options->height) != 2) {
        return false;
      }
    }
  }
  return options->width > 0 && options->height > 0 && options->warmup > 0;
}

GLuint offscreenTarget(int width, int height) {
  GLuint framebuffer = 0, renderbuffers[2];
  gl.GenFramebuffers(1, &framebuffer);
  gl.GenRenderbuffers(2, renderbuffers);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  const GLenum formats[] = {GL_RGBA8, GL_DEPTH24_STENCIL8};
  const GLenum attachments[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_STENCIL_ATTACHMENT};
  for (int i = 0; i < 2; ++i) {
    gl.BindRenderbuffer(GL_RENDERBUFFER, renderbuffers[i]);
    gl.RenderbufferStorage(GL_RENDERBUFFER, formats[i], width, height);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, attachments[i], GL_RENDERBUFFER, renderbuffers[i]);
  }
  if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("the framebuffer is not complete");
  return framebuffer;
}

// The frame that was drawn against what it was made to be.
void check(const Workload& made) {
  const Expected& expected = made.expected();
  if (made.draws() != expected.draws || calledInAll() != expected.calls) {
    fail("the frame has " + std::to_string(made.draws()) + " draws and " + std::to_string(calledInAll()) +
         " calls, not " + std::to_string(expected.draws) + " and " + std::to_string(expected.calls));
  }
  for (const Expected::Kind& kind : expected.kinds) {
    if (called(kind.function) == kind.calls) continue;
    fail("the frame calls " + std::string(name(kind.function)) + " " + std::to_string(called(kind.function)) +
         " times, not " + std::to_string(kind.calls));
  }
}

void printExpected(const Expected& expected) {
  std::printf("%s: expect draws=%u calls=%u pairs=%u dirty=%u passes=%u", kName, expected.draws, expected.calls,
              expected.pairs, expected.dirty, expected.passes);
  for (const Expected::Kind& kind : expected.kinds)
    std::printf(" %s=%u", std::string(name(kind.function)).c_str(), kind.calls);
  std::printf("\n");
}

std::uint64_t threadNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

}  // namespace workload

// By name, so that a profiler can collect inside it alone.
extern "C" [[gnu::noinline, gnu::visibility("default")]] void workloadMeasuredFrames(workload::Workload* made,
                                                                                     const workload::Screen* screen,
                                                                                     unsigned first, unsigned frames) {
  for (unsigned i = 0; i < frames; ++i) {
    made->draw(first + i);
    screen->endFrame();
  }
}

int main(int argc, char** argv) {
  using namespace workload;
  Options options;
  if (!parse(argc, argv, &options)) return usage();
  const Screen screen = Screen::open(options.width, options.height, options.offscreen);
  const GLuint target = options.offscreen ? offscreenTarget(options.width, options.height) : 0;
  const std::unique_ptr<Workload> made = makeWorkload();
  made->make(options.width, options.height, target);

  for (unsigned i = 0; i < options.warmup; ++i) {
    calls.fill(0);
    made->draw(i);
    check(*made);
    screen.endFrame();
  }
  const std::uint64_t begin = threadNs();
  workloadMeasuredFrames(made.get(), &screen, options.warmup, options.frames);
  const std::uint64_t spent = threadNs() - begin;
  // The picture is of one frame more, which is not swapped away.
  Picture picture;
  if (options.read || !options.picture.empty()) {
    made->draw(options.warmup + options.frames);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, target);
    picture = Picture::read(options.width, options.height);
  }
  if (!options.picture.empty()) picture.write(options.picture);
  if (const GLenum error = gl.GetError()) fail("GL error " + std::to_string(error));
  const Expected& expected = made->expected();
  const auto* renderer = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));
  std::printf("%s: renderer=\"%s\" frames=%u draws=%u calls=%u pairs=%u dirty=%u thread_us_per_frame=%.1f sum=%08x\n",
              kName, renderer ? renderer : "", options.frames, expected.draws, expected.calls, expected.pairs,
              expected.dirty, options.frames > 0 ? static_cast<double>(spent) / 1000.0 / options.frames : 0.0,
              picture.rgba.empty() ? 0u : picture.sum());
  if (options.expect) printExpected(expected);
  screen.close();
  return 0;
}

// glGetMultisamplefv (OpenGL 4.6 section 14.3.1) and glTextureBarrier (section 9.3.1).

#include "gl/framebuffer/target.h"
#include "tracker/tracker.h"

namespace mgl::gl {
namespace {

struct Position {
  u8 x, y;  // sixteenths of a pixel
};
// The standard locations that Vulkan and Direct3D define, for images whose rows go upwards.
constexpr std::array<Position, 1> kOne = {{{8, 8}}};
constexpr std::array<Position, 2> kTwo = {{{12, 12}, {4, 4}}};
constexpr std::array<Position, 4> kFour = {{{6, 2}, {14, 6}, {2, 10}, {10, 14}}};
constexpr std::array<Position, 8> kEight = {{{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}};
constexpr std::array<Position, 16> kSixteen = {{{9, 9}, {7, 5}, {5, 10}, {12, 7}, {3, 6}, {10, 13}, {13, 11}, {11, 3},
                                                {6, 14}, {8, 1}, {4, 2}, {2, 12}, {0, 8}, {15, 4}, {14, 15}, {1, 0}}};

std::span<const Position> positions(u32 samples) {
  if (samples <= 1) return kOne;
  if (samples == 2) return kTwo;
  if (samples == 4) return kFour;
  return samples == 8 ? std::span<const Position>(kEight) : std::span<const Position>(kSixteen);
}

void barrier(Context& ctx) {
  client::Group group = ctx.tracker->group();
  group.emit(pipe::TextureBarrier{});
}

}  // namespace

MGL_GL(void, GetMultisamplefv)(Context& ctx, GLenum pname, GLuint index, GLfloat* val) {
  if (pname != GL_SAMPLE_POSITION)
    return ctx.error(GL_INVALID_ENUM, "glGetMultisamplefv: 0x%04x is nothing to ask of a sample", pname);
  const Framebuffer* const framebuffer = ctx.drawFramebuffer.get();
  u32 samples = 0;
  if (framebufferStatus(ctx, framebuffer, Side::Draw) == GL_FRAMEBUFFER_COMPLETE)
    samples = targetShape(ctx, framebuffer, Side::Draw).samples;
  if (index >= std::max(samples, 1u))
    return ctx.error(GL_INVALID_VALUE, "glGetMultisamplefv: there is no sample %u among %u", index, samples);
  const Position at = positions(samples)[index];
  val[0] = static_cast<f32>(at.x) / 16;
  val[1] = static_cast<f32>(at.y) / 16;
  // The window's image is flipped on the server.
  if (framebuffer == nullptr) val[1] = 1 - val[1];
}

MGL_GL(void, TextureBarrier)(Context& ctx) { barrier(ctx); }
MGL_GL(void, TextureBarrierNV)(Context& ctx) { barrier(ctx); }

}  // namespace mgl::gl

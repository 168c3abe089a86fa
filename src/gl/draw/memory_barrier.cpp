// Memory barriers (OpenGL 4.6 section 7.13.2).
#include "gl/context.h"

namespace mgl::gl {

namespace {

constexpr GLbitfield kByRegion = GL_UNIFORM_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                                 GL_FRAMEBUFFER_BARRIER_BIT | GL_ATOMIC_COUNTER_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT;
constexpr GLbitfield kAll = kByRegion | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT |
                            GL_COMMAND_BARRIER_BIT | GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                            GL_BUFFER_UPDATE_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT |
                            GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT | GL_QUERY_BUFFER_BARRIER_BIT;

void barrier(Context& ctx, GLbitfield barriers, GLbitfield known, bool byRegion, const char* command) {
  if (barriers != GL_ALL_BARRIER_BITS && (barriers & ~known) != 0)
    return ctx.error(GL_INVALID_VALUE, "%s: there are unknown bits in 0x%x", command, barriers);
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::MemoryBarrier{barriers & known, byRegion});
}

}  // namespace

MGL_GL(void, MemoryBarrier)(Context& ctx, GLbitfield barriers) { barrier(ctx, barriers, kAll, false, "glMemoryBarrier"); }
MGL_GL(void, MemoryBarrierByRegion)(Context& ctx, GLbitfield barriers) {
  barrier(ctx, barriers, kByRegion, true, "glMemoryBarrierByRegion");
}

}  // namespace mgl::gl

// Transform feedback objects (OpenGL 4.6 section 13.3). Capturing itself stands on the pipe's held list: begin says so.
#include "gl/buffer/binding.h"
#include "gl/context.h"
#include "gl/query/query.h"

namespace mgl::gl {

StreamOutput::StreamOutput(u32 glName, std::shared_ptr<client::Session> s) : Object(glName), session(std::move(s)) {}
StreamOutput::~StreamOutput() { session->retire(handle); }

MGL_GL(void, GenTransformFeedbacks)(Context& ctx, GLsizei n, GLuint* ids) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenTransformFeedbacks: a negative count");
  ctx.streamOutputs.reserve(std::span(ids, static_cast<std::size_t>(n)));
}
MGL_GL(GLboolean, IsTransformFeedback)(Context& ctx, GLuint id) { return ctx.streamOutputs.find(id) != nullptr; }

}  // namespace mgl::gl

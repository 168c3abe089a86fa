// Errors, flush and finish, hints, strings (OpenGL 4.6 sections 2.3, 21.5, 22.2).
#include "gl/context.h"
#include "gl/memory.h"
#include "gl/state/debug_output.h"
#include "gl/version.h"

namespace mgl::gl {

MGL_GL(GLenum, GetError)(Context& ctx) {
  takeServerMessages(ctx);
  if (ctx.lost()) {
    // The loss is reported once; what follows are no-ops.
    if (!ctx.lossReported) {
      ctx.lossReported = true;
      return GL_CONTEXT_LOST;
    }
    return GL_NO_ERROR;
  }
  if (ctx.firstError == GL_NO_ERROR) acknowledgeStores(ctx);
  const GLenum error = ctx.firstError;
  ctx.firstError = GL_NO_ERROR;
  return error;
}
MGL_GL(GLenum, GetGraphicsResetStatus)(Context& ctx) { return ctx.lost() ? GL_UNKNOWN_CONTEXT_RESET : GL_NO_ERROR; }

MGL_GL(void, Flush)(Context& ctx) {
  ctx.session->flushUpTo(~u64{0}, &ctx.stream);
  takeServerMessages(ctx);
}
MGL_GL(void, Finish)(Context& ctx) {
  const ScopedStall stall(Stall::Finish);
  {
    client::Group group(*ctx.session, ctx.stream);
    static_cast<void>(group.ask(pipe::Finish{}));
  }
  takeServerMessages(ctx);
}

MGL_GL(void, Hint)(Context& ctx, GLenum target, GLenum mode) {
  GLenum* slot = nullptr;
  switch (target) {
    case GL_LINE_SMOOTH_HINT: slot = &ctx.hintLineSmooth; break;
    case GL_POLYGON_SMOOTH_HINT: slot = &ctx.hintPolygonSmooth; break;
    case GL_TEXTURE_COMPRESSION_HINT: slot = &ctx.hintCompression; break;
    case GL_FRAGMENT_SHADER_DERIVATIVE_HINT: slot = &ctx.hintDerivative; break;
    default: break;
  }
  if (slot == nullptr || (mode != GL_FASTEST && mode != GL_NICEST && mode != GL_DONT_CARE)) {
    ctx.error(GL_INVALID_ENUM, "glHint: not a hint, or not a wish");
    return;
  }
  *slot = mode;
}

MGL_GL(const GLubyte*, GetString)(Context& ctx, GLenum name) {
  const auto text = [](const std::string& s) { return reinterpret_cast<const GLubyte*>(s.c_str()); };
  switch (name) {
    case GL_VENDOR: return text(ctx.info->vendor);
    case GL_RENDERER: return text(ctx.info->renderer);
    case GL_VERSION: return text(ctx.info->versionString);
    case GL_SHADING_LANGUAGE_VERSION: return text(ctx.info->glslString);
    case GL_EXTENSIONS:
      if (!ctx.isCore()) {
        if (ctx.extensionString.empty())
          for (const std::string_view extension : ctx.info->extensions)
            (ctx.extensionString += extension) += ' ';
        return text(ctx.extensionString);
      }
      [[fallthrough]];
    default: ctx.error(GL_INVALID_ENUM, "glGetString: 0x%04x is not a string of this context", name); return nullptr;
  }
}
MGL_GL(const GLubyte*, GetStringi)(Context& ctx, GLenum name, GLuint index) {
  if (name != GL_EXTENSIONS) {
    ctx.error(GL_INVALID_ENUM, "glGetStringi: 0x%04x is not an indexed string", name);
    return nullptr;
  }
  if (index >= ctx.info->extensions.size()) {
    ctx.error(GL_INVALID_VALUE, "glGetStringi: index %u is not below GL_NUM_EXTENSIONS", index);
    return nullptr;
  }
  return reinterpret_cast<const GLubyte*>(ctx.info->extensions[index].data());  // literals: they end in 0
}

}  // namespace mgl::gl

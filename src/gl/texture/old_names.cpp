// Entry points of extensions that the core took over under another name, with the same effect but not as aliases in the registry.

#include "gl/texture/target.h"

namespace mgl::gl {

MGL_GL(void, GenTexturesEXT)(Context& ctx, GLsizei n, GLuint* textures) { api::GenTextures(ctx, n, textures); }
MGL_GL(Moved, DeleteTexturesEXT)(Context& ctx, GLsizei n, const GLuint* textures) {
  return api::DeleteTextures(ctx, n, textures);
}
MGL_GL(GLboolean, IsTextureEXT)(Context& ctx, GLuint texture) { return api::IsTexture(ctx, texture); }

MGL_GL(void, GetnTexImageARB)(Context& ctx, GLenum target, GLint level, GLenum format, GLenum type, GLsizei bufSize,
                              void* img) {
  api::GetnTexImage(ctx, target, level, format, type, bufSize, img);
}
MGL_GL(void, GetnCompressedTexImageARB)(Context& ctx, GLenum target, GLint lod, GLsizei bufSize, void* img) {
  api::GetnCompressedTexImage(ctx, target, lod, bufSize, img);
}
MGL_GL(void, CopyImageSubDataNV)(Context& ctx, GLuint srcName, GLenum srcTarget, GLint srcLevel, GLint srcX, GLint srcY,
                                 GLint srcZ, GLuint dstName, GLenum dstTarget, GLint dstLevel, GLint dstX, GLint dstY,
                                 GLint dstZ, GLsizei width, GLsizei height, GLsizei depth) {
  api::CopyImageSubData(ctx, srcName, srcTarget, srcLevel, srcX, srcY, srcZ, dstName, dstTarget, dstLevel, dstX, dstY,
                        dstZ, width, height, depth);
}

// ---- Residency (OpenGL 4.6 compatibility profile, section 8.1): every texture is resident.

namespace {
GLboolean areResident(Context& ctx, GLsizei n, const GLuint* textures, const char* call) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "%s: n is negative", call), static_cast<GLboolean>(GL_FALSE);
  for (GLsizei i = 0; i < n; ++i) {
    if (lookUp<Texture>(*ctx.share, ctx.share->textures, textures[i])) continue;
    return ctx.error(GL_INVALID_VALUE, "%s: %u is not the name of a texture", call, textures[i]),
           static_cast<GLboolean>(GL_FALSE);
  }
  return GL_TRUE;
}
}  // namespace

MGL_GL(GLboolean, AreTexturesResident)(Context& ctx, GLsizei n, const GLuint* textures, GLboolean*) {
  return areResident(ctx, n, textures, "glAreTexturesResident");
}
MGL_GL(GLboolean, AreTexturesResidentEXT)(Context& ctx, GLsizei n, const GLuint* textures, GLboolean*) {
  return areResident(ctx, n, textures, "glAreTexturesResidentEXT");
}
MGL_GL(void, PrioritizeTextures)(Context& ctx, GLsizei n, const GLuint* textures, const GLfloat* priorities) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glPrioritizeTextures: n is negative");
  for (GLsizei i = 0; i < n; ++i)
    if (const Ref<Texture> texture = lookUp<Texture>(*ctx.share, ctx.share->textures, textures[i]))
      texture->priority = priorities[i] < 0 ? 0 : priorities[i] > 1 ? 1 : priorities[i];
}

}  // namespace mgl::gl

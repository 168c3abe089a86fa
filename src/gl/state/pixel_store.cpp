#include "gl/state/pixel_store.h"

#include <cmath>

#include "gl/context.h"

namespace mgl::gl {
namespace {

// Where a name's value lives: exactly one member is set.
struct Slot {
  u32* count = nullptr;
  i32* block = nullptr;
  bool* flag = nullptr;
  bool alignment = false;
};

Slot slotOf(PixelStore& pack, PixelStore& unpack, GLenum pname) {
  switch (pname) {
    case GL_PACK_SWAP_BYTES: return {.flag = &pack.layout.swapBytes};
    case GL_PACK_LSB_FIRST: return {.flag = &pack.layout.lsbFirst};
    case GL_PACK_ROW_LENGTH: return {.count = &pack.layout.rowLength};
    case GL_PACK_IMAGE_HEIGHT: return {.count = &pack.layout.imageHeight};
    case GL_PACK_SKIP_PIXELS: return {.count = &pack.layout.skipPixels};
    case GL_PACK_SKIP_ROWS: return {.count = &pack.layout.skipRows};
    case GL_PACK_SKIP_IMAGES: return {.count = &pack.layout.skipImages};
    case GL_PACK_ALIGNMENT: return {.count = &pack.layout.alignment, .alignment = true};
    case GL_PACK_COMPRESSED_BLOCK_WIDTH: return {.block = &pack.blockWidth};
    case GL_PACK_COMPRESSED_BLOCK_HEIGHT: return {.block = &pack.blockHeight};
    case GL_PACK_COMPRESSED_BLOCK_DEPTH: return {.block = &pack.blockDepth};
    case GL_PACK_COMPRESSED_BLOCK_SIZE: return {.block = &pack.blockBytes};
    case GL_UNPACK_SWAP_BYTES: return {.flag = &unpack.layout.swapBytes};
    case GL_UNPACK_LSB_FIRST: return {.flag = &unpack.layout.lsbFirst};
    case GL_UNPACK_ROW_LENGTH: return {.count = &unpack.layout.rowLength};
    case GL_UNPACK_IMAGE_HEIGHT: return {.count = &unpack.layout.imageHeight};
    case GL_UNPACK_SKIP_PIXELS: return {.count = &unpack.layout.skipPixels};
    case GL_UNPACK_SKIP_ROWS: return {.count = &unpack.layout.skipRows};
    case GL_UNPACK_SKIP_IMAGES: return {.count = &unpack.layout.skipImages};
    case GL_UNPACK_ALIGNMENT: return {.count = &unpack.layout.alignment, .alignment = true};
    case GL_UNPACK_COMPRESSED_BLOCK_WIDTH: return {.block = &unpack.blockWidth};
    case GL_UNPACK_COMPRESSED_BLOCK_HEIGHT: return {.block = &unpack.blockHeight};
    case GL_UNPACK_COMPRESSED_BLOCK_DEPTH: return {.block = &unpack.blockDepth};
    case GL_UNPACK_COMPRESSED_BLOCK_SIZE: return {.block = &unpack.blockBytes};
    default: return {};
  }
}

void setPixelStore(Context& ctx, GLenum pname, GLint value) {
  const Slot slot = slotOf(ctx.pack, ctx.unpack, pname);
  if (slot.flag != nullptr) {
    *slot.flag = value != 0;
    return;
  }
  if (slot.count == nullptr && slot.block == nullptr)
    return ctx.error(GL_INVALID_ENUM, "glPixelStore: 0x%04x is no pixel storage parameter", pname);
  if (slot.alignment && value != 1 && value != 2 && value != 4 && value != 8)
    return ctx.error(GL_INVALID_VALUE, "glPixelStore: an alignment is 1, 2, 4 or 8, not %d", value);
  if (value < 0) return ctx.error(GL_INVALID_VALUE, "glPixelStore: %d is negative", value);
  if (slot.count != nullptr) *slot.count = static_cast<u32>(value);
  if (slot.block != nullptr) *slot.block = value;
}

}  // namespace

bool pixelStoreValue(const Context& ctx, GLenum pname, i32* value) {
  auto& mutableContext = const_cast<Context&>(ctx);  // read only: one table serves both directions of access
  const Slot slot = slotOf(mutableContext.pack, mutableContext.unpack, pname);
  if (slot.flag != nullptr) *value = *slot.flag ? 1 : 0;
  if (slot.count != nullptr) *value = static_cast<i32>(*slot.count);
  if (slot.block != nullptr) *value = *slot.block;
  return slot.flag != nullptr || slot.count != nullptr || slot.block != nullptr;
}

MGL_GL(void, PixelStorei)(Context& ctx, GLenum pname, GLint param) { setPixelStore(ctx, pname, param); }

MGL_GL(void, PixelStoref)(Context& ctx, GLenum pname, GLfloat param) {
  // A flag is set by any value but zero; a count is rounded.
  if (slotOf(ctx.pack, ctx.unpack, pname).flag != nullptr) return setPixelStore(ctx, pname, param != 0 ? 1 : 0);
  setPixelStore(ctx, pname, static_cast<GLint>(std::lround(param)));
}

}  // namespace mgl::gl

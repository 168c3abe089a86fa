#include "gl/texture/sub_image.h"

#include "format/format.h"
#include "gl/texture/image_spec.h"

namespace mgl::gl {
namespace {

bool inside(GLint offset, GLsizei size, u32 limit) {
  return offset >= 0 && i64{offset} + size <= static_cast<i64>(limit);
}

}  // namespace

const TextureImage* checkSubBox(Context& ctx, const Texture& texture, u32 face, const SubBox& box, const char* call) {
  if (!checkLevel(ctx, texture.target, box.level, call)) return nullptr;
  if (box.width < 0 || box.height < 0 || box.depth < 0) {
    ctx.error(GL_INVALID_VALUE, "%s: the size is negative", call);
    return nullptr;
  }
  const TextureImage& image = texture.image(face, box.level);
  if (image.format == pipe::Format::None) {
    ctx.error(GL_INVALID_OPERATION, "%s: level %d of texture %u is not specified", call, box.level, texture.name);
    return nullptr;
  }
  // Boxes of several faces: a named cube map, whose faces are all alike.
  const bool faces = texture.target == TextureTarget::Cube && (box.z != 0 || box.depth != 1);
  if (!inside(box.x, box.width, image.width) || !inside(box.y, box.height, image.height) ||
      !inside(box.z, box.depth, faces ? 6 : image.depth)) {
    ctx.error(GL_INVALID_VALUE, "%s: the box reaches beyond level %d, which is %ux%ux%u", call, box.level, image.width,
              image.height, image.depth);
    return nullptr;
  }
  if (faces && !texture.isCubeComplete()) {
    ctx.error(GL_INVALID_OPERATION, "%s: the faces of cube map %u are not alike", call, texture.name);
    return nullptr;
  }
  return &image;
}

bool checkBlocks(Context& ctx, const TextureImage& image, const SubBox& box, const char* call) {
  const format::FormatInfo& info = format::formatInfo(image.format);
  const auto whole = [](GLint at, GLsizei size, u32 block, u32 limit) {
    return static_cast<u32>(at) % block == 0 &&
           (static_cast<u32>(size) % block == 0 || static_cast<u32>(at) + static_cast<u32>(size) == limit);
  };
  if (whole(box.x, box.width, info.blockWidth, image.width) && whole(box.y, box.height, info.blockHeight, image.height))
    return true;
  ctx.error(GL_INVALID_OPERATION, "%s: the box does not hold whole %ux%u blocks", call, u32{info.blockWidth},
            u32{info.blockHeight});
  return false;
}

bool checkDimensions(Context& ctx, const Texture& texture, u32 dimensions, const char* call) {
  const u32 own = texture.target == TextureTarget::Cube ? 3 : imageDimensions(texture.target);
  if (own == dimensions && texture.target != TextureTarget::Buffer && !isMultisample(texture.target)) return true;
  ctx.error(GL_INVALID_OPERATION, "%s: texture %u has target 0x%04x", call, texture.name, targetToken(texture.target));
  return false;
}

pipe::TexelBox toPipe(TextureTarget target, u32 face, const SubBox& box) {
  return pipeBox(target, face, static_cast<u32>(box.x), static_cast<u32>(box.y), static_cast<u32>(box.z),
                 static_cast<u32>(box.width), static_cast<u32>(box.height), static_cast<u32>(box.depth));
}

}  // namespace mgl::gl

#include "backend/magma/blit.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mgl::magma {

namespace {

bool isInteger(format::Format f) { return format::formatInfo(f).isInteger(); }

VkRect2D intersect(const VkRect2D& a, i64 x0, i64 y0, i64 x1, i64 y1) {
  x0 = std::max<i64>(x0, a.offset.x);
  y0 = std::max<i64>(y0, a.offset.y);
  x1 = std::min<i64>(x1, i64{a.offset.x} + a.extent.width);
  y1 = std::min<i64>(y1, i64{a.offset.y} + a.extent.height);
  if (x1 <= x0 || y1 <= y0) return {};
  return {{static_cast<i32>(x0), static_cast<i32>(y0)}, {static_cast<u32>(x1 - x0), static_cast<u32>(y1 - y0)}};
}

bool isEmpty(const VkRect2D& rect) { return rect.extent.width == 0 || rect.extent.height == 0; }

SubRange arrayRange(const TargetAttachment& a) {
  return a.image->shape().type == VK_IMAGE_TYPE_3D ? SubRange{a.level, 1, 0, 1} : SubRange{a.level, 1, a.layer, 1};
}

i32 slice(const TargetAttachment& a) {
  return a.image->shape().type == VK_IMAGE_TYPE_3D ? static_cast<i32>(a.layer) : 0;
}

}  // namespace

void Blitter::blit(backend::ContextState& context, backend::Framebuffer* read, backend::Framebuffer* draw,
                   const pipe::Blit& blit) {
  Target target;
  engine_.passes->resolveDraw(context, draw, false, &target);
  VkRect2D clip{{0, 0}, {target.width, target.height}};
  if (blit.scissored) {
    clip = intersect(clip, blit.scissor.x, blit.scissor.y, i64{blit.scissor.x} + blit.scissor.width,
                     i64{blit.scissor.y} + blit.scissor.height);
  }
  Box from{static_cast<f64>(blit.src.x0), static_cast<f64>(blit.src.y0), static_cast<f64>(blit.src.x1),
           static_cast<f64>(blit.src.y1)};
  Box to{static_cast<f64>(blit.dst.x0), static_cast<f64>(blit.dst.y0), static_cast<f64>(blit.dst.x1),
         static_cast<f64>(blit.dst.y1)};
  if (to.x0 > to.x1) {
    std::swap(to.x0, to.x1);
    std::swap(from.x0, from.x1);
  }
  if (to.y0 > to.y1) {
    std::swap(to.y0, to.y1);
    std::swap(from.y0, from.y1);
  }
  if (from.x0 == from.x1 || from.y0 == from.y1 || to.x0 == to.x1 || to.y0 == to.y1 || isEmpty(clip)) return;
  const bool linear = blit.filter == pipe::Filter::Linear;
  if ((blit.aspects & pipe::kBlitColor) != 0) {
    const TargetAttachment src = engine_.passes->resolveRead(context, read);
    for (u32 i = 0; i < target.colorCount; ++i) {
      if (target.color[i].image == nullptr || src.image == nullptr) continue;
      blitPart(src, target.color[i], VK_IMAGE_ASPECT_COLOR_BIT, from, to, clip, linear, blit.framebufferSrgb);
    }
  }
  const auto part = [&](bool stencil) { return engine_.passes->resolveDepthStencil(context, read, stencil, true); };
  const TargetAttachment depth = (blit.aspects & pipe::kBlitDepth) != 0 ? part(false) : TargetAttachment{};
  const TargetAttachment stencil = (blit.aspects & pipe::kBlitStencil) != 0 ? part(true) : TargetAttachment{};
  const bool hasDepth = depth.image != nullptr && target.depth.image != nullptr;
  const bool hasStencil = stencil.image != nullptr && target.stencil.image != nullptr;
  if (hasDepth && hasStencil && depth == stencil && target.depth == target.stencil &&
      depth.image->aspects() == target.depth.image->aspects()) {
    blitPart(depth, target.depth, depth.image->aspects(), from, to, clip, false, false);
    return;
  }
  if (hasDepth) blitPart(depth, target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, from, to, clip, false, false);
  if (hasStencil) blitPart(stencil, target.stencil, VK_IMAGE_ASPECT_STENCIL_BIT, from, to, clip, false, false);
}

void Blitter::blitPart(TargetAttachment src, TargetAttachment dst, VkImageAspectFlags aspects, Box from, Box to,
                       const VkRect2D& clip, bool linear, bool decode) {
  src.layers = dst.layers = 1;
  const bool srcSrgb = decode && format::formatInfo(src.named).srgb,
             dstSrgb = decode && format::formatInfo(dst.named).srgb;
  const bool raw = (!srcSrgb && !dstSrgb) || (srcSrgb && dstSrgb && !linear);
  if (raw && copyRaw(src, dst, aspects, from, to, clip)) return;
  if (raw && blitHost(src, dst, aspects, from, to, clip, linear)) return;
  const HostFormat& srcHost = engine_.formats[src.named];
  const HostFormat& dstHost = engine_.formats[dst.named];
  if (!raw) {
    src.format = srcSrgb ? srcHost.srgb : srcHost.image;
    dst.format = dstSrgb ? dstHost.srgb : dstHost.image;
  }
  for (VkImageAspectFlags aspect :
       {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
    if ((aspects & aspect) != 0) blitShader(src, dst, aspect, from, to, clip, linear);
  }
}

// Same size, not mirrored, same format: a copy.
bool Blitter::copyRaw(const TargetAttachment& src, const TargetAttachment& dst, VkImageAspectFlags aspects,
                      const Box& from, const Box& to, const VkRect2D& clip) {
  const HostFormat& srcHost = engine_.formats[src.named];
  const HostFormat& dstHost = engine_.formats[dst.named];
  const bool resolve = src.image->shape().samples > 1 && dst.image->shape().samples == 1;
  if (srcHost.image != dstHost.image || src.image->host().image != dst.image->host().image) return false;
  if (dstHost.opaque && !srcHost.opaque) return false;
  if (srcHost.swizzle != dstHost.swizzle && aspects == VK_IMAGE_ASPECT_COLOR_BIT &&
      !(srcHost.opaque || dstHost.opaque)) {
    return false;
  }
  if (!resolve && src.image->shape().samples != dst.image->shape().samples) return false;
  if (resolve && (aspects != VK_IMAGE_ASPECT_COLOR_BIT || isInteger(src.named))) return false;
  if (to.x1 - to.x0 != from.x1 - from.x0 || to.y1 - to.y0 != from.y1 - from.y0) return false;
  if ((src.image->aspects() & aspects) != aspects) return false;
  if (aspects != dst.image->aspects() && !engine_.features().aspectCopies) return false;
  const i64 dx = static_cast<i64>(to.x0 - from.x0), dy = static_cast<i64>(to.y0 - from.y0);
  VkRect2D rect = intersect(clip, static_cast<i64>(to.x0), static_cast<i64>(to.y0), static_cast<i64>(to.x1),
                            static_cast<i64>(to.y1));
  if (isEmpty(rect)) return true;
  rect = intersect(rect, dx, dy, dx + src.image->width(src.level), dy + src.image->height(src.level));
  if (isEmpty(rect)) return true;
  // Onto itself: nothing to do. Onto a part of itself: undefined (section 18.3.1), and no copy that Vulkan allows.
  if (src.image == dst.image && src.level == dst.level && src.layer == dst.layer &&
      static_cast<u64>(std::abs(dx)) < rect.extent.width && static_cast<u64>(std::abs(dy)) < rect.extent.height)
    return true;

  engine_.passes->settle(*src.image, {src.level, 1, src.layer, 1}, ClearUse::BlitSource);
  engine_.passes->settle(*dst.image, {dst.level, 1, dst.layer, 1}, ClearUse::BlitTarget);
  const bool same = src.image == dst.image;
  const bool sameLevel = same && src.level == dst.level && src.layer == dst.layer;
  VkImageLayout srcLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, dstLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  if (sameLevel) {
    if (resolve) return false;
    srcLayout = dstLayout = VK_IMAGE_LAYOUT_GENERAL;
    src.image->prepare(
        engine_.barriers, arrayRange(src), VK_IMAGE_LAYOUT_GENERAL,
        {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, true});
  } else {
    src.image->prepare(engine_.barriers, arrayRange(src), srcLayout, usage::kTransferRead);
    dst.image->prepare(engine_.barriers, arrayRange(dst), dstLayout, usage::kTransferWrite);
  }
  src.image->usedIn(engine_.recorder.serial(), true);
  dst.image->usedIn(engine_.recorder.serial(), true);
  const SubRange srcRange = arrayRange(src), dstRange = arrayRange(dst);
  const VkOffset3D srcAt{static_cast<i32>(rect.offset.x - dx), static_cast<i32>(rect.offset.y - dy), slice(src)};
  const VkOffset3D dstAt{rect.offset.x, rect.offset.y, slice(dst)};
  const VkExtent3D extent{rect.extent.width, rect.extent.height, 1};
  const VkCommandBuffer commands = engine_.outside();
  if (resolve) {
    const VkImageResolve region{
        {aspects, src.level, srcRange.layer, 1}, srcAt, {aspects, dst.level, dstRange.layer, 1}, dstAt, extent};
    engine_.vk().vkCmdResolveImage(commands, src.image->handle(), srcLayout, dst.image->handle(), dstLayout, 1,
                                   &region);
  } else {
    const VkImageCopy region{
        {aspects, src.level, srcRange.layer, 1}, srcAt, {aspects, dst.level, dstRange.layer, 1}, dstAt, extent};
    engine_.vk().vkCmdCopyImage(commands, src.image->handle(), srcLayout, dst.image->handle(), dstLayout, 1, &region);
  }
  return true;
}

// Scaling and conversion by vkCmdBlitImage, where nothing has to be cut (a cut would move the sample points).
bool Blitter::blitHost(const TargetAttachment& src, const TargetAttachment& dst, VkImageAspectFlags aspects,
                       const Box& from, const Box& to, const VkRect2D& clip, bool linear) {
  const HostFormat& srcHost = engine_.formats[src.named];
  const HostFormat& dstHost = engine_.formats[dst.named];
  if (src.image->shape().samples != 1 || dst.image->shape().samples != 1 || src.image == dst.image) return false;
  if ((srcHost.features & VK_FORMAT_FEATURE_BLIT_SRC_BIT) == 0 ||
      (dstHost.features & VK_FORMAT_FEATURE_BLIT_DST_BIT) == 0) {
    return false;
  }
  if (linear && (srcHost.features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) == 0) return false;
  const bool color = aspects == VK_IMAGE_ASPECT_COLOR_BIT;
  if (color && (format::formatInfo(src.named).type == format::ComponentType::Uint) !=
                   (format::formatInfo(dst.named).type == format::ComponentType::Uint)) {
    return false;
  }
  if (color && isInteger(src.named) != isInteger(dst.named)) return false;
  if (!color && srcHost.image != dstHost.image) return false;
  if (aspects != dst.image->aspects() && !engine_.features().aspectCopies) return false;
  if (color && (dstHost.opaque != srcHost.opaque || srcHost.swizzle != dstHost.swizzle)) return false;
  const Box source{std::min(from.x0, from.x1), std::min(from.y0, from.y1), std::max(from.x0, from.x1),
                   std::max(from.y0, from.y1)};
  if (source.x0 < 0 || source.y0 < 0 || source.x1 > src.image->width(src.level) ||
      source.y1 > src.image->height(src.level)) {
    return false;
  }
  if (to.x0 < clip.offset.x || to.y0 < clip.offset.y || to.x1 > clip.offset.x + static_cast<f64>(clip.extent.width) ||
      to.y1 > clip.offset.y + static_cast<f64>(clip.extent.height)) {
    return false;
  }
  engine_.passes->settle(*src.image, {src.level, 1, src.layer, 1}, ClearUse::BlitSource);
  engine_.passes->settle(*dst.image, {dst.level, 1, dst.layer, 1}, ClearUse::BlitTarget);
  src.image->prepare(engine_.barriers, arrayRange(src), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, usage::kTransferRead);
  dst.image->prepare(engine_.barriers, arrayRange(dst), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, usage::kTransferWrite);
  src.image->usedIn(engine_.recorder.serial(), true);
  dst.image->usedIn(engine_.recorder.serial(), true);
  const auto at = [](f64 x, f64 y, i32 z) { return VkOffset3D{static_cast<i32>(x), static_cast<i32>(y), z}; };
  const VkImageBlit region{{aspects, src.level, arrayRange(src).layer, 1},
                           {at(from.x0, from.y0, slice(src)), at(from.x1, from.y1, slice(src) + 1)},
                           {aspects, dst.level, arrayRange(dst).layer, 1},
                           {at(to.x0, to.y0, slice(dst)), at(to.x1, to.y1, slice(dst) + 1)}};
  engine_.vk().vkCmdBlitImage(engine_.outside(), src.image->handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                              dst.image->handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region,
                              linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
  return true;
}

void Blitter::blitShader(const TargetAttachment& src, const TargetAttachment& dst, VkImageAspectFlags aspect,
                         const Box& from, const Box& to, const VkRect2D& clip, bool linear) {
  const bool samePart = src.image == dst.image && src.level == dst.level && src.layer == dst.layer;
  if (src.image->shape().type != VK_IMAGE_TYPE_2D || samePart) {
    engine_.decline("a blit from this kind of image that no transfer command does");
    return;
  }
  // What of the destination has a source.
  const f64 scaleX = (from.x1 - from.x0) / (to.x1 - to.x0), scaleY = (from.y1 - from.y0) / (to.y1 - to.y0);
  const auto span = [](f64 origin, f64 scale, f64 begin, f64 size, i64* low, i64* high) {
    f64 a = origin + (0 - begin) / scale, b = origin + (size - begin) / scale;
    if (a > b) std::swap(a, b);
    *low = static_cast<i64>(std::ceil(a - 0.5));
    *high = static_cast<i64>(std::ceil(b - 0.5));
  };
  i64 sx0, sx1, sy0, sy1;
  span(to.x0, scaleX, from.x0, src.image->width(src.level), &sx0, &sx1);
  span(to.y0, scaleY, from.y0, src.image->height(src.level), &sy0, &sy1);
  VkRect2D rect = intersect(clip, static_cast<i64>(to.x0), static_cast<i64>(to.y0), static_cast<i64>(to.x1),
                            static_cast<i64>(to.y1));
  rect = intersect(rect, sx0, sy0, sx1, sy1);
  if (isEmpty(rect)) return;

  const bool many = src.image->shape().samples > 1;
  const format::ComponentType type = format::formatInfo(src.named).type;
  Key key;
  key.samples = static_cast<u8>(dst.image->shape().samples);
  Target target;
  target.width = dst.image->width(dst.level);
  target.height = dst.image->height(dst.level);
  target.samples = dst.image->shape().samples;
  ViewKey view;
  view.type = VK_IMAGE_VIEW_TYPE_2D;
  view.format = src.format;
  view.aspects = aspect;
  view.range = {src.level, 1, src.layer, 1};
  if (aspect == VK_IMAGE_ASPECT_COLOR_BIT) {
    const bool unsignedInt = isInteger(src.named) && type == format::ComponentType::Uint;
    key.shader = many ? (isInteger(src.named) ? unsignedInt ? Shader::MsUint : Shader::MsInt : Shader::MsFloat)
                      : (isInteger(src.named) ? unsignedInt ? Shader::BlitUint : Shader::BlitInt : Shader::BlitFloat);
    key.color = dst.format;
    key.writeMask = engine_.formats[dst.named].opaque ? 7 : 15;
    target.color[0] = dst;
    target.colorCount = 1;
    // Read as GL reads the source, and put each component where the destination's format holds it.
    view.swizzle = composeSwizzle(engine_.formats[src.named], {pipe::Swizzle::Red, pipe::Swizzle::Green,
                                                               pipe::Swizzle::Blue, pipe::Swizzle::Alpha});
    const format::BaseFormat base = format::formatInfo(dst.named).base;
    if (base == format::BaseFormat::Alpha) view.swizzle.r = VK_COMPONENT_SWIZZLE_A;
    if (base == format::BaseFormat::LuminanceAlpha) view.swizzle.g = VK_COMPONENT_SWIZZLE_A;
  } else {
    const bool depth = aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
    key.shader =
        depth ? (many ? Shader::MsDepth : Shader::BlitDepth) : (many ? Shader::MsStencil : Shader::BlitStencil);
    (depth ? target.depth : target.stencil) = dst;
    (depth ? key.depth : key.stencil) = dst.format;
  }
  Push push{};
  push.box[0] = static_cast<f32>(from.x0);
  push.box[1] = static_cast<f32>(from.y0);
  push.box[2] = static_cast<f32>(from.x1 - from.x0);
  push.box[3] = static_cast<f32>(from.y1 - from.y0);
  const f32 filterFlag = linear && !many ? 1.0f : 0.0f, samples = static_cast<f32>(src.image->shape().samples);
  std::memcpy(&push.extra[0], &filterFlag, 4);
  std::memcpy(&push.extra[1], &samples, 4);
  const VkRect2D viewport{{static_cast<i32>(to.x0), static_cast<i32>(to.y0)},
                          {static_cast<u32>(to.x1 - to.x0), static_cast<u32>(to.y1 - to.y0)}};
  engine_.passes->settle(*src.image, {src.level, 1, src.layer, 1}, ClearUse::BlitSource);
  const VkImageLayout layout =
      src.image->isColor() ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  src.image->prepare(engine_.barriers, {src.level, 1, src.layer, 1}, layout,
                     {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT, false});
  src.image->usedIn(engine_.recorder.serial(), true);
  const VkImageView source = src.image->view(view);
  if (aspect != VK_IMAGE_ASPECT_STENCIL_BIT) {
    drawQuad(target, key, source, layout, linear, viewport, rect, push, 0);
    return;
  }
  if (!engine_.passes->open(target)) return;
  const VkClearAttachment zero{VK_IMAGE_ASPECT_STENCIL_BIT, 0, {}};
  const VkClearRect where{rect, 0, 1};
  engine_.vk().vkCmdClearAttachments(engine_.recorder.main(), 1, &zero, 1, &where);
  for (u32 bit = 0; bit < 8; ++bit) {
    key.stencilMask = static_cast<u8>(1u << bit);
    const f32 value = static_cast<f32>(1u << bit);
    std::memcpy(&push.extra[0], &value, 4);
    drawQuad(target, key, source, layout, false, viewport, rect, push, 0xff);
  }
}

void Blitter::copyToTexture(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                            Texture& texture, u32 level, std::array<u32, 3> origin) {
  const Place place = engine_.textures->place(texture, level, origin[2]);
  if (place.image == nullptr) return;
  TargetAttachment dst;
  dst.image = place.image;
  dst.level = place.level;
  dst.layer = place.layer;
  dst.named = texture.levelDesc(level).format;
  dst.format = engine_.formats[dst.named].image;
  dst.opaque = engine_.formats[dst.named].opaque;
  const format::FormatInfo& info = format::formatInfo(dst.named);
  const Box from{static_cast<f64>(rect.x), static_cast<f64>(rect.y), static_cast<f64>(rect.x) + rect.width,
                 static_cast<f64>(rect.y) + rect.height};
  const Box to{static_cast<f64>(origin[0]), static_cast<f64>(origin[1]), static_cast<f64>(origin[0]) + rect.width,
               static_cast<f64>(origin[1]) + rect.height};
  const VkRect2D clip{{0, 0}, {place.image->width(place.level), place.image->height(place.level)}};
  if (info.isColor()) {
    const TargetAttachment src = engine_.passes->resolveRead(context, source);
    if (src.image != nullptr) blitPart(src, dst, VK_IMAGE_ASPECT_COLOR_BIT, from, to, clip, false, false);
    return;
  }
  for (bool stencil : {false, true}) {
    if (stencil ? !info.isStencil() : !info.isDepth()) continue;
    const TargetAttachment src = engine_.passes->resolveDepthStencil(context, source, stencil, true);
    if (src.image == nullptr) continue;
    blitPart(src, dst, stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT, from, to, clip, false, false);
  }
}

void Blitter::halve(Image& src, u32 srcLevel, Image& dst, u32 dstLevel, u32 layer, u32 layers, bool srgb) {
  const bool volume = src.shape().type == VK_IMAGE_TYPE_3D;
  const HostFormat& host = src.host();
  constexpr VkFormatFeatureFlags kBlits = VK_FORMAT_FEATURE_BLIT_SRC_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
  const bool byHost = (host.features & kBlits) == kBlits && (!srgb || src.shape().type != VK_IMAGE_TYPE_2D);
  if (!byHost) {
    for (u32 i = 0; i < layers && !volume; ++i) {
      TargetAttachment from, to;
      from.image = &src;
      from.level = srcLevel;
      from.layer = layer + i;
      from.named = src.shape().format;
      from.format = srgb && host.srgb != VK_FORMAT_UNDEFINED ? host.srgb : host.image;
      to = from;
      to.image = &dst;
      to.level = dstLevel;
      const Box a{0, 0, static_cast<f64>(src.width(srcLevel)), static_cast<f64>(src.height(srcLevel))};
      const Box b{0, 0, static_cast<f64>(dst.width(dstLevel)), static_cast<f64>(dst.height(dstLevel))};
      blitShader(from, to, VK_IMAGE_ASPECT_COLOR_BIT, a, b, {{0, 0}, {dst.width(dstLevel), dst.height(dstLevel)}},
                 true);
    }
    if (volume) engine_.decline("mipmaps of a 3D texture in a format that the device does not blit");
    return;
  }
  engine_.passes->settle(src, {srcLevel, 1, volume ? 0 : layer, volume ? src.depth(srcLevel) : layers}, ClearUse::Mipmap);
  engine_.passes->drop(dst, {dstLevel, 1, volume ? 0 : layer, volume ? dst.depth(dstLevel) : layers});
  src.prepare(engine_.barriers, {srcLevel, 1, layer, layers}, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
              usage::kTransferRead);
  dst.prepare(engine_.barriers, {dstLevel, 1, layer, layers}, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
              usage::kTransferWrite, false);
  src.usedIn(engine_.recorder.serial(), true);
  dst.usedIn(engine_.recorder.serial(), true);
  const auto corner = [](const Image& image, u32 level) {
    return VkOffset3D{static_cast<i32>(image.width(level)), static_cast<i32>(image.height(level)),
                      static_cast<i32>(image.shape().type == VK_IMAGE_TYPE_3D ? image.depth(level) : 1)};
  };
  const bool linear = src.isColor() && (host.features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0;
  const VkImageBlit region{{src.aspects(), srcLevel, layer, layers},
                           {{0, 0, 0}, corner(src, srcLevel)},
                           {dst.aspects(), dstLevel, layer, layers},
                           {{0, 0, 0}, corner(dst, dstLevel)}};
  engine_.vk().vkCmdBlitImage(engine_.outside(), src.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, dst.handle(),
                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region,
                              linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
}

}  // namespace mgl::magma

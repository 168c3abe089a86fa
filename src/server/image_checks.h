// Shapes of images: what a box, a layout or an attachment must fit before a backend may touch it. Pure functions; the
// arithmetic holds for any 64-bit input.
#pragma once

#include <optional>

#include "backend/objects.h"

namespace mgl::server {

struct LevelShape {
  pipe::Format format = pipe::Format::None;
  u32 width = 0, height = 0;
  u32 depth = 0;  // depth of a 3D level, layers of an array, 6·layers of a cube
};

bool isMultisample(pipe::TextureTarget target);
bool isCube(pipe::TextureTarget target);

// The shape of a level; format None when it is not specified. face: only of cubes given face by face.
LevelShape levelShape(const backend::Texture& texture, u32 level, u32 face = 0);

// Whether the box lies inside the level. Of a cube given face by face, every face that the box meets must be there.
// *format is that of the level.
bool boxFits(const backend::Texture& texture, u32 level, const pipe::TexelBox& box, pipe::Format* format);

// Whether the box begins and ends at whole blocks, or at the level's edge.
bool blocksFit(const LevelShape& shape, const pipe::TexelBox& box);

// The bytes from the first to one past the last that a transfer of this box with this layout touches. Nothing when the
// layout has no meaning for the format, or the size does not fit 64 bits.
std::optional<u64> layoutBytes(const pipe::TexelLayout& layout, pipe::Format format, u32 width, u32 height, u32 depth);

// Whether the extents of a whole texture go with its target.
bool extentFits(pipe::TextureTarget target, u32 width, u32 height, u32 depth);

// Levels of a full chain.
u32 fullLevels(pipe::TextureTarget target, u32 width, u32 height, u32 depth);

// The shape that the attachment gives its framebuffer (depth: layers, 1 unless layered); nothing when it names a level
// or layer that is not there.
std::optional<LevelShape> attachmentShape(const backend::Attachment& attachment);

inline bool rangeFits(u64 offset, u64 bytes, u64 whole) { return bytes <= whole && offset <= whole - bytes; }

}  // namespace mgl::server

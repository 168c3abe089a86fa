// Decoders of compressed blocks, for read-back and for hosts without the format (S3TC: EXT_texture_compression_s3tc;
// RGTC: OpenGL 4.6 and ARB_texture_compression_rgtc, both in the Khronos Data Format specification). No allocation; any
// thread.
#pragma once

#include "format/convert.h"

namespace mgl::format {

// What a compressed format decodes to here: RGBA8 / SRGB8_A8 for BC1-BC3, R8, R8_SNORM, RG8, RG8_SNORM for BC4 and BC5;
// None for a format without a decoder (BC6H, BC7, ETC2, EAC, ASTC).
Format decodedFormat(Format compressed);

// Decodes a region of whole blocks; `src` strides are per row of blocks and per image, `dst` holds texels of
// decodedFormat; texels of edge blocks outside the extent are not written. False, and nothing written, for a format
// without a decoder.
[[nodiscard]] bool decodeBlocks(Format compressed, const MutableTexels& dst, const ConstTexels& src,
                                const Extent& extent);

}  // namespace mgl::format

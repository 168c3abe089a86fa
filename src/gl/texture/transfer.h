// Pixel transfer on the client: from GL's format, type and pixel store to what a record carries (OpenGL 4.6 sections 8.4 and 18.2).
//
// Texels between client memory and the pipe travel as tight rows: client memory that is tight already is handed over as it
// is, other memory is copied once. Conversion of format and type is the server's, and so is everything about pixel buffers.
#pragma once

#include <functional>
#include <optional>

#include "format/transfer.h"
#include "gl/buffer/buffer.h"
#include "gl/context.h"

namespace mgl::gl {

struct Texture;

// ---- Tokens

std::optional<pipe::TransferFormat> transferFormat(const Context& ctx, GLenum format);
std::optional<pipe::TransferType> transferType(GLenum type);
// The pair of a pixel command; empty after INVALID_ENUM (no such token, or a depth-stencil format with another type) or
// INVALID_OPERATION (a pair that table 8.5 excludes).
std::optional<format::TransferPair> transferPair(Context& ctx, GLenum format, GLenum type, const char* call);

// ---- Regions of memory

// A region in the words of the pipe, with the rows as they lie in memory. Rows of a one-dimensional array are layers.
struct Region {
  pipe::TextureTarget target = pipe::TextureTarget::Tex2D;
  u32 width = 0, height = 0, depth = 0;  // GL's words
  bool isEmpty() const { return width == 0 || height == 0 || depth == 0; }
};

// Where the texels of a command lie, after the checks of section 8.4.4.1.
struct Pixels {
  std::byte* memory = nullptr;  // client memory, or
  Ref<Buffer> buffer;           // a pixel buffer
  u64 offset = 0;               // of the first texel in it
  pipe::TexelLayout layout{};   // strides as they lie there, in the words of the pipe
  u64 tightRow = 0;             // bytes of a row (of blocks) without padding
  u32 rows = 0, images = 0;     // rows (of blocks) an image
  u32 rowTexels = 1;            // texels a row is high: a block's height
  bool none = false;            // client memory and a null pointer: nothing to transfer
};

// False after an error. `what` is the call's name.
bool resolveUnpack(Context& ctx, format::TransferPair pair, const Region& region, const void* pixels, Pixels* out,
                   const char* call);
// bufSize: at most so many bytes may be written (glGetn…), or negative.
bool resolvePack(Context& ctx, format::TransferPair pair, const Region& region, void* pixels, i64 bufSize, Pixels* out,
                 const char* call);
// Blocks of a compressed format; imageSize: what the program says there is (unpack only, checked).
bool resolveUnpackCompressed(Context& ctx, pipe::Format format, const Region& region, i64 imageSize, const void* pixels,
                             Pixels* out, const char* call);
bool resolvePackCompressed(Context& ctx, pipe::Format format, const Region& region, void* pixels, i64 bufSize, Pixels* out,
                           const char* call);

// ---- Moving texels

// Both REQUIRE an open Verb, and the box checked in it. Where the lock is given back between two parts and another thread
// makes the level another one, the rest is left out: what is in it then is undefined anyway.

// Writes a box of a level, cut into blobs that fit. The box is in the words of the pipe.
void uploadTexels(Context& ctx, const Texture& texture, u32 level, const pipe::TexelBox& box, const Pixels& pixels);
// Reads a box of a level into what resolvePack gave.
void readTexels(Context& ctx, const Texture& texture, u32 level, const pipe::TexelBox& box, const Pixels& pixels);

// Splits a read into replies of bounded size. `ask(firstImage, imageCount, firstRow, rowCount, layout, dst)` asks for tight
// texels of that part; they are placed in pixels.memory. False: it cannot be read any more.
using AskPart = std::function<bool(u32 firstImage, u32 imageCount, u32 firstRow, u32 rowCount, const pipe::TexelLayout& layout,
                                   MutableBytes dst)>;
void readInParts(const Pixels& pixels, const AskPart& ask);

}  // namespace mgl::gl

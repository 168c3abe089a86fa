// Texels between what the pipe carries (client layouts) and what the host takes and gives. Pure; any thread.
#pragma once

#include <vector>

#include "backend/espryt/convert.h"

namespace mgl::espryt {

struct TexelShape {
  Format named = Format::None;  // the pipe's
  const HostFormat* host = nullptr;
  u32 width = 0, height = 0, depth = 1;
};

// An upload as the host's entry points take it: `host->format`, `host->type`, rows of `rowBytes`.
struct Upload {
  const std::byte* data = nullptr;  // null: the pair has no meaning
  u64 rowBytes = 0, imageBytes = 0;
};
// Whether the client's bytes are what the host takes, so that they need no copy.
bool isDirect(const TexelShape& shape, const pipe::TexelLayout& layout);
// Converts into `scratch` what is not direct. `data` null with a direct layout: only the strides.
Upload prepareUpload(const TexelShape& shape, const pipe::TexelLayout& layout, const std::byte* data,
                     std::vector<std::byte>* scratch);

// The same for texels that are in the named format's own memory, tight.
Upload prepareStored(const TexelShape& shape, const std::byte* data, std::vector<std::byte>* scratch);

// What is read of an image: colour, or depth as D32 or D32F, then stencil as S8, each tight. drawn: depth and stencil were
// drawn into colour, and are the red of RGBA32F and RGBA32UI texels.
struct ReadParts {
  bool main = false, stencil = false, drawn = false;
  Format mainFormat = Format::None;
  u64 mainBytes = 0, stencilBytes = 0;
};
ReadParts readParts(const TexelShape& shape, const pipe::TexelLayout& layout, bool drawn);
// What was read, in the client's layout. False, and nothing written, when the pair has no meaning.
[[nodiscard]] bool unpackRead(const TexelShape& shape, const ReadParts& parts, Bytes raw, const pipe::TexelLayout& layout,
                              bool clampColor, MutableBytes dst);
// Whether the client's layout is the memory of what is read.
bool isDirectRead(const TexelShape& shape, const ReadParts& parts, const pipe::TexelLayout& layout, bool clampColor);

}  // namespace mgl::espryt

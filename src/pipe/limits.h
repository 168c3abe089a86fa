// Bounds of the pipe: what a record may carry at most, whatever the device. A host with less says so in its caps.
#pragma once

#include "base/types.h"

namespace mgl::pipe {

inline constexpr u32 kMaxColorTargets = 8;
inline constexpr u32 kMaxViewports = 16;
inline constexpr u32 kMaxVertexAttribs = 32;
inline constexpr u32 kMaxVertexBindings = 32;
inline constexpr u32 kMaxTextureUnits = 256;   // sampler units a record may name
inline constexpr u32 kMaxImageUnits = 64;
inline constexpr u32 kMaxBufferBindings = 84;  // binding points of one shader-buffer class
inline constexpr u32 kMaxBlockBindings = 96;   // uniform blocks of a program (4.3 needs 70)
inline constexpr u32 kMaxStorageOverrides = 64;
inline constexpr u32 kMaxStreamOutputBuffers = 4;
inline constexpr u32 kMaxSampleMaskWords = 2;
inline constexpr u32 kMaxDrawRanges = 1u << 16;   // longer multi-draws are cut by the client
inline constexpr u32 kMaxInlineUniformBytes = 256;  // beyond this the uniforms of a draw travel as a blob
inline constexpr u32 kMaxUniformPatches = 64;
inline constexpr u32 kMaxUniformBlockBytes = 1u << 20;
inline constexpr u32 kMaxDamageRects = 64;
inline constexpr u32 kMaxLabelBytes = 1024;
inline constexpr u32 kMaxTextureLevels = 16;
inline constexpr u32 kMaxTextureSize = 32768;
inline constexpr u64 kWholeBuffer = ~u64{0};  // a range that follows the buffer's size at the time of use
inline constexpr u32 kMaxReplySlots = 256;
inline constexpr u32 kMaxRecordBytes = 4u << 20;  // half of the command ring

}  // namespace mgl::pipe

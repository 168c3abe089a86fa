// Verbs: the backend does work. Framebuffers of clears, blits and reads are named in the record (null: the context's draw or
// read surface), so that they need no bind; their masks and scissor come with them.
#pragma once

#include "pipe/payloads_object.h"

namespace mgl::pipe {

inline constexpr u16 kDrawIndirect = 1;        // ranges come from a buffer: DrawIndirect only
inline constexpr u16 kDrawMerged = 2;          // the ranges were draws of their own: gl_DrawID is 0 in each
inline constexpr u16 kDrawClientIndices = 4;   // the last client array holds the indices

// first: first vertex, or the byte offset into the index buffer.
#define MGL_FIELDS_DrawRange(F) F(u64, first, any()) F(u32, count, any()) F(i32, baseVertex, any())
MGL_PAYLOAD(DrawRange, 16);
// A vertex array in client memory: the bytes that replace this binding's buffer for this draw, vertex `first` at the start.
#define MGL_FIELDS_ClientArray(F) F(u32, binding, upTo(kMaxVertexBindings)) F(u32, stride, any()) F(i64, first, any()) F(BlobRef, data, any())
MGL_PAYLOAD(ClientArray, 32);

#define MGL_FIELDS_Draw(F)                                                                                       \
  F(VertexArrayHandle, vertexArray, live()) F(ProgramHandle, program, optional()) F(Primitive, mode, any()) F(IndexType, indexType, any()) \
  F(u16, flags, mask(7)) F(u32, rangeCount, upTo(kMaxDrawRanges)) F(u32, instanceCount, any()) F(u32, baseInstance, any()) \
  F(u16, patchCount, upTo(kMaxUniformPatches)) F(u16, patchBytes, upTo(kMaxInlineUniformBytes)) F(u32, clientArrayCount, upTo(kMaxVertexBindings + 1))
MGL_PAYLOAD(Draw, 40);
MGL_TAILS(Draw, Tail<DrawRange, &Draw::rangeCount>, Tail<UniformPatch, &Draw::patchCount>, Tail<u8, &Draw::patchBytes>,
          Tail<ClientArray, &Draw::clientArrayCount>);

#define MGL_FIELDS_DrawIndirect(F)                                                                               \
  F(VertexArrayHandle, vertexArray, live()) F(ProgramHandle, program, optional()) F(Primitive, mode, any()) F(IndexType, indexType, any()) \
  F(u16, flags, mask(7)) F(u32, stride, any()) F(BufferHandle, buffer, live()) F(u64, offset, any()) F(BufferHandle, countBuffer, optional()) \
  F(u64, countOffset, any()) F(u32, maxDraws, any()) F(u16, patchCount, upTo(kMaxUniformPatches)) F(u16, patchBytes, upTo(kMaxInlineUniformBytes))
MGL_PAYLOAD(DrawIndirect, 64);
MGL_TAILS(DrawIndirect, Tail<UniformPatch, &DrawIndirect::patchCount>, Tail<u8, &DrawIndirect::patchBytes>);

#define MGL_FIELDS_DrawStreamOutput(F)                                                                            \
  F(VertexArrayHandle, vertexArray, live()) F(ProgramHandle, program, optional()) F(StreamOutputHandle, streamOutput, live()) \
  F(Primitive, mode, any()) F(u8, stream, upTo(3)) F(u16, flags, mask(7)) F(u32, instanceCount, any()) F(u32, baseInstance, any()) \
  F(u16, patchCount, upTo(kMaxUniformPatches)) F(u16, patchBytes, upTo(kMaxInlineUniformBytes))
MGL_PAYLOAD(DrawStreamOutput, 40);
MGL_TAILS(DrawStreamOutput, Tail<UniformPatch, &DrawStreamOutput::patchCount>, Tail<u8, &DrawStreamOutput::patchBytes>);

#define MGL_FIELDS_Dispatch(F)                                                                                     \
  F(ProgramHandle, program, live()) F(U32x3, groups, any()) F(U32x3, localSize, any()) F(u16, patchCount, upTo(kMaxUniformPatches)) \
  F(u16, patchBytes, upTo(kMaxInlineUniformBytes)) F(u32, pad, zero())
MGL_PAYLOAD(Dispatch, 40);  // localSize: ARB_compute_variable_group_size, else 0
MGL_TAILS(Dispatch, Tail<UniformPatch, &Dispatch::patchCount>, Tail<u8, &Dispatch::patchBytes>);
#define MGL_FIELDS_DispatchIndirect(F)                                                                            \
  F(ProgramHandle, program, live()) F(BufferHandle, buffer, live()) F(u64, offset, any()) F(u16, patchCount, upTo(kMaxUniformPatches)) \
  F(u16, patchBytes, upTo(kMaxInlineUniformBytes)) F(u32, pad, zero())
MGL_PAYLOAD(DispatchIndirect, 32);
MGL_TAILS(DispatchIndirect, Tail<UniformPatch, &DispatchIndirect::patchCount>, Tail<u8, &DispatchIndirect::patchBytes>);

// Clears the fragment outputs in colorOutputs (through the framebuffer's draw buffers), depth, stencil. colorMasks: 4 bits
// an output. The scissor is in GL window coordinates.
#define MGL_FIELDS_Clear(F)                                                                                         \
  F(FramebufferHandle, framebuffer, optional()) F(u32, colorOutputs, upTo(255)) F(u32, colorMasks, any()) F(U32x4, color, any()) \
  F(f32, depth, any()) F(u32, stencil, upTo(255)) F(ClearKind, colorKind, any()) F(u8, clearDepth, boolean()) F(u8, clearStencil, boolean()) \
  F(u8, stencilMask, any()) F(u8, scissored, boolean()) F(u8, framebufferSrgb, boolean()) F(u16, pad, zero()) F(Scissor, scissor, any())
MGL_PAYLOAD(Clear, 64);

inline constexpr u32 kBlitColor = 1, kBlitDepth = 2, kBlitStencil = 4;
// Corners as in glBlitFramebuffer: a box whose corners are swapped mirrors.
#define MGL_FIELDS_BlitBox(F) F(i32, x0, any()) F(i32, y0, any()) F(i32, x1, any()) F(i32, y1, any())
MGL_PAYLOAD(BlitBox, 16);
#define MGL_FIELDS_Blit(F)                                                                                        \
  F(FramebufferHandle, read, optional()) F(FramebufferHandle, draw, optional()) F(BlitBox, src, any()) F(BlitBox, dst, any()) \
  F(u32, aspects, upTo(7)) F(Filter, filter, any()) F(u8, scissored, boolean()) F(u8, framebufferSrgb, boolean()) F(u8, pad, zero()) \
  F(Scissor, scissor, any())
MGL_PAYLOAD(Blit, 72);
#define MGL_FIELDS_ReadPixels(F)                                                                                   \
  F(FramebufferHandle, framebuffer, optional()) F(Rect, rect, any()) F(TexelLayout, layout, any()) F(u32, replySlot, upTo(kMaxReplySlots - 1)) \
  F(u32, clampColor, boolean())
MGL_PAYLOAD(ReadPixels, 56);  // rect lies inside the framebuffer: the client cut it
#define MGL_FIELDS_ReadPixelsToBuffer(F)                                                                           \
  F(FramebufferHandle, framebuffer, optional()) F(Rect, rect, any()) F(TexelLayout, layout, any()) F(BufferHandle, buffer, live()) \
  F(u64, offset, any()) F(u32, clampColor, boolean()) F(u32, pad, zero())
MGL_PAYLOAD(ReadPixelsToBuffer, 72);
#define MGL_FIELDS_CopyFramebufferToTexture(F)                                                                    \
  F(FramebufferHandle, framebuffer, optional()) F(TextureHandle, texture, live()) F(Rect, rect, any()) F(U32x3, origin, any()) \
  F(u32, level, upTo(kMaxTextureLevels - 1))
MGL_PAYLOAD(CopyFramebufferToTexture, 48);
#define MGL_FIELDS_InvalidateFramebuffer(F) \
  F(FramebufferHandle, framebuffer, optional()) F(u32, colorAttachments, upTo(255)) F(u32, aspects, upTo(6)) F(Rect, rect, any())
MGL_PAYLOAD(InvalidateFramebuffer, 32);  // aspects: kBlitDepth, kBlitStencil

#define MGL_FIELDS_MemoryBarrier(F) F(u32, bits, any()) F(u32, byRegion, boolean())
MGL_PAYLOAD(MemoryBarrier, 8);
#define MGL_FIELDS_TextureBarrier(F) F(u32, pad, zero()) F(u32, pad2, zero())
MGL_PAYLOAD(TextureBarrier, 8);

#define MGL_FIELDS_BeginQuery(F) F(QueryHandle, query, live()) F(u64, serial, any())
MGL_PAYLOAD(BeginQuery, 16);  // serial: of the result that this run will have
#define MGL_FIELDS_EndQuery(F) F(QueryHandle, query, live())
MGL_PAYLOAD(EndQuery, 8);
#define MGL_FIELDS_WriteTimestamp(F) F(QueryHandle, query, live()) F(u64, serial, any())
MGL_PAYLOAD(WriteTimestamp, 16);
#define MGL_FIELDS_WaitQuery(F) F(QueryHandle, query, live()) F(u32, replySlot, upTo(kMaxReplySlots - 1)) F(u32, pad, zero())
MGL_PAYLOAD(WaitQuery, 16);
#define MGL_FIELDS_QueryResultToBuffer(F)                                                                       \
  F(QueryHandle, query, live()) F(BufferHandle, buffer, live()) F(u64, offset, any()) F(u8, wide, boolean()) F(u8, wait, boolean()) \
  F(u8, availability, boolean()) F(U8x5, pad, zero())
MGL_PAYLOAD(QueryResultToBuffer, 32);

#define MGL_FIELDS_BeginStreamOutput(F) F(StreamOutputHandle, streamOutput, live()) F(Primitive, mode, any()) F(U8x7, pad, zero())
MGL_PAYLOAD(BeginStreamOutput, 16);
#define MGL_FIELDS_EndStreamOutput(F) F(StreamOutputHandle, streamOutput, live())
MGL_PAYLOAD(EndStreamOutput, 8);
#define MGL_FIELDS_PauseStreamOutput(F) F(StreamOutputHandle, streamOutput, live())
MGL_PAYLOAD(PauseStreamOutput, 8);
#define MGL_FIELDS_ResumeStreamOutput(F) F(StreamOutputHandle, streamOutput, live())
MGL_PAYLOAD(ResumeStreamOutput, 8);

#define MGL_FIELDS_CreateFence(F) F(SyncHandle, sync, fresh()) F(u64, serial, any())
MGL_PAYLOAD(CreateFence, 16);
#define MGL_FIELDS_WaitFence(F) F(SyncHandle, sync, live()) F(u64, timeoutNs, any()) F(u32, replySlot, upTo(kMaxReplySlots - 1)) F(u32, pad, zero())
MGL_PAYLOAD(WaitFence, 24);
#define MGL_FIELDS_ServerWaitFence(F) F(SyncHandle, sync, live())
MGL_PAYLOAD(ServerWaitFence, 8);
#define MGL_FIELDS_ImportSyncFd(F) F(SyncHandle, sync, fresh()) F(u32, fdIndex, upTo(7)) F(u32, pad, zero())
MGL_PAYLOAD(ImportSyncFd, 16);
#define MGL_FIELDS_ExportSyncFd(F) F(SyncHandle, sync, live()) F(u32, replySlot, upTo(kMaxReplySlots - 1)) F(u32, pad, zero())
MGL_PAYLOAD(ExportSyncFd, 16);

#define MGL_FIELDS_Flush(F) F(u64, serial, any())
MGL_PAYLOAD(Flush, 8);
#define MGL_FIELDS_Finish(F) F(u32, replySlot, upTo(kMaxReplySlots - 1)) F(u32, pad, zero())
MGL_PAYLOAD(Finish, 8);

#define MGL_FIELDS_DebugMessage(F) F(u32, id, any()) F(DebugSeverity, severity, any()) F(U8x3, pad, zero()) F(u32, bytes, upTo(kMaxLabelBytes)) F(u32, pad2, zero())
MGL_PAYLOAD(DebugMessage, 16);
MGL_TAILS(DebugMessage, Tail<u8, &DebugMessage::bytes>);
#define MGL_FIELDS_PushDebugGroup(F) F(u32, id, any()) F(u32, bytes, upTo(kMaxLabelBytes))
MGL_PAYLOAD(PushDebugGroup, 8);
MGL_TAILS(PushDebugGroup, Tail<u8, &PushDebugGroup::bytes>);
#define MGL_FIELDS_PopDebugGroup(F) F(u32, pad, zero()) F(u32, pad2, zero())
MGL_PAYLOAD(PopDebugGroup, 8);

}  // namespace mgl::pipe

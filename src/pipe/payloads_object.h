// Objects: creating, respecifying, filling and destroying. None of these waits, but for the rows with a reply.
#pragma once

#include "format/transfer.h"
#include "pipe/payloads_state.h"

namespace mgl::pipe {

using format::TransferFormat;
using format::TransferType;

// ---- Vertex formats (CSO) and vertex arrays

#define MGL_FIELDS_VertexAttrib(F)                                                                                  \
  F(u8, location, upTo(kMaxVertexAttribs - 1)) F(u8, binding, upTo(kMaxVertexBindings - 1)) F(VertexType, type, any()) \
  F(u8, components, range(1, 4)) F(u8, normalized, boolean()) F(AttribClass, cls, any()) F(u8, bgra, boolean()) F(u8, pad, zero()) \
  F(u32, offset, any()) F(u32, pad2, zero())
MGL_PAYLOAD(VertexAttrib, 16);
#define MGL_FIELDS_CreateVertexFormat(F) \
  F(VertexFormatHandle, format, fresh()) F(u32, count, upTo(kMaxVertexAttribs)) F(u32, pad, zero())
MGL_PAYLOAD(CreateVertexFormat, 16);
MGL_TAILS(CreateVertexFormat, Tail<VertexAttrib, &CreateVertexFormat::count>);
#define MGL_FIELDS_DestroyVertexFormat(F) F(VertexFormatHandle, format, live())
MGL_PAYLOAD(DestroyVertexFormat, 8);

#define MGL_FIELDS_VertexBinding(F) \
  F(BufferHandle, buffer, optional()) F(u64, offset, any()) F(u32, stride, any()) F(u32, divisor, any())
MGL_PAYLOAD(VertexBinding, 24);
#define MGL_FIELDS_CreateVertexArray(F) F(VertexArrayHandle, vertexArray, fresh())
MGL_PAYLOAD(CreateVertexArray, 8);
#define MGL_FIELDS_UpdateVertexArray(F)                                                                           \
  F(VertexArrayHandle, vertexArray, live()) F(VertexFormatHandle, format, live()) F(BufferHandle, indexBuffer, optional()) \
  F(u32, count, upTo(kMaxVertexBindings)) F(u32, pad, zero())
MGL_PAYLOAD(UpdateVertexArray, 32);
MGL_TAILS(UpdateVertexArray, Tail<VertexBinding, &UpdateVertexArray::count>);
#define MGL_FIELDS_DestroyVertexArray(F) F(VertexArrayHandle, vertexArray, live())
MGL_PAYLOAD(DestroyVertexArray, 8);

// ---- Buffers

inline constexpr u32 kBufferImmutable = 1, kBufferMapRead = 2, kBufferMapWrite = 4, kBufferPersistent = 8,
                     kBufferCoherent = 16, kBufferDynamic = 32, kBufferClientStorage = 64, kBufferStreamed = 128;

#define MGL_FIELDS_CreateBuffer(F) F(BufferHandle, buffer, fresh())
MGL_PAYLOAD(CreateBuffer, 8);
// Gives the buffer a new store (orphaning the old one) and, with a blob, fills it. A blob shorter than bytes fills the start.
#define MGL_FIELDS_BufferStorage(F) \
  F(BufferHandle, buffer, live()) F(u64, bytes, any()) F(u32, flags, mask(255)) F(u32, store, any()) F(BlobRef, data, any())
MGL_PAYLOAD(BufferStorage, 40);  // store: which of the buffer's stores this is; OnGlError says it back when it cannot be had
#define MGL_FIELDS_BufferSubData(F) F(BufferHandle, buffer, live()) F(u64, offset, any()) F(BlobRef, data, any())
MGL_PAYLOAD(BufferSubData, 32);
#define MGL_FIELDS_CopyBuffer(F)                                                                             \
  F(BufferHandle, src, live()) F(BufferHandle, dst, live()) F(u64, srcOffset, any()) F(u64, dstOffset, any()) \
  F(u64, bytes, any())
MGL_PAYLOAD(CopyBuffer, 40);
#define MGL_FIELDS_ClearBuffer(F)                                                                                 \
  F(BufferHandle, buffer, live()) F(u64, offset, any()) F(u64, bytes, any()) F(u32, patternBytes, range(1, 16)) F(u32, pad, zero()) \
  F(U32x4, pattern, any())
MGL_PAYLOAD(ClearBuffer, 48);
#define MGL_FIELDS_InvalidateBuffer(F) F(BufferHandle, buffer, live()) F(u64, offset, any()) F(u64, bytes, any())
MGL_PAYLOAD(InvalidateBuffer, 24);
#define MGL_FIELDS_DestroyBuffer(F) F(BufferHandle, buffer, live())
MGL_PAYLOAD(DestroyBuffer, 8);
#define MGL_FIELDS_ReadBuffer(F) \
  F(BufferHandle, buffer, live()) F(u64, offset, any()) F(u64, bytes, any()) F(u32, replySlot, upTo(kMaxReplySlots - 1)) F(u32, pad, zero())
MGL_PAYLOAD(ReadBuffer, 32);
// Asks for the backend's own memory as the mapping. The reply names the tier granted.
#define MGL_FIELDS_MapBuffer(F)                                                                                   \
  F(BufferHandle, buffer, live()) F(u64, offset, any()) F(u64, bytes, any()) F(u32, flags, mask(255)) F(u32, replySlot, upTo(kMaxReplySlots - 1))
MGL_PAYLOAD(MapBuffer, 32);
#define MGL_FIELDS_FlushMappedRange(F) F(BufferHandle, buffer, live()) F(u64, offset, any()) F(BlobRef, data, any())
MGL_PAYLOAD(FlushMappedRange, 32);  // T0, T1: no blob, the bytes are there
#define MGL_FIELDS_UnmapBuffer(F) F(BufferHandle, buffer, live())
MGL_PAYLOAD(UnmapBuffer, 8);
#define MGL_FIELDS_AckAllocation(F) F(u32, replySlot, upTo(kMaxReplySlots - 1)) F(u32, pad, zero())
MGL_PAYLOAD(AckAllocation, 8);

// ---- Textures. Layers are z of one-dimensional and two-dimensional arrays and 6·layer+face of cubes, everywhere.

inline constexpr u32 kTextureImmutable = 1, kTextureFixedSampleLocations = 2, kTextureRenderable = 4, kTextureStorageImage = 8;

#define MGL_FIELDS_CreateTexture(F) F(TextureHandle, texture, fresh()) F(TextureTarget, target, any()) F(U8x7, pad, zero())
MGL_PAYLOAD(CreateTexture, 16);
// Specifies all levels at once (glTexStorage*, renderbuffers, multisample images): contents undefined.
#define MGL_FIELDS_TextureStorage(F)                                                                                   \
  F(TextureHandle, texture, live()) F(Format, format, any()) F(u16, levels, range(1, kMaxTextureLevels)) F(u32, width, range(1, kMaxTextureSize)) \
  F(u32, height, range(1, kMaxTextureSize)) F(u32, depth, range(1, kMaxTextureSize)) F(u32, samples, upTo(64)) F(u32, flags, mask(15))
MGL_PAYLOAD(TextureStorage, 32);  // depth: depth of a 3D image, layers of an array, 6·layers of a cube
// Specifies one level of one face (glTexImage*): contents undefined. A size of 0 takes the level away. face: cubes only.
#define MGL_FIELDS_TextureLevel(F)                                                                                  \
  F(TextureHandle, texture, live()) F(Format, format, any()) F(u8, level, upTo(kMaxTextureLevels - 1)) F(u8, face, upTo(5)) \
  F(u32, width, upTo(kMaxTextureSize)) F(u32, height, upTo(kMaxTextureSize)) F(u32, depth, upTo(kMaxTextureSize))
MGL_PAYLOAD(TextureLevel, 24);

#define MGL_FIELDS_TexelBox(F)                                                                                     \
  F(u32, x, upTo(kMaxTextureSize)) F(u32, y, upTo(kMaxTextureSize)) F(u32, z, upTo(kMaxTextureSize)) F(u32, width, upTo(kMaxTextureSize)) \
  F(u32, height, upTo(kMaxTextureSize)) F(u32, depth, upTo(kMaxTextureSize))
MGL_PAYLOAD(TexelBox, 24);
// How texels lie in a blob or buffer. Compressed data names no transfer format: blocks of the texture's own format.
#define MGL_FIELDS_TexelLayout(F)                                                                                 \
  F(u64, rowBytes, any()) F(u64, imageBytes, any()) F(TransferFormat, format, any()) F(TransferType, type, any())  \
  F(u8, swapBytes, boolean()) F(u8, compressed, boolean()) F(u32, pad, zero())
MGL_PAYLOAD(TexelLayout, 24);
#define MGL_FIELDS_TextureSubData(F)                                                                              \
  F(TextureHandle, texture, live()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, pad, zero()) F(TexelBox, box, any()) \
  F(TexelLayout, layout, any()) F(BlobRef, data, any())
MGL_PAYLOAD(TextureSubData, 80);
#define MGL_FIELDS_TextureSubDataFromBuffer(F)                                                                    \
  F(TextureHandle, texture, live()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, pad, zero()) F(TexelBox, box, any()) \
  F(TexelLayout, layout, any()) F(BufferHandle, buffer, live()) F(u64, offset, any())
MGL_PAYLOAD(TextureSubDataFromBuffer, 80);
#define MGL_FIELDS_ClearTexture(F)                                                                                 \
  F(TextureHandle, texture, live()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, texelBytes, range(1, 16)) F(TexelBox, box, any()) \
  F(U32x4, texel, any())
MGL_PAYLOAD(ClearTexture, 56);  // texel: in the texture's own format
#define MGL_FIELDS_CopyImage(F)                                                                                   \
  F(TextureHandle, src, live()) F(TextureHandle, dst, live()) F(u32, srcLevel, upTo(kMaxTextureLevels - 1))        \
  F(u32, dstLevel, upTo(kMaxTextureLevels - 1)) F(TexelBox, srcBox, any()) F(U32x3, dstOrigin, any()) F(u32, pad, zero())
MGL_PAYLOAD(CopyImage, 64);
#define MGL_FIELDS_GenerateMipmap(F) \
  F(TextureHandle, texture, live()) F(u32, baseLevel, upTo(kMaxTextureLevels - 1)) F(u32, lastLevel, upTo(kMaxTextureLevels - 1))
MGL_PAYLOAD(GenerateMipmap, 16);
#define MGL_FIELDS_InvalidateTexture(F) \
  F(TextureHandle, texture, live()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, pad, zero()) F(TexelBox, box, any())
MGL_PAYLOAD(InvalidateTexture, 40);
#define MGL_FIELDS_SetTextureParameters(F)                                                                        \
  F(TextureHandle, texture, live()) F(SamplerHandle, sampler, live()) F(u16, baseLevel, any()) F(u16, maxLevel, any()) \
  F(Swizzle, swizzleR, any()) F(Swizzle, swizzleG, any()) F(Swizzle, swizzleB, any()) F(Swizzle, swizzleA, any())  \
  F(u8, sampleStencil, boolean()) F(U8x7, pad, zero())
MGL_PAYLOAD(SetTextureParameters, 32);  // sampler: the texture's own sampler state
#define MGL_FIELDS_SetTextureBuffer(F)                                                                             \
  F(TextureHandle, texture, live()) F(BufferHandle, buffer, optional()) F(u64, offset, any()) F(u64, bytes, any()) \
  F(Format, format, any()) F(U8x6, pad, zero())
MGL_PAYLOAD(SetTextureBuffer, 40);
#define MGL_FIELDS_CreateTextureView(F)                                                                          \
  F(TextureHandle, texture, fresh()) F(TextureHandle, source, live()) F(TextureTarget, target, any()) F(u8, minLevel, upTo(kMaxTextureLevels - 1)) \
  F(Format, format, any()) F(u32, levels, range(1, kMaxTextureLevels)) F(u32, minLayer, any()) F(u32, layers, range(1, kMaxTextureSize))
MGL_PAYLOAD(CreateTextureView, 32);
#define MGL_FIELDS_DestroyTexture(F) F(TextureHandle, texture, live())
MGL_PAYLOAD(DestroyTexture, 8);
#define MGL_FIELDS_ReadTexture(F)                                                                                 \
  F(TextureHandle, texture, live()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, replySlot, upTo(kMaxReplySlots - 1)) \
  F(TexelBox, box, any()) F(TexelLayout, layout, any())
MGL_PAYLOAD(ReadTexture, 64);
#define MGL_FIELDS_ReadTextureToBuffer(F)                                                                          \
  F(TextureHandle, texture, live()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, pad, zero()) F(TexelBox, box, any()) \
  F(TexelLayout, layout, any()) F(BufferHandle, buffer, live()) F(u64, offset, any())
MGL_PAYLOAD(ReadTextureToBuffer, 80);
// Shared images: dma-buf planes and EGL images by file descriptor index (descriptors travel beside the stream).
#define MGL_FIELDS_ImagePlane(F) F(u32, fdIndex, upTo(7)) F(u32, pitch, any()) F(u64, offset, any())
MGL_PAYLOAD(ImagePlane, 16);
#define MGL_FIELDS_ImportTexture(F)                                                                             \
  F(TextureHandle, texture, fresh()) F(TextureTarget, target, any()) F(u8, pad, zero()) F(Format, format, any())  \
  F(u32, width, range(1, kMaxTextureSize)) F(u32, height, range(1, kMaxTextureSize)) F(u32, fourcc, any()) F(u32, planeCount, range(1, 4)) \
  F(u32, pad2, zero()) F(u64, modifier, any())
MGL_PAYLOAD(ImportTexture, 40);
MGL_TAILS(ImportTexture, Tail<ImagePlane, &ImportTexture::planeCount>);
#define MGL_FIELDS_ExportTexture(F) \
  F(TextureHandle, texture, live()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, replySlot, upTo(kMaxReplySlots - 1))
MGL_PAYLOAD(ExportTexture, 16);
// Binds a pixmap's or pbuffer's colour buffer to a texture (GLX_EXT_texture_from_pixmap, eglBindTexImage); null releases.
#define MGL_FIELDS_BindSurfaceImage(F) \
  F(TextureHandle, texture, live()) F(SurfaceHandle, surface, optional()) F(Format, format, any()) F(U8x6, pad, zero())
MGL_PAYLOAD(BindSurfaceImage, 24);

// ---- Framebuffers

#define MGL_FIELDS_Attachment(F) \
  F(TextureHandle, texture, optional()) F(u16, level, upTo(kMaxTextureLevels - 1)) F(u16, layered, boolean()) F(u32, layer, any())
MGL_PAYLOAD(Attachment, 16);
using ColorAttachments = std::array<Attachment, kMaxColorTargets>;
inline constexpr u8 kNoColor = 0xff;
#define MGL_FIELDS_CreateFramebuffer(F) F(FramebufferHandle, framebuffer, fresh())
MGL_PAYLOAD(CreateFramebuffer, 8);
#define MGL_FIELDS_UpdateFramebuffer(F)                                                                          \
  F(FramebufferHandle, framebuffer, live()) F(ColorAttachments, color, any()) F(Attachment, depth, any())        \
  F(Attachment, stencil, any()) F(U8x8, drawBuffers, any()) F(u8, readBuffer, any()) F(u8, defaultFixed, boolean()) \
  F(u16, defaultSamples, upTo(64)) F(u32, defaultWidth, upTo(kMaxTextureSize)) F(u32, defaultHeight, upTo(kMaxTextureSize)) \
  F(u32, defaultLayers, upTo(kMaxTextureSize))
MGL_PAYLOAD(UpdateFramebuffer, 192);  // drawBuffers[i]: attachment that fragment output i goes to, or kNoColor
#define MGL_FIELDS_DestroyFramebuffer(F) F(FramebufferHandle, framebuffer, live())
MGL_PAYLOAD(DestroyFramebuffer, 8);

// ---- Programs. A relink re-issues CreateProgram on the same handle and clears its bindings, which come before it.

using StageBlobs = std::array<BlobRef, countOf<Stage>()>;
#define MGL_FIELDS_CreateProgram(F)                                                                              \
  F(ProgramHandle, program, renewed()) F(u32, stages, upTo(63)) F(u32, linked, boolean()) F(StageBlobs, spirv, any()) F(BlobRef, archive, any())
MGL_PAYLOAD(CreateProgram, 128);
using StagePrograms = std::array<ProgramHandle, countOf<Stage>()>;
#define MGL_FIELDS_CreatePipeline(F) F(ProgramHandle, pipeline, renewed()) F(StagePrograms, stages, optional())
MGL_PAYLOAD(CreatePipeline, 56);
#define MGL_FIELDS_DestroyProgram(F) F(ProgramHandle, program, live())
MGL_PAYLOAD(DestroyProgram, 8);

#define MGL_FIELDS_BindingIndex(F) F(u32, binding, upTo(kMaxBufferBindings - 1))
MGL_PAYLOAD(BindingIndex, 4);  // of the block with this index
#define MGL_FIELDS_SamplerUnit(F) F(u32, unit, upTo(kMaxTextureUnits - 1))
MGL_PAYLOAD(SamplerUnit, 4);  // of one element of the archive's samplers (arrays flattened), then of its images
#define MGL_FIELDS_SetProgramBindings(F)                                                                          \
  F(ProgramHandle, program, live()) F(u32, blockCount, upTo(kMaxBlockBindings)) F(u32, storageCount, upTo(kMaxBlockBindings)) \
  F(u32, samplerCount, upTo(kMaxTextureUnits)) F(u32, imageCount, upTo(kMaxImageUnits))
MGL_PAYLOAD(SetProgramBindings, 24);
MGL_TAILS(SetProgramBindings, Tail<BindingIndex, &SetProgramBindings::blockCount>,
          Tail<BindingIndex, &SetProgramBindings::storageCount>, Tail<SamplerUnit, &SetProgramBindings::samplerCount>,
          Tail<SamplerUnit, &SetProgramBindings::imageCount>);

#define MGL_FIELDS_UniformPatch(F) F(u32, offset, upTo(kMaxUniformBlockBytes)) F(u32, bytes, upTo(kMaxUniformBlockBytes))
MGL_PAYLOAD(UniformPatch, 8);
// Patches of the default block, in order; their bytes follow one another in the blob. For what does not fit a draw.
#define MGL_FIELDS_UpdateUniforms(F) \
  F(ProgramHandle, program, live()) F(u32, patchCount, upTo(4096)) F(u32, pad, zero()) F(BlobRef, data, any())
MGL_PAYLOAD(UpdateUniforms, 32);
MGL_TAILS(UpdateUniforms, Tail<UniformPatch, &UpdateUniforms::patchCount>);

// ---- Queries, transform feedback objects, sync

#define MGL_FIELDS_CreateQuery(F) F(QueryHandle, query, fresh()) F(QueryKind, kind, any()) F(u8, stream, upTo(3)) F(U8x6, pad, zero())
MGL_PAYLOAD(CreateQuery, 16);
#define MGL_FIELDS_DestroyQuery(F) F(QueryHandle, query, live())
MGL_PAYLOAD(DestroyQuery, 8);
#define MGL_FIELDS_CreateStreamOutput(F) F(StreamOutputHandle, streamOutput, fresh())
MGL_PAYLOAD(CreateStreamOutput, 8);
#define MGL_FIELDS_DestroyStreamOutput(F) F(StreamOutputHandle, streamOutput, live())
MGL_PAYLOAD(DestroyStreamOutput, 8);
#define MGL_FIELDS_DestroySync(F) F(SyncHandle, sync, live())
MGL_PAYLOAD(DestroySync, 8);

#define MGL_FIELDS_Label(F) F(LabelKind, kind, any()) F(U8x3, pad, zero()) F(u32, slot, any()) F(u32, gen, any()) F(u32, bytes, upTo(kMaxLabelBytes))
MGL_PAYLOAD(Label, 16);  // for the host's debugger only: an object that is gone is no fault
MGL_TAILS(Label, Tail<u8, &Label::bytes>);

}  // namespace mgl::pipe

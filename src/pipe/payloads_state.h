// State: what a context has bound and set. Each record replaces the whole group that it names, in the applied state of the
// stream's current context. CSOs (render state, sampler state, vertex format) are immutable objects identified by content.
#pragma once

#include "format/format.h"
#include "pipe/limits.h"
#include "pipe/record.h"

namespace mgl::pipe {

using format::Format;

#define MGL_FIELDS_BlendTarget(F)                                                                                  \
  F(u8, enable, boolean()) F(BlendFactor, srcColor, any()) F(BlendFactor, dstColor, any()) F(BlendOp, colorOp, any()) \
  F(BlendFactor, srcAlpha, any()) F(BlendFactor, dstAlpha, any()) F(BlendOp, alphaOp, any()) F(u8, writeMask, upTo(15))
MGL_PAYLOAD(BlendTarget, 8);  // writeMask: bit 0 red … bit 3 alpha
using BlendTargets = std::array<BlendTarget, kMaxColorTargets>;

#define MGL_FIELDS_StencilFace(F)                                                                       \
  F(CompareOp, func, any()) F(StencilOp, fail, any()) F(StencilOp, depthFail, any()) F(StencilOp, pass, any()) \
  F(u8, readMask, any()) F(u8, writeMask, any()) F(U8x2, pad, zero())
MGL_PAYLOAD(StencilFace, 8);
using StencilFaces = std::array<StencilFace, 2>;  // front, back

// Everything fixed-function that seldom changes: one CSO by content. Values with a continuous range are in RasterValues,
// BlendColor and StencilReference, so that animating one makes no new CSO.
#define MGL_FIELDS_RenderState(F)                                                                                   \
  F(BlendTargets, blend, any()) F(StencilFaces, stencil, any())                                                     \
  F(u8, depthTest, boolean()) F(u8, depthWrite, boolean()) F(CompareOp, depthFunc, any()) F(u8, depthClamp, boolean()) \
  F(u8, stencilTest, boolean()) F(u8, depthBoundsTest, boolean()) F(u8, logicOpEnable, boolean()) F(LogicOp, logicOp, any()) \
  F(CullMode, cullMode, any()) F(Winding, frontFace, any()) F(PolygonMode, polygonFront, any()) F(PolygonMode, polygonBack, any()) \
  F(u8, offsetFill, boolean()) F(u8, offsetLine, boolean()) F(u8, offsetPoint, boolean()) F(u8, rasterizerDiscard, boolean()) \
  F(u8, multisample, boolean()) F(u8, alphaToCoverage, boolean()) F(u8, alphaToOne, boolean()) F(u8, sampleCoverage, boolean()) \
  F(u8, sampleMask, boolean()) F(u8, sampleShading, boolean()) F(u8, lineSmooth, boolean()) F(u8, polygonSmooth, boolean()) \
  F(u8, programPointSize, boolean()) F(PointOrigin, pointOrigin, any()) F(ProvokingVertex, provokingVertex, any()) \
  F(RestartMode, restart, any()) F(ClipOrigin, clipOrigin, any()) F(ClipDepth, clipDepth, any()) \
  F(u8, framebufferSrgb, boolean()) F(u8, clipDistances, any()) F(u8, seamlessCube, boolean()) F(u8, lineStipple, boolean()) \
  F(u8, blendCoherent, boolean()) F(u8, clampFragmentColor, boolean()) F(u32, restartIndex, any())
MGL_PAYLOAD(RenderState, 120);

#define MGL_FIELDS_CreateRenderState(F) F(RenderStateHandle, renderState, fresh()) F(RenderState, state, any())
MGL_PAYLOAD(CreateRenderState, 128);
#define MGL_FIELDS_BindRenderState(F) F(RenderStateHandle, renderState, live())
MGL_PAYLOAD(BindRenderState, 8);
#define MGL_FIELDS_DestroyRenderState(F) F(RenderStateHandle, renderState, live())
MGL_PAYLOAD(DestroyRenderState, 8);

#define MGL_FIELDS_RasterValues(F)                                                                                   \
  F(f32, lineWidth, finite()) F(f32, pointSize, finite()) F(f32, pointFadeThreshold, finite()) F(f32, offsetFactor, finite()) \
  F(f32, offsetUnits, finite()) F(f32, offsetClamp, finite()) F(f32, minSampleShading, finite()) F(f32, coverageValue, finite()) \
  F(u32, coverageInvert, boolean()) F(u32, sampleMask, any()) F(f32, depthBoundsMin, finite()) F(f32, depthBoundsMax, finite())
MGL_PAYLOAD(RasterValues, 48);
#define MGL_FIELDS_SetRasterValues(F) F(RasterValues, values, any())
MGL_PAYLOAD(SetRasterValues, 48);

#define MGL_FIELDS_SetBlendColor(F) F(F32x4, color, any())
MGL_PAYLOAD(SetBlendColor, 16);
#define MGL_FIELDS_SetStencilReference(F) F(u32, front, upTo(255)) F(u32, back, upTo(255))
MGL_PAYLOAD(SetStencilReference, 8);

#define MGL_FIELDS_Viewport(F)                                                                       \
  F(f32, x, finite()) F(f32, y, finite()) F(f32, width, finite()) F(f32, height, finite()) F(f32, nearDepth, finite()) \
  F(f32, farDepth, finite())
MGL_PAYLOAD(Viewport, 24);  // GL window coordinates, origin lower left
#define MGL_FIELDS_SetViewports(F) F(u32, count, range(1, kMaxViewports)) F(u32, pad, zero())
MGL_PAYLOAD(SetViewports, 8);
MGL_TAILS(SetViewports, Tail<Viewport, &SetViewports::count>);

#define MGL_FIELDS_Scissor(F) F(i32, x, any()) F(i32, y, any()) F(u32, width, any()) F(u32, height, any())
MGL_PAYLOAD(Scissor, 16);
#define MGL_FIELDS_SetScissors(F) F(u32, count, range(1, kMaxViewports)) F(u32, enableMask, upTo(0xffff))
MGL_PAYLOAD(SetScissors, 8);
MGL_TAILS(SetScissors, Tail<Scissor, &SetScissors::count>);

#define MGL_FIELDS_Rect(F) F(i32, x, any()) F(i32, y, any()) F(i32, width, any()) F(i32, height, any())
MGL_PAYLOAD(Rect, 16);
#define MGL_FIELDS_SetWindowRectangles(F) F(u32, count, upTo(8)) F(u32, inclusive, boolean())
MGL_PAYLOAD(SetWindowRectangles, 8);
MGL_TAILS(SetWindowRectangles, Tail<Rect, &SetWindowRectangles::count>);

#define MGL_FIELDS_SetPatchParameters(F)                                                                    \
  F(F32x4, outerLevels, any()) F(f32, innerLevel0, any()) F(f32, innerLevel1, any()) F(u32, vertices, range(1, 32)) \
  F(u32, pad, zero())
MGL_PAYLOAD(SetPatchParameters, 32);

// The current generic attributes (glVertexAttrib*), for what the program reads and the vertex array does not supply.
#define MGL_FIELDS_AttribDefault(F)                                                                       \
  F(u32, location, upTo(kMaxVertexAttribs - 1)) F(AttribClass, cls, any()) F(U8x3, pad, zero()) F(U32x4, bits, any())
MGL_PAYLOAD(AttribDefault, 24);  // bits: four floats, ints or uints; two doubles do not travel here
#define MGL_FIELDS_SetAttribDefaults(F) F(u32, count, upTo(kMaxVertexAttribs)) F(u32, pad, zero())
MGL_PAYLOAD(SetAttribDefaults, 8);
MGL_TAILS(SetAttribDefaults, Tail<AttribDefault, &SetAttribDefaults::count>);

// ---- Samplers, views, images, shader buffers: windows from binding 0 that hold at least what the program touches.

#define MGL_FIELDS_SamplerState(F)                                                                               \
  F(Filter, minFilter, any()) F(Filter, magFilter, any()) F(MipMode, mipMode, any()) F(Wrap, wrapS, any())       \
  F(Wrap, wrapT, any()) F(Wrap, wrapR, any()) F(u8, compareEnable, boolean()) F(CompareOp, compareOp, any())     \
  F(f32, lodBias, any()) F(f32, minLod, any()) F(f32, maxLod, any()) F(f32, maxAnisotropy, any())                \
  F(U32x4, border, any()) F(BorderClass, borderClass, any()) F(u8, cubeSeamless, boolean()) F(u8, srgbDecodeSkip, boolean()) \
  F(U8x5, pad, zero())
MGL_PAYLOAD(SamplerState, 48);
#define MGL_FIELDS_CreateSampler(F) F(SamplerHandle, sampler, fresh()) F(SamplerState, state, any())
MGL_PAYLOAD(CreateSampler, 56);
#define MGL_FIELDS_DestroySampler(F) F(SamplerHandle, sampler, live())
MGL_PAYLOAD(DestroySampler, 8);

#define MGL_FIELDS_ViewBinding(F) F(TextureHandle, texture, optional())
MGL_PAYLOAD(ViewBinding, 8);  // null: the unit samples as an incomplete texture
#define MGL_FIELDS_SetSamplerViews(F) F(u32, count, upTo(kMaxTextureUnits)) F(u32, pad, zero())
MGL_PAYLOAD(SetSamplerViews, 8);
MGL_TAILS(SetSamplerViews, Tail<ViewBinding, &SetSamplerViews::count>);

#define MGL_FIELDS_SamplerBinding(F) F(SamplerHandle, sampler, optional())
MGL_PAYLOAD(SamplerBinding, 8);  // null: the texture's own sampler state
#define MGL_FIELDS_BindSamplerStates(F) F(u32, count, upTo(kMaxTextureUnits)) F(u32, pad, zero())
MGL_PAYLOAD(BindSamplerStates, 8);
MGL_TAILS(BindSamplerStates, Tail<SamplerBinding, &BindSamplerStates::count>);

#define MGL_FIELDS_ImageBinding(F)                                                                                \
  F(TextureHandle, texture, optional()) F(u32, level, upTo(kMaxTextureLevels - 1)) F(u32, layer, any())           \
  F(Format, format, any()) F(ImageAccess, access, any()) F(u8, layered, boolean()) F(u32, pad, zero())
MGL_PAYLOAD(ImageBinding, 24);
#define MGL_FIELDS_SetShaderImages(F) F(u32, count, upTo(kMaxImageUnits)) F(u32, pad, zero())
MGL_PAYLOAD(SetShaderImages, 8);
MGL_TAILS(SetShaderImages, Tail<ImageBinding, &SetShaderImages::count>);

#define MGL_FIELDS_BufferRange(F) F(BufferHandle, buffer, optional()) F(u64, offset, any()) F(u64, bytes, any())
MGL_PAYLOAD(BufferRange, 24);  // bytes = kWholeBuffer follows the buffer's size at the time of use
#define MGL_FIELDS_SetShaderBuffers(F) \
  F(u32, count, upTo(kMaxBufferBindings)) F(BufferClass, cls, any()) F(U8x3, pad, zero())
MGL_PAYLOAD(SetShaderBuffers, 8);
MGL_TAILS(SetShaderBuffers, Tail<BufferRange, &SetShaderBuffers::count>);

#define MGL_FIELDS_SetStreamOutputTargets(F) \
  F(StreamOutputHandle, streamOutput, live()) F(u32, count, upTo(kMaxStreamOutputBuffers)) F(u32, pad, zero())
MGL_PAYLOAD(SetStreamOutputTargets, 16);
MGL_TAILS(SetStreamOutputTargets, Tail<BufferRange, &SetStreamOutputTargets::count>);

// ---- Framebuffers bound; null is the context's own surface (draw or read), whose buffers DefaultTargets choose.

#define MGL_FIELDS_BindFramebuffer(F) F(FramebufferHandle, draw, optional())
MGL_PAYLOAD(BindFramebuffer, 8);
// 0 none, 1 back left, 2 front left
#define MGL_FIELDS_SetDefaultTargets(F) F(u32, drawBuffer, upTo(2)) F(u32, readBuffer, upTo(2))
MGL_PAYLOAD(SetDefaultTargets, 8);

#define MGL_FIELDS_SetRenderCondition(F) \
  F(QueryHandle, query, optional()) F(ConditionMode, mode, any()) F(u8, inverted, boolean()) F(u16, pad, zero()) F(u32, pad2, zero())
MGL_PAYLOAD(SetRenderCondition, 16);  // null query: unconditional

}  // namespace mgl::pipe

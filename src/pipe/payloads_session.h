// The session itself: caps, contexts, surfaces, presentation.
#pragma once

#include "pipe/payloads_verb.h"

namespace mgl::pipe {

#define MGL_FIELDS_GetCaps(F) F(u32, replySlot, upTo(kMaxReplySlots - 1)) F(u32, pad, zero())
MGL_PAYLOAD(GetCaps, 8);

inline constexpr u32 kContextDebug = 1, kContextRobust = 2, kContextNoError = 4;
#define MGL_FIELDS_CreateContext(F) F(ContextHandle, context, fresh()) F(u32, flags, mask(7)) F(u32, priority, upTo(2))
MGL_PAYLOAD(CreateContext, 16);
#define MGL_FIELDS_DestroyContext(F) F(ContextHandle, context, live())
MGL_PAYLOAD(DestroyContext, 8);
// The records that follow are this context's. No GL effect.
#define MGL_FIELDS_SwitchContext(F) F(ContextHandle, context, live())
MGL_PAYLOAD(SwitchContext, 8);
// Make-current, with its flush.
#define MGL_FIELDS_BindContext(F) F(ContextHandle, context, live()) F(SurfaceHandle, draw, optional()) F(SurfaceHandle, read, optional())
MGL_PAYLOAD(BindContext, 24);
// Make-current away, after its flush: the next thread that has the context current says so by BindContext.
#define MGL_FIELDS_ReleaseContext(F) F(ContextHandle, context, live())
MGL_PAYLOAD(ReleaseContext, 8);

#define MGL_FIELDS_CreateSurface(F)                                                                               \
  F(SurfaceHandle, surface, fresh()) F(SurfaceKind, kind, any()) F(u8, samples, upTo(64)) F(Format, colorFormat, any()) \
  F(Format, depthStencilFormat, any()) F(u16, pad, zero()) F(u32, width, upTo(kMaxTextureSize)) F(u32, height, upTo(kMaxTextureSize)) \
  F(u64, nativeDisplay, any()) F(u64, nativeWindow, any())
MGL_PAYLOAD(CreateSurface, 40);  // nativeDisplay: 0, or a connection id for the platform seam; never a pointer
#define MGL_FIELDS_ResizeSurface(F) F(SurfaceHandle, surface, live()) F(u32, width, upTo(kMaxTextureSize)) F(u32, height, upTo(kMaxTextureSize))
MGL_PAYLOAD(ResizeSurface, 16);
#define MGL_FIELDS_SetSwapInterval(F) F(SurfaceHandle, surface, live()) F(i32, interval, any()) F(u32, pad, zero())
MGL_PAYLOAD(SetSwapInterval, 16);
#define MGL_FIELDS_DestroySurface(F) F(SurfaceHandle, surface, live())
MGL_PAYLOAD(DestroySurface, 8);
inline constexpr u32 kPresentPreserve = 1, kPresentAged = 2;
#define MGL_FIELDS_Present(F) \
  F(SurfaceHandle, surface, live()) F(u64, frameSerial, range(1, ~0ull)) F(u32, flags, mask(3)) F(u32, damageCount, upTo(kMaxDamageRects))
MGL_PAYLOAD(Present, 24);  // frameSerial: from 1, per surface
MGL_TAILS(Present, Tail<Rect, &Present::damageCount>);
// The client showed a returned frame: its memory may be used again.
#define MGL_FIELDS_ReleaseFrame(F) F(SurfaceHandle, surface, live()) F(u64, frameSerial, any())
MGL_PAYLOAD(ReleaseFrame, 16);

// ---- Events, server to client, in order with the commands

// context: whose record it was. call: which (Call::Count: not said). slot, gen: of the buffer whose store could not be had, and
// which store that was; else 0.
#define MGL_FIELDS_OnGlError(F)                                                                                     \
  F(ContextHandle, context, any()) F(GlError, error, any()) F(U8x3, pad, zero()) F(u32, call, any()) F(u32, slot, any()) \
  F(u32, gen, any()) F(u32, store, any()) F(u32, pad2, zero())
MGL_PAYLOAD(OnGlError, 32);
#define MGL_FIELDS_OnCompleted(F) F(u64, serial, any())
MGL_PAYLOAD(OnCompleted, 8);  // fences and flushes up to serial are done
#define MGL_FIELDS_OnQueryResult(F) F(QueryHandle, query, any()) F(u64, serial, any()) F(u64, value, any())
MGL_PAYLOAD(OnQueryResult, 24);
#define MGL_FIELDS_OnBufferWriteback(F) F(BufferHandle, buffer, any()) F(u64, offset, any()) F(BlobRef, data, any())
MGL_PAYLOAD(OnBufferWriteback, 32);
#define MGL_FIELDS_OnSurfaceChanged(F) F(SurfaceHandle, surface, any()) F(u32, width, any()) F(u32, height, any())
MGL_PAYLOAD(OnSurfaceChanged, 16);
#define MGL_FIELDS_OnPresented(F) F(SurfaceHandle, surface, any()) F(u64, frameSerial, any())
MGL_PAYLOAD(OnPresented, 16);  // a present credit comes back
#define MGL_FIELDS_OnFrame(F) F(SurfaceHandle, surface, any()) F(u64, frameSerial, any()) F(u32, width, any()) F(u32, height, any()) F(BlobRef, pixels, any())
MGL_PAYLOAD(OnFrame, 40);
#define MGL_FIELDS_OnCapsInvalidated(F) F(u32, reason, any()) F(u32, pad, zero())
MGL_PAYLOAD(OnCapsInvalidated, 8);
#define MGL_FIELDS_OnLog(F) F(DebugSeverity, severity, any()) F(U8x3, pad, zero()) F(u32, bytes, upTo(4096))
MGL_PAYLOAD(OnLog, 8);
MGL_TAILS(OnLog, Tail<u8, &OnLog::bytes>);

}  // namespace mgl::pipe

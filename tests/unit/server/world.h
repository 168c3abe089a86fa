// Records for tests of the session, and a sequence that holds every call of the catalogue once or more, each valid
// where it stands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/null/null.h"
#include "pipe/record_writer.h"
#include "server/session.h"

namespace mgl::server {

struct Emitted {
  pipe::Call call = pipe::Call::Count;
  std::vector<u64> words;
  std::vector<std::vector<std::byte>> blobs;

  const pipe::RecordHeader* header() const { return reinterpret_cast<const pipe::RecordHeader*>(words.data()); }
  Bytes bytes() const { return std::as_bytes(std::span(words)); }
  std::vector<pipe::HostSpan> spans() const { return {blobs.begin(), blobs.end()}; }
};

template <class P, class... Tails>
Emitted record(const P& payload, std::vector<std::vector<std::byte>> blobs, const Tails&... tails) {
  Emitted emitted{pipe::CallOf<P>::kCall, std::vector<u64>(pipe::recordBytes(payload) / 8), std::move(blobs)};
  pipe::writeRecord(emitted.words.data(), payload, tails...);
  return emitted;
}
template <class P, class... Tails>
requires(sizeof...(Tails) == pipe::TailsOf<P>::kSize) Emitted record(const P& payload, const Tails&... tails) {
  return record(payload, {}, tails...);
}

inline pipe::BlobRef hostBlob(u64 index, std::size_t bytes) {
  return {index, static_cast<u32>(bytes), pipe::BlobWhere::Host};
}

// The record with its blobs moved from host spans to a stage.
Emitted staged(const Emitted& emitted, std::vector<std::byte>* stage);

std::unique_ptr<Session> openNull();

// What tests name.
inline constexpr pipe::ContextHandle kContext{1, 1}, kOtherContext{2, 1};
inline constexpr pipe::SurfaceHandle kSurface{1, 1};
inline constexpr pipe::RenderStateHandle kRenderState{1, 1};
inline constexpr pipe::SamplerHandle kSampler{1, 1};
inline constexpr pipe::VertexFormatHandle kFormat{1, 1};
inline constexpr pipe::BufferHandle kBuffer{1, 1}, kIndices{2, 1};
inline constexpr pipe::TextureHandle kTexture{1, 1}, kMutable{2, 1}, kDepth{3, 1}, kTexels{4, 1}, kView{5, 1},
    kCube{6, 1};
inline constexpr pipe::VertexArrayHandle kVertexArray{1, 1};
inline constexpr pipe::FramebufferHandle kFramebuffer{1, 1};
inline constexpr pipe::ProgramHandle kProgram{1, 1}, kPipeline{2, 1};
inline constexpr pipe::QueryHandle kQuery{1, 1}, kTimestamp{2, 1};
inline constexpr pipe::StreamOutputHandle kStreamOutput{1, 1};
inline constexpr pipe::SyncHandle kSync{1, 1};

inline constexpr u32 kBufferBytes = 65536, kTextureSize = 16, kUniformBytes = 64, kSamplerUnit = 3;

// A linked vertex and fragment program: a default block of kUniformBytes, a uniform block, a sampler on unit 0 until
// bindings move it.
Emitted createProgram(pipe::ProgramHandle program);
pipe::Draw drawPayload();
Emitted drawRecord(const pipe::Draw& draw, std::span<const pipe::DrawRange> ranges,
                   std::span<const pipe::UniformPatch> patches, std::span<const u8> bytes);
// The draw of the measured workload: one indexed range, one uniform of three floats.
Emitted warmDraw();

// Objects of each kind and everything that a draw needs.
std::vector<Emitted> setUp();
// setUp(), the state, object and verb rows, the end of everything. Leaves out rows that are refused as Unimplemented.
std::vector<Emitted> everything();
// A valid record of each row that everything() leaves out, for the state after setUp().
std::vector<Emitted> refused();

}  // namespace mgl::server

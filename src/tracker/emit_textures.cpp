#include "gl/buffer/buffer.h"
#include "gl/program/sampler_target.h"
#include "gl/texture/texture.h"
#include "tracker/tracker.h"

namespace mgl::tracker {

namespace {

pipe::Swizzle convert(GLenum swizzle) {
  switch (swizzle) {
    case GL_RED: return pipe::Swizzle::Red;
    case GL_GREEN: return pipe::Swizzle::Green;
    case GL_BLUE: return pipe::Swizzle::Blue;
    case GL_ALPHA: return pipe::Swizzle::Alpha;
    case GL_ZERO: return pipe::Swizzle::Zero;
    default: return pipe::Swizzle::One;
  }
}

}  // namespace

void Tracker::useTexture(client::Group& group, gl::Texture& texture) {
  const u64 version = texture.currentVersion();
  const bool due = texture.emittedVersion != version;
  if (!due && !isLooking()) return;
  texture.emittedVersion = version;
  const pipe::SamplerState state = texture.sampler.toPipe();
  pipe::SetTextureParameters out{};
  out.texture = texture.handle;
  out.baseLevel = static_cast<u16>(texture.effectiveBase());
  out.maxLevel = static_cast<u16>(std::min(texture.effectiveMax(), 1000));
  out.swizzleR = convert(texture.swizzle[0]);
  out.swizzleG = convert(texture.swizzle[1]);
  out.swizzleB = convert(texture.swizzle[2]);
  out.swizzleA = convert(texture.swizzle[3]);
  out.sampleStencil = texture.depthStencilMode == GL_STENCIL_INDEX;
  // What the verifier compares is the sampler's content, under the texture's name: each context has samplers of its own.
  if (verifier_) {
    const bool sampler = verifier_->take(due, pipe::CreateSampler{{texture.handle.slot, texture.handle.gen}, state});
    if (!verifier_->take(due, out) && !sampler) return;
  }
  out.sampler = samplers_.find(group, std::as_bytes(std::span(&state, 1)), [&](pipe::SamplerHandle made) {
    group.emit(pipe::CreateSampler{made, state});
  });
  group.emit(out);
}

void Tracker::emitTextures(client::Group& group) {
  gl::Context& c = context_;
  wantedViews_.clear();
  wantedSamplers_.clear();
  const auto addStage = [&](const gl::Executable& executable) {
    for (u32 s = 0; s < executable.archive.samplers.size(); ++s) {
      const shader::Sampler& sampler = executable.archive.samplers[s];
      const auto target = gl::samplerTarget(sampler.type);
      for (u32 element = 0; element < sampler.arraySize; ++element) {
        const u32 unit = executable.samplerUnits[executable.samplerFirst[s] + element];
        if (unit >= gl::kMaxUnits) continue;
        if (wantedViews_.size() <= unit) {
          wantedViews_.resize(unit + 1);
          wantedSamplers_.resize(unit + 1);
        }
        const gl::TextureUnit& bound = c.units[unit];
        gl::Texture* texture = bound.textures[indexOf(target)].get();
        if (texture == nullptr) texture = c.defaultTextures[indexOf(target)].get();
        if (texture == nullptr) continue;
        const gl::SamplerParameters& effective = bound.sampler ? bound.sampler->parameters : texture->sampler;
        if (!texture->isComplete(effective)) continue;
        useTexture(group, *texture);
        wantedViews_[unit].texture = texture->handle;
        if (!bound.sampler) continue;
        SamplerMemo& memo = samplerMemos_[unit];
        const u64 version = bound.sampler->currentVersion();
        if (memo.lifetimeId != bound.sampler->lifetimeId || memo.version != version || isLooking()) {
          const pipe::SamplerState state = effective.toPipe();
          memo.handle = samplers_.find(group, std::as_bytes(std::span(&state, 1)), [&](pipe::SamplerHandle made) {
            group.emit(pipe::CreateSampler{made, state});
          });
          memo.lifetimeId = bound.sampler->lifetimeId;
          memo.version = version;
        }
        wantedSamplers_[unit].sampler = memo.handle;
      }
    }
  };
  if (c.program) {
    if (drawExecutable_ != nullptr) addStage(*drawExecutable_);
  } else {
    for (const Ref<gl::Program>& program : c.pipeline->stages)
      if (program && program->executable) addStage(*program->executable);
  }

  // A window narrower than the one before keeps it: what lies beyond is not read.
  const auto same = [](const auto& wanted, const auto& had) {
    return wanted.size() <= had.size() && std::equal(wanted.begin(), wanted.end(), had.begin());
  };
  if (!same(wantedViews_, views_)) {
    tell(group, !verifier_ || !verifier_->isClaimed(), pipe::SetSamplerViews{static_cast<u32>(wantedViews_.size()), 0}, wantedViews_);
    views_ = wantedViews_;
  }
  if (!same(wantedSamplers_, samplerBindings_)) {
    tell(group, !verifier_ || !verifier_->isClaimed(), pipe::BindSamplerStates{static_cast<u32>(wantedSamplers_.size()), 0}, wantedSamplers_);
    samplerBindings_ = wantedSamplers_;
  }
}

}  // namespace mgl::tracker

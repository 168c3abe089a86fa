#include "tracker/verifier.h"

#include <cstring>
#include <string>
#include <utility>

#include "base/counters.h"
#include "base/knobs.h"
#include "base/log.h"
#include "pipe/calls.h"
#include "pipe/record_text.h"

namespace mgl::tracker {

namespace {

struct Place {
  Told::Key key;
  u32 gen;
  bool isObject;
};

// An object's record begins with its handle; the state of which there are several parts begins with the part.
Place placeOf(const pipe::RecordHeader* record) {
  const auto call = static_cast<pipe::Call>(record->call);
  if (pipe::callInfo(call).cls != pipe::CallClass::State) {
    u32 handle[2];
    std::memcpy(handle, record + 1, sizeof handle);
    return {{record->call, handle[0]}, handle[1], true};
  }
  u32 part = 0;
  if (call == pipe::Call::SetShaderBuffers)
    part = indexOf(reinterpret_cast<const pipe::SetShaderBuffers*>(record + 1)->cls);
  return {{record->call, part}, 0, false};
}

}  // namespace

const pipe::RecordHeader* Told::find(Key key, u32 gen) const {
  const auto at = entries_.find(key);
  if (at == entries_.end() || at->second.gen != gen) return nullptr;
  return reinterpret_cast<const pipe::RecordHeader*>(at->second.words.data());
}

void Told::keep(Key key, u32 gen, const pipe::RecordHeader* record) {
  Entry& entry = entries_[key];
  entry.gen = gen;
  const auto* words = reinterpret_cast<const u64*>(record);
  entry.words.assign(words, words + record->bytes / sizeof(u64));
}

std::unique_ptr<Verifier> Verifier::make(std::shared_ptr<Told>& objects) {
  const bool always = knobs().pipeVerify;
  const auto every = static_cast<u32>(knobs().pipeDrawDeltaShadow);
  if (!always && every == 0) return nullptr;
  if (objects == nullptr) objects = std::make_shared<Told>();
  return std::unique_ptr<Verifier>(new Verifier(always, always ? 1 : every, objects));
}

bool Verifier::begin(bool holds) {
  end();
  if (!holds) {
    looking_ = always_;
    if (always_) countHeld(Counter::VerifyChecks);
    return false;
  }
  if (++hits_ % every_ != 0) return true;
  looking_ = claimed_ = true;
  countHeld(always_ ? Counter::VerifyChecks : Counter::DeltaShadowChecks);
  return false;
}

bool Verifier::takeRecord(const pipe::RecordHeader* record, bool due) {
  const Place place = placeOf(record);
  Told& told = place.isObject ? *objects_ : states_;
  const pipe::RecordHeader* before = told.find(place.key, place.gen);
  if (before != nullptr && before->bytes == record->bytes && std::memcmp(before, record, record->bytes) == 0) return due;
  if (!due || claimed_) {
    const std::string text = before == nullptr
                                 ? std::string(pipe::callInfo(static_cast<pipe::Call>(record->call)).name) + " was never told"
                                 : pipe::firstDifference(before, record) + " is what it would be now";
    fault(text.c_str());
  }
  told.keep(place.key, place.gen, record);
  return true;
}

void Verifier::fault(const char* what) {
  if (std::exchange(faulted_, true)) return;
  countHeld(always_ ? Counter::VerifyFaults : Counter::DeltaShadowFaults);
  MGL_LOGE("%s: %s", claimed_ ? "the draw delta held, and" : "no version moved, and", what);
}

}  // namespace mgl::tracker

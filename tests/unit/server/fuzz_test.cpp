// Valid streams with random damage, as a hostile peer would send them: the session ends with a named fault or goes on;
// it never reads or writes outside of its memory (run under the address sanitizer), and Null's own checks hold.
#include <gtest/gtest.h>

#include <random>

#include "world.h"

namespace mgl::server {
namespace {

struct Damage {
  std::mt19937_64 random;

  u64 below(u64 bound) { return random() % bound; }

  // A number that is often near an edge.
  u64 number() {
    constexpr u64 kEdges[] = {0,
                              1,
                              2,
                              3,
                              7,
                              8,
                              15,
                              16,
                              31,
                              32,
                              63,
                              64,
                              255,
                              256,
                              4096,
                              65535,
                              65536,
                              0x7fffffff,
                              0x80000000,
                              0xffffffff,
                              0x7fffffffffffffff,
                              0x8000000000000000,
                              ~u64{0}};
    return below(3) == 0 ? random() : kEdges[below(std::size(kEdges))];
  }

  void apply(Emitted& emitted) {
    auto* bytes = reinterpret_cast<std::byte*>(emitted.words.data());
    const u64 size = emitted.words.size() * 8;
    switch (below(6)) {
      case 0:
        bytes[below(size)] ^= static_cast<std::byte>(1u << below(8));
        break;
      case 1: {  // one field, mostly leaving the header alone
        const u64 value = number();
        const u64 width = u64{1} << below(4);
        const u64 at = size > 16 ? 8 + below((size - 8) / width) * width : 0;
        std::memcpy(bytes + at, &value, std::min(width, size - at));
        break;
      }
      case 2: {  // a small number where a small number was
        const u64 at = size > 8 ? 8 + below((size - 8) / 4) * 4 : 0;
        const u32 value = static_cast<u32>(below(40));
        std::memcpy(bytes + at, &value, 4);
        break;
      }
      case 3:
        emitted.words.resize(1 + below(emitted.words.size() + 4));
        break;
      case 4: {
        auto* header = reinterpret_cast<pipe::RecordHeader*>(bytes);
        header->call = static_cast<u16>(below(countOf<pipe::Call>() + 2));
        break;
      }
      default:
        if (!emitted.blobs.empty()) {
          auto& blob = emitted.blobs[below(emitted.blobs.size())];
          if (below(4) == 0) blob.resize(below(blob.size() + 8));
          if (!blob.empty()) blob[below(blob.size())] = static_cast<std::byte>(number());
        }
        break;
    }
  }
};

struct Outcome {
  u64 records = 0, faults = 0, survived = 0;
};

Outcome fuzz(u64 seed, u32 rounds) {
  Damage damage{std::mt19937_64(seed)};
  const std::vector<Emitted> stream = everything();
  Outcome outcome;
  for (u32 round = 0; round < rounds; ++round) {
    const auto session = openNull();
    for (std::size_t i = 0; i < stream.size() && !session->faulted(); ++i) {
      // The set-up stays whole more often than not, so that what comes after has something to hit.
      const bool damaged = i < 40 ? damage.below(200) == 0 : damage.below(12) == 0;
      Emitted emitted = stream[damage.below(40) == 0 ? damage.below(stream.size()) : i];
      std::vector<std::byte> stage;
      Emitted moved = staged(emitted, &stage);
      if (damaged) {
        damage.apply(emitted);
        moved = emitted.blobs.empty() ? emitted : moved;
        if (!emitted.blobs.empty()) damage.apply(moved);
      }
      const ApplyResult result = session->applyHostile(moved.bytes(), stage);
      ++outcome.records;
      outcome.survived += damaged && result.ok;
      if (!result.ok) {
        ++outcome.faults;
        EXPECT_TRUE(session->fault());
        EXPECT_FALSE(session->fault().where.empty());
      } else if (result.reply != nullptr && result.reply->bytes <= 1u << 20) {
        std::vector<std::byte> bytes(result.reply->bytes);
        EXPECT_TRUE(session->finishReply(*result.reply, bytes).ok);
      }
    }
  }
  return outcome;
}

TEST(Fuzz, DamagedStreamsEndInNamedFaults) {
  const Outcome outcome = fuzz(20, 3000);
  // The damage hits: many sessions end, and many damaged records are valid still.
  EXPECT_GT(outcome.faults, 1000u);
  EXPECT_GT(outcome.survived, 300u);
  EXPECT_GT(outcome.records, 60000u);
}

TEST(Fuzz, RandomBytesNeverPass) {
  std::mt19937_64 random(7);
  for (u32 i = 0; i < 300; ++i) {
    std::vector<u64> words(1 + random() % 16);
    for (u64& word : words) word = random();
    const auto session = openNull();
    session->applyHostile(std::as_bytes(std::span(words)).first(random() % (words.size() * 8 + 1)), {});
    EXPECT_TRUE(session->faulted());
  }
}

}  // namespace
}  // namespace mgl::server

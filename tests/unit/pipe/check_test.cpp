// Every rule of the catalogue, held against the checker: cases made from the list itself.
#include "pipe/check.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "pipe/record_writer.h"
#include "record_maker.h"

namespace mgl::pipe {
namespace {

// True: the checker let it pass. *where: what it named.
using Checker = std::function<bool(const RecordHeader*, u64 available, std::string* where)>;

bool realCheck(const RecordHeader* record, u64 available, std::string* where) {
  Fault fault;
  const bool good = checkRecord(record, available, TestOracle(), {kTestStage, {}}, &fault);
  *where = fault.where;
  return good;
}
bool realEventCheck(const RecordHeader* record, u64 available, std::string* where) {
  Fault fault;
  const bool good = checkEvent(record, available, {kTestStage, {}}, &fault);
  *where = fault.where;
  return good;
}

// A value that the rule forbids, as bytes to be put at an offset within the field.
struct BadValue {
  u32 within;
  std::vector<std::byte> bytes;
};
template <class T>
BadValue bad(T value, u32 within = 0) {
  BadValue result{within, std::vector<std::byte>(sizeof(T))};
  std::memcpy(result.bytes.data(), &value, sizeof(T));
  return result;
}
BadValue badNumber(const Leaf& leaf, u64 value) {
  BadValue result{0, std::vector<std::byte>(leaf.bytes)};
  std::memcpy(result.bytes.data(), &value, leaf.bytes);
  return result;
}

std::vector<BadValue> badValues(const Leaf& leaf, bool handlesChecked) {
  std::vector<BadValue> values;
  const u64 most = leaf.bytes >= 8 ? ~u64{0} : (u64{1} << (leaf.bytes * 8)) - 1;
  switch (leaf.type) {
    case LeafType::Enum:
      values.push_back(badNumber(leaf, leaf.bound));
      values.push_back(badNumber(leaf, most));
      break;
    case LeafType::Blob:
      values.push_back(bad(BlobRef{kTestStage, 1, BlobWhere::Stage}));
      values.push_back(bad(BlobRef{kTestStage + 1, 0, BlobWhere::Stage}));
      values.push_back(bad(BlobRef{~u64{0}, 2, BlobWhere::Stage}));
      values.push_back(bad(BlobRef{0, static_cast<u32>(kTestStage) + 1, BlobWhere::Stage}));
      values.push_back(bad(BlobRef{0, 0, BlobWhere::Host}));
      values.push_back(bad(BlobRef{1, 0, BlobWhere::None}));
      values.push_back(bad(BlobRef{0, 0, BlobWhere::Count}));
      break;
    case LeafType::Handle: {
      if (!handlesChecked || leaf.rule.what == Rule::What::Any) break;
      const bool nullAllowed = leaf.rule.what == Rule::What::Optional;
      const bool liveAllowed = leaf.rule.what != Rule::What::Fresh;
      const bool freshAllowed = leaf.rule.what == Rule::What::Fresh || leaf.rule.what == Rule::What::Renewed;
      values.push_back(bad(u64{3} << 32 | 1));           // stale: slot 1, generation 3
      values.push_back(bad(u64{1} << 32 | 9));           // foreign: a slot where nothing is
      values.push_back(bad(u64{1} << 32 | 0xffffffff));  // foreign: beyond any table
      values.push_back(bad(u64{1} << 32));               // the null slot with a generation
      if (!nullAllowed) values.push_back(bad(u64{0}));
      if (!liveAllowed) values.push_back(bad(u64{1} << 32 | 1));
      if (!freshAllowed) values.push_back(bad(u64{2} << 32 | 1));
      break;
    }
    case LeafType::Float:
      if (leaf.rule.what != Rule::What::Finite) break;
      values.push_back(bad(std::numeric_limits<f32>::infinity()));
      values.push_back(bad(-std::numeric_limits<f32>::infinity()));
      values.push_back(bad(std::numeric_limits<f32>::quiet_NaN()));
      break;
    default:
      if (leaf.rule.what == Rule::What::Range) {
        if (leaf.rule.hi < most) {
          values.push_back(badNumber(leaf, leaf.rule.hi + 1));
          values.push_back(badNumber(leaf, most));
        }
        if (leaf.rule.lo > 0) values.push_back(badNumber(leaf, leaf.rule.lo - 1));
      } else if (leaf.rule.what == Rule::What::Mask) {
        for (u32 bit = 0; bit < leaf.bytes * 8; ++bit) {
          if ((leaf.rule.lo >> bit & 1) == 0) values.push_back(badNumber(leaf, u64{1} << bit));
        }
      } else if (leaf.rule.what == Rule::What::Zero) {
        values.push_back(badNumber(leaf, 1));
        values.push_back(badNumber(leaf, most));
      }
      break;
  }
  return values;
}

// Runs all the cases of one row; returns what was wrong with the checker.
std::vector<std::string> battery(u16 id, const RecordLayout& layout, bool handlesChecked, const Checker& check) {
  std::vector<std::string> wrong;
  std::string where;
  const std::string name = std::string(layout.name) + '.';
  auto refuses = [&](const MadeRecord& record, u64 available, const std::string& expected, const std::string& what) {
    where.clear();
    if (check(record.header(), available, &where)) {
      wrong.push_back(name + " lets pass: " + what);
    } else if (where != expected) {
      wrong.push_back(what + ": named " + where + " instead of " + expected);
    }
  };

  for (u32 elements : {0u, 1u, 3u, 5u}) {
    const MadeRecord good = makeRecord(id, layout, 11 + elements, elements);
    if (!check(good.header(), good.size(), &where)) wrong.push_back(name + " refuses a valid record: " + where);
  }

  const MadeRecord valid = makeRecord(id, layout, 1, 3);
  // Every truncation: fewer bytes there than the header says, and a header that says fewer or more.
  for (u64 available = 0; available < valid.size(); ++available)
    refuses(valid, available, "record.bytes", "truncated to " + std::to_string(available));
  for (u32 bytes = 0; bytes < valid.size() + 64; ++bytes) {
    if (bytes == valid.size()) continue;
    MadeRecord record = valid;
    record.words.resize(record.words.size() + 8);
    record.header()->bytes = bytes;
    const bool frame = bytes % 8 != 0 || bytes < sizeof(RecordHeader);
    refuses(record, record.size(), frame ? "record.bytes" : name + "bytes", "header says " + std::to_string(bytes));
  }
  MadeRecord flagged = valid;
  flagged.header()->flags = 1;
  refuses(flagged, flagged.size(), "record.flags", "flags");

  for (const Place& place : valid.places) {
    const auto values = badValues(*place.leaf, handlesChecked);
    for (std::size_t i = 0; i < values.size(); ++i) {
      MadeRecord record = valid;
      std::memcpy(record.bytes() + place.offset + values[i].within, values[i].bytes.data(), values[i].bytes.size());
      refuses(record, record.size(), name + place.path, place.path + " with bad value " + std::to_string(i));
    }
  }

  // Padding behind tails whose elements are no whole words.
  u64 at = sizeof(RecordHeader) + layout.payload.bytes;
  for (const TailLayout& tail : layout.tails) {
    const u64 used = leafValue(layout.payload.leaves[tail.countLeaf], valid.header() + 1) * tail.element.bytes;
    for (u64 i = used; i < alignUp<u64>(used, 8); ++i) {
      MadeRecord record = valid;
      record.bytes()[at + i] = std::byte{1};
      refuses(record, record.size(), name + "padding", "padding");
    }
    at += alignUp<u64>(used, 8);
  }
  return wrong;
}

std::vector<std::string> battery(Call call, const Checker& check) {
  return battery(static_cast<u16>(call), layoutOf(call), true, check);
}

class EveryCall : public testing::TestWithParam<u32> {
 protected:
  Call call() const { return static_cast<Call>(GetParam()); }
};
class EveryEvent : public testing::TestWithParam<u32> {};

TEST_P(EveryCall, KeepsItsRules) {
  for (const std::string& text : battery(call(), realCheck)) ADD_FAILURE() << text;
}
TEST_P(EveryEvent, KeepsItsRules) {
  const auto event = static_cast<Event>(GetParam());
  for (const std::string& text : battery(static_cast<u16>(event), layoutOf(event), false, realEventCheck))
    ADD_FAILURE() << text;
}

template <Call C>
std::vector<u64> rewritten(const RecordHeader* record) {
  using P = typename PayloadOf<C>::Type;
  const RecordView<P> view(record);
  std::vector<u64> words(recordBytes(view.head) / 8, ~u64{0});
  [&]<u32... I>(std::integer_sequence<u32, I...>) {
    const std::byte* end = writeRecord(words.data(), view.head, view.template tail<I>()...);
    EXPECT_EQ(end, reinterpret_cast<const std::byte*>(words.data() + words.size()));
  }
  (std::make_integer_sequence<u32, TailsOf<P>::kSize>());
  return words;
}

TEST_P(EveryCall, ReadsBackAsWritten) {
  constexpr std::vector<u64> (*kRewrite[])(const RecordHeader*) = {
#define MGL_CALL(Name, cls, flags, wait, epoch, text) &rewritten<Call::Name>,
#include "pipe/pipe_calls.def"
#undef MGL_CALL
  };
  for (u32 elements : {0u, 1u, 2u, 7u}) {
    const MadeRecord record = makeRecord(call(), 3, elements);
    EXPECT_EQ(kRewrite[GetParam()](record.header()), record.words) << elements;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryCall, testing::Range(0u, countOf<Call>()),
                         [](const auto& row) { return std::string(callInfo(static_cast<Call>(row.param)).name); });
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryEvent, testing::Range(0u, countOf<Event>()),
                         [](const auto& row) { return std::string(layoutOf(static_cast<Event>(row.param)).name); });

TEST(Check, UnknownCallIsNamed) {
  alignas(8) RecordHeader header{static_cast<u16>(countOf<Call>()), 0, 8};
  std::string where;
  EXPECT_FALSE(realCheck(&header, 8, &where));
  EXPECT_EQ(where, "record.call");
}

// A count at its bound whose record would be larger than any may be.
TEST(Check, RecordsOverTheLimitAreRefused) {
  std::vector<u64> words(kMaxRecordBytes / 8 + 1);
  auto* header = reinterpret_cast<RecordHeader*>(words.data());
  *header = {static_cast<u16>(Call::Label), 0, kMaxRecordBytes + 8};
  std::string where;
  EXPECT_FALSE(realCheck(header, words.size() * 8, &where));
  EXPECT_EQ(where, "record.bytes");
}

TEST(Check, HostBlobsAreOneOfTheSpans) {
  const std::array<std::byte, 32> memory{};
  const HostSpan spans[] = {memory, Bytes(memory).first(4)};
  BufferSubData payload{{1, 1}, 0, {1, 4, BlobWhere::Host}};
  std::vector<u64> words(recordBytes(payload) / 8);
  Fault fault;
  auto good = [&] {
    writeRecord(words.data(), payload);
    return checkRecord(reinterpret_cast<RecordHeader*>(words.data()), words.size() * 8, TestOracle(), {0, spans},
                       &fault);
  };
  EXPECT_TRUE(good());
  payload.data.bytes = 5;
  EXPECT_FALSE(good());
  EXPECT_EQ(fault.text(), "ProtocolCorruption \"BufferSubData.data\"");
  payload.data = {2, 0, BlobWhere::Host};
  EXPECT_FALSE(good());
}

// The controls: each breaks the checker in one way, and the battery must see it.
bool endsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
Checker blindTo(std::function<bool(const std::string&)> blind) {
  return [blind](const RecordHeader* record, u64 available, std::string* where) {
    return realCheck(record, available, where) || blind(*where);
  };
}

TEST(Control, AnEnumThatIsNotBoundedIsSeen) {
  EXPECT_TRUE(battery(Call::Draw, realCheck).empty());
  EXPECT_FALSE(battery(Call::Draw, blindTo([](const std::string& w) { return w == "Draw.mode"; })).empty());
}
TEST(Control, ACountThatIsNotBoundedIsSeen) {
  EXPECT_FALSE(
      battery(Call::SetShaderBuffers, blindTo([](const std::string& w) { return w == "SetShaderBuffers.count"; }))
          .empty());
}
TEST(Control, AHandleThatIsNotLookedUpIsSeen) {
  EXPECT_FALSE(
      battery(Call::DestroyBuffer, blindTo([](const std::string& w) { return endsWith(w, ".buffer"); })).empty());
  struct Credulous final : HandleOracle {
    bool isLive(Kind, u32, u32) const override { return true; }
    bool isFresh(Kind, u32, u32) const override { return true; }
  };
  const Checker credulous = [](const RecordHeader* record, u64 available, std::string* where) {
    Fault fault;
    const bool good = checkRecord(record, available, Credulous(), {kTestStage, {}}, &fault);
    *where = fault.where;
    return good;
  };
  EXPECT_FALSE(battery(Call::CreateBuffer, credulous).empty());
}
TEST(Control, ATruncationThatIsNotSeenIsSeen) {
  EXPECT_FALSE(battery(Call::Flush, blindTo([](const std::string& w) { return w == "record.bytes"; })).empty());
}
TEST(Control, PaddingThatIsNotLookedAtIsSeen) {
  EXPECT_FALSE(battery(Call::Label, blindTo([](const std::string& w) { return endsWith(w, "padding"); })).empty());
  EXPECT_FALSE(battery(Call::SetViewports, blindTo([](const std::string& w) { return endsWith(w, ".pad"); })).empty());
}
TEST(Control, AWrongNameIsSeen) {
  const Checker nameless = [](const RecordHeader* record, u64 available, std::string* where) {
    const bool good = realCheck(record, available, where);
    *where = "record";
    return good;
  };
  EXPECT_FALSE(battery(Call::SetScissors, nameless).empty());
}

}  // namespace
}  // namespace mgl::pipe

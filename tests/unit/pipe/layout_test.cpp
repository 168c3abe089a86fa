// The catalogue as data, and what is made of it: printer, comparator, digest.
#include "pipe/layout.h"

#include <gtest/gtest.h>

#include <set>

#include "pipe/record_text.h"
#include "record_maker.h"

namespace mgl::pipe {
namespace {

class EveryCallText : public testing::TestWithParam<u32> {
 protected:
  Call call() const { return static_cast<Call>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryCallText, testing::Range(0u, countOf<Call>()),
                         [](const auto& row) { return std::string(callInfo(static_cast<Call>(row.param)).name); });

TEST_P(EveryCallText, LeavesCoverThePayload) {
  const RecordLayout& layout = layoutOf(call());
  EXPECT_EQ(layout.name, callInfo(call()).name);
  EXPECT_EQ(layout.payload.bytes, callInfo(call()).payloadBytes);
  EXPECT_EQ(layout.tails.size(), callInfo(call()).tails);
  std::set<std::string> paths;
  auto covers = [&](const StructLayout& structure) {
    u32 at = 0;
    for (const Leaf& leaf : structure.leaves) {
      EXPECT_EQ(leaf.offset, at) << leaf.path;
      at += leaf.bytes;
    }
    EXPECT_EQ(at, structure.bytes);
  };
  covers(layout.payload);
  for (const TailLayout& tail : layout.tails) covers(tail.element);
  for (const Leaf& leaf : layout.payload.leaves) EXPECT_TRUE(paths.insert(leaf.path).second) << leaf.path;
}

TEST_P(EveryCallText, ComparatorNamesTheFieldThatDiffers) {
  const MadeRecord record = makeRecord(call());
  EXPECT_EQ(firstDifference(record.header(), record.header()), "");
  for (const Place& place : record.places) {
    bool isCount = false;  // a count moves the tails behind it
    for (const TailLayout& tail : layoutOf(call()).tails)
      isCount |= place.leaf == &layoutOf(call()).payload.leaves[tail.countLeaf];
    MadeRecord other = record;
    other.bytes()[place.offset] ^= std::byte{1};
    if (isCount) other.words.resize(other.words.size() * 4 + 64);
    const std::string text = firstDifference(record.header(), other.header());
    EXPECT_EQ(text.substr(0, text.find(':')), std::string(callInfo(call()).name) + '.' + place.path);
    EXPECT_NE(text.find(" against "), std::string::npos) << text;
  }
}

TEST_P(EveryCallText, PrinterNamesEveryField) {
  const MadeRecord record = makeRecord(call());
  const std::string text = printRecord(record.header());
  EXPECT_EQ(text.rfind(std::string(callInfo(call()).name) + ' ', 0), 0u) << text;
  for (const Leaf& leaf : layoutOf(call()).payload.leaves) {
    if (leaf.rule.what == Rule::What::Zero) continue;
    EXPECT_NE(text.find(leaf.path + '='), std::string::npos) << leaf.path << " in " << text;
  }
}

TEST(Text, PrintsWhatIsThere) {
  MadeRecord record = makeRecord(Call::Draw, 0, 1);
  const std::string text = printRecord(record.header());
  EXPECT_NE(text.find("vertexArray=VertexArray{1,1}"), std::string::npos) << text;
  EXPECT_NE(text.find("program=Program{2,1}"), std::string::npos) << text;
  EXPECT_NE(text.find("rangeCount=1"), std::string::npos) << text;
  EXPECT_NE(text.find("DrawRange[0]{first="), std::string::npos) << text;
  EXPECT_NE(text.find("data=stage{"), std::string::npos) << text;
  record.setNumber(record.places[1], 0);
  EXPECT_NE(printRecord(record.header()).find("program=null"), std::string::npos);
}

TEST(Text, CallsDiffer) {
  EXPECT_EQ(firstDifference(makeRecord(Call::Flush).header(), makeRecord(Call::Finish).header()),
            "call: Flush against Finish");
}

TEST(Digest, EveryRowCounts) {
  std::set<u64> digests;
  for (u32 calls = 0; calls <= countOf<Call>(); ++calls)
    EXPECT_TRUE(digests.insert(layoutDigest(calls)).second) << calls;
  EXPECT_EQ(layoutDigest(), layoutDigest(countOf<Call>()));
}

}  // namespace
}  // namespace mgl::pipe

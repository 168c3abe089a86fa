#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <string>

#include "base/hash.h"
#include "base/name_table.h"
#include "base/ref.h"
#include "base/small_vector.h"

namespace mgl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SmallVector, StaysInsideUntilItIsFull) {
  SmallVector<std::string, 3> v;
  for (int i = 0; i < 3; ++i) v.push_back(std::string(40, static_cast<char>('a' + i)));
  EXPECT_TRUE(v.isInline());
  v.push_back(v[0]);
  EXPECT_FALSE(v.isInline());
  EXPECT_EQ(v.size(), 4u);
  EXPECT_EQ(v[3], std::string(40, 'a'));
  EXPECT_EQ(v[1], std::string(40, 'b'));
}

TEST(SmallVector, CopiesAndMoves) {
  for (std::size_t size : {2u, 9u}) {
    SmallVector<std::string, 4> v;
    for (std::size_t i = 0; i < size; ++i) v.push_back(std::to_string(i));
    SmallVector<std::string, 4> copy = v;
    EXPECT_EQ(copy, v);
    SmallVector<std::string, 4> moved = std::move(v);
    EXPECT_EQ(moved, copy);
    EXPECT_THAT(v, IsEmpty());
    v.push_back("again");
    EXPECT_THAT(v, ElementsAre("again"));
    v = copy;
    EXPECT_EQ(v, copy);
    v = std::move(moved);
    EXPECT_EQ(v, copy);
    EXPECT_TRUE(moved.isInline());
  }
}

TEST(SmallVector, EraseAndResize) {
  SmallVector<int, 4> v{1, 2, 3, 4, 5};
  v.erase(1);
  EXPECT_THAT(v, ElementsAre(1, 3, 4, 5));
  v.eraseUnordered(0);
  EXPECT_THAT(v, ElementsAre(5, 3, 4));
  v.resize(5, v[0]);
  EXPECT_THAT(v, ElementsAre(5, 3, 4, 5, 5));
  v.resize(1);
  EXPECT_THAT(v, ElementsAre(5));
  v.clear();
  EXPECT_THAT(v, IsEmpty());
}

TEST(SmallVector, HoldsWhatCannotBeCopied) {
  SmallVector<std::unique_ptr<int>, 1> v;
  v.push_back(std::make_unique<int>(1));
  v.push_back(std::make_unique<int>(2));
  auto w = std::move(v);
  EXPECT_EQ(*w[1], 2);
}

TEST(NameTable, GivesTheLowestFreeName) {
  NameTable<int> table;
  u32 names[5];
  table.reserve(names);
  EXPECT_THAT(names, ElementsAre(1, 2, 3, 4, 5));
  table.erase(2);
  table.erase(4);
  EXPECT_EQ(table.reserve(), 2u);
  EXPECT_EQ(table.reserve(), 4u);
  EXPECT_EQ(table.reserve(), 6u);
}

TEST(NameTable, AReservedNameHasNoObject) {
  NameTable<int> table;
  const u32 one = table.reserve();
  EXPECT_TRUE(table.isUsed(one));
  EXPECT_EQ(table.find(one), nullptr);
  int object = 0;
  table.insert(one, &object);
  EXPECT_EQ(table.find(one), &object);
  EXPECT_EQ(table.erase(one), &object);
  EXPECT_FALSE(table.isUsed(one));
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_FALSE(table.isUsed(0));
  EXPECT_EQ(table.erase(0), nullptr);
}

TEST(NameTable, TakesHugeNames) {
  NameTable<int> table;
  int a = 0;
  int b = 0;
  table.insert(0xffffffffu, &a);
  table.insert(3'000'000u, &b);
  EXPECT_EQ(table.find(0xffffffffu), &a);
  EXPECT_EQ(table.find(3'000'000u), &b);
  EXPECT_EQ(table.find(3'000'001u), nullptr);
  EXPECT_EQ(table.reserve(), 1u);
  EXPECT_EQ(table.erase(0xffffffffu), &a);
  EXPECT_FALSE(table.isUsed(0xffffffffu));
}

TEST(NameTable, AFarNameMovesWhenTheDensePartGrowsOverIt) {
  NameTable<int> table;
  int object = 0;
  table.insert(5000, &object);
  std::set<u32> given;
  for (int i = 0; i < 6000; ++i) given.insert(table.reserve());
  EXPECT_EQ(given.size(), 6000u);
  EXPECT_FALSE(given.contains(5000));
  EXPECT_EQ(*given.rbegin(), 6001u);
  EXPECT_EQ(table.find(5000), &object);
}

TEST(NameTable, ReservesRanges) {
  NameTable<int> table;
  int object = 0;
  table.insert(3, &object);
  EXPECT_EQ(table.reserveRange(2), 1u);
  EXPECT_EQ(table.reserveRange(4), 4u);
  EXPECT_EQ(table.reserveRange(0), 0u);
  EXPECT_EQ(table.reserve(), 8u);
  table.insert(200'000, &object);
  EXPECT_EQ(table.reserveRange(100), 9u);
}

TEST(NameTable, OwnsWhatItsPointerOwns) {
  NameTable<std::string, std::unique_ptr<std::string>> table;
  table.insert(7, std::make_unique<std::string>("seven"));
  table.insert(1'000'000, std::make_unique<std::string>("far"));
  EXPECT_EQ(*table.find(7), "seven");
  std::vector<u32> seen;
  table.forEach([&](u32 glName, std::string&) { seen.push_back(glName); });
  EXPECT_THAT(seen, ElementsAre(7, 1'000'000));
  EXPECT_EQ(*table.erase(1'000'000), "far");
  table.clear();
  EXPECT_EQ(table.find(7), nullptr);
  EXPECT_EQ(table.reserve(), 1u);
}

// Against a plain set, over random operations.
TEST(NameTable, AgreesWithAModel) {
  std::mt19937 random(1);
  NameTable<int> table;
  std::set<u32> model;
  int object = 0;
  for (int step = 0; step < 20000; ++step) {
    const u32 kind = random() % 4;
    if (kind == 0) {
      u32 expected = 1;
      while (model.contains(expected)) ++expected;
      ASSERT_EQ(table.reserve(), expected);
      model.insert(expected);
    } else if (kind == 1) {
      const u32 glName = random() % 3 == 0 ? random() : random() % 300 + 1;
      if (glName == 0) continue;
      table.insert(glName, &object);
      model.insert(glName);
    } else if (!model.empty()) {
      auto it = model.lower_bound(random() % 400);
      if (it == model.end()) it = model.begin();
      table.erase(*it);
      model.erase(it);
    }
  }
  for (u32 glName : model) EXPECT_TRUE(table.isUsed(glName));
  for (u32 glName = 0; glName < 2000; ++glName) EXPECT_EQ(table.isUsed(glName), model.contains(glName));
}

template <class Base>
struct Counted : Base {
  explicit Counted(int& n) : alive(n) { ++alive; }
  ~Counted() { --alive; }
  int& alive;
};

template <class Base>
class RefTest : public ::testing::Test {};
using Bases = ::testing::Types<RefCounted, LocalRefCounted>;
TYPED_TEST_SUITE(RefTest, Bases);

TYPED_TEST(RefTest, TheLastReferenceDeletes) {
  int alive = 0;
  {
    auto a = makeRef<Counted<TypeParam>>(alive);
    Ref<Counted<TypeParam>> b = a;
    EXPECT_EQ(a->refCount(), 2u);
    a = b;
    a.reset();
    EXPECT_EQ(alive, 1);
    Ref<Counted<TypeParam>> c = std::move(b);
    EXPECT_EQ(b, nullptr);
    EXPECT_EQ(c->refCount(), 1u);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Hash, DependsOnBytesAndSeed) {
  EXPECT_EQ(hashText("abc"), hashBytes("abc", 3));
  EXPECT_NE(hashText("abc"), hashText("abd"));
  EXPECT_NE(hashText("abc"), hashText("abc", 1));
  EXPECT_NE(hashCombine(1, 2), hashCombine(2, 1));
  EXPECT_EQ(hash128("abc", 3), hash128("abc", 3));
  // XXH3's published value for the empty input with seed 0.
  EXPECT_EQ(hashText(""), 0x2d06800538d394c2u);
}

}  // namespace
}  // namespace mgl

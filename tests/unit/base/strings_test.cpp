#include "base/strings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mgl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Strings, SplitLeavesOutEmptyPieces) {
  EXPECT_THAT(split(",a, b,,c ", ", "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split("", ","), IsEmpty());
  EXPECT_THAT(split(",,", ","), IsEmpty());
}

TEST(Strings, Trim) {
  EXPECT_EQ(trim("  a b\t"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Strings, Numbers) {
  EXPECT_EQ(parseInt("-12"), -12);
  EXPECT_EQ(parseInt("+7"), 7);
  EXPECT_EQ(parseInt("7 "), std::nullopt);
  EXPECT_EQ(parseInt(""), std::nullopt);
  EXPECT_EQ(parseInt("+-7"), std::nullopt);
  EXPECT_EQ(parseInt("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parseFloat("0.5"), 0.5);
  EXPECT_EQ(parseFloat("0,5"), std::nullopt);
}

TEST(Strings, EditDistance) {
  EXPECT_EQ(editDistance("", ""), 0u);
  EXPECT_EQ(editDistance("abc", ""), 3u);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("BACKND", "BACKEND"), 1u);
  EXPECT_EQ(editDistance("DEVCIE", "DEVICE"), 1u);
}

TEST(Strings, NearestName) {
  const std::string_view names[] = {"magma", "espryt", "null"};
  EXPECT_EQ(nearestName("mgama", names), "magma");
  EXPECT_EQ(nearestName("null", names), "null");
  EXPECT_EQ(nearestName("opengl", names), std::nullopt);
}

TEST(Strings, JoinAndFormat) {
  const std::string_view names[] = {"a", "b"};
  EXPECT_EQ(join(names, ", "), "a, b");
  EXPECT_EQ(formatText("%s=%d", "x", 5), "x=5");
  EXPECT_EQ(formatText("%s", std::string(5000, 'x').c_str()).size(), 5000u);
  EXPECT_TRUE(equalIgnoringCase("MagMa", "magma"));
  EXPECT_FALSE(equalIgnoringCase("magma", "magm"));
}

}  // namespace
}  // namespace mgl

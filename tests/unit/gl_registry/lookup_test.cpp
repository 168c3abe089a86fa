#include "gl/registry/lookup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mgl::gl {
namespace {

TEST(Lookup, FindsEveryNameAndNoOther) {
  for (const EntryName& row : allEntryNames()) {
    EXPECT_NE(nullptr, findEntryPoint(row.name)) << row.name;
    EXPECT_EQ(nullptr, findEntryPoint(std::string(row.name) + "x")) << row.name;
    EXPECT_EQ(nullptr, findEntryPoint(std::string_view(row.name).substr(1))) << row.name;
  }
  EXPECT_EQ(nullptr, findEntryPoint(""));
  EXPECT_EQ(nullptr, findEntryPoint("glNonesuch"));
}

TEST(Lookup, EntriesHaveStubsOfTheirOwnAndAliasesShareThem) {
  std::vector<void*> stubs;
  for (const EntryInfo& entry : allEntries()) stubs.push_back(findEntryPoint(entry.name));
  for (const EntryName& row : allEntryNames()) {
    if (std::string_view(row.name) == "glBlendEquationEXT") continue;  // dropped by stub_test.cpp
    EXPECT_EQ(stubs[row.entry], findEntryPoint(row.name)) << row.name;
  }
  std::sort(stubs.begin(), stubs.end());
  EXPECT_EQ(stubs.end(), std::adjacent_find(stubs.begin(), stubs.end()));
  EXPECT_EQ(findEntryPoint("glBindTexture"), findEntryPoint("glBindTextureEXT"));
}

// What programs are linked against or ask for by name must be there whatever is implemented.
TEST(Lookup, TheFirstAndTheLastVersionsAreThere) {
  for (const char* name : {"glAccum", "glBegin", "glViewport", "glDrawArrays", "glActiveTexture", "glUseProgram",
                           "glBindVertexArray", "glDrawElementsBaseVertex", "glTexStorage2D", "glDispatchCompute",
                           "glCreateTextures", "glSpecializeShader", "glMultiDrawArraysIndirectCount",
                           "glPolygonOffsetClamp", "glDebugMessageCallbackARB", "glTexPageCommitmentNonesuch"}) {
    EXPECT_EQ(std::string_view(name) != "glTexPageCommitmentNonesuch", findEntryPoint(name) != nullptr) << name;
  }
}

TEST(Lookup, ClassesAreTheTables) {
  const auto classOf = [](std::string_view name) {
    const auto all = allEntries();
    return std::find_if(all.begin(), all.end(), [&](const EntryInfo& entry) { return name == entry.name; })->entryClass;
  };
  EXPECT_EQ(EntryClass::context, classOf("glEnable"));
  EXPECT_EQ(EntryClass::share_group, classOf("glTexParameteri"));
  EXPECT_EQ(EntryClass::by_argument, classOf("glBindBuffer"));
  EXPECT_EQ(EntryClass::vao, classOf("glBindVertexBuffer"));
  EXPECT_EQ(EntryClass::program, classOf("glUniformBlockBinding"));
  EXPECT_EQ(EntryClass::free, classOf("glBufferSubData"));
  EXPECT_EQ(EntryClass::map, classOf("glMapBufferRange"));
}

}  // namespace
}  // namespace mgl::gl

#include "base/knobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/knob_text.h"

namespace mgl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

KnobReading read(std::vector<const char*> environment) { return readKnobs(environment); }

TEST(Knobs, NothingSetGivesTheDefaults) {
  const KnobReading reading = read({"PATH=/bin", "HOME=/root"});
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(reading.values.backend, BackendKind::Magma);
  EXPECT_EQ(reading.values.topology, "monolith");
  EXPECT_EQ(reading.values.ipcPresentCredit, 1);
  EXPECT_FALSE(reading.values.pipeLoopback);
  EXPECT_TRUE(reading.values.pipeDrawDelta);
  for (KnobOrigin origin : reading.origins) EXPECT_EQ(origin, KnobOrigin::Default);
}

TEST(Knobs, ValuesOfEachTypeAreRead) {
  const KnobReading reading =
      read({"MOBILEGL_BACKEND=Null", "MOBILEGL_PIPE_LOOPBACK=on", "MOBILEGL_IPC_PRESENT_CREDIT=8",
            "MOBILEGL_DEVICE=llvmpipe (LLVM)", "MOBILEGL_EXTENSION_OVERRIDE=-GL_ARB_foo  +GL_ARB_bar",
            "MOBILEGL_MAGMA_HOST_LIMIT=VK_A,VK_B", "MOBILEGL_LOG_LEVEL=debug"});
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(reading.values.backend, BackendKind::Null);
  EXPECT_TRUE(reading.values.pipeLoopback);
  EXPECT_EQ(reading.values.ipcPresentCredit, 8);
  EXPECT_EQ(reading.values.device, "llvmpipe (LLVM)");
  EXPECT_THAT(reading.values.extensionOverride, ElementsAre("-GL_ARB_foo", "+GL_ARB_bar"));
  EXPECT_THAT(reading.values.magmaHostLimit, ElementsAre("VK_A", "VK_B"));
  EXPECT_EQ(reading.values.logLevel, LogLevel::Debug);
  EXPECT_EQ(reading.origins[indexOf(Knob::backend)], KnobOrigin::Environment);
  EXPECT_EQ(reading.origins[indexOf(Knob::topology)], KnobOrigin::Default);
}

TEST(Knobs, AnUnknownNameNamesTheNearest) {
  const KnobReading reading = read({"MOBILEGL_BACKND=magma"});
  ASSERT_THAT(reading.problems, SizeIs(1));
  EXPECT_EQ(reading.problems[0].kind, KnobProblem::Kind::UnknownName);
  EXPECT_THAT(reading.problems[0].text, HasSubstr("MOBILEGL_BACKND is not a knob"));
  EXPECT_THAT(reading.problems[0].text, HasSubstr("did you mean MOBILEGL_BACKEND?"));
}

TEST(Knobs, AnUnknownNameFarFromAllNamesNone) {
  const KnobReading reading = read({"MOBILEGL_QQQQQQQQQQQQ=1"});
  ASSERT_THAT(reading.problems, SizeIs(1));
  EXPECT_THAT(reading.problems[0].text, Not(HasSubstr("did you mean")));
}

TEST(Knobs, OutOfRangeKeepsTheDefaultAndNamesTheRange) {
  for (const char* value : {"MOBILEGL_IPC_PRESENT_CREDIT=0", "MOBILEGL_IPC_PRESENT_CREDIT=9",
                            "MOBILEGL_IPC_PRESENT_CREDIT=2x", "MOBILEGL_IPC_PRESENT_CREDIT=99999999999999999999"}) {
    const KnobReading reading = read({value});
    EXPECT_EQ(reading.values.ipcPresentCredit, 1) << value;
    EXPECT_EQ(reading.origins[indexOf(Knob::ipcPresentCredit)], KnobOrigin::Default) << value;
    ASSERT_THAT(reading.problems, SizeIs(1)) << value;
    EXPECT_EQ(reading.problems[0].knob, Knob::ipcPresentCredit);
    EXPECT_THAT(reading.problems[0].text, HasSubstr("1..8"));
  }
}

TEST(Knobs, ABadChoiceNamesTheChoicesAndTheNearest) {
  const KnobReading reading = read({"MOBILEGL_BACKEND=mgma"});
  ASSERT_THAT(reading.problems, SizeIs(1));
  EXPECT_THAT(reading.problems[0].text, HasSubstr("magma|espryt|null"));
  EXPECT_THAT(reading.problems[0].text, HasSubstr("did you mean magma?"));
  EXPECT_EQ(reading.values.backend, BackendKind::Magma);
}

TEST(Knobs, ABadBoolIsRefused) {
  const KnobReading reading = read({"MOBILEGL_VALIDATION=maybe"});
  ASSERT_THAT(reading.problems, SizeIs(1));
  EXPECT_FALSE(reading.values.validation);
}

TEST(Knobs, TextWithAFormIsChecked) {
  for (const char* value : {"MOBILEGL_TOPOLOGY=monolit", "MOBILEGL_TOPOLOGY=unix:", "MOBILEGL_TOPOLOGY=tcp://host",
                            "MOBILEGL_GL_VERSION=5.0", "MOBILEGL_GL_VERSION=3.4", "MOBILEGL_GL_VERSION=3.3ES",
                            "MOBILEGL_GLSL_VERSION=331"}) {
    EXPECT_THAT(read({value}).problems, SizeIs(1)) << value;
  }
  for (const char* value : {"MOBILEGL_TOPOLOGY=spawn", "MOBILEGL_TOPOLOGY=unix:/tmp/s", "MOBILEGL_GL_VERSION=3.3",
                            "MOBILEGL_GL_VERSION=4.6compat", "MOBILEGL_GLSL_VERSION=3.30"}) {
    EXPECT_THAT(read({value}).problems, IsEmpty()) << value;
  }
  EXPECT_EQ(read({"MOBILEGL_GL_VERSION=3.3compat"}).values.glVersion, "3.3COMPAT");
  EXPECT_EQ(read({"MOBILEGL_GLSL_VERSION=3.30"}).values.glslVersion, "330");
  EXPECT_THAT(read({"MOBILEGL_TOPOLOGY=monolit"}).problems[0].text, HasSubstr("did you mean monolith?"));
}

TEST(KnobText, Topology) {
  EXPECT_EQ(parseTopology("monolith")->kind, TopologyKind::Monolith);
  EXPECT_EQ(parseTopology("unix:/run/m.sock")->path, "/run/m.sock");
  EXPECT_EQ(parseTopology("tcp://[::1]:7000")->host, "::1");
  EXPECT_EQ(parseTopology("tcp://box:7000")->port, 7000);
  EXPECT_FALSE(parseTopology("tcp://::1:7000"));
  EXPECT_FALSE(parseTopology("tcp://box:70000"));
  EXPECT_FALSE(parseTopology("Monolith "));
}

TEST(KnobText, Versions) {
  EXPECT_EQ(parseGlVersion("3.3COMPAT")->profile, ProfileChoice::Compatibility);
  EXPECT_EQ(parseGlVersion("3.3core")->profile, ProfileChoice::Core);
  EXPECT_EQ(parseGlVersion("4.6")->minor, 6);
  EXPECT_FALSE(parseGlVersion("2.2"));
  EXPECT_FALSE(parseGlVersion("33"));
  EXPECT_EQ(parseGlslVersion("3.30"), 330u);
  EXPECT_EQ(parseGlslVersion("460"), 460u);
  EXPECT_FALSE(parseGlslVersion("160"));
}

TEST(Knobs, AnEmptyValueIsTheDefault) {
  const KnobReading reading = read({"MOBILEGL_BACKEND=", "MOBILEGL_IPC_PRESENT_CREDIT="});
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(reading.origins[indexOf(Knob::backend)], KnobOrigin::Default);
}

TEST(Knobs, TheFirstOfTwoEntriesCounts) {
  EXPECT_EQ(read({"MOBILEGL_BACKEND=null", "MOBILEGL_BACKEND=espryt"}).values.backend, BackendKind::Null);
}

TEST(Knobs, TheTableIsConsistent) {
  std::set<std::string_view> envs;
  u32 index = 0;
  for (const KnobInfo& info : allKnobs()) {
    EXPECT_EQ(indexOf(info.id), index++);
    EXPECT_TRUE(info.env.starts_with("MOBILEGL_")) << info.env;
    EXPECT_TRUE(envs.insert(info.env).second) << info.env;
    EXPECT_FALSE(info.meaning.empty()) << info.env;
  }
  EXPECT_EQ(index, countOf<Knob>());
}

// The text of a value sets that value again, and each default is inside of its own range.
TEST(Knobs, DefaultsReadBackAsThemselves) {
  for (const KnobInfo& info : allKnobs()) {
    const std::string text = knobValueText(Knobs{}, info.id);
    const std::string entry = std::string(info.env) + "=" + text;
    const KnobReading reading = read({entry.c_str()});
    EXPECT_THAT(reading.problems, IsEmpty()) << entry;
    EXPECT_EQ(knobValueText(reading.values, info.id), text);
  }
}

TEST(Knobs, TheReportIsClaimedOnce) {
  static_cast<void>(knobs());
  EXPECT_FALSE(claimKnobReport());
}

}  // namespace
}  // namespace mgl

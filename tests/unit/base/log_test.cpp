#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/assert.h"

namespace mgl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Log : public ::testing::Test {
 protected:
  void SetUp() override {
    setLogSink([](LogLevel, const char* line, std::size_t length,
                  void* user) { static_cast<Log*>(user)->lines_.emplace_back(line, length); },
               this);
  }
  void TearDown() override { setLogSink(nullptr, nullptr); }

  std::vector<std::string> lines_;
};

TEST_F(Log, ALineNamesItsLevel) {
  MGL_LOGE("bad %d", 7);
  MGL_LOGW("hm");
  EXPECT_THAT(lines_, ElementsAre("mobilegl: error: bad 7", "mobilegl: warning: hm"));
}

TEST_F(Log, ArgumentsUnderTheLevelAreNotEvaluated) {
  MGL_LOGE("first");
  int evaluated = 0;
  MGL_LOGD("%d", ++evaluated);
  MGL_LOGI("%d", ++evaluated);
  EXPECT_EQ(evaluated, 0);
  EXPECT_THAT(lines_, SizeIs(1));
  EXPECT_FALSE(logEnabled(LogLevel::Info));
  EXPECT_TRUE(logEnabled(LogLevel::Warning));
}

TEST_F(Log, OnceIsOnce) {
  for (int i = 0; i < 3; ++i) MGL_LOG_ONCE(Warning, "only %d", i);
  EXPECT_THAT(lines_, ElementsAre("mobilegl: warning: only 0"));
}

TEST_F(Log, ASiteIsLimitedAndSaysWhatItLeftOut) {
  const auto site = [] { MGL_LOGW("again"); };
  for (u32 i = 0; i < 10 * kLogBurst; ++i) site();
  // The second may turn in between, hence at most two bursts.
  EXPECT_GE(lines_.size(), kLogBurst);
  EXPECT_LE(lines_.size(), 2 * kLogBurst);
  const std::size_t before = lines_.size();
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  site();
  ASSERT_THAT(lines_, SizeIs(before + 1));
  EXPECT_THAT(lines_.back(), HasSubstr("left out"));
}

TEST_F(Log, ErrnoIsKept) {
  errno = ENOSPC;
  MGL_LOGW("x");
  EXPECT_EQ(errno, ENOSPC);
}

TEST_F(Log, ALongLineIsCut) {
  MGL_LOGW("%s", std::string(20000, 'x').c_str());
  ASSERT_THAT(lines_, SizeIs(1));
  EXPECT_LT(lines_[0].size(), 4096u);
}

// The file and the level come from the environment, which is read once: a process of its own each.
int logInto(const char* file, const char* level) {
  setenv("MOBILEGL_LOG_FILE", file, 1);
  setenv("MOBILEGL_LOG_LEVEL", level, 1);
  setLogSink(nullptr, nullptr);
  MGL_LOGW("warned");
  MGL_LOGD("debugged");
  return 0;
}

TEST(LogDeathTest, AFileIsAppendedTo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string path = ::testing::TempDir() + "/mobilegl_log_test.txt";
  EXPECT_EXIT(
      {
        std::ofstream(path) << "before\n";
        std::exit(logInto(path.c_str(), "debug"));
      },
      ::testing::ExitedWithCode(0), "^$");
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, "before\nmobilegl: warning: warned\nmobilegl: debug: debugged\n");
  ::unlink(path.c_str());
}

TEST(LogDeathTest, AnImpossibleFileIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(logInto("/nonesuch/log", "warning")), ::testing::ExitedWithCode(0),
              "MOBILEGL_LOG_FILE: cannot append to /nonesuch/log(.|\n)*warned");
}

TEST(LogDeathTest, UnknownKnobsAreReportedByTheFirstRead) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("MOBILEGL_BACKND", "magma", 1);
        static_cast<void>(knobs());
        static_cast<void>(knobs());
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "^mobilegl: warning: MOBILEGL_BACKND[^\n]*MOBILEGL_BACKEND\\?\n$");
}

TEST(LogDeathTest, AReaderThatWentAwayEndsNothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        int ends[2];
        if (::pipe(ends) != 0) std::exit(2);
        ::signal(SIGPIPE, SIG_DFL);
        const int keep = ::dup(STDERR_FILENO);
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[0]);
        MGL_LOGE("into the void");
        ::dup2(keep, STDERR_FILENO);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(AssertDeathTest, ACheckAbortsWithItsCondition) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  MGL_CHECK(1 + 1 == 2);
  EXPECT_DEATH(MGL_CHECK(1 + 1 == 3), "check failed: 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace mgl

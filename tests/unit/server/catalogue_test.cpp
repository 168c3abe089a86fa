// Every row of the catalogue is applied with its checks, or is refused by name and stands on held.txt.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "world.h"

namespace mgl::server {
namespace {

std::set<std::string> heldRows() {
  std::set<std::string> rows;
  std::ifstream file(MOBILEGL_HELD_LIST);
  EXPECT_TRUE(file.good());
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, reason;
    words >> name >> reason;
    EXPECT_FALSE(reason.empty()) << name << " has no reason";
    rows.insert(name);
  }
  return rows;
}

enum class Arm { Direct, HostileSpans, HostileStage };

ApplyResult applyOn(Session& session, const Emitted& emitted, Arm arm) {
  const auto spans = emitted.spans();
  if (arm == Arm::Direct) return session.apply(emitted.header(), spans);
  if (arm == Arm::HostileSpans) return session.applyHostile(emitted.bytes(), {}, spans);
  std::vector<std::byte> stage;
  const Emitted moved = staged(emitted, &stage);
  return session.applyHostile(moved.bytes(), stage);
}

class Arms : public testing::TestWithParam<Arm> {};
INSTANTIATE_TEST_SUITE_P(Session, Arms, testing::Values(Arm::Direct, Arm::HostileSpans, Arm::HostileStage),
                         [](const auto& arm) {
                           return arm.param == Arm::Direct         ? "Direct"
                                  : arm.param == Arm::HostileSpans ? "HostileSpans"
                                                                   : "HostileStage";
                         });

TEST_P(Arms, AppliesEveryRowThatIsNotHeld) {
  const auto session = openNull();
  std::set<std::string> applied;
  for (const Emitted& emitted : everything()) {
    const std::string name(pipe::callInfo(emitted.call).name);
    const ApplyResult result = applyOn(*session, emitted, GetParam());
    ASSERT_TRUE(result.ok) << name << ": " << session->fault().text();
    const bool replies = pipe::callInfo(emitted.call).wait == pipe::WaitClass::Reply;
    ASSERT_EQ(result.reply != nullptr, replies) << name;
    if (replies) {
      EXPECT_EQ(result.reply->call, emitted.call);
      std::vector<std::byte> bytes(result.reply->bytes, std::byte{0xff});
      EXPECT_TRUE(session->finishReply(*result.reply, bytes).ok) << name;
      if (emitted.call != pipe::Call::WaitQuery) {
        for (std::byte byte : bytes) ASSERT_EQ(byte, std::byte{0}) << name;
      }
    }
    applied.insert(name);
  }
  for (u32 kind = 0; kind < countOf<pipe::Kind>(); ++kind)
    EXPECT_EQ(session->liveObjects(static_cast<pipe::Kind>(kind)), 0u) << pipe::kindName(static_cast<pipe::Kind>(kind));

  const std::set<std::string> held = heldRows();
  for (const pipe::CallInfo& info : pipe::kCalls)
    EXPECT_NE(applied.count(std::string(info.name)), held.count(std::string(info.name))) << info.name;
}

TEST_P(Arms, RefusesHeldRowsByName) {
  std::set<std::string> names;
  for (const Emitted& emitted : refused()) {
    const auto session = openNull();
    for (const Emitted& before : setUp()) ASSERT_TRUE(applyOn(*session, before, GetParam()).ok);
    const std::string name(pipe::callInfo(emitted.call).name);
    EXPECT_FALSE(applyOn(*session, emitted, GetParam()).ok) << name;
    EXPECT_EQ(session->fault().text(), "Unimplemented \"" + name + "\"");
    names.insert(name);
  }
  EXPECT_EQ(names, heldRows()) << "held.txt names a row that is applied, or lacks one that is refused";
}

TEST_P(Arms, AFaultedSessionRefusesEverything) {
  const auto session = openNull();
  for (const Emitted& before : setUp()) ASSERT_TRUE(applyOn(*session, before, GetParam()).ok);
  EXPECT_FALSE(applyOn(*session, record(pipe::DestroyBuffer{{77, 1}}), GetParam()).ok);
  EXPECT_EQ(session->fault().text(), "ProtocolCorruption \"DestroyBuffer.buffer\"");
  EXPECT_TRUE(session->faulted());
  EXPECT_FALSE(applyOn(*session, warmDraw(), GetParam()).ok);
  EXPECT_FALSE(applyOn(*session, record(pipe::Flush{9}), GetParam()).ok);
  EXPECT_EQ(session->fault().text(), "ProtocolCorruption \"DestroyBuffer.buffer\"") << "the first fault stays";
  EXPECT_LT(session->completedSerial(), 9u);
}

TEST_P(Arms, StateAndVerbsNeedAContext) {
  for (const Emitted& emitted : everything()) {
    const pipe::CallInfo& info = pipe::callInfo(emitted.call);
    if (info.cls != pipe::CallClass::State) continue;
    const auto session = openNull();
    ASSERT_FALSE(applyOn(*session, emitted, Arm::Direct).ok) << info.name;
    EXPECT_EQ(session->fault().where, std::string(info.name) + ".context");
  }
}

}  // namespace
}  // namespace mgl::server

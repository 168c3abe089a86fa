// The catalogue as types and tables: Call, its payload, and what pipe_calls.def says of it.
#pragma once

#include "pipe/payloads_session.h"

namespace mgl::pipe {

enum class CallClass : u8 { Screen, Query, Cso, State, Object, Verb, Count };
enum class WaitClass : u8 { None, Reply, Present, Count };
enum class Epoch : u8 { Still, Moves };
inline constexpr u32 kNone = 0, kBlob = 1, kTail = 2, kReply = 4;

enum class Call : u16 {
#define MGL_CALL(Name, cls, flags, wait, epoch, text) Name,
#include "pipe/pipe_calls.def"
#undef MGL_CALL
  Count
};

struct CallInfo {
  std::string_view name;
  CallClass cls;
  u32 flags;
  WaitClass wait;
  Epoch epoch;
  u32 payloadBytes;
  u32 tails;
  std::string_view text;
};

inline constexpr std::array<CallInfo, countOf<Call>()> kCalls = {{
#define MGL_CALL(Name, cls, flags, wait, epoch, text) \
  {#Name, CallClass::cls, flags, WaitClass::wait, Epoch::epoch, sizeof(Name), TailsOf<Name>::kSize, text},
#include "pipe/pipe_calls.def"
#undef MGL_CALL
}};

constexpr const CallInfo& callInfo(Call call) { return kCalls[indexOf(call)]; }

template <class P>
struct CallOf;
template <Call C>
struct PayloadOf;
#define MGL_CALL(Name, cls, flags, wait, epoch, text)                                                                \
  template <>                                                                                                       \
  struct CallOf<Name> {                                                                                              \
    static constexpr Call kCall = Call::Name;                                                                        \
  };                                                                                                                 \
  template <>                                                                                                        \
  struct PayloadOf<Call::Name> {                                                                                     \
    using Type = Name;                                                                                               \
  };                                                                                                                 \
  static_assert(sizeof(Name) % 8 == 0, #Name ": payloads are whole 8-byte words");                                   \
  static_assert((((flags) & kReply) != 0) == (WaitClass::wait == WaitClass::Reply), #Name ": kReply and Reply differ"); \
  static_assert((((flags) & kTail) != 0) == (TailsOf<Name>::kSize != 0), #Name ": kTail and the list of tails differ");
#include "pipe/pipe_calls.def"
#undef MGL_CALL

enum class Event : u16 {
#define MGL_EVENT(Name, loss, text) Name,
#include "pipe/pipe_events.def"
#undef MGL_EVENT
  Count
};

}  // namespace mgl::pipe

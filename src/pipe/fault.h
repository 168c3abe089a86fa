// What ends a session: the cause by name. Never the program, never the server.
#pragma once

#include <string>

#include "base/types.h"

namespace mgl::pipe {

enum class FaultCode : u8 {
  None,
  ProtocolCorruption,  // a record breaks a rule of the catalogue or names what is not there
  Unimplemented,       // a record of the catalogue that this server does not apply yet
  BackendLost,         // the device is gone
  Count
};

constexpr std::string_view faultName(FaultCode code) {
  constexpr std::string_view kNames[] = {"None", "ProtocolCorruption", "Unimplemented", "BackendLost"};
  static_assert(std::size(kNames) == countOf<FaultCode>());
  return kNames[indexOf(code)];
}

struct Fault {
  FaultCode code = FaultCode::None;
  std::string where;  // "SetShaderBuffers.count"; the name of the call alone for Unimplemented

  explicit operator bool() const { return code != FaultCode::None; }
  // ProtocolCorruption "SetShaderBuffers.count"
  std::string text() const { return std::string(faultName(code)) + " \"" + where + '"'; }
};

}  // namespace mgl::pipe

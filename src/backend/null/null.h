// The door to the Null backend.
#pragma once

#include "backend/backend.h"

namespace mgl::null {

// Never fails. `sink` outlives the backend.
backend::OpenResult open(backend::EventSink& sink);

}  // namespace mgl::null

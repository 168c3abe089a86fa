#include "backend/null/null.h"

#include "backend/null/null_backend.h"

namespace mgl::null {

backend::OpenResult open(backend::EventSink& sink) {
  backend::OpenResult result;
  result.backend = std::make_unique<NullBackend>(sink);
  return result;
}

}  // namespace mgl::null

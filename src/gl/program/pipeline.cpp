// Program pipelines (OpenGL 4.6 section 7.4). Not finished: names and the object only.
#include "gl/program/program.h"

namespace mgl::gl {

Pipeline::Pipeline(u32 glName, std::shared_ptr<client::Session> s) : Object(glName), session(std::move(s)) {}
Pipeline::~Pipeline() { session->retire(handle); }

}  // namespace mgl::gl

// The scope of a command that checks what it is about to say about shared objects (design section 6): their sizes,
// formats and levels hold still from the first check to the record, against other threads with contexts that share them.
//
// Open it after names were looked up (the share group's mutex comes first), before anything of an object is read or written.
// Errors raised in it reach a debug callback when it is over: nothing of the program's runs under the lock.
#pragma once

#include "gl/context.h"

namespace mgl::gl {

class Verb : public client::VerbGroup {
 public:
  explicit Verb(Context& ctx) : VerbGroup(*ctx.session, ctx.stream), ctx_(ctx) {}
  ~Verb() {
    close();
    if (!ctx_.debug.held.empty() && ctx_.stream.verb == nullptr) [[unlikely]]
      deliverHeldMessages(ctx_);
  }

 private:
  Context& ctx_;
};

}  // namespace mgl::gl

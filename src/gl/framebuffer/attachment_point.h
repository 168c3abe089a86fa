// Names of attachment points of framebuffer objects (OpenGL 4.6 table 9.1).
#pragma once

#include "gl/context.h"
#include "gl/framebuffer/framebuffer.h"

namespace mgl::gl {

struct AttachmentPoint {
  Attachment* first = nullptr;
  Attachment* second = nullptr;  // GL_DEPTH_STENCIL_ATTACHMENT names two
};
// False after INVALID_ENUM or, for a colour attachment beyond the limit, INVALID_OPERATION.
bool attachmentPoint(Context& ctx, Framebuffer& framebuffer, GLenum attachment, AttachmentPoint* out, const char* call);

}  // namespace mgl::gl

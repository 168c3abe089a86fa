#include "gl/state/debug_output.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gl/buffer/buffer.h"
#include "gl/framebuffer/framebuffer.h"
#include "gl/program/program.h"
#include "gl/query/query.h"
#include "gl/vertex/vertex_array.h"

namespace mgl::gl {

namespace {

constexpr u32 kMaxMessageLength = 4096, kMaxLogged = 256, kMaxGroupDepth = 64, kMaxLabelLength = 256;

bool isSource(GLenum e) { return e >= GL_DEBUG_SOURCE_API && e <= GL_DEBUG_SOURCE_OTHER; }
bool isType(GLenum e) {
  return (e >= GL_DEBUG_TYPE_ERROR && e <= GL_DEBUG_TYPE_OTHER) || (e >= GL_DEBUG_TYPE_MARKER && e <= GL_DEBUG_TYPE_POP_GROUP);
}
bool isSeverity(GLenum e) {
  return (e >= GL_DEBUG_SEVERITY_HIGH && e <= GL_DEBUG_SEVERITY_LOW) || e == GL_DEBUG_SEVERITY_NOTIFICATION;
}

bool passes(const DebugState& debug, GLenum source, GLenum type, GLuint id, GLenum severity) {
  for (auto it = debug.filters.rbegin(); it != debug.filters.rend(); ++it) {
    const auto matches = [](GLenum rule, GLenum value) { return rule == GL_DONT_CARE || rule == value; };
    if (!matches(it->source, source) || !matches(it->type, type) || !matches(it->severity, severity)) continue;
    if (!it->ids.empty() && std::find(it->ids.begin(), it->ids.end(), id) == it->ids.end()) continue;
    return it->enabled;
  }
  return severity != GL_DEBUG_SEVERITY_LOW;
}

// The length of a string argument: given, or up to its end.
std::string_view textOf(const GLchar* text, GLsizei length) {
  return length < 0 ? std::string_view(text) : std::string_view(text, static_cast<std::size_t>(length));
}

bool checkText(Context& ctx, std::string_view text, const char* command) {
  if (text.size() < kMaxMessageLength) return true;
  ctx.error(GL_INVALID_VALUE, "%s: the text is not shorter than GL_MAX_DEBUG_MESSAGE_LENGTH", command);
  return false;
}

// The object that a label is for; null with the error set.
Ref<Object> labelled(Context& ctx, GLenum identifier, GLuint name) {
  ShareGroup& share = *ctx.share;
  Ref<Object> found;
  bool known = true;
  switch (identifier) {
    case GL_BUFFER: found = lookUp<Buffer>(share, share.buffers, name); break;
    case GL_TEXTURE: found = lookUp<Texture>(share, share.textures, name); break;
    case GL_RENDERBUFFER: found = lookUp<Renderbuffer>(share, share.renderbuffers, name); break;
    case GL_SAMPLER: found = lookUp<Sampler>(share, share.samplers, name); break;
    case GL_SHADER:
    case GL_PROGRAM: {
      const auto object = lookUp<ShaderOrProgram>(share, share.programs, name);
      if (object && object->isProgram() == (identifier == GL_PROGRAM)) found = object;
      break;
    }
    case GL_VERTEX_ARRAY: found = Ref<Object>(ctx.vertexArrays.find(name)); break;
    case GL_FRAMEBUFFER: found = Ref<Object>(ctx.framebuffers.find(name)); break;
    case GL_QUERY: found = Ref<Object>(ctx.queries.find(name)); break;
    case GL_PROGRAM_PIPELINE: found = Ref<Object>(ctx.pipelines.find(name)); break;
    case GL_TRANSFORM_FEEDBACK: found = Ref<Object>(ctx.streamOutputs.find(name)); break;
    default: known = false; break;
  }
  if (!known)
    ctx.error(GL_INVALID_ENUM, "object label: 0x%04x is not an object type", identifier);
  else if (!found)
    ctx.error(GL_INVALID_VALUE, "object label: no object of that type has the name %u", name);
  return found;
}

void copyLabel(const std::string& label, GLsizei bufSize, GLsizei* length, GLchar* out) {
  GLsizei written = static_cast<GLsizei>(label.size());
  if (out != nullptr && bufSize > 0) {
    written = std::min(written, bufSize - 1);
    std::memcpy(out, label.data(), static_cast<std::size_t>(written));
    out[written] = 0;
  }
  if (length != nullptr) *length = written;
}

// For the host's debugger. What has no object on the pipe (yet) has none there.
template <pipe::Kind K>
void emitLabel(Context& ctx, pipe::LabelKind kind, pipe::UncheckedHandle<K> handle, std::string_view text) {
  if (handle.isNull()) return;
  const auto bytes = static_cast<u32>(text.size());
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::Label{kind, {}, handle.slot, handle.gen, bytes}, std::span(reinterpret_cast<const u8*>(text.data()), bytes));
}

void emitLabel(Context& ctx, GLenum identifier, const Object& object) {
  using pipe::LabelKind;
  const std::string& text = object.label;
  static_assert(kMaxLabelLength <= pipe::kMaxLabelBytes);
  switch (identifier) {
    case GL_BUFFER: return emitLabel(ctx, LabelKind::Buffer, static_cast<const Buffer&>(object).handle, text);
    case GL_TEXTURE: return emitLabel(ctx, LabelKind::Texture, static_cast<const Texture&>(object).handle, text);
    case GL_RENDERBUFFER: return emitLabel(ctx, LabelKind::Renderbuffer, static_cast<const Renderbuffer&>(object).handle, text);
    case GL_PROGRAM: return emitLabel(ctx, LabelKind::Program, static_cast<const Program&>(object).handle, text);
    case GL_VERTEX_ARRAY: return emitLabel(ctx, LabelKind::VertexArray, static_cast<const VertexArray&>(object).handle, text);
    case GL_FRAMEBUFFER: return emitLabel(ctx, LabelKind::Framebuffer, static_cast<const Framebuffer&>(object).handle, text);
    case GL_QUERY: return emitLabel(ctx, LabelKind::Query, static_cast<const Query&>(object).handle, text);
    case GL_PROGRAM_PIPELINE: return emitLabel(ctx, LabelKind::Pipeline, static_cast<const Pipeline&>(object).handle, text);
    case GL_TRANSFORM_FEEDBACK:
      return emitLabel(ctx, LabelKind::StreamOutput, static_cast<const StreamOutput&>(object).handle, text);
    case GL_SYNC_FENCE: return emitLabel(ctx, LabelKind::Sync, static_cast<const Sync&>(object).handle, text);
    default: return;  // shaders and samplers are values on the pipe
  }
}

void setLabel(Context& ctx, GLenum identifier, Object& object, GLsizei length, const GLchar* label) {
  const std::string_view text = label == nullptr ? std::string_view() : textOf(label, length);
  if (text.size() >= kMaxLabelLength) {
    ctx.error(GL_INVALID_VALUE, "object label: not shorter than GL_MAX_LABEL_LENGTH");
    return;
  }
  object.label = text;
  emitLabel(ctx, identifier, object);
}

Ref<Object> syncOf(Context& ctx, const void* ptr) {
  const auto sync = lookUp<Sync>(*ctx.share, ctx.share->syncs, static_cast<u32>(reinterpret_cast<uintptr_t>(ptr)));
  if (!sync) ctx.error(GL_INVALID_VALUE, "object label: not a sync object");
  return sync;
}

}  // namespace

void emitDebugMessage(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text) {
  DebugState& debug = ctx.debug;
  if (!ctx.debugOutput || !passes(debug, source, type, id, severity)) return;
  const std::string message(text);
  if (debug.callback != nullptr) {
    if (ctx.stream.owner.holds()) {
      debug.held.push_back({source, type, id, severity, message});
      return;
    }
    debug.callback(source, type, id, severity, static_cast<GLsizei>(message.size()), message.c_str(), debug.userParam);
    return;
  }
  if (debug.log.size() < kMaxLogged) debug.log.push_back({source, type, id, severity, message});
}

void takeServerMessages(Context& ctx) {
  ctx.session->drainEvents();
  const u64 now = ctx.session->serverLogCount();
  if (now == ctx.debug.serverLogsSeen) [[likely]]
    return;
  for (const std::string& text : ctx.session->serverLogsSince(std::exchange(ctx.debug.serverLogsSeen, now)))
    emitDebugMessage(ctx, GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_OTHER, 0, GL_DEBUG_SEVERITY_HIGH, text);
}

void deliverHeldMessages(Context& ctx) {
  // The callback may call GL, and so hold more.
  const std::vector<DebugMessage> held = std::exchange(ctx.debug.held, {});
  for (const DebugMessage& m : held)
    if (ctx.debug.callback != nullptr)
      ctx.debug.callback(m.source, m.type, m.id, m.severity, static_cast<GLsizei>(m.text.size()), m.text.c_str(),
                         ctx.debug.userParam);
}

MGL_GL(void, DebugMessageCallback)(Context& ctx, GLDEBUGPROC callback, const void* userParam) {
  ctx.debug.callback = callback;
  ctx.debug.userParam = userParam;
}
MGL_GL(void, DebugMessageControl)(Context& ctx, GLenum source, GLenum type, GLenum severity, GLsizei count, const GLuint* ids,
                                  GLboolean enabled) {
  if ((source != GL_DONT_CARE && !isSource(source)) || (type != GL_DONT_CARE && !isType(type)) ||
      (severity != GL_DONT_CARE && !isSeverity(severity))) {
    ctx.error(GL_INVALID_ENUM, "glDebugMessageControl: not a source, type or severity");
    return;
  }
  if (count < 0) {
    ctx.error(GL_INVALID_VALUE, "glDebugMessageControl: a negative count");
    return;
  }
  if (count > 0 && (source == GL_DONT_CARE || type == GL_DONT_CARE || severity != GL_DONT_CARE)) {
    ctx.error(GL_INVALID_OPERATION, "glDebugMessageControl: ids go with one source and type and any severity");
    return;
  }
  DebugFilter filter{source, type, severity, {}, enabled != GL_FALSE};
  if (count > 0) filter.ids.assign(ids, ids + count);
  // An equal rule is replaced, so that a program that switches one on and off keeps the list short.
  std::erase_if(ctx.debug.filters, [&](const DebugFilter& f) {
    return ctx.debug.groups.empty() && f.source == source && f.type == type && f.severity == severity && f.ids == filter.ids;
  });
  ctx.debug.filters.push_back(std::move(filter));
}
MGL_GL(void, DebugMessageInsert)(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                 const GLchar* buf) {
  if ((source != GL_DEBUG_SOURCE_APPLICATION && source != GL_DEBUG_SOURCE_THIRD_PARTY) || !isType(type) || !isSeverity(severity)) {
    ctx.error(GL_INVALID_ENUM, "glDebugMessageInsert: not a source of a program, a type and a severity");
    return;
  }
  const std::string_view text = textOf(buf, length);
  if (!checkText(ctx, text, "glDebugMessageInsert")) return;
  emitDebugMessage(ctx, source, type, id, severity, text);
  const pipe::DebugSeverity level = severity == GL_DEBUG_SEVERITY_HIGH     ? pipe::DebugSeverity::High
                                    : severity == GL_DEBUG_SEVERITY_MEDIUM ? pipe::DebugSeverity::Medium
                                    : severity == GL_DEBUG_SEVERITY_LOW    ? pipe::DebugSeverity::Low
                                                                           : pipe::DebugSeverity::Notification;
  const auto bytes = static_cast<u32>(std::min<std::size_t>(text.size(), pipe::kMaxLabelBytes));
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::DebugMessage{id, level, {}, bytes, 0}, std::span(reinterpret_cast<const u8*>(text.data()), bytes));
}
MGL_GL(GLuint, GetDebugMessageLog)(Context& ctx, GLuint count, GLsizei bufSize, GLenum* sources, GLenum* types, GLuint* ids,
                                   GLenum* severities, GLsizei* lengths, GLchar* messageLog) {
  if (messageLog != nullptr && bufSize < 0) {
    ctx.error(GL_INVALID_VALUE, "glGetDebugMessageLog: a negative size");
    return 0;
  }
  takeServerMessages(ctx);
  GLuint taken = 0;
  while (taken < count && !ctx.debug.log.empty()) {
    const DebugMessage& message = ctx.debug.log.front();
    const GLsizei size = static_cast<GLsizei>(message.text.size()) + 1;
    if (messageLog != nullptr) {
      if (size > bufSize) break;
      std::memcpy(messageLog, message.text.c_str(), static_cast<std::size_t>(size));
      messageLog += size;
      bufSize -= size;
    }
    if (sources != nullptr) sources[taken] = message.source;
    if (types != nullptr) types[taken] = message.type;
    if (ids != nullptr) ids[taken] = message.id;
    if (severities != nullptr) severities[taken] = message.severity;
    if (lengths != nullptr) lengths[taken] = size;
    ctx.debug.log.pop_front();
    ++taken;
  }
  return taken;
}
MGL_GL(void, PushDebugGroup)(Context& ctx, GLenum source, GLuint id, GLsizei length, const GLchar* message) {
  if (source != GL_DEBUG_SOURCE_APPLICATION && source != GL_DEBUG_SOURCE_THIRD_PARTY) {
    ctx.error(GL_INVALID_ENUM, "glPushDebugGroup: not a source of a program");
    return;
  }
  const std::string_view text = textOf(message, length);
  if (!checkText(ctx, text, "glPushDebugGroup")) return;
  if (ctx.debug.groups.size() + 1 >= kMaxGroupDepth) {
    ctx.error(GL_STACK_OVERFLOW, "glPushDebugGroup: GL_MAX_DEBUG_GROUP_STACK_DEPTH is reached");
    return;
  }
  emitDebugMessage(ctx, source, GL_DEBUG_TYPE_PUSH_GROUP, id, GL_DEBUG_SEVERITY_NOTIFICATION, text);
  ctx.debug.groups.push_back({source, id, std::string(text), ctx.debug.filters.size()});
  const auto bytes = static_cast<u32>(std::min<std::size_t>(text.size(), pipe::kMaxLabelBytes));
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::PushDebugGroup{id, bytes}, std::span(reinterpret_cast<const u8*>(text.data()), bytes));
}
MGL_GL(void, PopDebugGroup)(Context& ctx) {
  if (ctx.debug.groups.empty()) {
    ctx.error(GL_STACK_UNDERFLOW, "glPopDebugGroup: no group is open");
    return;
  }
  const DebugGroup closed = ctx.debug.groups.back();
  ctx.debug.groups.pop_back();
  ctx.debug.filters.resize(std::min(ctx.debug.filters.size(), closed.filterCount));
  emitDebugMessage(ctx, closed.source, GL_DEBUG_TYPE_POP_GROUP, closed.id, GL_DEBUG_SEVERITY_NOTIFICATION, closed.text);
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::PopDebugGroup{});
}
MGL_GL(void, ObjectLabel)(Context& ctx, GLenum identifier, GLuint name, GLsizei length, const GLchar* label) {
  if (const Ref<Object> object = labelled(ctx, identifier, name))
    setLabel(ctx, identifier, *object, length, label);
}
MGL_GL(void, GetObjectLabel)(Context& ctx, GLenum identifier, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* label) {
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glGetObjectLabel: a negative size");
  if (const Ref<Object> object = labelled(ctx, identifier, name)) copyLabel(object->label, bufSize, length, label);
}
MGL_GL(void, ObjectPtrLabel)(Context& ctx, const void* ptr, GLsizei length, const GLchar* label) {
  if (const Ref<Object> object = syncOf(ctx, ptr)) setLabel(ctx, GL_SYNC_FENCE, *object, length, label);
}
MGL_GL(void, GetObjectPtrLabel)(Context& ctx, const void* ptr, GLsizei bufSize, GLsizei* length, GLchar* label) {
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glGetObjectPtrLabel: a negative size");
  if (const Ref<Object> object = syncOf(ctx, ptr)) copyLabel(object->label, bufSize, length, label);
}
MGL_GL(void, GetPointerv)(Context& ctx, GLenum pname, void** params) {
  switch (pname) {
    case GL_DEBUG_CALLBACK_FUNCTION: *params = reinterpret_cast<void*>(ctx.debug.callback); return;
    case GL_DEBUG_CALLBACK_USER_PARAM: *params = const_cast<void*>(ctx.debug.userParam); return;
    default: ctx.error(GL_INVALID_ENUM, "glGetPointerv: 0x%04x is not a pointer of this context", pname);
  }
}

}  // namespace mgl::gl

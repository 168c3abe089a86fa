// Query objects and conditional rendering (OpenGL 4.6 sections 4.2, 10.9, 17.3.5).
#include "gl/query/query.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "gl/buffer/binding.h"
#include "gl/context.h"
#include "gl/verb.h"
#include "gl/version.h"
#include "tracker/tracker.h"

namespace mgl::gl {

Query::Query(u32 glName, std::shared_ptr<client::Session> s) : Object(glName), session(std::move(s)) {}
Query::~Query() { session->retire(handle); }

namespace {

using pipe::QueryKind;

std::optional<QueryKind> queryKind(GLenum target) {
  switch (target) {
    case GL_SAMPLES_PASSED: return QueryKind::SamplesPassed;
    case GL_ANY_SAMPLES_PASSED: return QueryKind::AnySamplesPassed;
    case GL_ANY_SAMPLES_PASSED_CONSERVATIVE: return QueryKind::AnySamplesPassedConservative;
    case GL_PRIMITIVES_GENERATED: return QueryKind::PrimitivesGenerated;
    case GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN: return QueryKind::StreamOutputPrimitivesWritten;
    case GL_TIME_ELAPSED: return QueryKind::TimeElapsed;
    default: return std::nullopt;
  }
}

bool isIndexed(QueryKind kind) {
  return kind == QueryKind::PrimitivesGenerated || kind == QueryKind::StreamOutputPrimitivesWritten;
}

// The three occlusion targets share one active query.
bool conflicts(const Context& ctx, QueryKind kind, u32 index) {
  if (kind > QueryKind::AnySamplesPassedConservative) return static_cast<bool>(ctx.activeQueries[indexOf(kind)][index]);
  for (u32 k = 0; k <= indexOf(QueryKind::AnySamplesPassedConservative); ++k)
    if (ctx.activeQueries[k][0]) return true;
  return false;
}

bool checkTarget(Context& ctx, GLenum target, GLuint index, QueryKind* kind, const char* command) {
  const auto found = queryKind(target);
  if (!found) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a query target", command, target);
    return false;
  }
  const u32 streams = isIndexed(*found) ? static_cast<u32>(std::clamp<i64>(ctx.info->limits.maxStreams, 1, 4)) : 1;
  if (index >= streams) {
    ctx.error(GL_INVALID_VALUE, "%s: index %u is not below the number of streams", command, index);
    return false;
  }
  *kind = *found;
  return true;
}

// The object of a name for use with a target; null with the error.
Query* queryFor(Context& ctx, GLuint id, GLenum target, QueryKind kind, u32 index, const char* command) {
  if (id == 0 || !ctx.queries.isUsed(id)) {
    ctx.error(GL_INVALID_OPERATION, "%s: %u did not come from glGenQueries", command, id);
    return nullptr;
  }
  Query* query = ctx.queries.find(id);
  if (query == nullptr) {
    query = new Query(id, ctx.session);
    ctx.queries.insert(id, Ref<Query>(query));
  }
  if (query->active || (query->target != GL_NONE && query->target != target)) {
    ctx.error(GL_INVALID_OPERATION, "%s: query %u is active or was used with another target", command, id);
    return nullptr;
  }
  query->target = target;
  query->kind = kind;
  if (query->handle.isNull() || query->stream != index) {
    query->session->retire(query->handle);
    query->stream = index;
    client::Group group(*ctx.session, ctx.stream);
    query->handle = group.allocate<pipe::Kind::Query>();
    pipe::CreateQuery create{};
    create.query = query->handle;
    create.kind = kind;
    create.stream = static_cast<u8>(index);
    group.emit(create);
  }
  return query;
}

u64 nextRun() {
  static std::atomic<u64> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void beginQuery(Context& ctx, GLenum target, GLuint index, GLuint id, const char* command) {
  QueryKind kind;
  if (!checkTarget(ctx, target, index, &kind, command)) return;
  if (conflicts(ctx, kind, index)) return ctx.error(GL_INVALID_OPERATION, "%s: a query of that target is active", command);
  Query* query = queryFor(ctx, id, target, kind, index, command);
  if (query == nullptr) return;
  query->active = true;
  query->runSerial = nextRun();
  ctx.activeQueries[indexOf(kind)][index] = Ref<Query>(query);
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::BeginQuery{query->handle, query->runSerial});
}

void endQuery(Context& ctx, GLenum target, GLuint index, const char* command) {
  QueryKind kind;
  if (!checkTarget(ctx, target, index, &kind, command)) return;
  Ref<Query>& slot = ctx.activeQueries[indexOf(kind)][index];
  if (!slot) return ctx.error(GL_INVALID_OPERATION, "%s: no query of that target is active", command);
  const Ref<Query> query = std::move(slot);
  slot = {};
  query->active = false;
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::EndQuery{query->handle});
  query->flushSerial = group.nextSerial();
}

// The result, converted as the specification asks: an any-samples query is a boolean.
bool readResult(Context& ctx, Query& query, bool wait, u64* value) {
  if (query.runSerial == 0) {
    *value = 0;
    return true;
  }
  if (query.knownRun == query.runSerial) {
    *value = query.knownValue;
  } else if (!ctx.session->queryResult(query.handle, query.runSerial, value)) {
    if (wait) {
      const ScopedStall stall(Stall::QueryResult);
      client::Group group(*ctx.session, ctx.stream);
      *value = group.ask(pipe::WaitQuery{query.handle, 0, 0}).value;
      query.knownRun = query.runSerial;
      query.knownValue = *value;
    } else {
      ctx.session->flushUpTo(query.flushSerial, &ctx.stream);
      if (ctx.lost()) return *value = 0, true;  // polls end
      if (!ctx.session->queryResult(query.handle, query.runSerial, value)) return false;
    }
  }
  if (query.kind == QueryKind::AnySamplesPassed || query.kind == QueryKind::AnySamplesPassedConservative)
    *value = *value != 0 ? 1 : 0;
  return true;
}

template <class T>
void getQueryObject(Context& ctx, GLuint id, GLenum pname, T* params, const char* command) {
  Query* query = ctx.queries.find(id);
  if (query == nullptr) return ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a query object", command, id);
  if (pname != GL_QUERY_RESULT && pname != GL_QUERY_RESULT_AVAILABLE && pname != GL_QUERY_RESULT_NO_WAIT &&
      pname != GL_QUERY_TARGET)
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a property of a query", command, pname);
  if (query->active) return ctx.error(GL_INVALID_OPERATION, "%s: query %u is active", command, id);
  u64 value = 0;
  constexpr u64 kMax = static_cast<u64>(std::numeric_limits<T>::max());
  if (pname == GL_QUERY_TARGET) {
    *params = static_cast<T>(query->target);
  } else if (Buffer* buffer = ctx.buffers[indexOf(BufferTarget::Query)].get(); buffer != nullptr) {
    const u64 offset = reinterpret_cast<uintptr_t>(params);
    const Verb verb(ctx);
    if (offset % sizeof(T) != 0 || buffer->size < sizeof(T) || offset > buffer->size - sizeof(T))
      return ctx.error(GL_INVALID_OPERATION, "%s: the result does not fit the query buffer there", command);
    client::Group group(*ctx.session, ctx.stream);
    pipe::QueryResultToBuffer out{};
    out.query = query->handle;
    out.buffer = buffer->handle;
    out.offset = offset;
    out.wide = sizeof(T) == 8;
    out.wait = pname == GL_QUERY_RESULT;
    out.availability = pname == GL_QUERY_RESULT_AVAILABLE;
    group.emit(out);
  } else if (pname == GL_QUERY_RESULT_AVAILABLE) {
    *params = readResult(ctx, *query, false, &value) ? 1 : 0;
  } else if (readResult(ctx, *query, pname == GL_QUERY_RESULT, &value)) {
    *params = static_cast<T>(std::min(value, kMax));
  }
}

u32 counterBits(const Context& ctx, QueryKind kind) {
  switch (kind) {
    case QueryKind::AnySamplesPassed:
    case QueryKind::AnySamplesPassedConservative: return 1;
    case QueryKind::TimeElapsed:
    case QueryKind::Timestamp: return ctx.caps().has(pipe::Feature::TimerQuery) ? 64 : 0;
    default: return 64;
  }
}

void getQuery(Context& ctx, GLenum target, GLuint index, GLenum pname, GLint* params, const char* command) {
  QueryKind kind = QueryKind::Timestamp;
  if (target != GL_TIMESTAMP && !checkTarget(ctx, target, index, &kind, command)) return;
  switch (pname) {
    case GL_CURRENT_QUERY: {
      const Ref<Query>& active = ctx.activeQueries[indexOf(kind)][index];
      *params = active ? static_cast<GLint>(active->name) : 0;
      return;
    }
    case GL_QUERY_COUNTER_BITS: *params = static_cast<GLint>(counterBits(ctx, kind)); return;
    default: ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a property of a query target", command, pname);
  }
}

}  // namespace

MGL_GL(void, GenQueries)(Context& ctx, GLsizei n, GLuint* ids) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenQueries: a negative count");
  ctx.queries.reserve(std::span(ids, static_cast<std::size_t>(n)));
}
MGL_GL(void, CreateQueries)(Context& ctx, GLenum target, GLsizei n, GLuint* ids) {
  if (!queryKind(target) && target != GL_TIMESTAMP)
    return ctx.error(GL_INVALID_ENUM, "glCreateQueries: 0x%04x is not a query target", target);
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glCreateQueries: a negative count");
  ctx.queries.reserve(std::span(ids, static_cast<std::size_t>(n)));
  for (GLsizei i = 0; i < n; ++i) {
    Ref<Query> query(new Query(ids[i], ctx.session));
    query->target = target;
    query->kind = queryKind(target).value_or(QueryKind::Timestamp);
    ctx.queries.insert(ids[i], std::move(query));
  }
}
MGL_GL(void, DeleteQueries)(Context& ctx, GLsizei n, const GLuint* ids) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteQueries: a negative count");
  for (GLsizei i = 0; i < n; ++i) {
    if (ids[i] == 0 || !ctx.queries.isUsed(ids[i])) continue;
    if (const Query* query = ctx.queries.find(ids[i]); query != nullptr && query->active) {
      if (query->target == GL_NONE) continue;
      endQuery(ctx, query->target, query->stream, "glDeleteQueries");
    }
    ctx.queries.erase(ids[i]);
  }
}
MGL_GL(GLboolean, IsQuery)(Context& ctx, GLuint id) { return ctx.queries.find(id) != nullptr; }
MGL_GL(void, BeginQuery)(Context& ctx, GLenum target, GLuint id) { beginQuery(ctx, target, 0, id, "glBeginQuery"); }
MGL_GL(void, BeginQueryIndexed)(Context& ctx, GLenum target, GLuint index, GLuint id) {
  beginQuery(ctx, target, index, id, "glBeginQueryIndexed");
}
MGL_GL(void, EndQuery)(Context& ctx, GLenum target) { endQuery(ctx, target, 0, "glEndQuery"); }
MGL_GL(void, EndQueryIndexed)(Context& ctx, GLenum target, GLuint index) { endQuery(ctx, target, index, "glEndQueryIndexed"); }
MGL_GL(void, QueryCounter)(Context& ctx, GLuint id, GLenum target) {
  if (target != GL_TIMESTAMP) return ctx.error(GL_INVALID_ENUM, "glQueryCounter: 0x%04x is not GL_TIMESTAMP", target);
  Query* query = queryFor(ctx, id, target, QueryKind::Timestamp, 0, "glQueryCounter");
  if (query == nullptr) return;
  query->runSerial = nextRun();
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::WriteTimestamp{query->handle, query->runSerial});
  query->flushSerial = group.nextSerial();
}

MGL_GL(void, GetQueryiv)(Context& ctx, GLenum target, GLenum pname, GLint* params) {
  getQuery(ctx, target, 0, pname, params, "glGetQueryiv");
}
MGL_GL(void, GetQueryIndexediv)(Context& ctx, GLenum target, GLuint index, GLenum pname, GLint* params) {
  getQuery(ctx, target, index, pname, params, "glGetQueryIndexediv");
}
MGL_GL(void, GetQueryObjectiv)(Context& ctx, GLuint id, GLenum pname, GLint* params) {
  getQueryObject(ctx, id, pname, params, "glGetQueryObjectiv");
}
MGL_GL(void, GetQueryObjectuiv)(Context& ctx, GLuint id, GLenum pname, GLuint* params) {
  getQueryObject(ctx, id, pname, params, "glGetQueryObjectuiv");
}
MGL_GL(void, GetQueryObjecti64v)(Context& ctx, GLuint id, GLenum pname, GLint64* params) {
  getQueryObject(ctx, id, pname, params, "glGetQueryObjecti64v");
}
MGL_GL(void, GetQueryObjectui64v)(Context& ctx, GLuint id, GLenum pname, GLuint64* params) {
  getQueryObject(ctx, id, pname, params, "glGetQueryObjectui64v");
}

MGL_GL(Moved, BeginConditionalRender)(Context& ctx, GLuint id, GLenum mode) {
  const bool inverted = mode >= GL_QUERY_WAIT_INVERTED && mode <= GL_QUERY_BY_REGION_NO_WAIT_INVERTED;
  if (!inverted && (mode < GL_QUERY_WAIT || mode > GL_QUERY_BY_REGION_NO_WAIT)) {
    ctx.error(GL_INVALID_ENUM, "glBeginConditionalRender: 0x%04x is not a mode", mode);
    return Moved::No;
  }
  Query* query = ctx.queries.find(id);
  if (ctx.conditionQuery || (query != nullptr && query->active)) {
    ctx.error(GL_INVALID_OPERATION, "glBeginConditionalRender: rendering is conditional already, or the query is active");
    return Moved::No;
  }
  if (query == nullptr) {
    ctx.error(GL_INVALID_VALUE, "glBeginConditionalRender: %u is not the name of a query object", id);
    return Moved::No;
  }
  if (query->kind > QueryKind::AnySamplesPassedConservative || query->handle.isNull()) {
    ctx.error(GL_INVALID_OPERATION, "glBeginConditionalRender: query %u counts no samples", id);
    return Moved::No;
  }
  ctx.conditionQuery = Ref<Query>(query);
  ctx.conditionMode = mode;
  ctx.touch(Group::Condition);
  return Moved::Yes;
}
MGL_GL(Moved, EndConditionalRender)(Context& ctx) {
  if (!ctx.conditionQuery) {
    ctx.error(GL_INVALID_OPERATION, "glEndConditionalRender: rendering is not conditional");
    return Moved::No;
  }
  ctx.conditionQuery.reset();
  ctx.touch(Group::Condition);
  return Moved::Yes;
}

}  // namespace mgl::gl

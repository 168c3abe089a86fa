#include "pipe/check.h"

#include <cmath>

namespace mgl::pipe {

namespace {

struct Context {
  const HandleOracle* handles;  // null: handles are not looked up
  const BlobSpace& blobs;
  std::string path;  // built on the way back from a field that breaks its rule

  [[gnu::cold, gnu::noinline]] bool fail(std::string_view name) {
    path = path.empty() ? std::string(name) : std::string(name) + '.' + path;
    return false;
  }
  [[gnu::cold, gnu::noinline]] bool failAt(std::string_view name, u64 index) {
    return fail(std::string(name) + '[' + std::to_string(index) + ']');
  }
};

template <class T>
inline constexpr bool kIsArray = false;
template <class E, std::size_t N>
inline constexpr bool kIsArray<std::array<E, N>> = true;
template <class T>
concept Struct = requires {
  T::kName;
};
template <class T>
concept Handle = requires {
  T::kKind;
};

bool checkNumber(u64 value, const Rule& rule) {
  switch (rule.what) {
    case Rule::What::Range:
      return value >= rule.lo && value <= rule.hi;
    case Rule::What::Mask:
      return (value & ~rule.lo) == 0;
    case Rule::What::Zero:
      return value == 0;
    default:
      return true;
  }
}

bool checkHandle(Kind kind, u32 slot, u32 gen, const Rule& rule, const Context& context) {
  if (context.handles == nullptr) return true;
  switch (rule.what) {
    case Rule::What::Optional:
      return (slot == 0 && gen == 0) || context.handles->isLive(kind, slot, gen);
    case Rule::What::Live:
      return context.handles->isLive(kind, slot, gen);
    case Rule::What::Fresh:
      return context.handles->isFresh(kind, slot, gen);
    case Rule::What::Renewed:
      return context.handles->isLive(kind, slot, gen) || context.handles->isFresh(kind, slot, gen);
    default:
      return true;
  }
}

bool checkBlob(const BlobRef& ref, const BlobSpace& space) {
  switch (ref.where) {
    case BlobWhere::None:
      return ref.offset == 0;
    case BlobWhere::Host:
      return ref.offset < space.hostSpans.size() && ref.bytes <= space.hostSpans[ref.offset].size();
    case BlobWhere::Stage:
      return ref.offset <= space.stageBytes && ref.bytes <= space.stageBytes - ref.offset;
    case BlobWhere::Count:
      break;
  }
  return false;
}

template <class P>
bool checkFields(const P& payload, Context& context);

// One value under its rule. On false the path below it is in the context already.
template <class T>
bool checkValue(const T& value, const Rule& rule, Context& context) {
  if constexpr (std::is_same_v<T, BlobRef>) {
    return checkBlob(value, context.blobs);
  } else if constexpr (Struct<T>) {
    return checkFields(value, context);
  } else if constexpr (Handle<T>) {
    return checkHandle(T::kKind, value.slot, value.gen, rule, context);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<u64>(value) < countOf<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    return rule.what != Rule::What::Finite || std::isfinite(value);
  } else {
    return checkNumber(static_cast<u64>(value), rule);
  }
}

template <class P>
bool checkFields(const P& payload, Context& context) {
  bool good = true;
  P::visit([&](auto member, const char* name, Rule rule) {
    if (!good) return;
    const auto& value = payload.*member;
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (kIsArray<T>) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (!checkValue(value[i], rule, context)) [[unlikely]] {
          good = context.failAt(name, i);
          return;
        }
      }
    } else {
      if (!checkValue(value, rule, context)) [[unlikely]]
        good = context.fail(name);
    }
  });
  return good;
}

bool isZero(const std::byte* from, const std::byte* to) {
  while (from != to) {
    if (*from++ != std::byte{0}) return false;
  }
  return true;
}

template <class P, u32 I>
bool checkTail(const RecordHeader* record, Context& context) {
  using E = TailElement<P, I>;
  const auto elements = RecordView<P>(record).template tail<I>();
  if constexpr (Struct<E>) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!checkFields(elements[i], context)) [[unlikely]]
        return context.failAt(E::kName, i);
    }
  }
  if constexpr (sizeof(E) % 8 != 0) {
    const auto* end = reinterpret_cast<const std::byte*>(elements.data()) + elements.size_bytes();
    const auto* next = reinterpret_cast<const std::byte*>(record) + tailOffset<P, I + 1>(RecordView<P>(record).head);
    if (!isZero(end, next)) return context.fail("padding");
  }
  return true;
}

template <class P>
bool checkBody(const RecordHeader* record, Context& context) {
  if (record->bytes < sizeof(RecordHeader) + sizeof(P)) return context.fail("bytes");
  const P& head = RecordView<P>(record).head;
  if (!checkFields(head, context)) return false;
  // The counts are bounded from here on.
  if (tailOffset<P, TailsOf<P>::kSize>(head) != record->bytes) return context.fail("bytes");
  return [&]<u32... I>(std::integer_sequence<u32, I...>) { return (checkTail<P, I>(record, context) && ...); }
  (std::make_integer_sequence<u32, TailsOf<P>::kSize>());
}

using CheckFn = bool (*)(const RecordHeader*, Context&);
struct Row {
  std::string_view name;
  CheckFn check;
};
constexpr Row kCallRows[] = {
#define MGL_CALL(Name, cls, flags, wait, epoch, text) {#Name, &checkBody<Name>},
#include "pipe/pipe_calls.def"
#undef MGL_CALL
};
constexpr Row kEventRows[] = {
#define MGL_EVENT(Name, loss, text) {#Name, &checkBody<Name>},
#include "pipe/pipe_events.def"
#undef MGL_EVENT
};

bool check(std::span<const Row> rows, const RecordHeader* record, u64 available, Context& context, Fault* fault) {
  std::string_view name = "record";
  bool good = false;
  if (available < sizeof(RecordHeader) || record->bytes > available || record->bytes > kMaxRecordBytes ||
      record->bytes % 8 != 0 || record->bytes < sizeof(RecordHeader)) {
    context.fail("bytes");
  } else if (record->call >= rows.size()) {
    context.fail("call");
  } else if (record->flags != 0) {
    context.fail("flags");
  } else {
    name = rows[record->call].name;
    good = rows[record->call].check(record, context);
  }
  if (!good) *fault = {FaultCode::ProtocolCorruption, std::string(name) + '.' + context.path};
  return good;
}

}  // namespace

bool checkRecord(const RecordHeader* record, u64 available, const HandleOracle& handles, const BlobSpace& blobs,
                 Fault* fault) {
  Context context{&handles, blobs, {}};
  return check(kCallRows, record, available, context, fault);
}

bool checkEvent(const RecordHeader* record, u64 available, const BlobSpace& blobs, Fault* fault) {
  Context context{nullptr, blobs, {}};
  return check(kEventRows, record, available, context, fault);
}

}  // namespace mgl::pipe

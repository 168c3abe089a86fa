#include "pipe/layout.h"

#include <algorithm>

#include "base/hash.h"
#include "pipe/record_view.h"

namespace mgl::pipe {

namespace {

template <class T>
inline constexpr bool kIsArray = false;
template <class E, std::size_t N>
inline constexpr bool kIsArray<std::array<E, N>> = true;

template <class P>
void addFields(std::vector<Leaf>& leaves, const std::string& prefix, u32 base);

template <class T>
void addValue(std::vector<Leaf>& leaves, const std::string& path, u32 offset, const Rule& rule) {
  Leaf leaf{path, offset, sizeof(T), LeafType::Unsigned, 0, rule};
  if constexpr (std::is_same_v<T, BlobRef>) {
    leaf.type = LeafType::Blob;
  } else if constexpr (requires { T::kName; }) {
    addFields<T>(leaves, path + '.', offset);
    return;
  } else if constexpr (requires { T::kKind; }) {
    leaf.type = LeafType::Handle;
    leaf.bound = indexOf(T::kKind);
  } else if constexpr (std::is_enum_v<T>) {
    leaf.type = LeafType::Enum;
    leaf.bound = countOf<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    leaf.type = LeafType::Float;
  } else if constexpr (std::is_signed_v<T>) {
    leaf.type = LeafType::Signed;
  }
  leaves.push_back(std::move(leaf));
}

// Fields lie one after another: field.h asserts that there is no hidden padding.
template <class P>
void addFields(std::vector<Leaf>& leaves, const std::string& prefix, u32 base) {
  u32 offset = base;
  P::visit([&](auto member, const char* name, Rule rule) {
    using T = std::remove_cvref_t<decltype(std::declval<P>().*member)>;
    if constexpr (kIsArray<T>) {
      using E = typename T::value_type;
      for (u32 i = 0; i < std::tuple_size_v<T>; ++i)
        addValue<E>(leaves, prefix + name + '[' + std::to_string(i) + ']', offset + i * u32{sizeof(E)}, rule);
    } else {
      addValue<T>(leaves, prefix + name, offset, rule);
    }
    offset += sizeof(T);
  });
}

template <class E>
StructLayout structLayout() {
  StructLayout layout;
  layout.bytes = sizeof(E);
  if constexpr (requires { E::kName; }) {
    layout.name = E::kName;
    addFields<E>(layout.leaves, "", 0);
  } else {
    static_assert(std::is_same_v<E, u8>, "a tail holds structures or bytes");
    layout.name = "bytes";
    addValue<E>(layout.leaves, "byte", 0, any());
  }
  return layout;
}

template <class P, u32 I>
TailLayout tailLayout(const StructLayout& payload) {
  u32 offset = 0, countOffset = 0;
  P::visit([&](auto member, const char*, Rule) {
    if constexpr (std::is_same_v<decltype(member), std::remove_const_t<decltype(TailOf<P, I>::kCount)>>) {
      if (member == TailOf<P, I>::kCount) countOffset = offset;
    }
    offset += sizeof(std::declval<P>().*member);
  });
  TailLayout tail{structLayout<TailElement<P, I>>(), 0};
  while (payload.leaves[tail.countLeaf].offset != countOffset) ++tail.countLeaf;
  return tail;
}

template <class P>
RecordLayout recordLayout() {
  RecordLayout layout{P::kName, structLayout<P>(), {}};
  [&]<u32... I>(std::integer_sequence<u32, I...>) { (layout.tails.push_back(tailLayout<P, I>(layout.payload)), ...); }
  (std::make_integer_sequence<u32, TailsOf<P>::kSize>());
  return layout;
}

class Digest {
 public:
  void add(std::string_view text) { hash_ = hashText(text, hash_); }
  void add(u64 value) { hash_ = hashOf(value, hash_); }
  void add(const StructLayout& layout) {
    add(layout.name);
    add(layout.bytes);
    for (const Leaf& leaf : layout.leaves) {
      add(leaf.path);
      add(u64{leaf.offset} << 32 | leaf.bytes);
      add(u64{indexOf(leaf.type)} << 32 | leaf.bound);
      add(indexOf(leaf.rule.what));
      add(leaf.rule.lo);
      add(leaf.rule.hi);
    }
  }
  void add(const RecordLayout& layout) {
    add(layout.payload);
    for (const TailLayout& tail : layout.tails) {
      add(tail.countLeaf);
      add(tail.element);
    }
  }
  u64 hash() const { return hash_; }

 private:
  u64 hash_ = 0;
};

}  // namespace

const RecordLayout& layoutOf(Call call) {
  static const std::vector<RecordLayout> kLayouts = {
#define MGL_CALL(Name, cls, flags, wait, epoch, text) recordLayout<Name>(),
#include "pipe/pipe_calls.def"
#undef MGL_CALL
  };
  return kLayouts[indexOf(call)];
}

const RecordLayout& layoutOf(Event event) {
  static const std::vector<RecordLayout> kLayouts = {
#define MGL_EVENT(Name, loss, text) recordLayout<Name>(),
#include "pipe/pipe_events.def"
#undef MGL_EVENT
  };
  return kLayouts[indexOf(event)];
}

u64 leafValue(const Leaf& leaf, const void* structure) {
  u64 value = 0;
  std::memcpy(&value, static_cast<const std::byte*>(structure) + leaf.offset, std::min<std::size_t>(leaf.bytes, 8));
  if (leaf.type == LeafType::Signed && leaf.bytes < 8) {
    const u32 shift = 64 - leaf.bytes * 8;
    value = static_cast<u64>(static_cast<i64>(value << shift) >> shift);
  }
  return value;
}

u64 layoutDigest(u32 calls) {
  Digest digest;
  for (u32 i = 0; i < calls; ++i) {
    const auto call = static_cast<Call>(i);
    const CallInfo& info = callInfo(call);
    digest.add(indexOf(info.cls) | u64{info.flags} << 8 | u64{indexOf(info.wait)} << 16);
    digest.add(layoutOf(call));
  }
  for (u32 i = 0; i < countOf<Event>(); ++i) digest.add(layoutOf(static_cast<Event>(i)));
  return digest.hash();
}

}  // namespace mgl::pipe

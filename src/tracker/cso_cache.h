// Constant state objects by content: the handle under which the server knows a state, made at the first sight of it.
//
// A look-up compares with the last few states used and hashes only when none of them is it. One cache per context and
// kind; used under the session's lock of an open group.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "base/counters.h"
#include "base/hash.h"
#include "client/session.h"

namespace mgl::tracker {

template <pipe::Kind K>
class CsoCache {
 public:
  using Handle = pipe::UncheckedHandle<K>;

  // `create(handle)` emits the record that names the content; called when the server does not know it.
  template <class Create>
  Handle find(client::Group& group, Bytes content, Create&& create) {
    for (u32 i = 0; i < recent_.size(); ++i) {
      const Entry* entry = recent_[i];
      if (entry == nullptr || !same(*entry, content)) continue;
      if (i != 0) std::swap(recent_[i], recent_[0]);
      countHeld(Counter::CsoHits);
      return entry->handle;
    }
    auto& chain = entries_[hashBytes(content)];
    for (const auto& entry : chain)
      if (same(*entry, content)) return remember(*entry);
    countHeld(Counter::CsoMisses);
    auto entry = std::make_unique<Entry>();
    entry->content.assign(content.begin(), content.end());
    entry->handle = group.allocate<K>();
    create(entry->handle);
    chain.push_back(std::move(entry));
    return remember(*chain.back());
  }

  void retireAll(client::Session& session) {
    for (const auto& [hash, chain] : entries_)
      for (const auto& entry : chain) session.retire(entry->handle);
    entries_.clear();
    recent_.fill(nullptr);
  }

 private:
  struct Entry {
    std::vector<std::byte> content;
    Handle handle;
  };
  static bool same(const Entry& entry, Bytes content) {
    return entry.content.size() == content.size() &&
           (content.empty() || std::memcmp(entry.content.data(), content.data(), content.size()) == 0);
  }
  Handle remember(const Entry& entry) {
    for (u32 i = static_cast<u32>(recent_.size()) - 1; i > 0; --i) recent_[i] = recent_[i - 1];
    recent_[0] = &entry;
    return entry.handle;
  }

  std::array<const Entry*, 4> recent_{};
  std::unordered_map<u64, std::vector<std::unique_ptr<Entry>>> entries_;
};

}  // namespace mgl::tracker

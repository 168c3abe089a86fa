// The templates over the object tables, for the sources of the families.
#pragma once

#include "server/session.h"

namespace mgl::server {

template <class T, pipe::Kind K>
bool Session::destroy(Table<T, K>& table, pipe::UncheckedHandle<K> handle, std::string_view where) {
  const auto checked = table.check(handle);
  if (!checked) return corrupt(where);
  const Ref<T> object = table.remove(*checked);
  backend_->destroyed(*object);
  return true;
}

}  // namespace mgl::server

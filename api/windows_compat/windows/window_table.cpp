// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/windows/window_table.hpp"

#include <algorithm>

namespace fenceline::windows_compat {

WindowTable& WindowTable::instance() {
  static auto* const table = new WindowTable;  // threads may outlive static objects
  return *table;
}

ATOM WindowTable::add_class(const std::wstring& name, WNDPROC procedure) {
  if (classes_.count(name) > 0) return 0;
  classes_[name] = {++last_atom_, procedure};
  return last_atom_;
}

bool WindowTable::remove_class(const std::wstring& name) { return classes_.erase(name) > 0; }

WNDPROC WindowTable::procedure_of_class(LPCWSTR name) const {
  const auto number = reinterpret_cast<std::uintptr_t>(name);
  constexpr std::uintptr_t atoms_end = 0x10000;
  const auto found = number < atoms_end ? std::find_if(classes_.begin(), classes_.end(),
                                                       [&](const auto& one) { return one.second.atom == number; })
                                        : classes_.find(name);
  return found != classes_.end() ? found->second.procedure : nullptr;
}

int WindowTable::add(const Window& window) {
  windows_[++last_handle_] = window;
  return last_handle_;
}

Window* WindowTable::find(int handle) {
  const auto found = windows_.find(handle);
  return found != windows_.end() ? &found->second : nullptr;
}

int WindowTable::window_to_paint() const {
  const auto found =
      std::find_if(windows_.begin(), windows_.end(), [](const auto& one) { return one.second.wants_paint; });
  return found != windows_.end() ? found->first : 0;
}

}  // namespace fenceline::windows_compat

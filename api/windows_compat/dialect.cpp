// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/dialect.hpp"

#include "api/windows_compat/path.hpp"

#include <mutex>
#include <set>
#include <string>

namespace fenceline::windows_compat {

const wchar_t* lasting_wide_text(const char* text) {
  static std::mutex mutex;
  static auto* const texts = new std::set<std::wstring>;
  const std::lock_guard<std::mutex> held(mutex);
  return texts->insert(widen(text)).first->c_str();
}

}  // namespace fenceline::windows_compat

// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// What Microsoft's compiler takes in C++ and g++ does not, as far as names can give it.
#include "api/windows_compat/types.hpp"

#ifdef __cplusplus

#include <type_traits>

#ifndef NOMINMAX
/// Windows' macros without their damage: std::min stays what it is. By value, for constants that are nowhere defined.
template <class One, class Other>
constexpr std::common_type_t<One, Other> min(One one, Other other) {
  return other < one ? other : one;
}
template <class One, class Other>
constexpr std::common_type_t<One, Other> max(One one, Other other) {
  return one < other ? other : one;
}
#endif

#ifndef FENCELINE_NO_WIDE_STRINGIZING
// DirectXMath has variables of this name. It is no part of Fenceline; where a copy is on the include path, it comes
// before the name is taken.
#if __has_include(<DirectXMath.h>)
#include <DirectXCollision.h>
#include <DirectXColors.h>
#include <DirectXMath.h>
#include <DirectXPackedVector.h>
#endif
namespace fenceline::windows_compat {
/// A wide copy of the text, which stays as long as the process lives.
const wchar_t* lasting_wide_text(const char* text);
/// What stands before a narrow literal in `L#name`, which Microsoft's preprocessor makes one wide literal of, and
/// others two words: an L and a literal.
struct WideStringizing {
  const wchar_t* operator+(const char* text) const { return lasting_wide_text(text); }
};
}  // namespace fenceline::windows_compat
/// A program that has an L of its own defines FENCELINE_NO_WIDE_STRINGIZING.
#define L ::fenceline::windows_compat::WideStringizing() +
#endif

#endif

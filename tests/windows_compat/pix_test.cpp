// SPDX-License-Identifier: Apache-2.0
// PIX's markers by either of their headers.
#include "api/windows_compat/pix.hpp"

#include "api/public/pix3.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

/// A list that keeps what it is told.
struct Context {
  void BeginEvent(UINT kind, const void* text, UINT bytes) { told.push_back("begin " + text_of(kind, text, bytes)); }
  void SetMarker(UINT kind, const void* text, UINT bytes) { told.push_back("marker " + text_of(kind, text, bytes)); }
  void EndEvent() { told.emplace_back("end"); }
  static std::string text_of(UINT kind, const void* text, UINT bytes) {
    if (kind == 1) return {static_cast<const char*>(text), bytes - 1};
    const std::wstring wide(static_cast<const wchar_t*>(text), bytes / sizeof(wchar_t) - 1);
    return {wide.begin(), wide.end()};
  }
  std::vector<std::string> told;
};

}  // namespace

TEST_CASE("PIX: a program may include both headers, and its events and markers are the context's", "[windows_compat]") {
  Context context;
  {
    PIXScopedEvent(&context, PIX_COLOR(1, 2, 3), "frame %d", 7);
    PIXSetMarker(&context, PIX_COLOR_DEFAULT, L"half %d", 2);
    PIXScopedEvent(PIX_COLOR_INDEX(4), "of nobody");
  }
  PIXBeginEvent(&context, 0, L"pass");
  PIXEndEvent(&context);
  CHECK(context.told == std::vector<std::string>{"begin frame 7", "marker half 2", "end", "begin pass", "end"});
}

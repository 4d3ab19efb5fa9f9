// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/include/windows.h"
#include "api/windows_compat/print_format.hpp"

#include <catch2/catch.hpp>

#include <string>

using fenceline::windows_compat::host_format;

TEST_CASE("formats: Microsoft's letters become glibc's", "[windows_compat]") {
  // "Format specification syntax: printf and wprintf functions": s and c have the width of the function, S and C the
  // other one, h makes either narrow and l either wide.
  struct Case {
    std::wstring microsofts, wide;
    std::string narrow;
  };
  const Case cases[] = {
      {L"%s[%u]", L"%ls[%u]", "%s[%u]"},
      {L"%-8.3s|%c", L"%-8.3ls|%lc", "%-8.3s|%c"},
      {L"%S %C", L"%s %c", "%ls %lc"},
      {L"%hs %hc %ls %lc", L"%s %c %ls %lc", "%s %c %ls %lc"},
      {L"%I64d %I64u %I32d %Iu", L"%lld %llu %d %zu", "%lld %llu %d %zu"},
      {L"100%% %d%s", L"100%% %d%ls", "100%% %d%s"},
      {L"%", L"%", "%"},
      {L"%I", L"%z", "%z"},
      {L"", L"", ""},
  };
  for (const Case& one : cases) {
    const std::string narrow_source(one.microsofts.begin(), one.microsofts.end());
    CAPTURE(narrow_source);
    CHECK(host_format(std::wstring_view(one.microsofts)) == one.wide);
    CHECK(host_format(std::string_view(narrow_source)) == one.narrow);
  }
}

TEST_CASE("swprintf_s: a text in a text, with the array's own size", "[windows_compat]") {
  WCHAR text[16];
  CHECK(swprintf_s(text, L"%s[%u]", L"queue", 7U) == 8);
  CHECK(std::wstring(text) == L"queue[7]");
  CHECK(swprintf_s(text, 16, L"%hs %c", "ab", L'ö') == 4);
  CHECK(std::wstring(text) == L"ab ö");
  SECTION("what does not fit leaves nothing") {
    CHECK(swprintf_s(text, L"%s", L"0123456789abcde") == 15);
    CHECK(swprintf_s(text, L"%s", L"0123456789abcdef") == -1);
    CHECK(std::wstring(text).empty());
  }
  SECTION("_TRUNCATE leaves what fits") {
    CHECK(_snwprintf_s(text, _TRUNCATE, L"%s", L"0123456789abcdef") == -1);
    CHECK(std::wstring(text) == L"0123456789abcde");
    CHECK(_snwprintf_s(text, 4, L"%s", L"0123456789abcdef") == -1);
    CHECK(std::wstring(text) == L"0123");
    CHECK(_snwprintf_s(text, 4, L"%d", 1234) == 4);
  }
  SECTION("texts longer than the first guess") {
    const std::wstring letters(5000, L'x');
    std::wstring room(6000, L'?');
    CHECK(swprintf_s(room.data(), room.size(), L"<%s>", letters.c_str()) == 5002);
    CHECK(std::wstring(room.c_str()) == L'<' + letters + L'>');
  }
}

TEST_CASE("sprintf_s: numbers of 64 bits, and no room", "[windows_compat]") {
  char text[24];
  CHECK(sprintf_s(text, "0x%08X", 0x887A0005U) == 10);
  CHECK(std::string(text) == "0x887A0005");
  char small[4];
  CHECK(sprintf_s(small, "%d", 123) == 3);
  CHECK(sprintf_s(small, "%d", 1234) == -1);
  CHECK(std::string(small).empty());
}

TEST_CASE("string functions with sizes: they copy what fits, or nothing and say why", "[windows_compat]") {
  char text[6] = "?";
  CHECK(strcpy_s(text, "fence") == 0);
  CHECK(std::string(text) == "fence");
  CHECK(strcpy_s(text, "fences") == ERANGE);
  CHECK(std::string(text).empty());
  CHECK(strcpy_s(text, "ab") == 0);
  CHECK(strcat_s(text, "cde") == 0);
  CHECK(std::string(text) == "abcde");
  CHECK(strcat_s(text, "f") == ERANGE);
  CHECK(std::string(text).empty());
  CHECK(strncpy_s(text, "abcdefgh", 3) == 0);
  CHECK(std::string(text) == "abc");
  CHECK(strncpy_s(text, "abcdefgh", _TRUNCATE) == STRUNCATE);
  CHECK(std::string(text) == "abcde");
  CHECK(strcpy_s(text, nullptr) == EINVAL);

  WCHAR wide[6] = L"?";
  CHECK(wcscpy_s(wide, L"fence") == 0);
  CHECK(wcscat_s(wide, L"s") == ERANGE);
  CHECK(wcsncpy_s(wide, L"abcdefgh", 5) == 0);
  CHECK(std::wstring(wide) == L"abcde");

  char bytes[4] = {1, 2, 3, 4};
  CHECK(memcpy_s(bytes, 4, "xyz", 3) == 0);
  CHECK(std::string(bytes, 4) == std::string("xyz\4", 4));
  CHECK(memcpy_s(bytes, 2, "abc", 3) == ERANGE);
  CHECK(std::string(bytes, 4) == std::string("\0\0z\4", 4));
  CHECK(_wcsnicmp(L"-WARP", L"-warp", 5) == 0);
  CHECK(_stricmp("Fence", "fENCE") == 0);
}

namespace {

struct Constant {
  static const UINT size = 4;  // no definition, as Windows' macros need none
};

}  // namespace

TEST_CASE("types: Windows' sizes, members and names", "[windows_compat]") {
  LARGE_INTEGER number{};
  number.QuadPart = 0x1'2345'6789;
  CHECK(number.LowPart == 0x2345'6789);
  CHECK(number.HighPart == 1);
  CHECK(number.u.HighPart == 1);
  static_assert(sizeof(HWND) == sizeof(int));
  HWND window = nullptr;
  CHECK(window == nullptr);
  window = NULL;
  CHECK(window == NULL);
  CHECK(!window);
  window = 3;
  CHECK(window != nullptr);
  CHECK(window == 3);
  CHECK(HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND) == static_cast<HRESULT>(0x80070002));
  CHECK(HRESULT_FROM_WIN32(ERROR_SUCCESS) == S_OK);
  CHECK(LOWORD(0x1234'5678) == 0x5678);
  CHECK(HIWORD(0x1234'5678) == 0x1234);
  CHECK(min(2, 3U) == 2);
  CHECK(max(2.5, 2) == 2.5);
  CHECK(max(2U, Constant::size) == 4);
  struct _declspec(align(64)) Aligned {
    int one;
  };
  CHECK(alignof(Aligned) == 64);
  CHECK(_uuidof(ID3D12Device) == IID_ID3D12Device);
  struct Listed {
    int number;
    LIST_ENTRY entry;
  } listed{5, {}};
  CHECK(CONTAINING_RECORD(&listed.entry, Listed, entry)->number == 5);
}

TEST_CASE("Interlocked: old values and new ones as on Windows", "[windows_compat]") {
  volatile LONG number = 5;
  CHECK(InterlockedIncrement(&number) == 6);
  CHECK(InterlockedDecrement(&number) == 5);
  CHECK(InterlockedExchange(&number, 9) == 5);
  CHECK(InterlockedExchangeAdd(&number, 4) == 9);
  CHECK(InterlockedCompareExchange(&number, 1, 12) == 13);
  CHECK(number == 13);
  CHECK(InterlockedCompareExchange(&number, 1, 13) == 13);
  CHECK(number == 1);
  CHECK(InterlockedOr(&number, 6) == 1);
  CHECK(InterlockedAnd(&number, 3) == 7);
  CHECK(number == 3);
  int value = 0;
  void* pointer = &value;
  CHECK(InterlockedExchangePointer(&pointer, nullptr) == &value);
  CHECK(pointer == nullptr);
}

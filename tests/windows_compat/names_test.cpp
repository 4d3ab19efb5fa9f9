// SPDX-License-Identifier: Apache-2.0
// Names of files and command lines.
#include "api/windows_compat/path.hpp"
#include "api/windows_compat/process/command_line.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace fenceline::testing;
using namespace fenceline::windows_compat;

TEST_CASE("texts: UTF-8 and wide ones, there and back", "[windows_compat]") {
  CHECK(narrow(L"fence") == "fence");
  CHECK(narrow(L"Größe €") == "Gr\xc3\xb6\xc3\x9f\x65 \xe2\x82\xac");
  CHECK(widen("\xf0\x9f\x98\x80") == std::wstring(1, static_cast<wchar_t>(0x1f600)));
  CHECK(widen("a\xff z") == L"a\xfffd z");                                         // no text
  CHECK(widen("\xe2\x82") == L"\xfffd\xfffd");                                     // cut off
  CHECK(narrow(std::wstring(1, static_cast<wchar_t>(0xd800))) == "\xef\xbf\xbd");  // half of a pair

  std::mt19937 random(7);
  for (int round = 0; round < 1000; ++round) {
    std::wstring text;
    for (std::size_t length = random() % 20; text.size() < length;) {
      const auto letter = static_cast<wchar_t>(random() % 0x110000);
      if (letter < 0xd800 || letter >= 0xe000) text += letter;
    }
    REQUIRE(widen(narrow(text)) == text);
  }
}

TEST_CASE("paths: backslashes part them, and the case of letters does not count", "[windows_compat]") {
  const TemporaryDirectory directory;
  const std::filesystem::path root = (directory / "x").parent_path();
  std::filesystem::create_directories(root / "Assets" / "deep");
  write_file(root / "Assets" / "Mesh.bin", "1");
  write_file(root / "Assets" / "deep" / "Name.txt", "2");
  const std::wstring from = program_path(root.string()) + L"\\";
  CHECK(from.find(L'/') == std::wstring::npos);
  CHECK(host_path(from + L"Assets\\Mesh.bin") == (root / "Assets" / "Mesh.bin").string());
  CHECK(host_path(from + L"assets\\MESH.BIN") == (root / "Assets" / "Mesh.bin").string());
  CHECK(host_path(from + L"ASSETS/Deep\\name.TXT") == (root / "Assets" / "deep" / "Name.txt").string());
  CHECK(host_path(from + L"assets\\new.bin") == (root / "Assets" / "new.bin").string());
  CHECK(host_path(from + L"other\\new.bin") == (root / "other" / "new.bin").string());
  CHECK(host_path(from + L"bin\\..\\Assets\\.\\mesh.bin") == (root / "Assets" / "Mesh.bin").string());
  SECTION("a file with just that name comes first, then the first of those like it") {
    write_file(root / "Assets" / "mesh.BIN", "3");
    CHECK(host_path(from + L"Assets\\mesh.BIN") == (root / "Assets" / "mesh.BIN").string());
    CHECK(host_path(from + L"Assets\\mesh.bin") == (root / "Assets" / "Mesh.bin").string());
  }
}

TEST_CASE("command lines: they are split by CommandLineToArgvW's rules", "[windows_compat]") {
  // From its documentation: 2n backslashes before a quote are n and the quote's mark, 2n + 1 are n and a quote.
  using Arguments = std::vector<std::wstring>;
  CHECK(arguments_of(L"app -warp") == Arguments{L"app", L"-warp"});
  CHECK(arguments_of(L"\"a b\\c\" d") == Arguments{L"a b\\c", L"d"});
  CHECK(arguments_of(L"app \"abc\" d e") == Arguments{L"app", L"abc", L"d", L"e"});
  CHECK(arguments_of(L"app a\\\\b d\"e f\"g h") == Arguments{L"app", L"a\\\\b", L"de fg", L"h"});
  CHECK(arguments_of(L"app a\\\\\\\"b c d") == Arguments{L"app", L"a\\\"b", L"c", L"d"});
  CHECK(arguments_of(L"app a\\\\\\\\\"b c\" d e") == Arguments{L"app", L"a\\\\b c", L"d", L"e"});
  CHECK(arguments_of(L"app \"\" x") == Arguments{L"app", L"", L"x"});
  CHECK(arguments_of(L"") == Arguments{});
}

TEST_CASE("command lines: any arguments come back from the line that has them", "[windows_compat]") {
  std::mt19937 random(3);
  constexpr char letters[] = {'a', '"', '\\', ' ', '\t', '-', '\\', '"'};
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> arguments = {"app"};
    for (std::size_t count = 1 + random() % 4; arguments.size() < count + 1;) {
      std::string argument;
      for (std::size_t length = random() % 6; argument.size() < length;) argument += letters[random() % 8];
      arguments.push_back(argument);
    }
    std::vector<std::wstring> wide;
    for (const std::string& one : arguments) wide.push_back(widen(one));
    CAPTURE(quoted(arguments));
    REQUIRE(arguments_of(widen(quoted(arguments))) == wide);
  }
}

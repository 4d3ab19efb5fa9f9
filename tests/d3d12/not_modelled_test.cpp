// SPDX-License-Identifier: Apache-2.0
// The README's list of what is not modelled against the sources.
#include "tests/support/places.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

using namespace fenceline::testing;

namespace {

const std::filesystem::path face = source_directory() / "api" / "d3d12";

/// One line for each interface or function, with its methods, in alphabetical order: what the sources call
/// not_modelled("Interface::Method") with.
std::string not_modelled_list() {
  std::map<std::string, std::set<std::string>> methods;
  const std::regex call("not_modelled\\(\\s*\"([^\":]*)(?:::([^\"]*))?\"");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(face)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = contents_of(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
      auto& of = methods[(*at)[1]];
      if ((*at)[2].matched) of.insert((*at)[2]);
    }
  }
  std::string list;
  for (const auto& [interface, names] : methods) {
    list += "- `" + interface + "`";
    const char* separator = ": ";
    for (const std::string& name : names) {
      list += separator + name;
      separator = ", ";
    }
    list += '\n';
  }
  return list;
}

}  // namespace

TEST_CASE("README: lists what is not modelled, as the sources have it", "[d3d12]") {
  const std::string begin = "<!-- not modelled -->\n";
  const std::string readme = contents_of(face / "README.md");
  const std::size_t start = readme.find(begin);
  const std::size_t end = readme.find("<!-- end -->");
  REQUIRE(start != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string list = not_modelled_list();
  CHECK(list.find("- `ID3D12Device5`: ") != std::string::npos);
  const std::size_t from = start + begin.size();
  if (std::getenv("FENCELINE_WRITE_README") != nullptr) {
    write_file(face / "README.md", readme.substr(0, from) + list + readme.substr(end));
  } else {
    INFO("FENCELINE_WRITE_README=1 d3d12_tests 'README*' writes the list");
    CHECK(readme.substr(from, end - from) == list);
  }
}

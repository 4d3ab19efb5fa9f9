// SPDX-License-Identifier: Apache-2.0
#include "shadercache/shader_caches.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string first = "fc000000-0000-0000-0000-000000000001";
const std::string second = "fc000000-0000-0000-0000-000000000002";
const std::string other = "abcdef00-0000-0000-0000-000000000003";

/// A directory in which caches are, as programs leave them, and a command line that looks there.
class CacheShell {
 public:
  Output cache(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "cache");
    return shell.fenceline(arguments, "XDG_CACHE_HOME=" + Shell::quoted((shell.work() / "xdg").string()) + " HOME=/ ");
  }
  /// Its standard output, which is one document.
  json document(std::vector<std::string> arguments, int code = 0) const {
    arguments.emplace_back("--json");
    const Output output = cache(arguments);
    CHECK(output.code == code);
    CHECK(output.err.empty());
    return parse_json(output.out, "cache");
  }
  fs::path home() const { return shell.work() / "xdg/fenceline"; }
  /// Entries with values of 100, 200, ... bytes.
  std::unique_ptr<ShaderCacheSession> fill(const std::string& folder, const std::string& guid, std::uint32_t entries,
                                           std::uint64_t version = 0, const std::string& adapter = "") {
    ShaderCachesConfig config;
    config.directory = home() / folder;
    all_.push_back(std::make_unique<ShaderCaches>(config));
    CacheDescription description;
    description.identifier = identifier(guid);
    description.mode = CacheMode::disk;
    description.version = version;
    description.driver_versioned = !adapter.empty();
    auto session = all_.back()->open(description, {adapter, 1}).session;
    if (!session) throw std::runtime_error("no session");
    for (std::uint32_t i = 0; i < entries; ++i) {
      const std::string value((i + 1) * 100, 'v');
      session->store_value(&i, sizeof i, value.data(), static_cast<std::uint32_t>(value.size()));
    }
    return session;
  }
  Shell shell;

 private:
  static CacheIdentifier identifier(const std::string& guid) {
    CacheIdentifier result;
    std::string digits;
    for (const char c : guid) {
      if (c != '-') digits += c;
    }
    for (std::size_t i = 0; i < result.bytes.size(); ++i) {
      result.bytes[i] = static_cast<std::uint8_t>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
    }
    return result;
  }
  std::vector<std::unique_ptr<ShaderCaches>> all_;
};

void change_byte(const fs::path& path, std::uint64_t at) {
  std::string text = contents_of(path);
  text.at(at) = static_cast<char>(text.at(at) ^ 1);
  write_file(path, text);
}

}  // namespace

TEST_CASE("fenceline cache: help, and what is refused with exit code 2", "[cli]") {
  const CacheShell shell;
  const Output help = shell.cache({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  CHECK_THAT(help.out, Contains("Exit codes: 0 done, 1 damage"));
  for (const char* verb : {"list", "stat", "verify", "clear"}) {
    CHECK_THAT(help.out, Contains(verb));
    const Output of_verb = shell.cache({verb, "--help"});
    CHECK(of_verb.code == 0);
    CHECK_THAT(of_verb.out, Contains("Usage:") && Contains("--directory") && Contains("--json"));
  }
  write_file(shell.shell.work() / "file", "text");
  const std::vector<std::vector<std::string>> wrong = {{},
                                                       {"fly"},
                                                       {"list", "x"},
                                                       {"list", "--all"},
                                                       {"stat", "x"},
                                                       {"stat", ""},
                                                       {"verify", "\x1b[31m"},
                                                       {"clear", "--all", "x"},
                                                       {"list", "--directory", "file"},
                                                       {"list", "--directory"}};
  for (const auto& arguments : wrong) {
    const Output output = shell.cache(arguments);
    CHECK(output.code == 2);
    CHECK(output.out.empty());
    CHECK(!output.err.empty());
    CHECK(output.err.find('\x1b') == std::string::npos);
  }
  const Output nowhere = shell.shell.fenceline({"cache", "list"}, "XDG_CACHE_HOME=relative HOME= ");
  CHECK(nowhere.code == 2);
  CHECK_THAT(nowhere.err, Contains("XDG_CACHE_HOME"));
}

TEST_CASE("fenceline cache: where no caches are, each verb says so and is done", "[cli]") {
  const CacheShell shell;
  for (const char* verb : {"list", "stat", "verify", "clear"}) {
    const Output missing = shell.cache({verb});
    CHECK(missing.code == 0);
    CHECK(missing.err.empty());
    CHECK(missing.out == "no caches in " + shell.home().string() + ": there is no such directory\n");
    const Output empty = shell.cache({verb, "--directory", "."});
    CHECK(empty.code == 0);
    CHECK(empty.out == "no caches in .\n");
    CHECK(shell.document({verb})["caches"].empty());
  }
  const Output named = shell.cache({"verify", "fc"});
  CHECK(named.code == 2);
  CHECK_THAT(named.err, Contains("no caches in") && Contains("found \"fc\""));
  CHECK(shell.cache({"clear", "--all"}).code == 0);
}

TEST_CASE("fenceline cache list: a line for each, in order, with what it has", "[cli]") {
  CacheShell shell;
  shell.fill("b-01234567", first, 2, 7);
  shell.fill("a-01234567", second, 3);
  const auto open = shell.fill("a-01234567", first, 1, 9, "adapter");
  const json list = shell.document({"list"});
  CHECK(list["directory"] == shell.home().string());
  REQUIRE(list["caches"].size() == 3);
  const json& one = list["caches"][0];
  CHECK(one["program"] == "a-01234567");
  CHECK(one["identifier"] == first);
  CHECK(one["adapter"].get<std::string>().size() == 16);
  CHECK(one["version"] == 9);
  CHECK(one["driver"].get<std::uint64_t>() != 0);
  CHECK(one["open"] == true);
  CHECK(one["entries"] == 1);
  CHECK(list["caches"][1]["identifier"] == second);
  CHECK(list["caches"][1]["value_bytes"] == 600);
  CHECK(list["caches"][1]["open"] == false);
  CHECK(list["caches"][2]["program"] == "b-01234567");
  CHECK(list["caches"][2]["version"] == 7);

  const Output text = shell.cache({"list"});
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK(lines_of(text.out) == 5);
  CHECK_THAT(text.out, Contains("program") && Contains("yes") && Contains("3 caches, 6 entries, 1000 bytes of values"));
  CHECK(shell.cache({"list"}).out == text.out);
  const Output folder = shell.cache({"list", "--directory", (shell.home() / "a-01234567").string()});
  CHECK_THAT(folder.out, Contains("2 caches, 4 entries"));
}

TEST_CASE("fenceline cache stat: all counters, of the caches that were named", "[cli]") {
  CacheShell shell;
  shell.fill("a-01234567", first, 4, 7);
  shell.fill("a-01234567", other, 1);
  const json stat = shell.document({"stat", "FC"});
  REQUIRE(stat["caches"].size() == 1);
  const json& one = stat["caches"][0];
  CHECK(one["version"] == 7);
  CHECK(one["format"] == 1);
  CHECK(one["era"].is_number());
  CHECK(one["entries"] == 4);
  CHECK(one["key_bytes"] == 16);
  CHECK(one["dead_bytes"] == 0);
  CHECK(one["value_sizes"] == json({{"min", 100}, {"median", 200}, {"max", 400}}));
  CHECK(one["table"]["slots"] == 1024);
  CHECK(one["table"]["told"]["taken_slots"] == 4);
  const Output text = shell.cache({"stat", "fc", "abc", "fc00"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("the smallest 100, the median 200, the largest 400") && Contains(other));
  CHECK_THAT(text.out, Contains("1024 slots: 4 taken, 0 dropped, 0 damaged"));
  CHECK(shell.document({"stat"})["caches"].size() == 2);
}

TEST_CASE("fenceline cache: names that are unknown or may be several caches list what there is", "[cli]") {
  CacheShell shell;
  shell.fill("a-01234567", first, 1);
  shell.fill("a-01234567", second, 1);
  shell.fill("b-01234567", first, 1);
  const Output unknown = shell.cache({"stat", "12"});
  CHECK(unknown.code == 2);
  CHECK(lines_of(unknown.err) == 1);
  CHECK_THAT(unknown.err, Contains("fenceline cache stat: expected a cache, one of a-01234567/" + first) &&
                              Contains("b-01234567/" + first) && Contains("found \"12\""));
  for (const std::string& name : {std::string("fc"), first}) {
    const Output several = shell.cache({"clear", name});
    CHECK(several.code == 2);
    CHECK_THAT(several.err, Contains("which may be a-01234567/" + first));
  }
  CHECK(shell.document({"stat", "b-01234567/fc"})["caches"].size() == 1);
  CHECK(shell.document({"stat", second})["caches"].size() == 1);
  CHECK(shell.cache({"stat", "c-01234567/fc"}).code == 2);
  CHECK(shell.document({"list"})["caches"].size() == 3);
}

TEST_CASE("fenceline cache verify: whole caches are 0, damage is 1 and told with its place", "[cli]") {
  CacheShell shell;
  shell.fill("a-01234567", first, 3);
  const auto open = shell.fill("a-01234567", second, 3);
  const Output whole = shell.cache({"verify"});
  CHECK(whole.code == 0);
  CHECK(whole.err.empty());
  CHECK_THAT(whole.out, Contains("a-01234567/" + first + ": whole, 3 whole entries"));
  CHECK(lines_of(whole.out) == 2);

  const fs::path values = shell.home() / "a-01234567" / (first + ".val");
  change_byte(values, 64 + 32 + 4 + 50);
  const auto before = files_in(shell.home());
  const Output damaged = shell.cache({"verify"});
  CHECK(damaged.code == 1);
  CHECK(damaged.err.empty());
  CHECK_THAT(damaged.out, Contains("DAMAGED, 2 whole entries, 1 damaged") &&
                              Contains(first + ".val: byte 64: expected an entry with a key of 4 bytes and a value of "
                                               "100") &&
                              Contains(", found bytes with the check "));
  const json verified = shell.document({"verify", first}, 1);
  CHECK(verified["caches"][0]["whole"] == false);
  CHECK(verified["caches"][0]["damage"][0]["at"] == 64);
  CHECK((files_in(shell.home()) == before));
  CHECK(shell.cache({"verify", second}).code == 0);
}

TEST_CASE("fenceline cache clear: nothing without names, then what was named, then all", "[cli]") {
  CacheShell shell;
  shell.fill("a-01234567", first, 3);
  shell.fill("b-01234567", other, 1);
  const auto open = shell.fill("a-01234567", second, 2);
  write_file(shell.home() / "a-01234567/notes.txt", "text");
  const auto before = files_in(shell.home());
  const Output asked = shell.cache({"clear"});
  CHECK(asked.code == 0);
  CHECK_THAT(asked.out, Contains("would remove a-01234567/" + first + ": 3 entries") &&
                            Contains("would empty a-01234567/" + second + ", which is open: 2 entries") &&
                            Contains("nothing was changed: name caches, or give --all"));
  CHECK((files_in(shell.home()) == before));
  const Output one = shell.cache({"clear", "abc"});
  CHECK(one.code == 0);
  CHECK(one.out == "removed b-01234567/" + other + ": 1 entries, 100 bytes of values\n");
  CHECK(shell.document({"list"})["caches"].size() == 2);

  const json all = shell.document({"clear", "--all"});
  CHECK(all["cleared"] == true);
  CHECK(all["caches"][0]["what"] == "removed");
  CHECK(all["caches"][0]["files"].size() == 3);
  CHECK(all["caches"][1]["what"] == "emptied");
  CHECK(open->statistics().entries == 0);
  const json left = shell.document({"list"});
  REQUIRE(left["caches"].size() == 1);
  CHECK(left["caches"][0]["entries"] == 0);
  CHECK(contents_of(shell.home() / "a-01234567/notes.txt") == "text");
}

TEST_CASE("fenceline cache clear: a stranger's file is left, told, and the exit code is 1", "[cli]") {
  CacheShell shell;
  shell.fill("a-01234567", first, 3);
  shell.fill("a-01234567", second, 3);
  write_file(shell.home() / "a-01234567" / (first + ".idx"), "my own notes");
  const Output output = shell.cache({"clear", "--all"});
  CHECK(output.code == 1);
  CHECK_THAT(output.err, Contains("a-01234567/" + first + ": was not cleared: " + first +
                                  ".idx: expected \"FLSCIDX\" at its beginning, found other bytes"));
  CHECK_THAT(output.out, Contains("removed a-01234567/" + second));
  CHECK(files_in(shell.home()).size() == 3);
}

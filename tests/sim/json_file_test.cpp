// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"

#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace fenceline;

namespace {

std::string error_of(std::string_view text) {
  try {
    parse_json(text, "x.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

/// A folder of this test's own, gone with it.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fenceline_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

std::string load_error(const std::filesystem::path& path) {
  try {
    load_json(path);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("json file: a document comes out as written", "[sim]") {
  const auto document =
      parse_json(R"( {"a": [1, -2, 2.5, true, false, null, "x\u00e9\n"], "b": {"c": {}}} )", "x.json");
  CHECK(document.dump() == "{\"a\":[1,-2,2.5,true,false,null,\"x\xC3\xA9\\n\"],\"b\":{\"c\":{}}}");
  CHECK(parse_json("18446744073709551615", "x").get<std::uint64_t>() == 18446744073709551615u);
  CHECK(parse_json("\"text\"", "x") == "text");
}

TEST_CASE("json file: a syntax error is told at the enclosing container with line and column", "[sim]") {
  CHECK(error_of("{\n  \"a\": [1, x]\n}") == "x.json: /a: expected a value, found \"x\" at line 2, column 12");
  CHECK(error_of(R"({"a": 1,})") == "x.json: /: expected a key in double quotes, found \"}\" at line 1, column 9");
  CHECK(error_of(R"({"a" 1})") == "x.json: /: expected ':' after the key, found \"1\" at line 1, column 6");
  CHECK(error_of(R"({"a": 1 "b": 2})") == "x.json: /: expected ',' or '}', found \"\\\"b\\\"\" at line 1, column 9");
  CHECK(error_of(R"([[1, 2] [3]])") == "x.json: /: expected ',' or ']', found \"[\" at line 1, column 9");
  CHECK(error_of(R"({"a": {"b": [1, [2,]]}})") == "x.json: /a/b/1: expected a value, found \"]\" at line 1, column 20");
  CHECK(error_of(R"([{}, {"a/b": {nope}}])") ==
        "x.json: /1/a~1b: expected a key in double quotes, found \"nope\" at line 1, column 15");
  CHECK(error_of(R"({"a": tru})") == "x.json: /: expected a value, found \"tru\" at line 1, column 7");
  CHECK_THAT(error_of("[tru"), Catch::EndsWith("expected a value, found the end of the file at line 1, column 5"));
  CHECK(error_of(R"({"a\"b" "c\"d"})") ==
        "x.json: /: expected ':' after the key, found \"\\\"c\\\\\\\"d\\\"\" at line 1, column 9");
  CHECK_THAT(error_of(std::string_view("1\0002", 3)), Catch::EndsWith("found \"\\u0000\" at line 1, column 2"));
  CHECK(error_of(R"([1.])") == "x.json: /: expected a number, found \"]\" at line 1, column 4");
  CHECK(error_of(R"([1e999])") ==
        "x.json: /: expected a number within the range of a double, found \"1e999\" at line 1, column 2");
  CHECK(error_of("[\"a\nb\"]") ==
        "x.json: /: expected control characters in strings to be escaped, found \"\\n\" at line 1, column 4");
  CHECK(error_of(R"(["\q"])") == "x.json: /: expected a valid escape after \\, found \"q\" at line 1, column 4");
  CHECK(error_of(R"(["\ud800"])") ==
        "x.json: /: expected a complete surrogate pair, found \"\\\"\" at line 1, column 9");
}

TEST_CASE("json file: a document that stops too early is told at the container left open", "[sim]") {
  CHECK(error_of("{\"a\": [1,\n2") == "x.json: /a: expected ',' or ']', found the end of the file at line 2, column 2");
  CHECK(error_of("{\"a\": \"b") ==
        "x.json: /: expected a closing double quote, found the end of the file at line 1, column 9");
  CHECK(error_of("[") == "x.json: /: expected a value, found the end of the file at line 1, column 2");
}

TEST_CASE("json file: columns count characters, not bytes", "[sim]") {
  CHECK_THAT(error_of("[\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\", x]"), Catch::EndsWith("line 1, column 9"));
  CHECK_THAT(error_of("\xEF\xBB\xBF[x]"), Catch::EndsWith("line 1, column 2"));
  CHECK_THAT(error_of("[\r\n\r\n  x]"), Catch::EndsWith("line 3, column 3"));
}

TEST_CASE("json file: nothing is told as nothing", "[sim]") {
  CHECK(error_of("") == "x.json: /: expected a JSON document, found an empty file");
  CHECK(error_of("\xEF\xBB\xBF") == "x.json: /: expected a JSON document, found an empty file");
  CHECK(error_of(" \n\t") == "x.json: /: expected a JSON document, found a file with nothing but spaces");
}

TEST_CASE("json file: a byte order mark is tolerated at the start only", "[sim]") {
  CHECK(parse_json("\xEF\xBB\xBF{}", "x.json").is_object());
  CHECK(error_of("\xEF\xBB\xBF\xEF\xBB\xBF{}") != "no error");
  CHECK(error_of("{}\xEF\xBB\xBF") != "no error");
}

TEST_CASE("json file: bytes that are not UTF-8 are rejected", "[sim]") {
  CHECK(error_of("[\"\xFF\"]") == "x.json: /: expected valid UTF-8, found \"\\xff\" at line 1, column 3");
  CHECK_THAT(error_of("[\"\xC3\"]"), Catch::Contains("expected valid UTF-8"));
  CHECK_THAT(error_of("[\"\xED\xA0\x80\"]"), Catch::Contains("expected valid UTF-8"));
  CHECK_THAT(error_of("{\"\xC0\x80\": 1}"), Catch::Contains("expected valid UTF-8"));
  CHECK(error_of("\xFF\xFE{") != "no error");
}

TEST_CASE("json file: a key comes once in an object", "[sim]") {
  CHECK(error_of(R"({"a": {"b": 1, "c": 2, "b": 3}})") ==
        "x.json: /a/b: expected each key once, found \"b\" a second time");
  CHECK(error_of(R"([{"a": 1}, {"a": 1}])") == "no error");
  CHECK(error_of(R"({"": 1, "": 1})") == "x.json: /: expected each key once, found \"\" a second time");
}

TEST_CASE("json file: nesting ends at 64 levels", "[sim]") {
  CHECK(error_of(std::string(64, '[') + std::string(64, ']')) == "no error");
  CHECK_THAT(error_of(std::string(65, '[') + std::string(65, ']')),
             Catch::EndsWith("expected at most 64 levels of nesting, found one more"));
  CHECK_THAT(error_of(std::string(1000000, '[')), Catch::EndsWith("found one more"));
}

TEST_CASE("json file: what follows the document is rejected", "[sim]") {
  CHECK(error_of("{} {}") == "x.json: /: expected the end of the file, found \"{\" at line 1, column 4");
  CHECK(error_of("1 2") == "x.json: /: expected the end of the file, found \"2\" at line 1, column 3");
  CHECK(error_of(std::string_view("{}\0{}", 5)) ==
        "x.json: /: expected the end of the file, found \"\\u0000\" at line 1, column 3");
  CHECK(error_of(std::string_view("[1,\0 2]", 7)) ==
        "x.json: /: expected a value, found \"\\u0000\" at line 1, column 4");
}

TEST_CASE("json file: comments are rejected", "[sim]") {
  CHECK(error_of("{ // clock\n}") ==
        "x.json: /: expected JSON, which has no comments, found \"//\" at line 1, column 3");
  CHECK_THAT(error_of("/* x */ {}"), Catch::Contains("no comments"));
  CHECK_THAT(error_of("[1, # x\n 2]"), Catch::Contains("no comments"));
}

TEST_CASE("json file: a file that cannot be read is told", "[sim]") {
  const Folder folder;
  const auto missing = folder.path / "x.json";
  CHECK(load_error(missing) == missing.string() + ": /: expected a readable file, found no such file");
  CHECK(load_error(folder.path) ==
        folder.path.string() + ": /: expected a regular file, or - for standard input, found a directory");
  std::ofstream(folder.path / "file") << "[1]";
  CHECK(load_json(folder.path / "file") == nlohmann::json::array({1}));
  CHECK_THAT(load_error(folder.path / "file" / "x.json"),
             Catch::Contains("expected a readable file, found no such file"));
  CHECK_THAT(load_error(folder.path / std::string(5000, 'x')), Catch::Contains("expected a readable file"));
  std::ofstream(folder.path / "empty").close();
  CHECK_THAT(load_error(folder.path / "empty"),
             Catch::EndsWith("/empty: /: expected a JSON document, found an empty file"));
  std::filesystem::create_symlink("loop", folder.path / "loop");
  CHECK_THAT(load_error(folder.path / "loop"), Catch::Contains("expected a readable file"));
}

TEST_CASE("json file: a dump has two spaces, the order given and a newline", "[sim]") {
  const nlohmann::ordered_json document = {{"b", 1}, {"a", {1.5, "\xFF"}}};
  CHECK(dump_json(document) == "{\n  \"b\": 1,\n  \"a\": [\n    1.5,\n    \"\xEF\xBF\xBD\"\n  ]\n}\n");
  CHECK(dump_json(nlohmann::json(document)).substr(0, 8) == "{\n  \"a\":");
}

TEST_CASE("json pointer: keys are escaped and come back", "[sim]") {
  CHECK(pointer_to("/a", "b/c~d") == "/a/b~1c~0d");
  CHECK(pointer_to("", std::size_t{3}) == "/3");
  CHECK(split_pointer("/a/b~1c~0d/") == std::vector<std::string>{"a", "b/c~d", ""});
  CHECK(split_pointer("/~01") == std::vector<std::string>{"~1"});
  CHECK(split_pointer("") == std::vector<std::string>{});
  CHECK_FALSE(split_pointer("a").has_value());
  CHECK_FALSE(split_pointer("/~2").has_value());
  CHECK_FALSE(split_pointer("/~").has_value());
  CHECK(pointer_within("/a/b", "/a"));
  CHECK(pointer_within("/a", ""));
  CHECK_FALSE(pointer_within("/ab", "/a"));
}

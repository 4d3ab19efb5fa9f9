// SPDX-License-Identifier: Apache-2.0
// Contents through files: blobs beside a workload, in captures, and what a run says of them.
#include "api/capture/file/capture_format.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/capture_bytes.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// 1,000 bytes go up and back; two more resources contain what the first does.
const char* const workload_text = R"({
  "name": "blobs", "machine": "tiny",
  "resources": [
    {"type": "buffer", "name": "up", "heap": "upload", "bytes": 1000, "content": {"blob": "first.bin"}},
    {"type": "buffer", "name": "vram", "bytes": 1000, "content": {"blob": "first.bin"}},
    {"type": "buffer", "name": "same", "bytes": 1000, "content": {"blob": "copy_of_first.bin"}},
    {"type": "buffer", "name": "back", "heap": "readback", "bytes": 1000}],
  "command_lists": [{"name": "l", "type": "copy", "commands": [
    {"type": "copy_buffer", "source": "up", "destination": "vram"},
    {"type": "copy_buffer", "source": "vram", "destination": "back"}]}],
  "queues": [{"name": "q", "type": "copy"}],
  "cpus": [{"name": "t", "timeline": [
    {"type": "write", "resource": "up", "offset": 10, "content": {"blob": "second.bin"}},
    {"type": "execute", "queue": "q", "lists": ["l"]}]}]})";

std::string random_bytes(std::size_t count, unsigned seed) {
  std::string bytes(count, '\0');
  for (char& c : bytes) c = static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
  return bytes;
}

struct Files {
  Files() {
    shell.write("w.json", workload_text);
    shell.write("first.bin", first);
    shell.write("copy_of_first.bin", first);
    shell.write("second.bin", second);
  }
  json contents_of_run(const std::string& workload, const std::string& around = "") const {
    const Output output = shell.fenceline({"run", workload, "--out", "run", "--json"}, around);
    INFO(output.err);
    REQUIRE(output.code == 0);
    return parse_json(output.out, "report.json")["statistics"]["contents"];
  }
  Shell shell;
  std::string first = random_bytes(1000, 1);
  std::string second = random_bytes(100, 2);
};

std::string hash_text(std::string bytes) { return fmt::format("{:016x}", capture_check(bytes)); }

}  // namespace

TEST_CASE("contents: blobs are files beside the workload, and report.json says what became of them",
          "[cli][contents]") {
  const Files files;
  std::string expected = files.first;
  expected.replace(10, 100, files.second);
  const json contents = files.contents_of_run("w.json");
  REQUIRE(contents.size() == 3);
  for (const json& one : contents) CHECK(one["xxh3"] == hash_text(expected));
  CHECK(contents[0]["resource"] == "up");
  CHECK(contents[0]["written_by"] == json{{"CPU thread \"t\"", 100}});
  CHECK(contents[2]["resource"] == "back");
  CHECK(contents[2]["written_by"] == json{{"queue \"q\"", 1000}});
}

TEST_CASE("contents: a run without them has no file of accesses, and one with them the time of one without",
          "[cli][contents]") {
  const Files files;
  files.contents_of_run("w.json");
  const std::string packets = contents_of(files.shell.work() / "run/packets.csv");
  json plain = parse_json(workload_text, "w.json");
  for (json& one : plain["resources"]) one.erase("content");
  plain["cpus"][0]["timeline"].erase(0);
  files.shell.write("plain.json", plain.dump());
  CHECK(files.contents_of_run("plain.json").is_null());
  CHECK(contents_of(files.shell.work() / "run/packets.csv") == packets);
  CHECK(!std::filesystem::exists(files.shell.work() / "run/accesses.csv"));
  const Output report = files.shell.fenceline({"report", "run", "--resource", "up"});
  CHECK(report.code == 2);
  CHECK_THAT(report.err,
             Contains("run: /: expected the directory of a run whose workload acts on bytes, with accesses.csv"));
}

TEST_CASE("fenceline run --capture: contents are in the capture, each once", "[cli][contents]") {
  const Files files;
  const Shell& shell = files.shell;
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "run", "--capture", "w.capture"}).code == 0);
  const json original = parse_json(contents_of(shell.work() / "run/report.json"), "report")["statistics"]["contents"];
  REQUIRE(original.size() == 3);
  const json info = parse_json(shell.fenceline({"info", "w.capture", "--json"}).out, "info");
  CHECK(info["capture"]["blobs"] ==
        json::parse(R"([{"name": "first.bin", "bytes": 1000}, {"name": "second.bin", "bytes": 100}])"));
  for (const std::string name : {"first.bin", "copy_of_first.bin", "second.bin"}) {
    std::filesystem::remove(shell.work() / name);
  }
  CHECK(files.contents_of_run("w.capture") == original);
}

TEST_CASE("fenceline pack and unpack: contents are in the capture, each once, and come back beside the JSON",
          "[cli][contents]") {
  const Files files;
  const Shell& shell = files.shell;
  const json original = files.contents_of_run("w.json");
  REQUIRE(shell.fenceline({"pack", "w.json", "-o", "w.capture"}).code == 0);
  const json info = parse_json(shell.fenceline({"info", "w.capture", "--json"}).out, "info");
  CHECK(info["contents"] == 3);
  CHECK(info["writes"] == 1);
  CHECK(info["capture"]["blobs"] ==
        json::parse(R"([{"name": "first.bin", "bytes": 1000}, {"name": "second.bin", "bytes": 100}])"));

  std::filesystem::create_directory(shell.work() / "there");
  for (const std::string name : {"first.bin", "copy_of_first.bin", "second.bin"}) {
    std::filesystem::remove(shell.work() / name);
  }
  const Output missing = shell.fenceline({"run", "w.json", "--out", "run"});
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Contains("w.json: /resources/0/content/blob: expected a file beside the workload, found "
                                   "\"first.bin\", which is not there"));
  CHECK(files.contents_of_run("w.capture") == original);
  CHECK(files.contents_of_run("-", "cat w.capture | ") == original);

  REQUIRE(shell.fenceline({"unpack", "w.capture", "-o", "there/u.json"}).code == 0);
  CHECK(contents_of(shell.work() / "there/first.bin") == files.first);
  CHECK(contents_of(shell.work() / "there/second.bin") == files.second);
  CHECK(!std::filesystem::exists(shell.work() / "there/copy_of_first.bin"));
  CHECK(files.contents_of_run("there/u.json") == original);
  // Again, where all is there; but nothing else is written over.
  CHECK(shell.fenceline({"unpack", "w.capture", "-o", "there/u.json"}).code == 0);
  shell.write("there/second.bin", "mine");
  const Output other = shell.fenceline({"unpack", "w.capture", "-o", "there/v.json"});
  CHECK(other.code == 2);
  CHECK_THAT(other.err, Contains("there/second.bin: /: expected no file, or one with the bytes of the capture's blob"));
  CHECK(!std::filesystem::exists(shell.work() / "there/v.json"));
  CHECK(contents_of(shell.work() / "there/second.bin") == "mine");
}

TEST_CASE("contents: blobs that are too long, too short, missing, damaged or named like a path are told",
          "[cli][contents]") {
  const Files files;
  const Shell& shell = files.shell;
  const auto error = [&](const std::string& workload) {
    const Output output = shell.fenceline({"check", workload});
    CHECK(output.code == 2);
    return output.err;
  };
  REQUIRE(shell.fenceline({"pack", "w.json", "-o", "w.capture"}).code == 0);
  shell.write("first.bin", files.first + "x");
  CHECK_THAT(error("w.json"), Contains("first.bin: /: expected at most the 1000 bytes of its resource, found 1001"));
  shell.write("first.bin", files.first.substr(1));
  CHECK_THAT(error("w.json"), Contains("w.json: /resources/0/content/blob: expected 1000 bytes, found 999"));

  const json document = parse_json(workload_text, "w.json");
  const auto blob = [](const std::string& name, const std::string& bytes) {
    std::string payload = name;
    payload.insert(0, {static_cast<char>(name.size()), '\0'});
    return section_of("BLOB", payload + bytes);
  };
  const auto capture = [&](const std::vector<SectionBytes>& blobs) {
    std::vector<SectionBytes> sections = {section_of("WORK", cbor_text({{"workload", document}}))};
    sections.insert(sections.end(), blobs.begin(), blobs.end());
    sections.push_back(section_of("DONE", cbor_text({{"WORK", 1}, {"BLOB", blobs.size()}})));
    shell.write("x.capture", capture_of(sections));
    return error("x.capture");
  };
  CHECK_THAT(
      capture({blob("copy_of_first.bin", files.first), blob("second.bin", files.second)}),
      Contains("x.capture: /resources/0/content/blob: expected a blob of the capture, found \"first.bin\", which "
               "is not there"));
  CHECK_THAT(capture({blob("first.bin", files.first), blob("first.bin", "more"), blob("copy_of_first.bin", files.first),
                      blob("second.bin", files.second)}),
             Contains("section 3 (BLOB, at byte") && Contains("to end \"first.bin\" within 1000 bytes, found more"));
  std::string damaged = contents_of(shell.work() / "w.capture");
  damaged[boundaries_of(damaged)[1] + section_header_bytes + 500] ^= 1;
  shell.write("bad.capture", damaged);
  CHECK_THAT(error("bad.capture"), Contains("bad.capture: /: expected section 2 (BLOB, at byte"));
  // A capture that ends within its blobs.
  const std::string whole = contents_of(shell.work() / "w.capture");
  shell.write("cut.capture", whole.substr(0, boundaries_of(whole)[2] - 1));
  CHECK_THAT(error("cut.capture"),
             Contains("which is not there") || Contains("to have known keys") || Contains("expected"));

  // One whose blob would be written elsewhere is not unpacked.
  json evil = document;
  evil["resources"][0]["content"]["blob"] = "../evil.bin";
  shell.write("evil.capture", capture_of({section_of("WORK", cbor_text({{"workload", evil}})), blob("../evil.bin", "x"),
                                          section_of("DONE", cbor_text({{"WORK", 1}, {"BLOB", 1}}))}));
  CHECK(shell.fenceline({"unpack", "evil.capture", "-o", "u.json"}).code == 2);
  CHECK(!std::filesystem::exists(shell.work().parent_path() / "evil.bin"));
}

TEST_CASE("contents: what a clear writes matters where resources contain something", "[cli][contents]") {
  const Shell shell;
  json document =
      parse_json(R"({"name": "w", "machine": "tiny", "resources": [{"type": "buffer", "name": "b", "bytes": 4}],
    "command_lists": [{"name": "l", "type": "direct", "commands": [{"type": "clear", "target": "b", "value": [1, 2]}]}],
    "queues": [{"name": "q", "type": "direct", "timeline": [{"type": "execute", "lists": ["l"]}]}]})",
                 "w.json");
  const auto told = [&] {
    shell.write("w.json", document.dump());
    return shell.fenceline({"check", "w.json"}).out;
  };
  CHECK_THAT(told(), Contains("/command_lists/0/commands/0/value") && Contains("no resource says what it contains"));
  document["resources"][0]["content"] = {{"fill", 1}};
  CHECK_THAT(told(), !Contains("/value"));
}

TEST_CASE("fenceline report: who read and wrote a resource, as text and as JSON", "[cli][contents]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("staging_buffer").string(), "--out", "run"}).code == 0);
  const json history = parse_json(shell.fenceline({"report", "run", "--resource", "staging", "--json"}).out, "report");
  CHECK(history["written_bytes"] == 4000 + 4000 + 2000);
  REQUIRE(history["accesses"].size() == 6);
  CHECK(history["accesses"][1]["by"] == "CPU thread \"loader\"");
  CHECK(history["accesses"][1]["packet"].is_null());
  CHECK(history["accesses"][5]["access"] == "read");
  CHECK(history["accesses"][5]["at_us"] == 1.2016);
  CHECK(history["accesses"][5]["list"] == "upload_texture");
  // The last write came while that copy read: 8 of the texture's rows have it, as rows of 160 bytes lie 256 apart.
  const std::string rows = std::string(8 * 160, '\4') + std::string(8 * 160, '\3') + std::string(9 * 160, '\0');
  const json texture = parse_json(shell.fenceline({"report", "run", "--resource", "texture", "--json"}).out, "report");
  CHECK(texture["xxh3"] == hash_text(rows));
  CHECK_THAT(shell.fenceline({"report", "run", "--resource", "texture"}).out,
             Contains("texture: 1 accesses, 4000 bytes written, XXH3 ") && Contains("CopyTextureRegion"));
  const Output unknown = shell.fenceline({"report", "run", "--resource", "tex"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("expected a resource of the run's workload: \"staging\""));
}

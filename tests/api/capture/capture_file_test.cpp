// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/capture_writer.hpp"
#include "api/capture/file/read_capture.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/whole_file.hpp"
#include "tests/support/capture_bytes.hpp"
#include "tests/support/mutator.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// What reading it says is wrong; empty: nothing.
std::string refusal(const std::string& bytes) {
  try {
    read_capture(bytes, "x.capture");
    return "";
  } catch (const ConfigError& error) {
    CHECK(has_the_form(error.what(), "x.capture"));
    return error.what();
  }
}

std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& one : std::filesystem::directory_iterator(source_directory() / "configs/workloads")) {
    files.push_back(one.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

SectionBytes work(const json& workload) { return section_of("WORK", cbor_text({{"workload", workload}})); }

/// A file of one WORK whose workload is these bytes.
std::string with_cbor(const std::string& workload) {
  return capture_of({section_of("WORK", "\xA1\x68workload" + workload)});
}

}  // namespace

TEST_CASE("capture file: every shipped workload comes back as it was, with its machine", "[capture]") {
  for (const auto& file : shipped()) {
    INFO(file);
    const json document = load_json(file);
    const Capture capture = read_capture(packed_capture(document, {{"name", "m"}}), "x.capture");
    CHECK(capture.workload == document);
    CHECK(capture.facts.machine == json{{"name", "m"}});
    CHECK(capture.facts.cut_off.empty());
    CHECK(capture.facts.sections.back().type == "DONE");
  }
}

TEST_CASE("capture file: whatever document is packed comes back, be it a workload or not", "[capture]") {
  Mutator mutator(20);
  std::size_t compared = 0;
  for (int i = 0; i < 20'000; ++i) {
    json document;
    try {
      document = parse_json(mutator.mutated(i % 2 == 0 ? small_workload_text : R"({"queues":[{"timeline":[1,[]]},0],
        "cpus":{"timeline":[1]},"command_lists":[{"commands":[-1,1.5,18446744073709551615]},{}]})"),
                            "x.json");
    } catch (const ConfigError&) {
      continue;
    }
    if (i % 20 > 1) continue;  // files take a while
    ++compared;
    REQUIRE(read_capture(packed_capture(document), "x.capture").workload == document);
  }
  CHECK(compared > 100);
}

TEST_CASE("capture file: one that ends at any byte is read up to its last whole section, or told", "[capture]") {
  json workload = small_workload();
  const std::string whole = written([&](OutputFile& file) {
    json rest = workload;
    rest["command_lists"] = json::array();
    for (json& queue : rest["queues"]) queue["timeline"] = json::array();
    CaptureWriter writer(file, rest, nullptr);
    writer.add_list(workload["command_lists"][0]);
    writer.add_steps(CaptureWriter::Timeline::queue, 0, workload["queues"][0]["timeline"]);
    writer.flush();
    writer.add_list(workload["command_lists"][1]);
    writer.add_steps(CaptureWriter::Timeline::queue, 1, workload["queues"][1]["timeline"]);
    writer.flush();
    writer.finish();
  });
  const auto places = boundaries_of(whole);
  REQUIRE(places.size() == 7);  // WORK, LIST, STEP, LIST, STEP, DONE
  REQUIRE(places.back() == whole.size());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    const std::string cut = whole.substr(0, length);
    const auto sections =
        static_cast<std::size_t>(std::upper_bound(places.begin(), places.end(), length) - places.begin());
    if (sections < 2) {  // not even WORK
      REQUIRE(!refusal(cut).empty());
      continue;
    }
    const Capture capture = read_capture(cut, "x.capture");
    REQUIRE(capture.facts.sections.size() == sections - 1);
    REQUIRE_THAT(capture.facts.cut_off, Contains("x.capture: ends too early, at byte " + std::to_string(length)));
    REQUIRE(capture.workload["command_lists"].size() == (sections > 5 - 1 ? 2U : sections > 2 ? 1U : 0U));
    REQUIRE(capture.workload["queues"][0]["timeline"].empty() == (sections < 4));
    REQUIRE(capture.workload["queues"][1]["timeline"].empty() == (sections < 6));
  }
  CHECK_THAT(refusal(whole.substr(0, 40)),
             Contains("expected a section WORK at byte 32, found the end of the file at byte 40"));
  const Capture within = read_capture(whole.substr(0, places[2] + 50), "x.capture");
  CHECK_THAT(within.facts.cut_off, Contains("within section 3 (STEP, at byte " + std::to_string(places[2]) +
                                            "): 2 whole sections before it, 0 of them STEP, are read"));
}

TEST_CASE("capture file: no bit of it can change unnoticed", "[capture]") {
  const std::string whole = packed_capture(small_workload());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    INFO(bit);
    REQUIRE_THROWS_AS(read_capture(damaged, "x.capture"), ConfigError);
  }
  std::string damaged = whole;
  const auto places = boundaries_of(whole);
  damaged[places[1] + section_header_bytes] ^= 1;
  CHECK_THAT(refusal(damaged),
             Contains("expected section 2 (LIST, at byte " + std::to_string(places[1]) + ") to have the check 0x") &&
                 Contains(", found 0x"));
}

TEST_CASE("capture file: sections that are moved, left out or put in again are noticed", "[capture]") {
  const std::string whole = packed_capture(small_workload());
  const auto at = boundaries_of(whole);
  const auto section = [&](std::size_t i) { return whole.substr(at[i], at[i + 1] - at[i]); };
  const std::string begin = whole.substr(0, at[0]);
  CHECK(refusal(whole).empty());
  CHECK_THAT(refusal(begin + section(0) + section(2) + section(1) + section(3)), Contains("the header of section 2"));
  CHECK_THAT(refusal(begin + section(0) + section(2) + section(3)), Contains("the header of section 2"));
  CHECK_THAT(refusal(begin + section(0) + section(1) + section(1) + section(2) + section(3)),
             Contains("the header of section 3"));
  CHECK_THAT(refusal(whole + section(3)), Contains("section 5"));
  CHECK_THAT(refusal(whole + "x"), Contains("expected the end of the file behind section DONE, found more"));
  CHECK_THAT(refusal(resealed_capture(begin + section(0) + section(2) + section(3))),
             Contains("to count the sections before it"));
}

TEST_CASE("capture file: a section of another type is skipped if it may be, else told", "[capture]") {
  const json workload = {{"name", "w"}, {"queues", json::array()}};
  const auto done = [](const json& counts) { return section_of("DONE", cbor_text(counts)); };
  const SectionBytes further = section_of("NEW1", std::string(1000, 'n'), SectionHeader::skippable_flag | 64);
  const Capture capture =
      read_capture(capture_of({work(workload), further, done({{"WORK", 1}, {"NEW1", 1}})}), "x.capture");
  CHECK(capture.workload == workload);
  CHECK(capture.facts.sections[1].type == "NEW1");
  CHECK_THAT(refusal(capture_of({work(workload), section_of("NEW1", "x")})),
             Contains("expected section 2 (NEW1, at byte 98) to be of a type that is known, or that may be skipped"));
  CHECK_THAT(refusal(capture_of({work(workload), section_of("LIST", "x", 66)})),
             Contains("to have flags of 3, found 66"));
  CHECK_THAT(refusal(capture_of({section_of("n w1", "x")})),
             Contains("to have a type of four capital letters or digits"));
  CHECK_THAT(refusal(capture_of({section_of("LIST", "x")})), Contains("section 1 (LIST, at byte 32) to be WORK"));
  std::string newer = capture_of({work(workload)});
  put_number_at(&newer[8], 2, 2);
  put_number_at(&newer[24], 8, capture_check({newer.data(), 24}));
  CHECK_THAT(refusal(newer), Contains("expected a capture of format 1, found format 2.0"));
}

TEST_CASE("capture file: lengths that nothing stands behind cost no memory", "[capture]") {
  const auto claims = [](std::uint64_t stored, std::uint64_t full, std::uint32_t flags) {
    return capture_of({{{"WORK", flags, stored, full, 0}, "x"}});
  };
  const std::uint64_t before = resident_bytes();
  CHECK_THAT(refusal(claims(most_section_bytes, most_section_bytes, 0)), Contains("found the end of the file"));
  CHECK_THAT(refusal(claims(1, most_section_bytes + 1, 1)), Contains("to hold at most 67108864 bytes, found 67108865"));
  CHECK_THAT(refusal(claims(~0ULL, 5, 1)), Contains("to store at most"));
  CHECK_THAT(refusal(claims(1, most_section_bytes, 1)), Contains("to be a zstd frame"));
  CHECK_THAT(refusal(capture_of({{{"WORK", 1, 4, most_section_bytes, 0}, "\x28\xB5\x2F\xFD"}})),
             Contains("to be a whole zstd frame, found one that ends too early"));
  CHECK_THAT(refusal(claims(1, 2, 0)), Contains("to store the 2 bytes that it has, found 1"));
  CHECK_THAT(refusal(with_cbor("\x9B\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF")), Contains("so many elements as can follow"));
  CHECK_THAT(refusal(with_cbor("\x7B\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF")), Contains("bytes more, found 0 to its end"));
  CHECK_THAT(refusal(with_cbor(std::string(1'000'000, '\x81'))), Contains("at most 65 levels of nesting"));
  CHECK_THAT(refusal(with_cbor(std::string(1'000'000, '\x7F'))), Contains("a length in front"));
  if (!sanitized) CHECK(resident_bytes() < before + (std::uint64_t{64} << 20));
}

TEST_CASE("capture file: what JSON cannot say is no content", "[capture]") {
  CHECK(refusal(with_cbor("\xA1\x61k\xFB\x3F\xF8" + std::string(6, '\0'))).empty());
  CHECK_THAT(refusal(with_cbor("\xFB\x7F\xF0" + std::string(6, '\0'))), Contains("a number that is finite"));
  CHECK_THAT(refusal(with_cbor("\x61\xFF")), Contains("valid UTF-8"));
  CHECK_THAT(refusal(with_cbor("\x41x")), Contains("a byte string"));
  CHECK_THAT(refusal(with_cbor("\xC1\x01")), Contains("a tag"));
  CHECK_THAT(refusal(with_cbor("\xA1\x01\x01")), Contains("a key that is a text"));
  CHECK_THAT(refusal(with_cbor("\xA2\x61k\x01\x61k\x01")), Contains("each key once, found \"k\" a second time"));
  CHECK_THAT(refusal(with_cbor("\x01\x01")), Contains("the end of the payload"));
  CHECK_THAT(refusal(with_cbor("\x3B\x80" + std::string(7, '\0'))), Contains("a number from -2^63 on"));
}

TEST_CASE("capture file: steps and commands that belong to nothing are told", "[capture]") {
  const json workload = {{"command_lists", json::array()}, {"queues", {{{"timeline", json::array()}}}}};
  const auto with = [&](const char* type, const json& value) {
    return refusal(capture_of({work(workload), section_of(type, cbor_text(value))}));
  };
  CHECK(with("STEP", json::array({{{"queue", 0}, {"steps", json::array()}}})).empty());
  CHECK_THAT(with("STEP", json::array({{{"queue", 1}, {"steps", json::array()}}})),
             Contains("steps of a queue below 1, found 1"));
  CHECK_THAT(with("STEP", json::array({{{"cpu", 0}, {"steps", json::array()}}})),
             Contains("to add to an array \"cpus\""));
  CHECK_THAT(with("LIST", json::array({json::array()})), Contains("to begin with a list"));
  CHECK_THAT(with("WORK", {{"workload", {{"resources", {1}}}}}), Contains("to add to an array \"resources\""));
  CHECK_THAT(with("WORK", {{"workload", json::object()}, {"machine", 1}}), Contains("to have known keys"));
}

TEST_CASE("capture file: objects and bytes that come while it is written are in it", "[capture]") {
  const TemporaryDirectory directory;
  const auto path = directory / "x.capture";
  const std::string content(100'000, 'c');
  {
    OutputFile file(path);
    CaptureWriter writer(file, {{"resources", {"a"}}}, nullptr);
    writer.add_blob("texture", content);
    writer.add_objects({{"resources", {"b", "c"}}});
    writer.add_blob("texture", "more");
    writer.add_blob("empty", "");
    writer.finish();
    file.close();
  }
  const Capture capture = read_capture(contents_of(path), "x.capture");
  CHECK(capture.workload == json{{"resources", {"a", "b", "c"}}});
  REQUIRE(capture.facts.blobs.size() == 2);
  CHECK(capture.facts.blobs[0].name == "texture");
  CHECK(capture.facts.blobs[0].bytes == content.size() + 4);
  CHECK(capture.facts.blobs[1].bytes == 0);
  CHECK(read_blob(path, "texture", 1 << 20) == content + "more");
  CHECK_THROWS_WITH(read_blob(path, "texture", 1000), Contains("to end \"texture\" within 1000 bytes"));
  CHECK_THROWS_WITH(read_blob(path, "other", 1000), Contains("a section BLOB named \"other\", found none"));
}

TEST_CASE("capture file: what was flushed is there when its writer ends without a word", "[capture]") {
  const TemporaryDirectory directory;
  const auto path = directory / "x.capture";
  write_file(path, "an older one");
  {
    WholeFile file(path);
    const json workload = {{"command_lists", json::array()}, {"queues", {{{"timeline", json::array()}}}}};
    CaptureWriter writer(file.content(), workload, nullptr);
    CHECK(contents_of(path) == "an older one");
    file.place();
    writer.add_list({{"name", "l"}});
    writer.add_steps(CaptureWriter::Timeline::queue, 0, {{{"type", "execute"}}});
    writer.flush();
    writer.add_steps(CaptureWriter::Timeline::queue, 0, {{{"type", "signal"}}});  // not flushed
  }
  const Capture capture = read_capture(contents_of(path), "x.capture");
  CHECK(!capture.facts.cut_off.empty());
  CHECK(capture.workload["queues"][0]["timeline"].size() == 1);
  CHECK(names_in(path.parent_path()).size() == 1);
  std::filesystem::create_directory(directory / "folder");
  CHECK_THROWS_AS(WholeFile(directory / "folder"), OutputError);
}

TEST_CASE("capture file: a draw of a repetitive frame of 100,000 takes at most 48 bytes", "[capture]") {
  std::mt19937_64 random(48);
  json draws = json::array();
  for (int i = 0; i < 100'000; ++i) {  // a few pipelines; indices, coverage and constants that differ from draw to draw
    draws.push_back({{"type", "draw_indexed"},
                     {"pipeline", "pipeline " + std::to_string(random() % 20)},
                     {"indices", 3 * (100 + random() % 2000)},
                     {"pixels", random() % 10'000},
                     {"root_constants", {i, random() % 64}}});
  }
  json workload = small_workload();
  workload["command_lists"].push_back({{"name", "frame"}, {"type", "direct"}, {"commands", draws}});
  const std::string bytes = packed_capture(workload);
  const double each = static_cast<double>(bytes.size()) / 100'000;
  INFO(each << " bytes a draw");
  CHECK(each <= 48);
  const std::uint64_t before = resident_bytes();
  const Capture capture = read_capture(bytes, "x.capture");
  if (!sanitized) CHECK(resident_bytes() < before + 100'000 * 1500ULL);  // five values and their keys
  CHECK(capture.workload == workload);
  std::uint64_t most = 0;
  for (const SectionFacts& one : capture.facts.sections) most = std::max(most, one.full_bytes);
  CHECK(most < (2 << 20));  // what is unpacked at once
  WARN("capture: " << each << " bytes a draw on disk");
}

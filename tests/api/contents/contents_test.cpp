// SPDX-License-Identifier: Apache-2.0
// Results worked out by hand from docs/contents.md, on the machine `tiny`: PCIe moves 10 bytes a nanosecond, video
// memory copies 50 (100 GB/s, read and written).
#include "api/contents/resource_contents.hpp"
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/program.hpp"
#include "sim/config/config.hpp"
#include "sim/config_error.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// Keeps accesses.
struct Heard final : AccessListener {
  void accessed(const ContentAccess& access, const ContentActor& actor) override {
    rows.emplace_back(access.at_ps / 1000, name_of(access.kind), access.resource, access.bytes, actor.by, actor.name);
  }
  std::vector<std::tuple<std::uint64_t, std::string, std::uint32_t, std::uint64_t, std::string, std::string>> rows;
};

/// A workload that was played on `tiny`.
struct Played {
  explicit Played(const json& document, std::shared_ptr<ResourceContents> before = nullptr)
      : Played(make_program(read_config<Workload>(document, "w.json"), "w.json"), std::move(before)) {}
  explicit Played(const Program& of, std::shared_ptr<ResourceContents> before = nullptr,
                  const std::vector<std::string>& sets = {})
      : program(of), machine(load_machine("tiny", "", sets)), player(machine, program, std::move(before)) {
    contents = player.contents();
    if (contents) contents->listen(&heard);
    REQUIRE(player.play());
    if (contents) contents->listen(nullptr);
  }
  std::vector<int> bytes(std::size_t resource, std::uint64_t offset = 0, std::uint64_t count = 0) const {
    const ByteExtents& of = contents->of(resource);
    std::vector<std::byte> raw(static_cast<std::size_t>(count == 0 ? of.size() - offset : count));
    of.read(offset, raw.size(), raw.data());
    std::vector<int> numbers;
    numbers.reserve(raw.size());
    for (const std::byte one : raw) numbers.push_back(std::to_integer<int>(one));
    return numbers;
  }
  Program program;
  Machine machine;
  Player player;
  std::shared_ptr<ResourceContents> contents;
  Heard heard;
};

json buffer(const std::string& name, std::uint64_t bytes, const std::string& heap = "default") {
  return {{"type", "buffer"}, {"name", name}, {"bytes", bytes}, {"heap", heap}};
}
json texture(const std::string& name, int width, int height, int texel_bytes = 4, int samples = 1) {
  return {{"type", "texture"}, {"name", name}, {"width", width}, {"height", height}, {"bytes_per_texel", texel_bytes},
          {"samples", samples}};
}
json with_content(json resource, const json& content) {
  resource["content"] = content;
  return resource;
}
json copy(const std::string& from, const std::string& to) {
  return {{"type", "copy_buffer"}, {"source", from}, {"destination", to}};
}
/// Compilers differ in whether one value in braces is an array of it.
json as_array(const json& one_or_more) { return one_or_more.is_array() ? one_or_more : json::array({one_or_more}); }

/// One queue that executes lists of these commands, one after the other.
json workload(const json& resources, const std::string& type, const std::vector<json>& lists) {
  json document = {{"name", "w"}, {"resources", as_array(resources)}, {"command_lists", json::array()}};
  json names = json::array();
  for (const json& commands : lists) {
    const std::string name = "list" + std::to_string(names.size());
    document["command_lists"].push_back({{"name", name}, {"type", type}, {"commands", as_array(commands)}});
    names.push_back(name);
  }
  document["queues"] = {{{"name", "q"}, {"type", type}, {"timeline", {{{"type", "execute"}, {"lists", names}}}}}};
  return document;
}

/// 1000 bytes go up to video memory from 0 to 100 ns, and back from 100 to 200 ns; a thread overwrites the first half.
json staging(double write_us) {
  json document = workload({with_content(buffer("staging", 1000, "upload"), {{"fill", 1}}), buffer("vram", 1000),
                            buffer("back", 1000, "readback")},
                           "copy", {{copy("staging", "vram")}, {copy("vram", "back")}});
  document["cpus"] = {{{"name", "app"},
                       {"timeline",
                        {{{"type", "sleep_until"}, {"us", write_us}},
                         {{"type", "write"}, {"resource", "staging"}, {"bytes", 500}, {"content", {{"fill", 2}}}}}}}};
  return document;
}

std::string refusal(const json& document) {
  try {
    make_program(read_config<Workload>(document, "w.json"), "w.json");
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

using Numbers = std::vector<int>;
Numbers operator+(Numbers first, const Numbers& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

TEST_CASE("contents: a copy takes what is there when it ends, so a thread that writes too early is seen",
          "[contents]") {
  const Numbers ones(500, 1), twos(500, 2);
  const Played early(staging(0.05));  // within the copy
  CHECK(early.bytes(0) == twos + ones);
  CHECK(early.bytes(1) == twos + ones);
  CHECK(early.bytes(2) == twos + ones);
  const Played late(staging(0.15));
  CHECK(late.bytes(0) == twos + ones);
  CHECK(late.bytes(1) == ones + ones);
  CHECK(late.bytes(2) == ones + ones);
  using Row = decltype(late.heard.rows)::value_type;
  CHECK(late.heard.rows == std::vector<Row>{{100, "read", 0, 1000, "queue \"q\"", "CopyBufferRegion"},
                                            {100, "write", 1, 1000, "queue \"q\"", "CopyBufferRegion"},
                                            {150, "write", 0, 500, "CPU thread \"app\"", "write"},
                                            {200, "read", 1, 1000, "queue \"q\"", "CopyBufferRegion"},
                                            {200, "write", 2, 1000, "queue \"q\"", "CopyBufferRegion"}});
  CHECK(late.contents->written(0));
}

TEST_CASE("contents: time does not depend on them, and without them there are none", "[contents]") {
  json plain = staging(0.15);
  plain["resources"][0].erase("content");
  plain["cpus"] = json::array();
  const Played without(plain);
  CHECK(without.contents == nullptr);
  CHECK(without.program.contents == nullptr);
  CHECK(without.machine.now_ps() == Played(staging(0.15)).machine.now_ps());
}

TEST_CASE("contents: rows of a texture are packed, those in a buffer 256 bytes apart, and what is between stays",
          "[contents]") {
  // 3 texels of 1 byte in 2 rows.
  const json resources = {with_content(buffer("in", 300), {{"fill", 9}}),
                          with_content(texture("t", 3, 2, 1), {{"base64", "AQIDBAUG"}}),
                          with_content(buffer("out", 300), {{"fill", 7}}), texture("u", 3, 2, 1)};
  const auto copies = [&](const std::string& from, const std::string& to) {
    return json{{"type", "copy_texture"}, {"source", from}, {"destination", to}};
  };
  const Played played(workload(resources, "copy", {{copies("t", "out"), copies("t", "u")}, {copies("in", "t")}}));
  CHECK(played.bytes(2) == Numbers{1, 2, 3} + Numbers(253, 7) + Numbers{4, 5, 6} + Numbers(41, 7));
  CHECK(played.bytes(3) == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(played.bytes(1) == Numbers(6, 9));
}

TEST_CASE("contents: clears write their value again and again; a resolve takes the first sample", "[contents]") {
  const json resources = {with_content(texture("target", 2, 1, 2, 2), {{"base64", "AQIDBAUGBwg="}}),
                          texture("single", 2, 1, 2), with_content(buffer("b", 6), {{"fill", 1}}),
                          texture("pass", 2, 1, 2, 2), with_content(texture("resolved", 2, 1, 2), {{"fill", 3}})};
  const json resolve = {{"type", "resolve"}, {"source", "target"}, {"destination", "single"}};
  const json pass = {
      {"type", "begin_render_pass"},
      {"targets", {{{"target", "pass"}, {"beginning", "clear"}, {"ending", "resolve"}, {"resolve_to", "resolved"}}}}};
  const Played played(workload(resources, "direct",
                               {{resolve, {{"type", "clear"}, {"target", "b"}, {"value", {5, 6, 7}}}},
                                {{{"type", "clear"}, {"target", "target"}}},
                                {pass, {{"type", "end_render_pass"}}}}));
  CHECK(played.bytes(1) == Numbers{1, 2, 5, 6});
  CHECK(played.bytes(2) == Numbers{5, 6, 7, 5, 6, 7});
  CHECK(played.bytes(0) == Numbers(8, 0));
  CHECK(played.bytes(4) == Numbers(4, 0));
}

TEST_CASE("contents: effects of a list come in its order, though its commands overlap", "[contents]") {
  // The upload takes 100 ns, the copy within video memory that is recorded after it 20: it is done with the upload.
  const json resources = {with_content(buffer("up", 1000, "upload"), {{"fill", 4}}), buffer("a", 1000),
                          buffer("b", 1000)};
  const Played played(workload(resources, "direct", {{copy("up", "a"), copy("a", "b")}}));
  CHECK(played.machine.now_ps() == 100'000);  // they do overlap
  CHECK(played.bytes(2) == Numbers(1000, 4));
}

TEST_CASE("contents: results of queries are written as far as they are known", "[contents]") {
  json document = workload(
      {with_content(buffer("back", 200, "readback"), {{"fill", 1}}), buffer("p", 8)}, "direct",
      {{{{"type", "timestamp"}, {"slot", 1}},
        {{"type", "begin_query"}, {"query", "occlusion"}, {"slot", 0}},
        {{"type", "draw"}, {"pipeline", "g"}, {"vertices", 6}, {"pixels", 1600}},
        {{"type", "set_predication"}, {"buffer", "p"}, {"skip", true}},
        {{"type", "draw"}, {"pipeline", "g"}, {"pixels", 16}},
        {{"type", "set_predication"}},
        {{"type", "end_query"}, {"query", "occlusion"}, {"slot", 0}},
        {{"type", "begin_query"}, {"query", "pipeline_statistics"}, {"slot", 0}},
        {{"type", "dispatch"}, {"pipeline", "c"}, {"x", 2}},
        {{"type", "end_query"}, {"query", "pipeline_statistics"}, {"slot", 0}},
        {{"type", "timestamp"}, {"slot", 2}},
        {{"type", "resolve_query_data"}, {"query", "timestamp"}, {"count", 4}, {"destination", "back"}},
        {{"type", "resolve_query_data"}, {"query", "occlusion"}, {"destination", "back"}, {"destination_offset", 32}},
        {{"type", "resolve_query_data"},
         {"query", "binary_occlusion"},
         {"destination", "back"},
         {"destination_offset", 40}},
        {{"type", "resolve_query_data"},
         {"query", "pipeline_statistics"},
         {"destination", "back"},
         {"destination_offset", 48}}}});
  document["graphics_pipelines"] = {{{"name", "g"}}};
  document["compute_pipelines"] = {{{"name", "c"}, {"threads", 32}, {"group_cycles", 900}}};
  const Played played(document);
  const auto number = [&](std::uint64_t at) {
    std::uint64_t found = 0;
    const Numbers bytes = played.bytes(0, at, 8);
    for (std::size_t i = 8; i > 0; --i) found = found << 8 | static_cast<std::uint64_t>(bytes[i - 1]);
    return found;
  };
  CHECK(number(0) == 0);  // nobody took it
  CHECK(number(8) == 0);  // taken at once
  CHECK(number(16) >= 900);
  CHECK(number(16) <= played.machine.now_ps() / 1000);
  CHECK(number(24) == 0);
  CHECK(number(32) == 1600);  // the draw that is skipped does not count
  CHECK(number(40) == 1);
  for (std::uint64_t i = 0; i < 10; ++i) CHECK(number(48 + 8 * i) == 0);
  CHECK(number(128) == 64);                       // threads
  CHECK(played.bytes(0, 136) == Numbers(64, 1));  // beyond the results
}

TEST_CASE("contents: what a predicate skips and what shaders do leaves bytes as they are", "[contents]") {
  json document = workload({with_content(buffer("a", 8), {{"fill", 1}}), buffer("b", 8)}, "direct",
                           {{{{"type", "set_predication"}, {"buffer", "b"}, {"skip", true}},
                             copy("a", "b"),
                             {{"type", "set_predication"}},
                             {{"type", "dispatch"}, {"pipeline", "c"}, {"resources", {"b"}}},
                             {{"type", "discard"}, {"resource", "a"}}}});
  document["compute_pipelines"] = {{{"name", "c"}}};
  const Played played(document);
  CHECK(played.bytes(0) == Numbers(8, 1));
  CHECK(played.bytes(1) == Numbers(8, 0));
  CHECK_FALSE(played.contents->written(1));
  REQUIRE(played.heard.rows.size() == 2);
  CHECK(std::get<1>(played.heard.rows[0]) == "read");  // the predicate
  CHECK(std::get<1>(played.heard.rows[1]) == "use");
}

TEST_CASE("contents: a bundle's copies are the list's, and a step of a repeat writes each time", "[contents]") {
  json document = staging(0);
  document["cpus"][0]["timeline"] = {{{"type", "repeat"},
                                      {"count", 3},
                                      {"steps",
                                       {{{"type", "write"},
                                         {"resource", "staging"},
                                         {"offset", 999},
                                         {"from_iteration", 1},
                                         {"content", {{"fill", 3}}}},
                                        {{"type", "work"}, {"us", 0.3}}}}}};
  const Played played(document);
  CHECK(played.bytes(0) == Numbers(999, 1) + Numbers{3});
  CHECK(played.bytes(1) == Numbers(1000, 1));
  int writes = 0;
  for (const auto& row : played.heard.rows) writes += std::get<5>(row) == "write" ? 1 : 0;
  CHECK(writes == 2);
}

TEST_CASE("contents: played twice they come to the same, and a warm replay recreates only what was written",
          "[contents]") {
  json document = staging(0.05);
  document["resources"].push_back(with_content(buffer("constant", 5000), {{"fill", 8}}));
  const Played first(document);
  const Played second(document);
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i < 4; ++i) {
    hashes.push_back(first.contents->hash(i));
    CHECK(second.contents->hash(i) == hashes.back());
  }
  for (int loop = 0; loop < 3; ++loop) {
    const RecreatedResources recreated = first.contents->reset();
    CHECK(recreated.resources == 3);
    CHECK(recreated.of == 4);
    CHECK(first.contents->reset().resources == 0);
    const Played again(first.program, first.contents);
    for (std::size_t i = 0; i < 4; ++i) CHECK(first.contents->hash(i) == hashes[i]);
  }
  // Without a reset in between the second half of what was staged is not what it was.
  CHECK(first.bytes(1) == Numbers(500, 2) + Numbers(500, 1));
  CHECK_THROWS_AS(Played(second.program, first.contents), std::invalid_argument);
}

TEST_CASE("contents: what a reset ends does nothing, what had ended has done its part", "[contents]") {
  const json resources = {with_content(buffer("a", 8), {{"fill", 1}}), buffer("b", 8), buffer("c", 8)};
  const json document =
      workload(resources, "copy", {{copy("a", "b"), {{"type", "hang"}}, copy("a", "c")}, {copy("a", "c")}});
  const Program program = make_program(read_config<Workload>(document, "w.json"), "w.json");
  Machine machine(load_machine("tiny", "", {"/tdr/level=recover", "/tdr/delay_us=100", "/tdr/too_long_us=100"}));
  Player player(machine, program);
  player.play();
  CHECK(machine.device_removed(""));
  CHECK(player.contents()->written(1));
  CHECK_FALSE(player.contents()->written(2));
}

TEST_CASE("contents: a copy that is preempted moves its bytes once, when it ends", "[contents]") {
  json document = workload({with_content(buffer("up", 1'000'000, "upload"), {{"fill", 1}}), buffer("a", 1'000'000),
                            buffer("b", 1000), with_content(buffer("small", 1000, "upload"), {{"fill", 2}})},
                           "copy", {{copy("up", "a")}, {copy("small", "b")}});
  document["queues"] = {
      {{"name", "low"}, {"type", "copy"}, {"timeline", {{{"type", "execute"}, {"lists", {"list0"}}}}}},
      {{"name", "high"}, {"type", "copy"}, {"priority", "global_realtime"}}};
  document["cpus"] = {
      {{"name", "t"},
       {"timeline",
        {{{"type", "sleep_until"}, {"us", 50}}, {{"type", "execute"}, {"queue", "high"}, {"lists", {"list1"}}}}}}};
  const Played played(make_program(read_config<Workload>(document, "w.json"), "w.json"), nullptr,
                      {"/engines/2/preemption={\"granularity\": \"transfer_boundary\"}"});
  REQUIRE(played.heard.rows.size() == 4);
  // 100 us for the large one, of which the small one takes 0.1 in between.
  CHECK(std::get<2>(played.heard.rows[1]) == 2);
  CHECK(std::get<0>(played.heard.rows[1]) < 60'000);
  CHECK(std::get<2>(played.heard.rows[3]) == 1);
  CHECK(std::get<0>(played.heard.rows[3]) >= 100'100);
  CHECK(played.bytes(1) == Numbers(1'000'000, 1));
  CHECK(played.bytes(2) == Numbers(1000, 2));
}

TEST_CASE("contents: a list that is broadcast to linked adapters acts once", "[contents]") {
  json document = staging(0);
  document["cpus"] = json::array();
  document["queues"][0]["node_mask"] = 3;
  const Program program = make_program(read_config<Workload>(document, "w.json"), "w.json");
  Machine machine(builtin_machine("tiny_linked"));
  Player player(machine, program);
  Heard heard;
  player.contents()->listen(&heard);
  REQUIRE(player.play());
  CHECK(heard.rows.size() == 4);
  CHECK(player.contents()->hash(2) == player.contents()->hash(0));
}

TEST_CASE("contents: what does not fit or is not there is told with its place", "[contents]") {
  const auto changed = [](const json& patch) { return refusal(staging(1).patch(patch)); };
  const auto content = [&](const json& value) {
    return changed({{{"op", "replace"}, {"path", "/resources/0/content"}, {"value", value}}});
  };
  const auto step = [&](const std::string& key, const json& value) {
    return changed({{{"op", "add"}, {"path", "/cpus/0/timeline/1/" + key}, {"value", value}}});
  };
  CHECK(refusal(staging(1)).empty());
  CHECK_THAT(content({{"fill", 256}}), Contains("w.json: /resources/0/content/fill: "));
  CHECK_THAT(content(json::object()), Contains("/resources/0/content: expected fill, base64 or blob, found none of"));
  CHECK_THAT(content({{"fill", 1}, {"blob", "a"}}), Contains("found more than one"));
  CHECK_THAT(content({{"base64", "AAA"}}), Contains("/resources/0/content/base64: expected base64"));
  CHECK_THAT(content({{"base64", "AA=A"}}), Contains("expected base64"));
  CHECK_THAT(content({{"base64", "AAAB"}}), Contains("/content/base64: expected 1000 bytes, found 3"));
  CHECK_THAT(content({{"base64", std::string(90'000, 'A')}}), Contains("at most 65536 bytes, more in a blob"));
  CHECK_THAT(content({{"blob", "../x"}}), Contains("/resources/0/content/blob: expected letters"));
  CHECK_THAT(content({{"blob", ".x"}}), Contains("/content/blob: expected letters"));
  CHECK_THAT(content({{"blob", "x"}}), Contains("/content/blob: expected a blob whose bytes were read"));
  CHECK_THAT(step("resource", "vram"), Contains("/cpus/0/timeline/1/resource: expected a buffer on an upload or"));
  CHECK_THAT(step("offset", 1000), Contains("/cpus/0/timeline/1/offset: expected less than"));
  CHECK_THAT(step("offset", 501),
             Contains("/cpus/0/timeline/1/bytes: expected at most the 499 bytes there, found 500"));
  CHECK_THAT(step("content", {{"base64", "AAAA"}}), Contains("/cpus/0/timeline/1/bytes: expected a fill beside bytes"));
  CHECK_THAT(step("from_iteration", 1), Contains("/from_iteration: expected 0 outside a repeat"));
  CHECK_THAT(
      changed({{{"op", "replace"}, {"path", "/resources/1/bytes"}, {"value", std::uint64_t{1} << 36}},
               {{"op", "replace"}, {"path", "/resources/0/bytes"}, {"value", 1001}}}),
      Contains("/resources/1: expected resources that have content or are written of at most 68719476736 bytes"));
  json filled = staging(1);
  filled["resources"][1]["fill"] = true;
  CHECK(refusal(filled).empty());
  filled["resources"][1]["content"] = {{"fill", 1}};
  CHECK_THAT(refusal(filled), Contains("/resources/1/content: expected no content beside fill"));
  json clear = workload(json::array({texture("t", 3, 1, 4)}), "direct",
                        {json::array({{{"type", "clear"}, {"target", "t"}, {"value", {1, 2, 3}}}})});
  CHECK_THAT(refusal(clear),
             Contains("/command_lists/0/commands/0/value: expected at most 16 bytes, and a divisor of 4"));
}

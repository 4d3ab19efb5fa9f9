// SPDX-License-Identifier: Apache-2.0
// Memory and effects in time, in files and in what a run says of them: rules 5, 6, 11 and 14 to 16 of docs/contents.md.
#include "tests/api/contents/effects_workload.hpp"

#include <filesystem>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// 1,000 bytes by PCIe, which takes 100 ns.
std::string uploads(const std::string& effects, int bytes = 1000) {
  return fmt::format(R"({{"type": "copy_buffer", "route": "host_to_device", "bytes": {}, "effects": [{}]}})", bytes,
                     effects);
}

json thread(const std::string& steps) {
  return parse_json(R"([{"name": "app", "timeline": [)" + steps + "]}]", "cpus");
}

std::string writes(const std::string& resource, const std::string& what) {
  return R"({"type": "write", "resource": ")" + resource + R"(", )" + what + "}";
}

/// Three lists of one queue: 0 fills the first half with 1s, 1 copies it into the second, 2 copies that to `out`.
json three_lists() {
  json document = parse_json(R"({"name": "w", "machine": "tiny", "queues": [{"name": "q", "type": "copy", "timeline": [
    {"type": "execute", "lists": ["fill"]}, {"type": "execute", "lists": ["move"]},
    {"type": "execute", "lists": ["out"]}]}], "command_lists": []})",
                             "w.json");
  document["resources"] = parse_json("[" + memory("m", 8, R"({"offset": 1, "bytes": 2, "content": {"fill": 7}},
                                                             {"offset": 3, "content": {"blob": "first.bin"}})") +
                                         "," + memory("out", 6, "", "readback") + "]",
                                     "w.json");
  const auto add = [&](const std::string& name, const std::string& effects) {
    document["command_lists"].push_back(
        parse_json(fmt::format(R"({{"name": "{}", "type": "copy", "commands": [{}]}})", name, acts(effects)), "list"));
  };
  add("fill", fills("m", "[1]", 2));
  add("move", copies("m", "m", 4, R"(, "destination_offset": 4)"));
  add("out", copies("m", "out", 4, R"(, "source_offset": 4)") +
                 R"(, {"type": "write", "destination": "out", "destination_offset": 4, "row_bytes": 2,
                       "content": {"blob": "second.bin"}})");
  return document;
}

struct Files {
  Files() {
    shell.write("first.bin", "\x21\x22");
    shell.write("second.bin", "\x31\x32");
  }
  Shell shell;
};

const Bytes all_of_m = {1, 1, 7, 0x21, 1, 1, 7, 0x21};  // the blob's second byte lay at 4
const Bytes all_of_out = {1, 1, 7, 0x21, 0x31, 0x32};

}  // namespace

TEST_CASE("memory effects: a command takes what is there when it ends", "[contents]") {
  const std::string resources =
      memory("up", 8, R"({"offset": 0, "bytes": 8, "content": {"fill": 1}})", "upload") + "," + memory("vram", 8);
  const auto played = [&](const std::string& us) {
    json document = one_list(resources, uploads(copies("up", "vram", 8)), "copy");
    document["cpus"] =
        thread(R"({"type": "sleep_until", "us": )" + us + "}," + writes("up", R"("bytes": 4, "content": {"fill": 2})"));
    const Shell shell;
    return statistics_of(shell, document);
  };
  const json within = played("0.05");
  CHECK(difference(within, "up", {2, 2, 2, 2, 1, 1, 1, 1}) == "");
  CHECK(difference(within, "vram", {2, 2, 2, 2, 1, 1, 1, 1}) == "");
  const json behind = played("0.15");
  CHECK(difference(behind, "up", {2, 2, 2, 2, 1, 1, 1, 1}) == "");
  CHECK(difference(behind, "vram", Bytes(8, 1)) == "");
}

TEST_CASE("memory effects: those of a list come in its order though its commands overlap", "[contents]") {
  // The second command takes 20 ns, the first one 100.
  CHECK(difference(memory("m", 4), uploads(fills("m", "[1]", 4)) + "," + acts(fills("m", "[2]", 2)), "m",
                   {2, 2, 1, 1}) == "");
}

TEST_CASE("memory effects: those of two queues come in the order of time", "[contents]") {
  // 100 ns on the copy queue; on the direct one 20 ns for each 1,000 bytes.
  const auto played = [](int direct_bytes) {
    json document = one_list(memory("m", 6), uploads(fills("m", "[1]", 4)), "copy");
    const std::string list = fmt::format(
        R"({{"name": "d", "type": "direct", "commands": [{{"type": "copy_buffer", "route": "device_to_device",
             "bytes": {}, "effects": [{}]}}]}})",
        direct_bytes, fills("m", "[2]", 4, R"(, "destination_offset": 2)"));
    document["command_lists"].push_back(parse_json(list, "list"));
    document["queues"].push_back(parse_json(
        R"({"name": "direct", "type": "direct", "timeline": [{"type": "execute", "lists": ["d"]}]})", "queue"));
    const Shell shell;
    return statistics_of(shell, document);
  };
  CHECK(difference(played(1000), "m", {1, 1, 1, 1, 2, 2}) == "");    // 20 ns
  CHECK(difference(played(10'000), "m", {1, 1, 2, 2, 2, 2}) == "");  // 200 ns
}

TEST_CASE("memory effects: CPU threads write to memory of any heap", "[contents]") {
  json document =
      one_list(memory("d", 6, R"({"offset": 0, "bytes": 6, "content": {"fill": 9}})") + "," +
                   memory("u", 6, "", "upload") + "," + memory("r", 6, "", "readback") + "," + memory("n", 6),
               acts(copies("d", "n", 6)));
  document["queues"][0]["timeline"] = json::array();
  document["cpus"] = thread(writes("d", R"("offset": 1, "content": {"base64": "AQID"})") + "," +
                            writes("u", R"("offset": 4, "content": {"fill": 5})") + "," +
                            writes("r", R"("bytes": 1, "content": {"fill": 4})") +
                            R"(, {"type": "execute", "queue": "q", "lists": ["l"]}, {"type": "work", "us": 1},)" +
                            writes("d", R"("offset": 5, "bytes": 1, "content": {"fill": 6})"));
  const Shell shell;
  const json run = statistics_of(shell, document);
  CHECK(difference(run, "d", {9, 1, 2, 3, 9, 6}) == "");
  CHECK(difference(run, "n", {9, 1, 2, 3, 9, 9}) == "");
  CHECK(difference(run, "u", {0, 0, 0, 0, 5, 5}) == "");
  CHECK(difference(run, "r", {4, 0, 0, 0, 0, 0}) == "");
  CHECK(content_of(run, "d")["written_by"] == json{{"CPU thread \"app\"", 4}});
}

TEST_CASE("memory effects: time comes from the numbers alone and memory takes no place", "[contents]") {
  // Nothing of a memory of 1 TB is written; what is read of it are zeros.
  const std::string effects = fills("m", "[3]", 5'000'000) + "," +
                              copies("huge", "m", 3, R"(, "source_offset": 999999999997, "destination_offset": 1)");
  const std::string pass = R"(, {"type": "begin_render_pass", "clear_bytes": 640},
                                {"type": "end_render_pass", "resolve_bytes": 640})";
  json document = one_list(memory("m", 5'000'000) + "," + memory("huge", 1'000'000'000'000),
                           uploads(effects) + "," + acts(effects) + pass);
  const Shell shell;
  json run = statistics_of(shell, document);
  Bytes expected(5'000'000, 3);
  expected[1] = expected[2] = expected[3] = 0;
  CHECK(difference(run, "m", expected) == "");
  CHECK(content_of(run, "huge").is_null());
  const std::string packets = contents_of(shell.work() / "run/packets.csv");
  document["resources"] = json::array();
  for (json& command : document["command_lists"][0]["commands"]) command.erase("effects");
  const json plain = statistics_of(shell, document);
  CHECK(contents_of(shell.work() / "run/packets.csv") == packets);
  CHECK(!plain.contains("contents"));
  run.erase("contents");
  CHECK(run == plain);
}

TEST_CASE("memory effects: commands that say numbers and no effects leave bytes as they are", "[contents]") {
  const std::string plain = R"({"type": "clear", "bytes": 640},
    {"type": "copy_buffer", "route": "host_to_device", "bytes": 100},
    {"type": "copy_texture", "route": "device_to_device", "row_bytes": 16, "rows": 4},
    {"type": "resolve", "bytes": 64, "samples": 4}, {"type": "begin_render_pass", "clear_bytes": 64},
    {"type": "end_render_pass", "resolve_bytes": 64},
    {"type": "resolve_query_data", "query": "timestamp", "route": "device_to_host", "bytes": 8})";
  const std::string resources = memory("m", 4) + R"(, {"type": "buffer", "name": "b", "bytes": 4,
                                                      "content": {"fill": 5}})";
  CHECK(difference(resources, plain + "," + acts(copies("b", "m", 3)) + "," + plain, "m", {5, 5, 5, 0}) == "");
  const Shell shell;
  CHECK(statistics_of(shell, one_list(resources, plain)).value("contents", json::array()).empty());
}

TEST_CASE("memory effects: what a reset ends does nothing and what had ended has done its part", "[contents]") {
  const Shell shell;
  const json run = statistics_of(
      shell,
      one_list(memory("m", 4) + "," + memory("n", 4),
               acts(fills("m", "[1]", 4)) + R"(, {"type": "hang"},)" + acts(fills("n", "[1]", 4)), "copy"),
      {"--set", "/tdr/level=recover", "--set", "/tdr/delay_us=100", "--set", "/tdr/too_long_us=100"});
  CHECK(difference(run, "m", {1, 1, 1, 1}) == "");
  CHECK(content_of(run, "n").is_null());
}

TEST_CASE("memory effects: a command that is preempted does its own once when it ends", "[contents]") {
  // 100 us of copy, which a copy of another queue interrupts at 50 us.
  json document =
      one_list(memory("m", 4, R"({"offset": 0, "content": {"base64": "AQIDBA=="}})") + "," + memory("seen", 4),
               uploads(copies("m", "m", 3, R"(, "destination_offset": 1)"), 1'000'000), "copy");
  document["command_lists"].push_back(parse_json(
      R"({"name": "short", "type": "copy", "commands": [)" + uploads(copies("m", "seen", 4)) + "]}", "list"));
  document["queues"].push_back(
      parse_json(R"({"name": "high", "type": "copy", "priority": "global_realtime"})", "queue"));
  document["cpus"] =
      thread(R"({"type": "sleep_until", "us": 50}, {"type": "execute", "queue": "high", "lists": ["short"]})");
  const Shell shell;
  const json run =
      statistics_of(shell, document, {"--set", R"(/engines/2/preemption={"granularity": "transfer_boundary"})"});
  CHECK(difference(run, "seen", {1, 2, 3, 4}) == "");
  CHECK(difference(run, "m", {1, 1, 2, 3}) == "");
}

TEST_CASE("memory effects: a pass begins with the pieces again", "[contents]") {
  const Files files;
  const json once = statistics_of(files.shell, three_lists());
  CHECK(difference(once, "m", all_of_m) == "");
  CHECK(difference(once, "out", all_of_out) == "");
  const json twice = statistics_of(files.shell, three_lists(), {"--loop", "2"});
  CHECK(difference(twice, "m", all_of_m) == "");
  CHECK(difference(twice, "out", all_of_out) == "");
  CHECK(content_of(twice, "m")["written_bytes"] == 2 * (2 + 4));
  // What is moved within one memory comes to the same in each pass.
  json shifting = one_list(memory("m", 3, R"({"offset": 0, "content": {"base64": "AQID"}})"),
                           acts(copies("m", "m", 2, R"(, "destination_offset": 1)")));
  CHECK(difference(statistics_of(files.shell, shifting, {"--loop", "3"}), "m", {1, 1, 2}) == "");
}

TEST_CASE("memory effects: a part of the work begins with the pieces", "[contents]") {
  const Files files;
  const Bytes m = {0, 7, 7, 0x21, 0, 7, 7, 0x21};
  const Bytes out = {0, 7, 7, 0x21, 0x31, 0x32};
  json part = statistics_of(files.shell, three_lists(), {"--from", "submit:1"});
  CHECK(difference(part, "m", m) == "");
  CHECK(difference(part, "out", out) == "");
  REQUIRE(files.shell.fenceline({"trim", "w.json", "-o", "t.json", "--from", "submit:1"}).code == 0);
  part = statistics_of(files.shell, std::string("t.json"));
  CHECK(difference(part, "m", m) == "");
  CHECK(difference(part, "out", out) == "");
  REQUIRE(files.shell.fenceline({"pack", "w.json", "-o", "w.capture"}).code == 0);
  REQUIRE(files.shell.fenceline({"trim", "w.capture", "-o", "t.capture", "--from", "submit:1"}).code == 0);
  std::filesystem::remove(files.shell.work() / "first.bin");
  std::filesystem::remove(files.shell.work() / "second.bin");
  part = statistics_of(files.shell, std::string("t.capture"));
  CHECK(difference(part, "m", m) == "");
  CHECK(difference(part, "out", out) == "");
  // The first list alone needs no `out`.
  REQUIRE(files.shell.fenceline({"trim", "w.capture", "-o", "first.capture", "--to", "submit:1"}).code == 0);
  part = statistics_of(files.shell, std::string("first.capture"));
  CHECK(difference(part, "m", {1, 1, 7, 0x21, 0x22, 0, 0, 0}) == "");
  REQUIRE(files.shell.fenceline({"unpack", "first.capture", "-o", "first.json"}).code == 0);
  CHECK(load_json(files.shell.work() / "first.json")["resources"].size() == 1);
}

TEST_CASE("memory effects: on one queue they are done in the order of the work", "[contents]") {
  const Files files;
  json document = three_lists();
  document["fences"] = parse_json(R"([{"name": "f"}])", "fences");
  document["queues"] = parse_json(R"([
    {"name": "second", "type": "copy", "timeline": [{"type": "wait", "fence": "f", "value": 1},
      {"type": "execute", "lists": ["move"]}, {"type": "execute", "lists": ["out"]}]},
    {"name": "first", "type": "copy", "timeline": [{"type": "execute", "lists": ["fill"]},
      {"type": "signal", "fence": "f", "value": 1}]}])",
                                  "queues");
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{{}, {"--single-queue"}}) {
    const json run = statistics_of(files.shell, document, options);
    CHECK(difference(run, "m", all_of_m) == "");
    CHECK(difference(run, "out", all_of_out) == "");
  }
}

TEST_CASE("memory effects: captures have them with their blobs", "[contents]") {
  const Files files;
  const Shell& shell = files.shell;
  json document = three_lists();
  document["cpus"] =
      thread(R"({"type": "work", "us": 5},)" + writes("m", R"("offset": 6, "content": {"blob": "third.bin"})"));
  shell.write("third.bin", "\x41\x42");
  const Bytes m = {1, 1, 7, 0x21, 1, 1, 0x41, 0x42};
  const json run = statistics_of(shell, document, {"--capture", "played.capture"});
  CHECK(difference(run, "m", m) == "");
  REQUIRE(shell.fenceline({"pack", "w.json", "-o", "w.capture"}).code == 0);
  const json info = parse_json(shell.fenceline({"info", "w.capture", "--json"}).out, "info");
  CHECK(info["capture"]["blobs"].size() == 3);
  for (const char* const name : {"first.bin", "second.bin", "third.bin"}) {
    std::filesystem::remove(shell.work() / name);
  }
  for (const std::string capture : {"w.capture", "played.capture"}) {
    INFO(capture);
    const json again = statistics_of(shell, capture);
    CHECK(again["contents"] == run["contents"]);
  }
  REQUIRE(shell.fenceline({"unpack", "w.capture", "-o", "u.json"}).code == 0);
  const json unpacked = load_json(shell.work() / "u.json");
  for (const char* const key : {"resources", "command_lists", "cpus"}) CHECK(unpacked[key] == document[key]);
  CHECK(contents_of(shell.work() / "first.bin") == "\x21\x22");
  CHECK(statistics_of(shell, std::string("u.json"))["contents"] == run["contents"]);
}

TEST_CASE("memory effects: a run tells who read and wrote and how much of it", "[contents]") {
  const Shell shell;
  json document =
      one_list(memory("m", 40) + "," + memory("n", 40),
               acts(fills("m", "[1, 2]", 4, R"(, "rows": 3, "destination_offset": 2, "destination_row_pitch": 8)") +
                    "," + copies("m", "n", 5, R"(, "rows": 2, "slices": 2, "source_offset": 3, "source_row_pitch": 8,
                                  "source_slice_pitch": 16, "destination_offset": 1)")) +
                   "," + acts(R"({"type": "write", "destination": "n", "destination_offset": 30, "row_bytes": 10,
                         "content": {"fill": 3}})"));
  document["cpus"] = thread(R"({"type": "work", "us": 9}, )" + writes("m", R"("offset": 38, "content": {"fill": 4})"));
  const json run = statistics_of(shell, document);
  CHECK(content_of(run, "m")["written_bytes"] == 12 + 2);
  CHECK(content_of(run, "m")["written_by"] == json{{"queue \"q\"", 12}, {"CPU thread \"app\"", 2}});
  CHECK(content_of(run, "n")["written_by"] == json{{"queue \"q\"", 20 + 10}});
  const auto history = [&](const std::string& name) {
    return parse_json(shell.fenceline({"report", "run", "--resource", name, "--json"}).out, "report")["accesses"];
  };
  const auto row = [](const json& one) {
    return json::array({one["access"], one["offset"], one["bytes"], one["by"], one["command"]});
  };
  const json of_m = history("m");
  REQUIRE(of_m.size() == 3);
  CHECK(row(of_m[0]) == json::array({"write", 2, 12, "queue \"q\"", 0}));
  CHECK(row(of_m[1]) == json::array({"read", 3, 20, "queue \"q\"", 0}));
  CHECK(row(of_m[2]) == json::array({"write", 38, 2, "CPU thread \"app\"", nullptr}));
  CHECK(of_m[2]["at_us"] == 9);
  const json of_n = history("n");
  REQUIRE(of_n.size() == 2);
  CHECK(row(of_n[0]) == json::array({"write", 1, 20, "queue \"q\"", 0}));
  CHECK(row(of_n[1]) == json::array({"write", 30, 10, "queue \"q\"", 1}));
  CHECK(lines_of(contents_of(shell.work() / "run/accesses.csv")) == 1 + 3 + 2);
  const Output text = shell.fenceline({"report", "run", "--resource", "n"});
  CHECK(text.out.rfind("n: 2 accesses, 30 bytes written, XXH3 ", 0) == 0);
}

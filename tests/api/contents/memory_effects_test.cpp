// SPDX-License-Identifier: Apache-2.0
// Memory and effects, rules 14 to 16 of docs/contents.md: results worked out by hand. On `tiny` PCIe moves 10 bytes a
// nanosecond, video memory copies 50.
#include "tests/api/contents/effects_workload.hpp"

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

const std::string numbered = R"({"offset": 0, "content": {"blob": "numbers.bin"}})";

/// Its numbers.bin has the numbers from 0 on.
struct Numbered {
  explicit Numbered(std::size_t count) { shell.write("numbers.bin", text_of(numbers(count))); }
  json run(const std::string& resources, const std::string& commands) const {
    return statistics_of(shell, one_list(resources, commands));
  }
  Shell shell;
};

}  // namespace

TEST_CASE("memory effects: a memory begins with its pieces and zeros between them", "[contents]") {
  const std::string pieces = R"({"offset": 8, "content": {"base64": "AQIDBA=="}},
                                {"offset": 1, "bytes": 3, "content": {"fill": 7}},
                                {"offset": 12, "bytes": 2, "content": {"fill": 255}})";
  const Shell shell;
  const json run = statistics_of(
      shell, one_list(memory("m", 16, pieces) + "," + memory("all", 16) + "," + memory("part", 10, "", "readback"),
                      acts(copies("m", "all", 16)) + "," + acts(copies("m", "part", 6, R"(, "source_offset": 7,
                                                                                      "destination_offset": 2)"))));
  CHECK(difference(run, "all", {0, 7, 7, 7, 0, 0, 0, 0, 1, 2, 3, 4, 255, 255, 0, 0}) == "");
  CHECK(difference(run, "part", {0, 0, 0, 1, 2, 3, 4, 255, 0, 0}) == "");
  CHECK(content_of(run, "m").is_null());  // nobody wrote it
}

TEST_CASE("memory effects: rows and slices lie as the pitches of each side say", "[contents]") {
  const Numbered files(64);
  const json run = files.run(
      memory("m", 64, numbered) + "," + memory("pitched", 19) + "," + memory("packed", 8) + "," + memory("spread", 16),
      acts(copies("m", "pitched", 3, R"(, "rows": 2, "slices": 2,
        "source_offset": 5, "source_row_pitch": 10, "source_slice_pitch": 40,
        "destination_offset": 1, "destination_row_pitch": 4, "destination_slice_pitch": 11)")) +
          "," + acts(copies("m", "packed", 2, R"(, "rows": 2, "slices": 2, "source_row_pitch": 4)")) + "," +
          acts(copies("m", "spread", 2, R"(, "rows": 2, "slices": 2, "destination_slice_pitch": 12)")));
  CHECK(difference(run, "pitched", {0, 5, 6, 7, 0, 15, 16, 17, 0, 0, 0, 0, 45, 46, 47, 0, 55, 56, 57}) == "");
  // A slice pitch that is not said is twice the row pitch of 4.
  CHECK(difference(run, "packed", {0, 1, 4, 5, 8, 9, 12, 13}) == "");
  CHECK(difference(run, "spread", {0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7}) == "");
}

TEST_CASE("memory effects: slices may lie between the rows of others", "[contents]") {
  // Rows 6 apart, slices 2 apart: what is row by row of one slice is slice by slice in the other.
  const Numbered files(12);
  const json run = files.run(memory("m", 12, numbered) + "," + memory("n", 12),
                             acts(copies("m", "n", 2, R"(, "rows": 2, "slices": 3, "source_row_pitch": 6,
                               "source_slice_pitch": 2)")));
  CHECK(difference(run, "n", {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}) == "");
}

TEST_CASE("memory effects: a copy within one memory reads all before it writes", "[contents]") {
  const Numbered files(10);
  const auto moved = [&](const std::string& effect) { return files.run(memory("m", 10, numbered), acts(effect)); };
  CHECK(difference(moved(copies("m", "m", 8, R"(, "destination_offset": 2)")), "m", {0, 1, 0, 1, 2, 3, 4, 5, 6, 7}) ==
        "");
  CHECK(difference(moved(copies("m", "m", 8, R"(, "source_offset": 2)")), "m", {2, 3, 4, 5, 6, 7, 8, 9, 8, 9}) == "");
  // Row by row the second one would take what the first one wrote.
  CHECK(difference(moved(copies("m", "m", 2, R"(, "rows": 3, "destination_offset": 1, "destination_row_pitch": 3)")),
                   "m", {0, 0, 1, 3, 2, 3, 6, 4, 5, 9}) == "");
  CHECK(difference(moved(copies("m", "m", 1, R"(, "rows": 2, "slices": 2, "source_slice_pitch": 4,
                                                "destination_offset": 1, "destination_slice_pitch": 4)")),
                   "m", {0, 0, 1, 3, 4, 4, 5, 7, 8, 9}) == "");
}

TEST_CASE("memory effects: rows are written in their order where they overlap", "[contents]") {
  CHECK(difference(memory("m", 7),
                   acts(R"({"type": "write", "destination": "m", "row_bytes": 4, "rows": 2, "destination_row_pitch": 2,
                            "content": {"base64": "AQIDBAUGBwg="}})"),
                   "m", {1, 2, 5, 6, 7, 8, 0}) == "");
  CHECK(difference(memory("m", 6), acts(R"({"type": "write", "destination": "m", "row_bytes": 2, "rows": 2, "slices": 2,
                            "destination_slice_pitch": 1, "content": {"base64": "AQIDBAUGBwg="}})"),
                   "m", {1, 5, 6, 7, 8, 0}) == "");
}

TEST_CASE("memory effects: rows with a pitch of zero lie in one place", "[contents]") {
  const std::string m = memory("m", 2, R"({"offset": 0, "content": {"base64": "BQY="}})");
  CHECK(difference(m + "," + memory("n", 6), acts(copies("m", "n", 2, R"(, "rows": 3, "source_row_pitch": 0)")), "n",
                   {5, 6, 5, 6, 5, 6}) == "");
}

TEST_CASE("memory effects: a fill begins anew in each row and cuts its value off at the end", "[contents]") {
  const std::string nines = R"({"offset": 0, "bytes": 17, "content": {"fill": 9}})";
  CHECK(difference(
            memory("m", 17, nines),
            acts(fills("m", "[1, 2, 3]", 7, R"(, "rows": 2, "destination_offset": 1, "destination_row_pitch": 8)")),
            "m", {9, 1, 2, 3, 1, 2, 3, 1, 9, 1, 2, 3, 1, 2, 3, 1, 9}) == "");
  // Without gaps, too; and where the value is longer than a row.
  CHECK(difference(memory("m", 17, nines), acts(fills("m", "[1, 2, 3]", 4, R"(, "rows": 2, "slices": 2)")), "m",
                   {1, 2, 3, 1, 1, 2, 3, 1, 1, 2, 3, 1, 1, 2, 3, 1, 9}) == "");
  CHECK(difference(memory("m", 17, nines),
                   acts(fills("m", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]", 5,
                              R"(, "slices": 2, "destination_slice_pitch": 8)")),
                   "m", {1, 2, 3, 4, 5, 9, 9, 9, 1, 2, 3, 4, 5, 9, 9, 9, 9}) == "");
  CHECK(difference(memory("m", 17, nines),
                   acts(fills("m", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]", 17)), "m",
                   numbers(16, 1) + Bytes{1}) == "");
}

TEST_CASE("memory effects: a large fill goes on and on", "[contents]") {
  Bytes expected(3'000'001, 0);
  for (std::size_t i = 0; i < 2'999'999; ++i) expected[i + 1] = static_cast<unsigned char>(11 + i % 7);
  CHECK(difference(memory("m", 3'000'001),
                   acts(fills("m", "[11, 12, 13, 14, 15, 16, 17]", 2'999'999, R"(, "destination_offset": 1)")), "m",
                   expected) == "");
}

TEST_CASE("memory effects: a write lays its bytes down row by row", "[contents]") {
  const Numbered files(12);
  const json run =
      files.run(memory("base64", 9) + "," + memory("filled", 9) + "," + memory("blob", 14),
                acts(R"({"type": "write", "destination": "base64", "row_bytes": 2, "rows": 3, "destination_offset": 1,
               "destination_row_pitch": 3, "content": {"base64": "AQIDBAUG"}},
              {"type": "write", "destination": "filled", "row_bytes": 2, "rows": 2, "destination_row_pitch": 5,
               "content": {"fill": 8}},
              {"type": "write", "destination": "blob", "row_bytes": 3, "rows": 2, "slices": 2,
               "destination_slice_pitch": 8, "content": {"blob": "numbers.bin"}})"));
  CHECK(difference(run, "base64", {0, 1, 2, 0, 3, 4, 0, 5, 6}) == "");
  CHECK(difference(run, "filled", {8, 8, 0, 0, 0, 8, 8, 0, 0}) == "");
  CHECK(difference(run, "blob", {0, 1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10, 11}) == "");
}

TEST_CASE("memory effects: those of one command come one behind the other", "[contents]") {
  CHECK(difference(memory("m", 4) + "," + memory("n", 8),
                   acts(fills("m", "[5]", 4) + "," + copies("m", "n", 4) + "," +
                        R"({"type": "write", "destination": "m", "row_bytes": 2, "content": {"base64": "AQI="}},)" +
                        copies("m", "n", 4, R"(, "destination_offset": 4)") + "," + fills("m", "[0]", 4)),
                   "n", {5, 5, 5, 5, 1, 2, 5, 5}) == "");
}

TEST_CASE("memory effects: each command that moves bytes may have them", "[contents]") {
  const auto next = [](int from) {
    return copies("m", "m", 1, fmt::format(R"(, "source_offset": {}, "destination_offset": {})", from, from + 1));
  };
  const auto command = [&](const std::string& says, int from) {
    return fmt::format(R"(, {{{}, "effects": [{}]}})", says, next(from));
  };
  const std::string commands =
      R"({"type": "clear", "bytes": 640, "effects": [)" + fills("m", "[9]", 1) + "]}" +
      command(R"("type": "copy_buffer", "route": "host_to_device", "bytes": 100)", 0) +
      command(R"("type": "copy_texture", "route": "device_to_device", "row_bytes": 16, "rows": 4)", 1) +
      command(R"("type": "resolve", "bytes": 64, "samples": 4)", 2) +
      command(R"("type": "begin_render_pass", "clear_bytes": 64)", 3) +
      command(R"("type": "end_render_pass", "resolve_bytes": 64)", 4) +
      command(R"("type": "resolve_query_data", "query": "timestamp", "route": "device_to_host", "bytes": 8)", 5);
  CHECK(difference(memory("m", 8), commands, "m", {9, 9, 9, 9, 9, 9, 9, 0}) == "");
}

TEST_CASE("memory effects: they go to and from buffers and textures as well", "[contents]") {
  const Numbered files(6);
  // A texture of 3 texels of 1 byte in 2 rows is packed.
  const json run = files.run(memory("m", 6, numbered) +
                                 R"(, {"type": "texture", "name": "t", "width": 3, "height": 2, "bytes_per_texel": 1},
               {"type": "buffer", "name": "b", "bytes": 8, "content": {"base64": "CgsMDQ4PEBE="}},)" +
                                 memory("n", 8),
                             acts(copies("m", "t", 2, R"(, "rows": 2, "source_row_pitch": 3, "destination_offset": 1,
                                    "destination_row_pitch": 3)") +
                                  "," + copies("b", "n", 4, R"(, "source_offset": 4)") + "," + copies("t", "b", 6) +
                                  "," + copies("t", "n", 3, R"(, "source_offset": 3, "destination_offset": 5)")));
  CHECK(difference(run, "t", {0, 0, 1, 0, 3, 4}) == "");
  CHECK(difference(run, "b", {0, 0, 1, 0, 3, 4, 16, 17}) == "");
  CHECK(difference(run, "n", {14, 15, 16, 17, 0, 0, 3, 4}) == "");
}

TEST_CASE("memory effects: a list that runs again and a command that is repeated do theirs each time", "[contents]") {
  const Numbered files(8);
  const std::string shift = acts(copies("m", "m", 7, R"(, "destination_offset": 1)"));
  json document =
      one_list(memory("m", 8, numbered), R"({"type": "repeat", "count": 2, "commands": [)" + shift + "]}, " + shift);
  const json step = document["queues"][0]["timeline"][0];
  document["queues"][0]["timeline"].push_back(step);
  CHECK(difference(statistics_of(files.shell, document), "m", {0, 0, 0, 0, 0, 0, 0, 1}) == "");
}

TEST_CASE("memory effects: a list that is broadcast to linked adapters does its own once", "[contents]") {
  const Numbered files(5);
  json document = one_list(memory("m", 5, numbered), acts(copies("m", "m", 4, R"(, "destination_offset": 1)")));
  document["machine"] = "tiny_linked";
  document["queues"][0]["node_mask"] = 3;
  CHECK(difference(statistics_of(files.shell, document), "m", {0, 0, 1, 2, 3}) == "");
}

TEST_CASE("memory effects: what a predicate skips does nothing", "[contents]") {
  const std::string commands =
      R"({"type": "set_predication", "unnamed_buffer": true, "skip": true},)" + acts(fills("m", "[1]", 4)) +
      R"(, {"type": "clear", "bytes": 4, "effects": [)" + fills("m", "[2]", 2) +
      R"(]}, {"type": "resolve", "bytes": 4, "samples": 2, "effects": [)" + fills("m", "[3]", 1) +
      R"(]}, {"type": "set_predication"},)" + acts(copies("m", "n", 4)) +
      R"(, {"type": "set_predication", "unnamed_buffer": true, "skip": false},)" + acts(fills("n", "[4]", 2));
  const Shell shell;
  const json run = statistics_of(
      shell, one_list(memory("m", 4, R"({"offset": 0, "bytes": 4, "content": {"fill": 6}})") + "," + memory("n", 4),
                      commands));
  CHECK(content_of(run, "m").is_null());
  CHECK(difference(run, "n", {4, 4, 6, 6}) == "");
}

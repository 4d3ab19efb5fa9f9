// SPDX-License-Identifier: Apache-2.0
// What memory and effects may not be, rules 4 and 14 to 16 of docs/contents.md: each is a line that says where.
#include "tests/api/contents/effects_workload.hpp"

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// Whether a workload is refused with one line at a place, which may be within what `place` names: empty if so.
std::string other_refusal(const Shell& shell, const json& document, const std::string& place) {
  shell.write("w.json", document.dump());
  const Output output = shell.fenceline({"run", "w.json", "--out", "run"});
  if (output.code != 2) return fmt::format("exit code {}: {}", output.code, output.err);
  const std::string begin = "w.json: " + place;
  const bool here = output.err.compare(0, begin.size(), begin) == 0 &&
                    (output.err[begin.size()] == ':' || output.err[begin.size()] == '/');
  const bool said =
      output.err.find(": expected ") != std::string::npos && output.err.find("found ") != std::string::npos;
  return here && said && lines_of(output.err) == 1 ? "" : "expected one line at " + begin + ", found " + output.err;
}
std::string other_refusal(const json& document, const std::string& place) {
  const Shell shell;
  return other_refusal(shell, document, place);
}

const std::string first_command = "/command_lists/0/commands/0";
const std::string first_effect = first_command + "/effects/0";

/// The same of one effect beside memories `m` of 35 bytes and `n` of 22.
std::string other_refusal_of(const std::string& effect, const std::string& place = first_effect) {
  return other_refusal(one_list(memory("m", 35) + "," + memory("n", 22), acts(effect)), place);
}

/// Whether it is taken.
bool taken(const json& document) {
  const Shell shell;
  shell.write("w.json", document.dump());
  return shell.fenceline({"check", "w.json"}).code == 0;
}
bool taken_effect(const std::string& effect) {
  return taken(one_list(memory("m", 35) + "," + memory("n", 22), acts(effect)));
}

std::string offsets(const std::string& side, int offset, int row_pitch, int slice_pitch) {
  return fmt::format(R"(, "{0}_offset": {1}, "{0}_row_pitch": {2}, "{0}_slice_pitch": {3})", side, offset, row_pitch,
                     slice_pitch);
}

}  // namespace

TEST_CASE("memory effects: rows end at the last byte on either side and not behind it", "[contents]") {
  // 2 slices 20 apart of 2 rows 8 apart of 4 bytes take 32, of m 35 from 3 on; in n slices of 10, rows of 5 take 19 of
  // 22 from 3 on.
  const auto copy = [](int from, int to, int row_bytes = 4) {
    return copies("m", "n", static_cast<std::uint64_t>(row_bytes),
                  R"(, "rows": 2, "slices": 2)" + offsets("source", from, 8, 20) + offsets("destination", to, 5, 10));
  };
  CHECK(taken_effect(copy(3, 3)));
  CHECK(other_refusal_of(copy(4, 3)) == "");
  CHECK(other_refusal_of(copy(3, 4)) == "");
  CHECK(other_refusal_of(copy(3, 0, 5)) == "");
  CHECK(other_refusal_of(copy(0, 3, 5)) == "");
  CHECK(taken_effect(copy(2, 2, 5)));
  CHECK(taken_effect(fills("n", "[1]", 21, R"(, "destination_offset": 1)")));
  CHECK(other_refusal_of(fills("n", "[1]", 22, R"(, "destination_offset": 1)")) == "");
  CHECK(taken_effect(fills("n", "[1]", 2, R"(, "rows": 11)")));
  CHECK(other_refusal_of(fills("n", "[1]", 2, R"(, "rows": 12)")) == "");
  CHECK(other_refusal_of(fills("n", "[1]", 1, R"(, "rows": 5, "slices": 5)")) == "");
  const std::string write = R"({"type": "write", "destination": "n", "row_bytes": 4, "content": {"fill": 1},)";
  CHECK(taken_effect(write + R"("destination_offset": 18})"));
  CHECK(other_refusal_of(write + R"("destination_offset": 19})") == "");
}

TEST_CASE("memory effects: a fault of the second one is told as such", "[contents]") {
  CHECK(other_refusal_of(fills("n", "[1]", 22) + "," + fills("n", "[1]", 23), first_command + "/effects/1") == "");
}

TEST_CASE("memory effects: products of pitches and counts do not begin again at zero", "[contents]") {
  // 2^32 rows, 2^32 apart: the last one would be at 2^64 less a pitch.
  CHECK(other_refusal_of(fills("n", "[1]", 1, R"(, "rows": 4294967297, "destination_row_pitch": 4294967296)")) == "");
  CHECK(other_refusal_of(fills("n", "[1]", 1, R"(, "slices": 1048577, "destination_slice_pitch": 17592186044416)")) ==
        "");
  CHECK(other_refusal_of(fills("n", "[1]", 4294967296, R"(, "rows": 4294967296)")) == "");
  CHECK(other_refusal_of(copies("m", "n", 1, R"(, "rows": 4294967297, "source_row_pitch": 4294967296,
                                                 "destination_row_pitch": 0)")) == "");
}

TEST_CASE("memory effects: names of nothing are told at the key", "[contents]") {
  CHECK(other_refusal_of(copies("x", "n", 1), first_effect + "/source") == "");
  CHECK(other_refusal_of(copies("m", "x", 1), first_effect + "/destination") == "");
  CHECK(other_refusal_of(fills("x", "[1]", 1), first_effect + "/destination") == "");
  CHECK(other_refusal_of(R"({"type": "write", "destination": "x", "row_bytes": 1, "content": {"fill": 1}})",
                         first_effect + "/destination") == "");
}

TEST_CASE("memory effects: each needs what its type says", "[contents]") {
  for (const char* const effect :
       {R"({"type": "copy", "source": "m", "destination": "n"})", R"({"type": "copy", "source": "m", "row_bytes": 1})",
        R"({"type": "copy", "destination": "n", "row_bytes": 1})",
        R"({"type": "fill", "destination": "n", "value": [1]})",
        R"({"type": "fill", "destination": "n", "row_bytes": 1})", R"({"type": "fill", "value": [1], "row_bytes": 1})",
        R"({"type": "write", "destination": "n", "content": {"fill": 1}})",
        R"({"type": "write", "destination": "n", "row_bytes": 1})",
        R"({"type": "write", "destination": "n", "row_bytes": 1, "content": {}})",
        R"({"type": "move", "destination": "n", "row_bytes": 1})", R"({"destination": "n", "row_bytes": 1})"}) {
    INFO(effect);
    CHECK(other_refusal_of(effect) == "");
  }
}

TEST_CASE("memory effects: a value has 1 to 16 bytes", "[contents]") {
  const std::string sixteen = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16";
  CHECK(taken_effect(fills("n", "[" + sixteen + "]", 22)));
  CHECK(other_refusal_of(fills("n", "[]", 22), first_effect + "/value") == "");
  CHECK(other_refusal_of(fills("n", "[" + sixteen + ", 17]", 22), first_effect + "/value") == "");
  CHECK(other_refusal_of(fills("n", "[1, 256]", 22), first_effect + "/value") == "");
  CHECK(other_refusal_of(fills("n", "[-1]", 22), first_effect + "/value") == "");
}

TEST_CASE("memory effects: a write has as many bytes as its rows", "[contents]") {
  const auto write = [](const std::string& content) {
    return R"({"type": "write", "destination": "n", "row_bytes": 2, "rows": 2, "slices": 3, "content": )" + content +
           "}";
  };
  CHECK(taken_effect(write(R"({"base64": "AAECAwQFBgcICQoL"})")));
  CHECK(other_refusal_of(write(R"({"base64": "AAECAwQFBgcICQo="})")) == "");      // 11
  CHECK(other_refusal_of(write(R"({"base64": "AAECAwQFBgcICQoLDA=="})")) == "");  // 13
  const Shell shell;
  const json document = one_list(memory("n", 22), acts(write(R"({"blob": "b.bin"})")));
  CHECK(other_refusal(shell, document, first_effect) == "");  // it is not there
  shell.write("b.bin", std::string(11, 'x'));
  CHECK(other_refusal(shell, document, first_effect) == "");
  shell.write("b.bin", std::string(12, 'x'));
  CHECK(statistics_of(shell, document)["contents"].size() == 1);
}

TEST_CASE("memory effects: they stand in place of resources' names and not in bundles", "[contents]") {
  const std::string resources = R"({"type": "buffer", "name": "a", "bytes": 100},
                                   {"type": "buffer", "name": "b", "bytes": 100},)" +
                                memory("m", 100);
  const std::string effects = R"("effects": [)" + fills("m", "[1]", 1) + "]}";
  for (const std::string command :
       {R"({"type": "copy_buffer", "source": "a", "destination": "b", )", R"({"type": "clear", "target": "a", )",
        R"({"type": "resolve_query_data", "query": "timestamp", "destination": "a", )"}) {
    INFO(command);
    CHECK(other_refusal(one_list(resources, command + effects), first_command) == "");
  }
  const std::string textures = R"({"type": "texture", "name": "t", "width": 4, "height": 4, "samples": 2},
                                  {"type": "texture", "name": "u", "width": 4, "height": 4},)" +
                               memory("m", 100);
  for (const std::string command : {R"({"type": "resolve", "source": "t", "destination": "u", )",
                                    R"({"type": "copy_texture", "source": "u", "destination": "u", )"}) {
    INFO(command);
    CHECK(other_refusal(one_list(textures, command + effects), first_command) == "");
  }
  CHECK(other_refusal(one_list(textures, R"({"type": "begin_render_pass", "targets": [{"target": "u"}], )" + effects +
                                             R"(, {"type": "end_render_pass"})"),
                      first_command) == "");
  json bundle = one_list(memory("m", 100), R"({"type": "execute_bundle", "bundle": "inner"})");
  bundle["command_lists"].push_back(parse_json(
      R"({"name": "inner", "type": "bundle", "commands": [{"type": "clear", "bytes": 4, )" + effects + "]}", "list"));
  CHECK(other_refusal(bundle, "/command_lists/1/commands/0") == "");
  json dispatch = one_list(memory("m", 100), R"({"type": "dispatch", "pipeline": "c", )" + effects);
  dispatch["compute_pipelines"] = parse_json(R"([{"name": "c"}])", "pipelines");
  CHECK(other_refusal(dispatch, first_command) == "");
}

TEST_CASE("memory effects: nothing but effects and writes names a memory", "[contents]") {
  const std::string resources =
      R"({"type": "buffer", "name": "b", "bytes": 8}, {"type": "texture", "name": "t", "width": 2, "height": 1},)" +
      memory("m", 8);
  for (const auto& [command, key] : std::vector<std::pair<std::string, std::string>>{
           {R"({"type": "copy_buffer", "source": "m", "destination": "b"})", "/source"},
           {R"({"type": "copy_buffer", "source": "b", "destination": "m"})", "/destination"},
           {R"({"type": "copy_texture", "source": "m", "destination": "t"})", "/source"},
           {R"({"type": "copy_texture", "source": "t", "destination": "m"})", "/destination"},
           {R"({"type": "clear", "target": "m"})", "/target"},
           {R"({"type": "discard", "resource": "m"})", "/resource"},
           {R"({"type": "resolve", "source": "m", "destination": "t"})", "/source"},
           {R"({"type": "resolve_query_data", "query": "timestamp", "destination": "m"})", "/destination"},
           {R"({"type": "set_predication", "buffer": "m", "skip": false})", "/buffer"}}) {
    INFO(command);
    CHECK(other_refusal(one_list(resources, command), first_command + key) == "");
  }
  json uses = one_list(resources, acts(fills("m", "[1]", 8)));
  CHECK(taken(uses));
  uses["command_lists"][0]["uses"] = parse_json(R"(["b", "m"])", "uses");
  CHECK(other_refusal(uses, "/command_lists/0/uses/1") == "");
  for (const char* const step : {"make_resident", "evict"}) {
    json document = one_list(resources, acts(fills("m", "[1]", 8)));
    document["cpus"] = parse_json(
        std::string(R"([{"name": "app", "timeline": [{"type": ")") + step + R"(", "resources": ["m"]}]}])", "cpus");
    CHECK(other_refusal(document, "/cpus/0/timeline/0/resources/0") == "");
  }
}

TEST_CASE("memory effects: pieces say what they are and lie apart within their memory", "[contents]") {
  const auto refusal_of = [](const std::string& pieces, const std::string& place) {
    return other_refusal(one_list(memory("m", 10, pieces), acts(fills("m", "[1]", 1))), place);
  };
  const auto taken_pieces = [](const std::string& pieces) {
    return taken(one_list(memory("m", 10, pieces), acts(fills("m", "[1]", 1))));
  };
  const std::string four = R"({"offset": 2, "bytes": 4, "content": {"fill": 1}},)";
  CHECK(taken_pieces(four + R"({"offset": 6, "content": {"base64": "AQIDBA=="}})"));
  CHECK(taken_pieces(four + R"({"offset": 0, "bytes": 2, "content": {"fill": 2}})"));
  CHECK(refusal_of(four + R"({"offset": 5, "bytes": 1, "content": {"fill": 2}})", "/resources/0/pieces") == "");
  CHECK(refusal_of(four + R"({"offset": 1, "bytes": 2, "content": {"fill": 2}})", "/resources/0/pieces") == "");
  CHECK(refusal_of(four + R"({"offset": 0, "content": {"base64": "AQID"}})", "/resources/0/pieces") == "");
  CHECK(refusal_of(four + R"({"offset": 7, "content": {"base64": "AQIDBA=="}})", "/resources/0/pieces/1") == "");
  CHECK(refusal_of(R"({"offset": 7, "bytes": 4, "content": {"fill": 2}})", "/resources/0/pieces/0") == "");
  CHECK(refusal_of(R"({"offset": 1000000000000000, "bytes": 1, "content": {"fill": 2}})", "/resources/0/pieces/0") ==
        "");
  CHECK(refusal_of(R"({"offset": 7, "content": {"fill": 2}})", "/resources/0/pieces/0") == "");
  CHECK(refusal_of(R"({"offset": 7, "content": {}})", "/resources/0/pieces/0/content") == "");
  CHECK(refusal_of(R"({"offset": 7})", "/resources/0/pieces/0") == "");
  const Shell shell;
  const json blob =
      one_list(memory("m", 10, R"({"offset": 7, "content": {"blob": "b.bin"}})"), acts(fills("m", "[1]", 1)));
  CHECK(other_refusal(shell, blob, "/resources/0/pieces/0/content/blob") == "");  // it is not there
  shell.write("b.bin", "abc");
  CHECK(difference(statistics_of(shell, blob), "m", {1, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c'}) == "");
}

TEST_CASE("memory effects: a thread writes within its memory", "[contents]") {
  const auto step = [](const std::string& what) {
    json document = one_list(memory("m", 10), acts(fills("m", "[1]", 1)));
    document["cpus"] =
        parse_json(R"([{"name": "app", "timeline": [{"type": "write", "resource": "m", )" + what + "}]}]", "cpus");
    return document;
  };
  CHECK(taken(step(R"("offset": 7, "content": {"base64": "AQID"})")));
  CHECK(other_refusal(step(R"("offset": 8, "content": {"base64": "AQID"})"), "/cpus/0/timeline/0") == "");
  CHECK(taken(step(R"("offset": 7, "bytes": 3, "content": {"fill": 1})")));
  CHECK(other_refusal(step(R"("offset": 7, "bytes": 4, "content": {"fill": 1})"), "/cpus/0/timeline/0") == "");
  CHECK(other_refusal(step(R"("offset": 10, "content": {"fill": 1})"), "/cpus/0/timeline/0/offset") == "");
}

TEST_CASE("memory effects: what is written or has content is 64 GiB at most and what is read alone is not counted",
          "[contents]") {
  constexpr std::uint64_t most = std::uint64_t{64} << 30;
  const std::string piece = R"({"offset": 0, "bytes": 1, "content": {"fill": 1}})";
  CHECK(taken(one_list(memory("m", most), acts(fills("m", "[1]", 1)))));
  CHECK(other_refusal(one_list(memory("m", most + 1), acts(fills("m", "[1]", 1))), "/resources/0") == "");
  CHECK(other_refusal(one_list(memory("m", 1) + "," + memory("n", most, piece), acts(fills("m", "[1]", 1))),
                      "/resources/1") == "");
  CHECK(taken(one_list(memory("m", 1) + "," + memory("n", 100 * most), acts(copies("n", "m", 1)))));
  CHECK(other_refusal(one_list(memory("m", 1) + "," + memory("n", 100 * most), acts(copies("m", "n", 1))),
                      "/resources/1") == "");
}

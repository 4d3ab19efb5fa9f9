// SPDX-License-Identifier: Apache-2.0
#include "api/workload/program.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

/// `LINE` (or so many) alone on standard error, exit code 2, nothing on standard output, no file but the inputs.
void check_refusal(const Shell& shell, const Output& output, std::size_t inputs = 1, std::size_t lines = 1) {
  CHECK(output.code == 2);
  CHECK(output.out.empty());
  CHECK(lines_of(output.err) == lines);
  CHECK(!output.err.empty());
  CHECK_THAT(output.err, Contains(": expected ") && Contains(", found "));
  CHECK(files_in(shell.work()).size() == inputs);
  CHECK_FALSE(std::filesystem::exists(shell.work() / "runs"));
}

/// A change to the small workload and the line it must lead to.
struct Row {
  std::string what;
  std::vector<std::pair<std::string, std::string>> edits;  ///< pointer, JSON ("" removes)
  std::string pointer;                                     ///< in the message
  std::string expected;                                    ///< part of what is expected
  std::string found;                                       ///< part of what is found
};

const std::string one_beat = R"([{"name": "tick", "us": 10, "us_step": 10, "count": 3}])";

// clang-format off
const std::vector<Row> rows = {
    {"wrong type of a text", {{"/name", "5"}}, "/name", "a string", "5"},
    {"wrong type of a list", {{"/queues", "{}"}}, "/queues", "an array", "an empty object"},
    {"wrong type of a number", {{"/resources/0/bytes", "\"many\""}}, "/resources/0/bytes", "an integer", "\"many\""},
    {"a fraction for an integer", {{"/fences/0/initial_value", "1.5"}}, "/fences/0/initial_value", "an integer", "1.5"},
    {"null", {{"/queues/0", "null"}}, "/queues/0", "an object", "null"},
    {"unknown key", {{"/queues/0/priorty", "1"}}, "/queues/0/priorty", "priority", "did you mean \"priority\"?"},
    {"unknown key at the top", {{"/fence", "[]"}}, "/fence", "fences", "did you mean \"fences\"?"},
    {"unknown key in a step", {{"/queues/0/timeline/1/valeu", "1"}}, "/queues/0/timeline/1/valeu", "value", "valeu"},
    {"missing key", {{"/resources/0/bytes", ""}}, "/resources/0", "required key \"bytes\"", "no such key"},
    {"missing type of a step", {{"/queues/0/timeline/0/type", ""}}, "/queues/0/timeline/0", "\"type\"", "no such key"},
    {"unknown type of a step", {{"/queues/0/timeline/0/type", "\"exec\""}}, "/queues/0/timeline/0/type", "\"execute\"", "\"exec\""},
    {"repeat in a repeat", {{"/queues/1/timeline/1/steps/0", R"({"type": "repeat", "count": 2, "steps": []})"}},
     "/queues/1/timeline/1/steps/0/type", "\"execute\"", "\"repeat\""},
    {"unknown list type", {{"/command_lists/0/type", "\"video\""}}, "/command_lists/0/type", "\"direct\"", "\"video\""},
    {"unknown priority", {{"/queues/0/priority", "\"low\""}}, "/queues/0/priority", "\"normal\"", "\"low\""},
    {"unknown heap", {{"/resources/0/heap", "\"gpu\""}}, "/resources/0/heap", "\"upload\"", "\"gpu\""},

    {"unknown queue", {{"/cpus/0/timeline/1/queue", "\"dirct\""}}, "/cpus/0/timeline/1/queue", "one of the queues", "did you mean \"direct\"?"},
    {"unknown fence", {{"/queues/0/timeline/1/fence", "\"c\""}}, "/queues/0/timeline/1/fence", "one of the fences \"a\", \"b\"", "\"c\""},
    {"unknown fence in a repeat", {{"/queues/1/timeline/1/steps/1/fence", "\"c\""}}, "/queues/1/timeline/1/steps/1/fence", "one of the fences", "\"c\""},
    {"unknown fence of a CPU thread", {{"/cpus/0/timeline/0/fence", "\"c\""}}, "/cpus/0/timeline/0/fence", "one of the fences", "\"c\""},
    {"no fences at all", {{"/fences", "[]"}}, "/queues/0/timeline/1/fence", "of which there are none", "\"a\""},
    {"unknown list", {{"/queues/0/timeline/0/lists/0", "\"copie\""}}, "/queues/0/timeline/0/lists/0", "one of the command lists", "did you mean \"copies\"?"},
    {"unknown compute pipeline", {{"/command_lists/1/commands/0/pipeline", "\"gs\""}}, "/command_lists/1/commands/0/pipeline", "one of the compute pipelines", "\"gs\""},
    {"unknown graphics pipeline", {{"/command_lists/2/commands/1/pipeline", "\"cs\""}}, "/command_lists/2/commands/1/pipeline", "one of the graphics pipelines", "\"cs\""},
    {"unknown resource", {{"/command_lists/0/commands/0/source", "\"uploads\""}}, "/command_lists/0/commands/0/source", "one of the resources", "did you mean \"upload\"?"},
    {"unknown clear target", {{"/command_lists/2/commands/0/target", "\"screen\""}}, "/command_lists/2/commands/0/target", "one of the resources", "\"screen\""},
    {"unknown submission path", {{"/queues/0/path", "\"telepathy\""}}, "/queues/0", "machine", "\"telepathy\""},
    {"unknown machine", {{"/machine", "\"rtx\""}}, "", "\"h200\"", "\"rtx\""},

    {"unknown process", {{"/queues/2/process", "\"ap\""}}, "/queues/2/process", "one of the processes \"app\", \"background\"", "did you mean \"app\"?"},
    {"two processes of one name", {{"/processes/1/name", "\"app\""}}, "/processes/1/name", "a name of its own among the processes", "\"app\" a second time"},
    {"an empty process name", {{"/processes/0/name", "\"\""}}, "/processes/0/name", "a name", "an empty string"},
    {"unknown process priority", {{"/processes/1/priority", "\"higher\""}}, "/processes/1/priority", "\"realtime\"", "\"higher\""},
    {"unknown fence of a deadline", {{"/deadlines/0/fence", "\"bb\""}}, "/deadlines/0/fence", "one of the fences \"a\", \"b\"", "did you mean \"b\"?"},
    {"two deadlines of one name", {{"/deadlines/1/name", "\"grids\""}}, "/deadlines/1/name", "a name of its own among the deadlines", "\"grids\""},
    {"a deadline of no times", {{"/deadlines/0/count", "0"}}, "/deadlines/0/count", "an integer", "0"},
    {"a deadline before the start", {{"/deadlines/0/us", "-1"}}, "/deadlines/0/us", "a number", "-1"},
    {"a deadline without a time", {{"/deadlines/1/us", ""}}, "/deadlines/1", "required key \"us\"", "no such key"},
    {"deadlines beyond simulated time", {{"/deadlines/0/us_step", "1e12"}, {"/deadlines/0/count", "11"}}, "/deadlines/0/us_step", "times within 2^63 ps", "11 times"},
    {"values of a deadline beyond 64 bits", {{"/deadlines/0/value_step", "18446744073709551615"}}, "/deadlines/0/value_step", "values that stay within 64 bits", "3 times"},
    {"a deadline's time beside its beat", {{"/beats", one_beat}, {"/deadlines/0/us", ""}, {"/deadlines/0/us_step", ""}, {"/deadlines/0/beat", "\"tick\""}}, "/deadlines/0/count", "nothing, beside \"beat\"", "3"},
    {"an unknown beat of a deadline", {{"/beats", one_beat}, {"/deadlines/1/us", ""}, {"/deadlines/1/beat", "\"tic\""}}, "/deadlines/1/beat", "one of the beats \"tick\"", "did you mean \"tick\"?"},
    {"an unknown beat of a sleep", {{"/cpus/0/timeline/4", R"({"type": "sleep_until", "beat": "tick"})"}}, "/cpus/0/timeline/4/beat", "of which there are none", "\"tick\""},
    {"an unknown beat of a repeat", {{"/beats", one_beat}, {"/queues/1/timeline/1/count", ""}, {"/queues/1/timeline/1/beat", "\"tock\""}}, "/queues/1/timeline/1/beat", "one of the beats \"tick\"", "\"tock\""},
    {"a repeat's count beside its beat", {{"/beats", one_beat}, {"/queues/1/timeline/1/beat", "\"tick\""}}, "/queues/1/timeline/1/count", "nothing, beside \"beat\"", "3"},
    {"a repeat without a count", {{"/queues/1/timeline/1/count", ""}}, "/queues/1/timeline/1", "required key \"count\"", "no such key"},
    {"a sleep without a time", {{"/cpus/0/timeline/4/us", ""}}, "/cpus/0/timeline/4", "required key \"us\"", "no such key"},
    {"a sleep with a step beside its beat", {{"/beats", one_beat}, {"/cpus/0/timeline/6/steps/0", R"({"type": "sleep_until", "beat": "tick", "us_step": 5})"}}, "/cpus/0/timeline/6/steps/0/us_step", "nothing, beside \"beat\"", "5"},
    {"an offset without a beat", {{"/cpus/0/timeline/4/offset_us", "-3"}}, "/cpus/0/timeline/4/offset_us", "0 without a beat", "-3"},
    {"a sleep before the start by its beat", {{"/beats", one_beat}, {"/cpus/0/timeline/4", R"({"type": "sleep_until", "beat": "tick", "offset_us": -10.5})"}}, "/cpus/0/timeline/4/offset_us", "a time from 0 to 1000000000000 us, with the beat's of 10 us", "-10.5"},
    {"two beats of one name", {{"/beats", R"([{"name": "a", "us": 0, "us_step": 1, "count": 1}, {"name": "a", "us": 1, "us_step": 1, "count": 1}])"}}, "/beats/1/name", "a name of its own among the beats", "\"a\" a second time"},
    {"beats beyond simulated time", {{"/beats", R"([{"name": "a", "us": 0, "us_step": 1e12, "count": 11}])"}}, "/beats/0/us_step", "times within 2^63 ps", "11 times"},
    {"no beats", {{"/beats", R"([{"name": "a", "us": 0, "us_step": 1, "count": 0}])"}}, "/beats/0/count", "from 1", "0"},
    {"a beat without a step", {{"/beats", R"([{"name": "a", "us": 0, "count": 2}])"}}, "/beats/0", "required key \"us_step\"", "no such key"},

    {"what is wrong in a repeat of commands", {{"/command_lists/1/commands/0", R"({"type": "repeat", "count": 3, "commands": [{"type": "dispatch", "pipeline": "cs"}, {"type": "dispatch", "pipeline": "css"}]})"}},
     "/command_lists/1/commands/0/commands/1/pipeline", "one of the compute pipelines \"cs\"", "did you mean \"cs\"?"},
    {"a command in a repeat that the list may not have", {{"/command_lists/1/commands/0", R"({"type": "repeat", "count": 3, "commands": [{"type": "draw", "pipeline": "gs"}]})"}},
     "/command_lists/1/commands/0/commands/0", "a command that a compute list may have", "DrawInstanced"},
    {"a repeat of commands in one", {{"/command_lists/1/commands/0", R"({"type": "repeat", "count": 3, "commands": [{"type": "repeat", "count": 1, "commands": []}]})"}},
     "/command_lists/1/commands/0/commands/0/type", "\"dispatch\"", "\"repeat\""},
    {"commands repeated no times", {{"/command_lists/1/commands/0", R"({"type": "repeat", "count": 0, "commands": [{"type": "barrier"}]})"}}, "/command_lists/1/commands/0/count", "from 1", "0"},
    {"too many repeated commands", {{"/command_lists/1/commands/0", R"({"type": "repeat", "count": 1000000, "commands": [{"type": "barrier"}, {"type": "barrier"}, {"type": "barrier"}, {"type": "barrier"}, {"type": "barrier"}]})"}},
     "/command_lists/1/commands/0", "at most 4000000 commands of repeats and executed bundles", "more"},
    {"a query begun in a repeat and not ended", {{"/command_lists/2/commands/4", R"({"type": "repeat", "count": 2, "commands": [{"type": "begin_query", "query": "occlusion", "slot": 0}]})"}},
     "/command_lists/2/commands/4/commands/0", "the end of", "another beginning"},
    {"a repeat of no commands", {{"/command_lists/1/commands/0", R"({"type": "repeat", "count": 2, "commands": []})"}}, "/command_lists/1/commands/0/commands", "at least one command", "none"},

    {"sleep until before the start", {{"/cpus/0/timeline/4/us", "-0.5"}}, "/cpus/0/timeline/4/us", "a number", "-0.5"},
    {"sleeps beyond simulated time", {{"/cpus/0/timeline/6/steps/0/us_step", "1e12"}, {"/cpus/0/timeline/6/count", "20"}}, "/cpus/0/timeline/6/steps/0/us_step", "times within 2^63 ps", "20 times"},
    {"a sleep with from_iteration outside a repeat", {{"/cpus/0/timeline/4/from_iteration", "1"}}, "/cpus/0/timeline/4/from_iteration", "0 outside a repeat", "1"},

    {"two queues of one name", {{"/queues/1/name", "\"copy\""}}, "/queues/1/name", "a name of its own among the queues", "\"copy\" a second time"},
    {"two fences of one name", {{"/fences/1/name", "\"a\""}}, "/fences/1/name", "a name of its own", "\"a\" a second time"},
    {"two lists of one name", {{"/command_lists/2/name", "\"copies\""}}, "/command_lists/2/name", "a name of its own", "\"copies\""},
    {"two resources of one name", {{"/resources/2/name", "\"upload\""}}, "/resources/2/name", "a name of its own", "\"upload\""},
    {"two pipelines of one name", {{"/compute_pipelines/1", R"({"name": "cs"})"}}, "/compute_pipelines/1/name", "a name of its own", "\"cs\""},
    {"two CPU threads of one name", {{"/cpus/1", R"({"name": "main", "timeline": []})"}}, "/cpus/1/name", "a name of its own", "\"main\""},
    {"an empty name", {{"/fences/0/name", "\"\""}}, "/fences/0/name", "a name", "an empty string"},

    {"a wait for a value nobody signals", {{"/queues/1/timeline/0/value", "2"}}, "/queues/1/timeline/0: ", "at most 1", "2, for which queue \"compute\" would wait for ever"},
    {"a wait for a fence nobody signals", {{"/queues/0/timeline/1", ""}}, "/queues/1/timeline/0", "fence \"a\" reaches, at most 0", "would wait for ever"},
    {"a CPU thread waiting for a value nobody signals", {{"/cpus/0/timeline/0/value", "10"}}, "/cpus/0/timeline/0", "at most 3", "CPU thread \"main\" would wait for ever"},
    {"a wait in a repeat that its last iteration cannot pass", {{"/queues/1/timeline/1/steps/2", R"({"type": "wait", "fence": "b", "value": 1, "value_step": 9})"}},
     "/queues/1/timeline/1/steps/2", "fence \"b\" reaches", "would wait for ever"},
    {"a queue that waits for its own later signal", {{"/queues/0/timeline", R"([{"type": "wait", "fence": "a", "value": 1}, {"type": "signal", "fence": "a", "value": 1}])"}},
     "/queues/0/timeline/0", "waits that can all be satisfied", "a cycle: queue \"copy\" waits for fence \"a\" to reach 1, which queue \"copy\" signals later"},
    {"a cycle of two queues",
     {{"/queues/0/timeline", R"([{"type": "wait", "fence": "b", "value": 2}, {"type": "signal", "fence": "a", "value": 1}])"}},
     "/queues/0/timeline/0", "waits that can all be satisfied",
     "a cycle: queue \"copy\" waits for fence \"b\" to reach 2, which queue \"compute\" signals later; queue \"compute\" waits for fence \"a\" to reach 1, which queue \"copy\" signals later"},
    {"a cycle of three queues",
     {{"/fences/2", R"({"name": "c"})"},
      {"/queues/0/timeline", R"([{"type": "wait", "fence": "c", "value": 4}, {"type": "signal", "fence": "a", "value": 1}])"},
      {"/queues/2/timeline", R"([{"type": "wait", "fence": "b", "value": 1}, {"type": "signal", "fence": "c", "value": 4}])"}},
     "/queues/0/timeline/0", "waits that can all be satisfied",
     "a cycle: queue \"copy\" waits for fence \"c\" to reach 4, which queue \"direct\" signals later; queue \"direct\" waits for fence \"b\" to reach 1, which queue \"compute\" signals later; queue \"compute\" waits"},
    {"a cycle of a CPU thread and a queue",
     {{"/queues/0/timeline/0", R"({"type": "wait", "fence": "b", "value": 100})"},
      {"/cpus/0/timeline/4", R"({"type": "fence_signal", "fence": "b", "value": 100})"}},
     "/queues/0/timeline/0", "waits that can all be satisfied", "CPU thread \"main\" waits for fence \"b\" to reach 3"},
    {"a cycle through what a CPU thread submits",
     {{"/cpus/0/timeline", R"([{"type": "queue_wait", "queue": "direct", "fence": "b", "value": 50}, {"type": "queue_signal", "queue": "direct", "fence": "a", "value": 50},
                              {"type": "fence_wait", "fence": "a", "value": 50}, {"type": "fence_signal", "fence": "b", "value": 50}])"}},
     "/cpus/0/timeline/0", "waits that can all be satisfied", "queue \"direct\" waits for fence \"b\" to reach 50, which CPU thread \"main\" signals later; CPU thread \"main\" waits"},

    {"a negative size", {{"/resources/0/bytes", "-1"}}, "/resources/0/bytes", "from 1", "-1"},
    {"a negative count", {{"/queues/1/timeline/1/count", "-3"}}, "/queues/1/timeline/1/count", "from 1", "-3"},
    {"no iterations", {{"/queues/1/timeline/1/count", "0"}}, "/queues/1/timeline/1/count", "from 1", "0"},
    {"a negative fence value", {{"/queues/0/timeline/1/value", "-1"}}, "/queues/0/timeline/1/value", "from 0 to 18446744073709551615", "-1"},
    {"a fence value beyond 64 bits", {{"/queues/0/timeline/1/value", "18446744073709551616"}}, "/queues/0/timeline/1/value", "from 0 to 18446744073709551615", "1.8446744073709552e+19"},
    {"a negative time", {{"/cpus/0/timeline/2/us", "-0.5"}}, "/cpus/0/timeline/2/us", "a number", "-0.5"},
    {"a group too large", {{"/compute_pipelines/0/threads", "1025"}}, "/compute_pipelines/0/threads", "from 1 to 1024", "1025"},
    {"too many groups", {{"/command_lists/1/commands/0/x", "65536"}, {"/command_lists/1/commands/0/y", "65535"}, {"/command_lists/1/commands/0/z", "65535"}}, "/command_lists/1/commands/0", "at most 281462092005375 thread groups", "more"},

    {"a list on a queue of another type", {{"/queues/0/timeline/0/lists/0", "\"grid\""}}, "/queues/0/timeline/0/lists/0", "a copy command list, as queue \"copy\" takes", "\"grid\", a compute command list"},
    {"a list on a queue of another type by a CPU thread", {{"/cpus/0/timeline/1/queue", "\"compute\""}}, "/cpus/0/timeline/1/lists/0", "a compute command list", "\"draws\", a direct command list"},
    {"a bundle on a queue", {{"/command_lists/2/type", "\"bundle\""}, {"/command_lists/2/commands", "[]"}}, "/cpus/0/timeline/1/lists/0", "a direct command list, as queue \"direct\" takes", "\"draws\", a bundle command list"},
    {"a bundle as a queue's type", {{"/queues/0/type", "\"bundle\""}}, "/queues/0/type", "\"direct\"", "\"bundle\""},
    {"bytecode that is not there", {{"/compute_pipelines/0/bytecode", "\"cs.dxbc\""}}, "/compute_pipelines/0/bytecode", "a readable file", "\"cs.dxbc\""},
    {"a draw in a compute list", {{"/command_lists/1/commands/0", R"({"type": "draw", "pipeline": "gs"})"}}, "/command_lists/1/commands/0", "a command that a compute list may have", "DrawInstanced"},
    {"a dispatch in a copy list", {{"/command_lists/0/commands/0", R"({"type": "dispatch", "pipeline": "cs"})"}}, "/command_lists/0/commands/0", "a command that a copy list may have", "Dispatch"},
    {"a clear in a copy list", {{"/command_lists/0/commands/1", R"({"type": "clear", "target": "texture"})"}}, "/command_lists/0/commands/1", "a copy list", "Clear"},

    {"a copy of too many bytes", {{"/command_lists/0/commands/0/bytes", "4097"}}, "/command_lists/0/commands/0/bytes", "at most the 4096 bytes", "4097"},
    {"a copy beyond the source's end", {{"/command_lists/0/commands/0/source_offset", "4096"}}, "/command_lists/0/commands/0/source_offset", "less than the buffer's 4096 bytes", "4096"},
    {"a copy beyond the destination's end", {{"/command_lists/0/commands/0/bytes", "4096"}, {"/command_lists/0/commands/0/destination_offset", "4097"}},
     "/command_lists/0/commands/0/bytes", "at most the 4095 bytes", "4096"},
    {"a buffer copy of a texture", {{"/command_lists/0/commands/0/destination", "\"texture\""}}, "/command_lists/0/commands/0/destination", "a buffer", "\"texture\", a texture"},
    {"a texture copy between buffers", {{"/command_lists/0/commands/1/destination", "\"buffer\""}}, "/command_lists/0/commands/1", "a texture as source or destination", "two buffers"},
    {"a texture copy from too small a buffer", {{"/command_lists/0/commands/1/destination", "\"large\""}}, "/command_lists/0/commands/1/source",
     "a buffer of at least " + std::to_string(63 * 256 + 64 * 4) + " bytes", "4096 bytes"},
    {"a copy between textures of different size", {{"/command_lists/0/commands/1/source", "\"large\""}}, "/command_lists/0/commands/1/destination", "a texture of the size of \"large\"", "\"texture\""},
    {"a clear of system memory", {{"/command_lists/2/commands/0/target", "\"upload\""}}, "/command_lists/2/commands/0/target", "a resource in video memory", "\"upload\""},
    {"more unique vertices than indices", {{"/command_lists/2/commands/3/unique_vertices", "301"}}, "/command_lists/2/commands/3/unique_vertices", "at most indices = 300", "301"},
    {"a group that fits no SM", {{"/compute_pipelines/0/shared_bytes", "300000"}}, "/command_lists/1", "commands that the machine can run", "300000 shared bytes) fits on no SM"},

    {"from_iteration outside a repeat", {{"/queues/0/timeline/1/from_iteration", "1"}}, "/queues/0/timeline/1/from_iteration", "0 outside a repeat", "1"},
    {"values beyond 64 bits in a repeat", {{"/queues/1/timeline/1/steps/1/value_step", "18446744073709551615"}}, "/queues/1/timeline/1/steps/1/value_step", "values that stay within 64 bits", "over 3 iterations"},
    {"too many steps", {{"/queues/1/timeline/1/count", "1000000"}, {"/queues/1/timeline/1/steps", [] {
       std::string steps = "[";
       for (int i = 0; i < 21; ++i) steps += std::string(i > 0 ? "," : "") + R"({"type": "execute", "lists": ["grid"]})";
       return steps + "]";
     }()}}, "/queues/1/timeline/1", "at most " + std::to_string(max_program_steps) + " steps", "more"},
    {"too many lists in few steps", {{"/queues/1/timeline/1/count", "1000000"}, {"/queues/1/timeline/1/steps/0/lists", [] {
       std::string lists = "[";
       for (int i = 0; i < 100; ++i) lists += std::string(i > 0 ? "," : "") + "\"grid\"";
       return lists + "]";
     }()}}, "/queues/1/timeline/1", "at most " + std::to_string(max_program_steps) + " steps", "more"},
};
// clang-format on

json edited(const Row& row) {
  json workload = small_workload();
  for (const auto& [pointer, text] : row.edits) {
    const json::json_pointer at(pointer);
    if (!text.empty()) {
      workload[at] = json::parse(text);
      continue;
    }
    json& parent = workload[at.parent_pointer()];
    if (parent.is_array()) {
      parent.erase(std::stoul(at.back()));
    } else {
      parent.erase(at.back());
    }
  }
  return workload;
}

/// Rows that make more than one place wrong: who names what has another's name now names nothing.
const std::map<std::string, std::size_t> lines_of_rows = {
    {"no fences at all", 7},           // five steps and two deadlines
    {"two processes of one name", 2},  // a step of "background"
    {"two fences of one name", 6},     // three steps and two deadlines of "b"
    {"two lists of one name", 2},      // a step that executes "draws"
    {"two resources of one name", 3},  // a copy to "texture" and a clear of it
};

}  // namespace

TEST_CASE("workload: the small one of these tests is right before it is made wrong", "[api]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  CHECK(shell.fenceline({"run", "small.json"}).code == 0);
}

TEST_CASE("workload errors: one line with the place, exit code 2 and nothing written", "[api][cli]") {
  for (const Row& row : rows) {
    const Shell shell;
    shell.write("w.json", edited(row).dump(1));
    const Output output = shell.fenceline({"run", "w.json"});
    INFO(row.what << "\n" << output.err);
    const auto lines = lines_of_rows.find(row.what);
    check_refusal(shell, output, 1, lines == lines_of_rows.end() ? 1 : lines->second);
    const std::string place = row.pointer.empty() ? "built-in machines: /" : "w.json: " + row.pointer;
    CHECK_THAT(output.err, StartsWith(place));
    const std::size_t expected = output.err.find(": expected ");
    const std::size_t found = output.err.rfind(", found ");
    REQUIRE(expected != std::string::npos);
    REQUIRE(found != std::string::npos);
    CHECK_THAT(output.err.substr(expected), Contains(row.expected));
    CHECK_THAT(output.err.substr(expected), Contains(row.found));
    // `check` says the same.
    CHECK(shell.fenceline({"check", "w.json"}).err == output.err);
  }
}

TEST_CASE("workload errors: files that are missing, unreadable or no JSON", "[api][cli]") {
  const Shell shell;
  const auto refused = [&](const std::string& file, const std::string& message, std::size_t inputs) {
    const Output output = shell.fenceline({"run", file});
    INFO(output.err);
    check_refusal(shell, output, inputs);
    CHECK_THAT(output.err, StartsWith(file + ": ") && Contains(message));
  };
  refused("missing.json", "expected a readable file, found no such file", 0);
  refused(".", "found a directory", 0);
  shell.write("w.json", "{\n  \"name\": \"x\",\n  \"queues\": [}\n}\n");
  refused("w.json", "found \"}\" at line 3, column 14", 1);
  shell.write("w.json", "{\"name\": \"x\",\n \"queues\": [");
  refused("w.json", "the end of the file at line 2, column 13", 1);
  shell.write("w.json", "");
  refused("w.json", "found an empty file", 1);
  shell.write("w.json", "[]");
  refused("w.json", "expected an object", 1);
  shell.write("w.json", "\"\\u0000\xFF\"");
  refused("w.json", "expected", 1);
  shell.write("w.json", std::string(100000, '['));
  refused("w.json", "at most 64 levels", 1);
  shell.write("w.json", R"({"name": "x", "name": "y", "queues": []})");
  refused("w.json", "/name: expected each key once", 1);
}

TEST_CASE("workload errors: a machine that cannot take the workload", "[api][cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  const auto refused = [&](const std::string& machine, const std::string& start, const std::string& message) {
    shell.write("machine.json", machine);
    const Output output = shell.fenceline({"run", "small.json", "--machine", "machine.json"});
    INFO(output.err);
    check_refusal(shell, output, 2);
    CHECK_THAT(output.err, StartsWith(start) && Contains(message));
  };
  refused(R"({"name": "no copy", "engines": [{"type": "3d"}, {"type": "compute"}]})",
          "small.json: /queues/0: ", "machine \"no copy\" has no node for copy queues");
  refused(R"({"name": "tiny", "shader_array": {"threads_per_sm": 128}})",
          "small.json: /command_lists/1: ", "fits on no SM");
  refused(R"({"name": "m", "engines": []})", "machine.json: /engines: ", "at least one engine");
  refused(R"({"name": "m", "engines": [{"type": "copy", "clock_mhz": "fast"}]})",
          "machine.json: /engines/0/clock_mhz: ", "found \"fast\"");
  refused(R"({"name": "m", "engines": [{"type": "copy", "name": "a b"}]})",
          "machine.json: /engines/0/name: ", "letters, digits");
  refused(R"({"name": "m", "default_path": "warp"})", "machine.json: /default_path: ", "found \"warp\"");
}

TEST_CASE("overrides with errors: one line that begins with --set, exit code 2 and nothing written", "[api][cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  // clang-format off
  const std::vector<std::pair<std::string, std::string>> sets = {
      {"nonsense", "--set: /: expected /pointer=value, found \"nonsense\""},
      {"engines/0/clock_mhz=5", "--set: /: expected /pointer=value"},
      {"/engines/0/clok_mhz=5", "--set: /engines/0/clok_mhz: expected"},
      {"/engines/9/clock_mhz=5", "--set: /engines/9: expected an index up to 5, found 9"},
      {"/engines/first/clock_mhz=5", "--set: /engines/first: expected \"3d\", \"compute\", \"copy0\", "},
      {"/engines/0/clock_mhz=fast", "--set: /engines/0/clock_mhz: expected a number"},
      {"/engines/0/clock_mhz=0", "--set: /engines/0/clock_mhz: expected a number"},
      {"/shader_array/sms=-1", "--set: /shader_array/sms: expected an integer"},
      {"/shader_array/sms/deep=1", "--set: /shader_array/sms: expected an object or an array"},
      {"/engines=[]", "--set: /engines: expected at least one engine"},
      {"/workload/resources/0/bytes=-1", "--set: /workload/resources/0/bytes: expected an integer"},
      {"/workload/quues=[]", "--set: /workload/quues: expected"},
  };
  // clang-format on
  for (const auto& [set, start] : sets) {
    const Output output = shell.fenceline({"run", "small.json", "--set", set});
    INFO(set << "\n" << output.err);
    check_refusal(shell, output);
    CHECK_THAT(output.err, StartsWith(start));
  }
  // What an override makes wrong between parts of the workload is told at the workload.
  const Output output = shell.fenceline({"run", "small.json", "--set", "/workload/queues/1/timeline/0/value=7"});
  check_refusal(shell, output);
  CHECK_THAT(output.err, StartsWith("small.json: /queues/1/timeline/0"));
}

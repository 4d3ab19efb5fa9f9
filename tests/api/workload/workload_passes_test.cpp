// SPDX-License-Identifier: Apache-2.0
// Resolves, queries, predication and render passes of a JSON workload: recorded, refused, read and written.
#include "tests/api/report/recording.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <variant>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

const std::string at = "/command_lists/0/commands/";

/// The usual resources and a multisampled one of the size of "color": 64 x 32 texels of 4 bytes.
json workload() {
  json with = recording_workload();
  with["resources"].push_back({{"type", "texture"}, {"name", "msaa"}, {"width", 64}, {"height", 32}, {"samples", 4}});
  with["resources"].push_back({{"type", "texture"}, {"name", "msaa2"}, {"width", 64}, {"height", 32}, {"samples", 2}});
  return with;
}

std::vector<Command> recorded(const std::string& commands) {
  return record({{"l", "direct", commands}}, workload()).at(0)->commands;
}

void refused(const std::string& commands, const std::string& place, const std::string& expected,
             const std::string& found, const char* type = "direct") {
  check_refused({{"l", type, commands}}, at + place, expected, found, workload());
}

std::string query(const std::string& type, const std::string& of, int slot) {
  return R"({"type": ")" + type + R"(", "query": ")" + of + R"(", "slot": )" + std::to_string(slot) + "}";
}

std::string resolve_queries(const std::string& of, const std::string& destination, const std::string& more) {
  return R"({"type": "resolve_query_data", "query": ")" + of + R"(", "destination": ")" + destination + "\"" + more +
         "}";
}

std::string pass(const std::string& targets) {
  return R"({"type": "begin_render_pass", "targets": [)" + targets + "]}";
}

const std::string end_pass = R"({"type": "end_render_pass"})";
const std::string plain_pass = pass(R"({"target": "color"})");
const std::uint64_t color_bytes = 64 * 32 * 4;

}  // namespace

TEST_CASE("resolve in a workload: samples of the source, bytes of the destination", "[api]") {
  const auto commands = recorded(R"({"type": "resolve", "source": "msaa", "destination": "color"},
                                       {"type": "clear", "target": "msaa"},
                                       {"type": "copy_texture", "source": "msaa", "destination": "msaa"})");
  CHECK(std::get<Resolve>(commands[0]).bytes == color_bytes);
  CHECK(std::get<Resolve>(commands[0]).samples == 4);
  CHECK(std::get<Clear>(commands[1]).bytes == 4 * color_bytes);
  const CopyTexture copy = std::get<CopyTexture>(commands[2]);
  CHECK(copy.row_bytes * copy.rows == 4 * color_bytes);
}

TEST_CASE("resolve in a workload: refused with the place", "[api]") {
  const auto resolve = [](const std::string& source, const std::string& destination) {
    return R"({"type": "resolve", "source": ")" + source + R"(", "destination": ")" + destination + "\"}";
  };
  refused(resolve("color", "color"), "0/source", "several samples", "\"color\", which has 1");
  refused(resolve("msaa", "msaa2"), "0/destination", "one sample", "\"msaa2\", which has 2");
  refused(resolve("msaa", "other"), "0/destination", "the size and format of \"msaa\"", "\"other\"");
  refused(resolve("buffer", "color"), "0/source", "a texture", "\"buffer\", a buffer");
  refused(resolve("msaa", "buffer"), "0/destination", "a texture", "\"buffer\", a buffer");
  refused(resolve("msaa", "color"), "0", "a compute list may have", "ResolveSubresource", "compute");
  refused(R"({"type": "copy_texture", "source": "msaa", "destination": "buffer"})", "0/source", "one sample",
          "which has 4");
  refused(R"({"type": "copy_texture", "source": "msaa", "destination": "msaa2"})", "0/destination", "and 4 samples",
          "\"msaa2\"");
  json with = workload();
  with["resources"].back()["samples"] = 3;
  check_refused({}, "/resources/6/samples", "a power of two", "3", with);
}

TEST_CASE("queries in a workload: 8 bytes a result, 88 of pipeline statistics, over PCIe to a readback heap", "[api]") {
  const auto commands = recorded(
      query("begin_query", "occlusion", 0) + "," + query("begin_query", "pipeline_statistics", 0) + "," + draw + "," +
      query("end_query", "occlusion", 0) + "," + query("end_query", "pipeline_statistics", 0) + "," +
      query("end_query", "timestamp", 5) + "," + resolve_queries("occlusion", "readback", R"(, "count": 512)") + "," +
      resolve_queries("pipeline_statistics", "buffer", R"(, "count": 3, "destination_offset": 8)"));
  REQUIRE(commands.size() == 8);
  CHECK(std::get<BeginQuery>(commands[1]).type == QueryType::pipeline_statistics);
  CHECK(std::get<EndQuery>(commands[3]).type == QueryType::occlusion);
  CHECK(std::get<Timestamp>(commands[5]).slot == 5);
  const ResolveQueryData occlusion = std::get<ResolveQueryData>(commands[6]);
  CHECK(occlusion.bytes == 512 * 8);
  CHECK(occlusion.route == CopyRoute::device_to_host);
  const ResolveQueryData statistics = std::get<ResolveQueryData>(commands[7]);
  CHECK(statistics.bytes == 3 * 88);
  CHECK(statistics.route == CopyRoute::device_to_device);
}

TEST_CASE("queries in a workload: refused with the place", "[api]") {
  const std::string begin = query("begin_query", "occlusion", 1);
  const std::string end = query("end_query", "occlusion", 1);
  refused(begin + "," + draw, "0", "a query that the list ends", "occlusion query 1");
  refused(draw + "," + end, "1", "a query that has begun in this list", "occlusion query 1, which has not");
  refused(begin + "," + query("end_query", "occlusion", 2), "1", "has begun in this list", "occlusion query 2");
  refused(begin + "," + query("end_query", "binary_occlusion", 1), "1", "has begun", "binary_occlusion query 1");
  refused(begin + "," + query("begin_query", "binary_occlusion", 1), "1",
          "the end of occlusion query 1, which began at " + at + "0", "another beginning");
  refused(begin + "," + end + "," + end, "2", "has begun", "which has not");
  refused(query("begin_query", "timestamp", 0), "0/query", "pipeline_statistics", "timestamp");
  refused(begin + "," + resolve_queries("binary_occlusion", "readback", R"(, "count": 2)") + "," + end, "1",
          "queries that have ended", "occlusion query 1, which began at " + at + "0");
  refused(resolve_queries("occlusion", "readback", R"(, "count": 513)"), "0/count", "at most the 512 results", "513");
  refused(resolve_queries("pipeline_statistics", "readback", R"(, "count": 47)"), "0/count", "the 46 results", "47");
  refused(resolve_queries("occlusion", "upload", ""), "0/destination", "readback heap", "on an upload heap");
  refused(resolve_queries("occlusion", "color", ""), "0/destination", "a buffer", "a texture");
  refused(resolve_queries("occlusion", "readback", R"(, "destination_offset": 4)"), "0/destination_offset",
          "a multiple of 8", "4");
  refused(begin + "," + end, "0", "a compute list may have", "BeginQuery", "compute");
  refused(end, "0", "a copy list may have", "EndQuery", "copy");
  // A list resolves what others counted, on any kind of queue; slots next to it may go on.
  CHECK(record({{"l", "copy", resolve_queries("timestamp", "readback", "")}}).at(0)->commands.size() == 1);
  CHECK(recorded(begin + "," + resolve_queries("occlusion", "readback", "") + "," + end).size() == 3);
}

TEST_CASE("predication in a workload: with a buffer the outcome, without one the end", "[api]") {
  const auto commands = recorded(R"({"type": "set_predication", "buffer": "buffer", "offset": 8184, "skip": true},
                     {"type": "set_predication", "buffer": "buffer", "skip": false}, {"type": "set_predication"})");
  CHECK(std::get<SetPredication>(commands[0]).skip);
  CHECK(std::get<SetPredication>(commands[0]).reads);
  CHECK_FALSE(std::get<SetPredication>(commands[1]).skip);
  CHECK(std::get<SetPredication>(commands[1]).reads);
  CHECK_FALSE(std::get<SetPredication>(commands[2]).skip);
  CHECK_FALSE(std::get<SetPredication>(commands[2]).reads);

  refused(R"({"type": "set_predication", "buffer": "buffer"})", "0", "skip beside a buffer", "a buffer alone");
  refused(R"({"type": "set_predication", "skip": true})", "0", "a buffer beside skip", "skip alone");
  refused(R"({"type": "set_predication", "buffer": "buffer", "offset": 12, "skip": true})", "0/offset", "multiple of 8",
          "12");
  refused(R"({"type": "set_predication", "buffer": "buffer", "offset": 8192, "skip": true})", "0/offset", "8192 bytes",
          "8192");
  refused(R"({"type": "set_predication", "buffer": "color", "skip": true})", "0/buffer", "a buffer", "a texture");
  refused(R"({"type": "set_predication"})", "0", "a copy list may have", "SetPredication", "copy");
  refused(R"({"type": "set_predication"})", "0", "a bundle may have", "SetPredication", "bundle");
}

TEST_CASE("render passes in a workload: they come down to clears and resolves", "[api]") {
  const auto commands = recorded(pass(R"({"target": "color", "beginning": "clear", "ending": "discard"},
                                            {"target": "other", "beginning": "discard"},
                                            {"target": "msaa", "beginning": "clear", "ending": "resolve",
                                             "resolve_to": "color"})") +
                                 "," + draw + "," + end_pass + "," + plain_pass + "," + end_pass);
  REQUIRE(commands.size() == 5);
  CHECK(access_bytes(commands[0]) == color_bytes + 4 * color_bytes);
  CHECK(access_bytes(commands[2]) == (4 + 1) * color_bytes);
  CHECK(access_bytes(commands[3]) == 0u);
  CHECK(access_bytes(commands[4]) == 0u);
}

TEST_CASE("render passes in a workload: balanced, not nested, with nothing but rendering inside", "[api]") {
  refused(plain_pass + "," + draw, "0", "a render pass that the list ends", "does not");
  refused(draw + "," + end_pass, "1", "a render pass that has begun", "none");
  refused(plain_pass + "," + plain_pass, "1", "the end of the render pass that began at " + at + "0", "beginning");
  refused(plain_pass, "0", "a compute list may have", "BeginRenderPass", "compute");
  refused(end_pass, "0", "a compute list may have", "EndRenderPass", "compute");
  refused(end_pass, "0", "a bundle may have", "EndRenderPass", "bundle");
  const auto inside = [](const std::string& command, const std::string& found) {
    refused(plain_pass + "," + command + "," + end_pass, "1", "a command that a render pass may have", found);
  };
  const std::string indirect = R"({"type": "execute_indirect", "arguments": "buffer", "max_count": 1, "command": )";
  inside(dispatch, "Dispatch");
  inside(indirect + dispatch + "}", "Dispatch");
  inside(R"({"type": "clear", "target": "color"})", "Clear");
  inside(R"({"type": "copy_buffer", "source": "upload", "destination": "buffer"})", "CopyBufferRegion");
  inside(R"({"type": "copy_texture", "source": "color", "destination": "color"})", "CopyTextureRegion");
  inside(R"({"type": "resolve", "source": "msaa", "destination": "color"})", "ResolveSubresource");
  inside(resolve_queries("occlusion", "readback", ""), "ResolveQueryData");
  const std::string allowed = draw + "," + R"({"type": "barrier"}, {"type": "timestamp", "slot": 0},)" +
                              R"({"type": "set_predication"},)" + indirect + draw + "}," +
                              query("begin_query", "occlusion", 0) + "," + query("end_query", "occlusion", 0);
  CHECK(recorded(plain_pass + "," + allowed + "," + end_pass).size() == 9);
  // A bundle is as good as what is in it; the error stands where it is executed.
  const std::string execute = R"({"type": "execute_bundle", "bundle": "b"})";
  const std::string with_bundle = plain_pass + "," + execute + "," + end_pass;
  CHECK(record({{"l", "direct", with_bundle}, {"b", "bundle", draw}}).at(0)->commands.size() == 3);
  check_refused({{"l", "direct", with_bundle}, {"b", "bundle", draw + "," + dispatch}}, at + "1",
                "a command that a render pass may have", "Dispatch");
}

TEST_CASE("render passes in a workload: targets are refused with the place", "[api]") {
  const auto target = [](const std::string& text, const std::string& place, const std::string& expected,
                         const std::string& found) {
    refused(pass("{" + text + "}") + "," + end_pass, "0/targets" + place, expected, found);
  };
  target(R"("target": "buffer")", "/0/target", "a texture", "a buffer");
  target(R"("target": "msaa", "ending": "resolve")", "/0", "resolve_to beside", "none");
  target(R"("target": "msaa", "resolve_to": "color")", "/0/ending", "the ending access resolve", "another");
  target(R"("target": "color", "ending": "resolve", "resolve_to": "color")", "/0/target", "several samples", "1");
  target(R"("target": "msaa", "ending": "resolve", "resolve_to": "msaa2")", "/0/resolve_to", "one sample", "2");
  target(R"("target": "color", "beginning": "resolve")", "/0/beginning", "\"clear\"", "\"resolve\"");
  refused(pass("") + "," + end_pass, "0/targets", "1 to 9 targets", "0");
}

TEST_CASE("commands in a workload: what is written is what was read", "[api]") {
  json document = workload();
  document["command_lists"] = {
      {{"name", "l"},
       {"type", "direct"},
       {"commands",
        json::parse("[" +
                    pass(R"({"target": "msaa", "beginning": "clear", "ending": "resolve", "resolve_to": "color"})") +
                    "," + draw + "," + end_pass + "," + query("begin_query", "binary_occlusion", 3) + "," +
                    query("end_query", "binary_occlusion", 3) + "," +
                    resolve_queries("binary_occlusion", "readback", R"(, "first_slot": 3)") +
                    R"(, {"type": "set_predication", "buffer": "buffer", "skip": true},
                        {"type": "execute_indirect", "arguments": "buffer", "max_count": 4, "count": 2, "stride": 20,
                         "command": {"type": "draw_indexed", "pipeline": "gs"}},
                        {"type": "resolve", "source": "msaa", "destination": "color"},
                        {"type": "execute_bundle", "bundle": "b"}])")}},
      {{"name", "b"}, {"type", "bundle"}, {"commands", json::array()}}};
  const auto first = dump_config(read_config<Workload>(document, "w.json"));
  const auto second = dump_config(read_config<Workload>(json(first), "w.json"));
  CHECK(first == second);
  CHECK(first["command_lists"][0]["commands"].size() == 10);
  CHECK(first["command_lists"][0]["commands"][7]["command"]["type"] == "draw_indexed");
  CHECK(first["command_lists"][1]["type"] == "bundle");
}

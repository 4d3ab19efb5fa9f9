// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_trace.hpp"

#include "tests/support/kineto_sample.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

std::string error_of(const std::string& text) {
  try {
    read_trace(text);
  } catch (const ConfigError& error) {
    return std::string(error.pointer().empty() ? "/" : error.pointer()) + ": expected " + error.expected() +
           ", found " + error.found();
  }
  return "nothing";
}

/// The error when one member of a kernel's event, or of its args, is changed.
std::string error_with(const std::string& pointer, const json& value) {
  Trace trace;
  trace.kernel(7, 1, 2);
  trace.events[0][json::json_pointer(pointer)] = value;
  return error_of(trace.document().dump());
}

}  // namespace

TEST_CASE("kineto trace: kernels, copies and memsets are read with all they say", "[kineto]") {
  Trace trace;
  json& kernel = trace.kernel(7, 10.5, 2.25, 42, "void app::kernel<int>(float*)", 6);
  kernel["args"]["grid"] = {6, 5, 4};
  kernel["args"]["block"] = {32, 4, 2};
  kernel["args"]["registers per thread"] = 40;
  kernel["args"]["shared memory"] = 4096;
  trace.memory("Memcpy HtoD (Pinned -> Device)", 8, 20, 1, 1000);
  trace.memory("Memcpy DtoH (Device -> Pageable)", 8, 21, 1, 1001);
  trace.memory("Memcpy DtoD (Device -> Device)", 8, 22, 1, 1002);
  trace.memory("Memcpy HtoH (Pageable -> Pinned)", 8, 23, 1, 1003);
  trace.memory("Memcpy PtoP (Device -> Device)", 8, 24, 1, 1004);
  trace.memory("Memset (Device)", 8, 30, 1, 77);
  const KinetoTrace read = read_trace(trace.document().dump());
  REQUIRE(read.ops.size() == 7);
  const KinetoOp& op = read.ops[0];
  CHECK(op.kind == KinetoOp::Kind::kernel);
  CHECK(read.names[op.name] == "void app::kernel<int>(float*)");
  CHECK(op.start_ns == 10500);
  CHECK(op.end_ns == 12750);
  CHECK(op.stream == 7);
  CHECK(op.correlation == 42);
  CHECK(op.groups() == 120);
  CHECK(op.threads == 256);
  CHECK(op.registers_per_thread == 40);
  CHECK(op.shared_bytes == 4096);
  CHECK(read.ops[1].route == CopyRoute::host_to_device);
  CHECK(read.ops[2].route == CopyRoute::device_to_host);
  CHECK(read.ops[3].route == CopyRoute::device_to_device);
  CHECK(read.ops[4].route == CopyRoute::host_to_host);
  CHECK(read.ops[5].route == CopyRoute::device_to_device);
  CHECK(read.ops[6].kind == KinetoOp::Kind::fill);
  CHECK(read.ops[6].bytes == 77);
}

TEST_CASE("kineto trace: what is no GPU work is skipped, whatever it holds", "[kineto]") {
  Trace trace;
  trace.events.push_back({{"ph", "M"}, {"name", "process_name"}, {"args", {{"name", "python"}}}});
  trace.events.push_back({{"ph", "X"}, {"cat", "cpu_op"}, {"name", "aten::mm"}, {"ts", -5}, {"args", {{"grid", 3}}}});
  trace.events.push_back({{"ph", "X"}, {"cat", "cuda_runtime"}, {"name", "cudaLaunchKernel"}, {"args", {1, {2}}}});
  trace.events.push_back({{"ph", "s"}, {"cat", "ac2g"}, {"id", 3}, {"name", "ac2g"}});
  trace.events.push_back({{"ph", "X"}, {"cat", "gpu_user_annotation"}, {"name", "step"}, {"dur", "many"}});
  trace.events.push_back({{"ph", "B"}, {"cat", "kernel"}, {"name", {{"deep", {1, {{"x", 2}}}}}}});
  trace.events.push_back(nullptr);
  trace.events.push_back("text");
  trace.events.push_back({1, 2, {3}});
  trace.kernel(7, 1, 2);
  json document = trace.document();
  document["other"] = {{"traceEvents", {1, 2}}, {"a", {{"cat", "kernel"}}}};
  document["deviceProperties"] = {{{"id", 0}}};
  const KinetoTrace read = read_trace(document.dump());
  REQUIRE(read.ops.size() == 1);
  CHECK(read.ops[0].event == 9);
  CHECK(read_trace(trace.events.dump()).ops.size() == 1);  // a bare array
}

TEST_CASE("kineto trace: numbers may be strings, and times keep their digits", "[kineto]") {
  Trace trace;
  json& kernel = trace.kernel(7, 0, 0);
  kernel["ts"] = "1790857026123456.789";  // since 1970: a double would hold quarters of a microsecond
  kernel["dur"] = "1.5";
  kernel["args"]["stream"] = "7";
  kernel["args"]["grid"] = {"2", 3, "4"};
  const KinetoTrace read = read_trace(trace.document().dump());
  CHECK(read.ops[0].start_ns == 1790857026123456789);
  CHECK(read.ops[0].end_ns == 1790857026123458289);
  CHECK(read.ops[0].groups() == 24);
  std::string text = trace.document().dump();
  text.replace(text.find("\"1790857026123456.789\""), 22, "4363548417294.0725");
  text.replace(text.find("\"1.5\""), 5, "15e-1");
  CHECK(read_trace(text).ops[0].start_ns == 4363548417294073);
  CHECK(read_trace(text).ops[0].end_ns == 4363548417295573);
}

TEST_CASE("kineto trace: wrong operations are told with their place", "[kineto]") {
  const std::string at = "/traceEvents/0";
  CHECK(error_with("/dur", -3) == at + "/dur: expected microseconds, 0 to 1000000000, found -3");
  CHECK_THAT(error_with("/dur", 1e300), Contains(at + "/dur: expected microseconds"));
  CHECK_THAT(error_with("/ts", 1e18), Contains(at + "/ts: expected microseconds"));
  CHECK_THAT(error_with("/ts", "soon"), Contains("found \"soon\""));
  CHECK_THAT(error_with("/ts", nullptr), Contains("found something else"));
  CHECK_THAT(error_with("/name", 3), Contains(at + "/name: expected the operation's name, found 3"));
  CHECK_THAT(error_with("/args/grid", 3), Contains(at + "/args/grid: expected a list of three numbers, found 3"));
  CHECK_THAT(error_with("/args/grid", {1, 2}), Contains("found 2 elements"));
  CHECK_THAT(error_with("/args/grid", {1, 0, 1}), Contains(at + "/args/grid/1: expected a whole number, 1 to 65535"));
  CHECK_THAT(error_with("/args/grid", {2147483647, 65535, 65535}), Contains("blocks, found more"));
  CHECK_THAT(error_with("/args/block", {1024, 2, 1}), Contains("at most 1024 threads, found 2048"));
  CHECK_THAT(error_with("/args/registers per thread", 256), Contains("a whole number, 0 to 255, found 256"));
  CHECK_THAT(error_with("/args/shared memory", -1), Contains("a whole number, 0 to 10000000, found -1"));
  CHECK_THAT(error_with("/args/stream", 1.5), Contains(at + "/args/stream: expected a whole number, found 1.5"));
  CHECK_THAT(error_with("/args", 5), Contains("expected a whole number, found nothing"));
  Trace copy;
  copy.memory("Memcpy sideways", 7, 1, 1, 4);
  CHECK_THAT(error_of(copy.document().dump()), Contains("/name: expected a copy's direction"));
}

TEST_CASE("kineto trace: what is no trace is refused, broken text with its byte", "[kineto]") {
  CHECK_THAT(error_of("{\"name\": \"x\"}"), Contains("expected a Kineto trace"));
  CHECK_THAT(error_of("3"), Contains("found another JSON value"));
  CHECK_THAT(error_of("{\"traceEvents\": 3}"), Contains("expected a Kineto trace"));
  CHECK_THAT(error_of("{\"traceEvents\": []}"), Contains("expected GPU work"));
  CHECK_THAT(error_of("[]"), Contains("expected GPU work"));
  CHECK_THAT(error_of(""), Contains("found an empty file"));
  CHECK_THAT(error_of("\x1f\x8b\x08"), Contains("expected a gzip file that is whole"));
  CHECK(error_of("{\"traceEvents\": [}") == "/traceEvents/0: expected JSON, found text that is none at byte 17");
  Trace trace;
  trace.kernel(7, 1, 2);
  trace.kernel(7, 4, 2);
  const std::string text = trace.document().dump();
  CHECK(error_of(text.substr(0, text.size() - 10)) ==
        "/traceEvents/1: expected JSON, found the end of the file at byte " + std::to_string(text.size() - 10));
  CHECK_THAT(error_of(text + "x"), Contains("at byte " + std::to_string(text.size())));
  CHECK_THAT(error_of(text + std::string(1, '\0') + "x"), Contains("expected the end of the file"));
}

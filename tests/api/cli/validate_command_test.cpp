// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// The figures of a validation computed from its cases.
void check_summary(const json& document) {
  std::vector<double> errors;
  double sum = 0;
  for (const json& one : document["cases"]) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : one.items()) keys.push_back(key);
    CHECK(keys == std::vector<std::string>{"error_pct", "file", "kind", "mean_op_error_pct", "measured_us", "name",
                                           "simulated_us"});
    const double measured = one["measured_us"];
    const double simulated = one["simulated_us"];
    CHECK(one["error_pct"].get<double>() == Approx((simulated - measured) / measured * 100));
    errors.push_back(std::abs(one["error_pct"].get<double>()));
    sum += errors.back();
  }
  std::sort(errors.begin(), errors.end());
  const std::size_t n = errors.size();
  REQUIRE(n > 0);
  const json& summary = document["summary"];
  CHECK(summary.size() == 5);
  CHECK(summary["mean_abs_error_pct"].get<double>() == Approx(sum / static_cast<double>(n)));
  CHECK(summary["median_abs_error_pct"].get<double>() == Approx((errors[n / 2] + errors[(n - 1) / 2]) / 2));
  // Nearest rank: the smallest error that at least 90 % of the cases do not exceed.
  CHECK(summary["p90_abs_error_pct"].get<double>() ==
        Approx(errors[static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(n))) - 1]));
  CHECK(summary["max_abs_error_pct"].get<double>() == Approx(errors.back()));
  CHECK(summary["mean_op_error_pct"].get<double>() >= 0);
}

}  // namespace

TEST_CASE("fenceline validate: --json prints the documented document and nothing else", "[cli][validation]") {
  const Shell shell;
  const Output output = shell.fenceline({"validate", "--json", measured_workloads_file.string()});
  CHECK(output.code == 0);
  CHECK(output.err.empty());
  const json document = parse_json(output.out, "validate");
  CHECK(document.size() == 4);
  CHECK(document["cases"].size() == 30);
  check_summary(document);
  CHECK((shell.fenceline({"validate", "--json", measured_workloads_file.string()}).out == output.out));
  CHECK(files_in(shell.work()).empty());

  // The table for people says the same in fewer digits.
  const Output table = shell.fenceline({"validate", "--machine", "h200", measured_workloads_file.string()});
  CHECK(table.code == 0);
  char mean[32];
  std::snprintf(mean, sizeof mean, "   30  %6.2f  ", document["summary"]["mean_abs_error_pct"].get<double>());
  CHECK_THAT(table.out, Contains(mean) && Contains("30 cases on h200"));
  const Output ops = shell.fenceline({"validate", "--ops", measured_workloads_file.string()});
  std::size_t operations = 0;
  const json file = load_json(measured_workloads_file);
  for (const json& one : file["workloads"]) operations += one["ops"].size();
  CHECK(lines_of(ops.out) == lines_of(table.out) + operations);
}

TEST_CASE("fenceline validate: a subset of the rows and keys of a measured file is enough", "[cli][validation]") {
  const Shell shell;
  json file = load_json(measured_workloads_file);
  json& cases = file["workloads"];
  const json whole =
      parse_json(shell.fenceline({"validate", "--json", measured_workloads_file.string()}).out, "validate");
  cases.erase(cases.begin() + 3, cases.end());
  file.erase("device");
  cases[1].erase("seed");
  cases[2]["name"] = "third";
  for (json& one : cases) {
    for (const char* key : {"queues", "makespan_min", "makespan_max", "makespan_us"}) one.erase(key);
    for (json& op : one["ops"]) {
      op.erase("start_us");
      if (op.value("smem", 1) == 0) op.erase("smem");
      if (op["waits"].empty()) op.erase("waits");
    }
  }
  shell.write("subset.json", file.dump());
  const Output output = shell.fenceline({"validate", "--json", "subset.json"});
  CHECK(output.code == 0);
  const json document = parse_json(output.out, "validate");
  check_summary(document);
  REQUIRE(document["cases"].size() == 3);
  CHECK(document["cases"][0]["name"] == "seed " + cases[0]["seed"].dump());
  CHECK(document["cases"][2]["name"] == "third");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(document["cases"][i]["simulated_us"] == whole["cases"][i]["simulated_us"]);
    double last = 0;  // without a makespan the last end counts
    for (const json& op : cases[i]["ops"]) last = std::max(last, op["end_us"].get<double>());
    CHECK(document["cases"][i]["measured_us"] == last);
  }
}

TEST_CASE("fenceline validate: --machine and --set change what is simulated, not what was measured", "[cli]") {
  const Shell shell;
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"validate", "--json", measured_workloads_file.string()});
    const Output output = shell.fenceline(more);
    CHECK(output.code == 0);
    return parse_json(output.out, "validate");
  };
  const json plain = run({});
  const json slow = run({"--set", "/shader_array/clock_mhz=990"});
  const fs::path machine = source_directory() / "configs/machines/h200.json";
  CHECK(run({"--machine", machine.string()}) == plain);
  for (std::size_t i = 0; i < plain["cases"].size(); ++i) {
    CHECK(slow["cases"][i]["measured_us"] == plain["cases"][i]["measured_us"]);
    CHECK(slow["cases"][i]["simulated_us"] >= plain["cases"][i]["simulated_us"]);
  }
  CHECK(slow["summary"]["mean_abs_error_pct"] > plain["summary"]["mean_abs_error_pct"]);
}

TEST_CASE("fenceline validate: what is wrong is one line and exit code 2", "[cli]") {
  const Shell shell;
  const auto refused = [&](const json& file, const std::string& message) {
    shell.write("m.json", file.dump());
    const Output output = shell.fenceline({"validate", "m.json", "--json"});
    INFO(output.err);
    CHECK(output.code == 2);
    CHECK(output.out.empty());
    CHECK(lines_of(output.err) == 1);
    CHECK_THAT(output.err, StartsWith("m.json: " + message));
  };
  const json spin = {{"queue", 0},    {"kind", "spin"},        {"grid", 8},
                     {"threads", 32}, {"cycles_per_block", 9}, {"end_us", 5}};
  const auto with = [&](const std::string& key, const json& value) {
    json op = spin;
    op[key] = value;
    return json{{"workloads", {{{"ops", {spin, op}}}}}};
  };
  CHECK(shell.fenceline({"validate", shipped_workload("ring_buffer").string()}).code == 2);
  refused(json::object(), "/: expected a measured file");
  refused(json::array(), "/: expected a measured file");
  refused({{"workloads", 5}}, "/workloads: expected an array");
  refused({{"workloads", {json::object()}}}, "/workloads/0: expected the required key \"ops\"");
  refused(with("waits", {1}), "/workloads/0/ops/1/waits/0: expected the index of an earlier operation");
  refused(with("waits", {-1}), "/workloads/0/ops/1/waits/0: expected an integer");
  refused(with("kind", "fft"), "/workloads/0/ops/1/kind: expected");
  refused(with("gird", 1), "/workloads/0/ops/1/gird: expected");
  refused(with("smem", 1000000), "/workloads/0: expected");
  shell.write("m.json", with("grid", 9).dump());
  shell.write("plain.json", R"({"name": "plain"})");
  const Output machine = shell.fenceline({"validate", "m.json", "--machine", "plain.json"});
  CHECK(machine.code == 2);
  CHECK_THAT(machine.err, Contains("submission path \"cuda_stream\""));
  CHECK(shell.fenceline({"validate", "m.json"}).code == 0);
}

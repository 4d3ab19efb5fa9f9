// SPDX-License-Identifier: Apache-2.0
// Figures that others published: what plays show them, and how they are told.
#include "api/validation/measured_directory.hpp"
#include "api/validation/validation.hpp"
#include "sim/config/json_file.hpp"
#include "tests/api/validation/measured_rows.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json row_of(const char* figure, double value = 100) {
  return {
      {"figure", figure}, {"value", value}, {"source", "somebody, a title"}, {"year", 2023}, {"measured", "a card"}};
}
json loads_of(double set_mib) {
  json row = row_of("load_latency_ns");
  row["set_mib"] = set_mib;
  return row;
}

/// The figure that a machine shows.
double shown(const json& row, const MachineConfig& machine) {
  const Shell shell;
  shell.write("m.json", json{{"published", json::array({row})}}.dump());
  const Validation validation = validate(shell.work() / "m.json", machine);
  REQUIRE(validation.cases().size() == 1);
  REQUIRE(validation.cases().front()->units);
  return validation.cases().front()->units->simulated;
}

std::string refusal(const json& row) {
  try {
    measured_file({{"published", json::array({row})}}, "m.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("published figures: each shows the parameter of the machine that it is of", "[api][validation]") {
  for (const char* name : {"rtx_3080", "rtx_4090", "rx_6800_xt", "arc_a770"}) {
    INFO(name);
    MachineConfig machine = builtin_machine(name);
    const ShaderArrayConfig& sms = machine.shader_array;
    CHECK(shown(row_of("vram_read_gb_per_s"), machine) == Approx(machine.memory.vram.gb_per_s).epsilon(0.03));
    const double peak = 2 * static_cast<double>(sms.sms) * sms.alu_lanes * sms.clock_mhz / 1e6;
    CHECK(shown(row_of("fp32_tflop_per_s"), machine) == Approx(peak).epsilon(0.05));
    CHECK(shown(loads_of(1), machine) == Approx(machine.memory.l2.hit_latency_ns).epsilon(0.05));
    CHECK(shown(loads_of(4096), machine) > 1.1 * shown(loads_of(1), machine));
    CHECK(shown(row_of("pcie_to_device_gb_per_s"), machine) ==
          Approx(machine.memory.pcie_to_device.gb_per_s).epsilon(0.05));
    CHECK(shown(row_of("pcie_to_host_gb_per_s"), machine) ==
          Approx(machine.memory.pcie_to_host.gb_per_s).epsilon(0.05));
    const double launch_us = shown(row_of("launch_latency_us"), machine);
    CHECK(launch_us > machine.host.call_us);
    machine.submission_paths.at("vulkan_queue").compute.launch_ns += 10'000;
    CHECK(shown(row_of("launch_latency_us"), machine) == Approx(launch_us + 10));
  }
}

TEST_CASE("published figures: a lattice Boltzmann step is bound by memory, and by nothing that is there twice",
          "[api][validation]") {
  const json row = row_of("lattice_boltzmann_mcells_per_s");
  MachineConfig machine = builtin_machine("rtx_3080");
  const double cells = shown(row, machine);
  CHECK(cells * 153 / 1e3 <= machine.memory.vram.gb_per_s);  // GB/s
  CHECK(cells * 153 / 1e3 > 0.5 * machine.memory.vram.gb_per_s);
  machine.memory.vram.gb_per_s /= 4;
  CHECK(shown(row, machine) == Approx(cells / 4).epsilon(0.15));
}

TEST_CASE("published figures: rows that cannot be are refused at their place", "[api][validation]") {
  CHECK(refusal(row_of("vram_read_gb_per_s")).empty());
  CHECK(refusal(loads_of(1)).empty());
  CHECK_THAT(refusal(row_of("vram_gb_per_s")), Contains("m.json: /published/0/figure: expected"));
  CHECK_THAT(refusal(row_of("load_latency_ns")),
             Contains("/published/0/set_mib: expected what the loads walk through"));
  json row = row_of("fp32_tflop_per_s");
  row["set_mib"] = 1;
  CHECK_THAT(refusal(row), Contains("/published/0/set_mib: expected no set"));
  for (const char* key : {"value", "source", "year", "measured", "figure"}) {
    row = row_of("fp32_tflop_per_s");
    row.erase(key);
    CHECK_THAT(refusal(row), Contains("/published/0: expected the required key \"" + std::string(key)));
  }
  row = row_of("fp32_tflop_per_s", 0);
  CHECK_THAT(refusal(row), Contains("/published/0/value: expected"));
  row = row_of("fp32_tflop_per_s");
  row["source"] = "";
  CHECK_THAT(refusal(row), Contains("/published/0/source: expected author and title"));
}

TEST_CASE("fenceline validate: prints published figures in their units with their sources and no verdict",
          "[cli][validation]") {
  const Shell shell;
  shell.write("m.json", json{{"published", json::array({row_of("vram_read_gb_per_s", 2000), loads_of(1)})}}.dump());
  const Output table = shell.fenceline({"validate", "m.json", "--check"});
  INFO(table.out << table.err);
  CHECK(table.code == 0);  // however far off
  CHECK_THAT(table.out, Contains("m, published\n") && Contains("2000.00") &&
                            Contains("somebody, a title, 2023: a card") && Contains("load_latency_ns, 1 MiB") &&
                            Contains("info  none"));
  const json document = parse_json(shell.fenceline({"validate", "m.json", "--json"}).out, "validate");
  const json& rate = document["cases"][0];
  CHECK(rate["published"] == 2000);
  CHECK(rate["source"] == "somebody, a title, 2023: a card");
  const double simulated = rate["simulated"];
  CHECK(rate["error_pct"].get<double>() == Approx((simulated - 2000) / 2000 * 100));
  // The same in time: a rate that is too high is a time that is too short.
  CHECK(rate["simulated_us"].get<double>() / rate["measured_us"].get<double>() == Approx(2000 / simulated));
  CHECK_FALSE(rate.contains("pass"));
}

TEST_CASE("validation: every machine of a graphics card is held against what others published", "[api][validation]") {
  const fs::path published = source_directory() / "bench/hardware/published";
  std::vector<std::string> machines;
  for (const DirectoryOfMachine& one : directories_of_machines(published)) {
    INFO(one.directory);
    CHECK(one.directory.filename() == one.machine);
    const MeasuredFile file = load_measured(one.directory / (one.machine + ".json"));
    CHECK_FALSE(file.published.empty());
    machines.push_back(one.machine);
  }
  for (const char* name : {"arc_a770", "rtx_3080", "rtx_4090", "rx_6800_xt", "rx_7900_xtx"}) {
    CHECK(std::find(machines.begin(), machines.end(), name) != machines.end());
  }
}

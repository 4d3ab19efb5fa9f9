// SPDX-License-Identifier: Apache-2.0
#include "api/validation/validation.hpp"

#include "api/machine.hpp"
#include "api/validation/measured_queues.hpp"
#include "api/workload/player.hpp"
#include "api/workload/satisfiable.hpp"
#include "sim/config.hpp"
#include "sim/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace fenceline {
namespace {

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> op_errors(const ValidationCase& one) {
  std::vector<double> errors;
  for (const ValidationOp& op : one.ops) errors.push_back(op.abs_error_pct());
  return errors;
}

/// Remembers when each command list "op<index>" ran.
class OpTimes final : public LogSink {
 public:
  explicit OpTimes(std::vector<ValidationOp>& ops) : ops_(ops) {}
  void packet(const EventLog& log, const PacketRecord& packet) override {
    if (packet.type != PacketType::render) return;
    ValidationOp& op = ops_.at(std::stoul(std::string(log.text(packet.label).substr(2))));
    op.simulated_start_us = static_cast<double>(packet.started_ps) / 1e6;
    op.simulated_end_us = static_cast<double>(packet.finished_ps) / 1e6;
  }

 private:
  std::vector<ValidationOp>& ops_;
};

ValidationCase play_case(const MeasuredCase& measured, const MeasuredDevice& device, const std::string& file,
                         const std::string& pointer, const MachineConfig& machine_config) {
  const Workload workload = workload_of(measured, device, file, pointer);
  const Program program = make_program(workload, file);
  try {
    check_waits(program, file);
    check_machine(program, file, machine_config);
  } catch (const ConfigError& error) {  // its pointer is that of the workload made from the case
    throw ConfigError(file, pointer, error.expected(), error.found());
  }

  ValidationCase result;
  result.name = workload.name;
  for (const MeasuredOperation& operation : measured.ops) result.ops.push_back({measured_op(operation).end_us, 0, 0});

  Machine machine(machine_config);
  OpTimes times(result.ops);
  machine.log().attach(times, EventLog::Detail::packets);
  Player player(machine, program);
  if (!player.play()) throw std::logic_error(fmt::format("{}: case {} did not end", file, workload.name));

  double last_measured_us = 0;
  for (const ValidationOp& op : result.ops) {
    last_measured_us = std::max(last_measured_us, op.measured_end_us);
    result.simulated_us = std::max(result.simulated_us, op.simulated_end_us);
  }
  result.measured_us = measured.makespan_us.value_or(last_measured_us);
  return result;
}

void check_submission_path(const std::string& file, const MachineConfig& machine) {
  if (machine.submission_paths.count("cuda_stream") > 0) return;
  throw ConfigError(file, "", fmt::format("a machine with a submission path \"cuda_stream\""),
                    fmt::format("machine {} without", in_quotes(machine.name)));
}

}  // namespace

double ValidationCase::error_pct() const {
  return measured_us > 0 ? (simulated_us - measured_us) / measured_us * 100 : 0;
}
double ValidationCase::mean_op_error_pct() const { return mean_of(op_errors(*this)); }
double ValidationOp::abs_error_pct() const {
  return measured_end_us > 0 ? std::abs(simulated_end_us - measured_end_us) / measured_end_us * 100 : 0;
}

ErrorSummary summary_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  const std::size_t count = errors.size();
  const double middle = errors[count / 2];
  const double median = count % 2 == 1 ? middle : (errors[count / 2 - 1] + middle) / 2;
  const std::size_t rank = (count * 90 + 99) / 100;
  return {mean_of(errors), median, errors[rank - 1], errors.back()};
}

ErrorSummary Validation::makespan() const {
  std::vector<double> errors;
  for (const ValidationCase& one : cases) errors.push_back(std::abs(one.error_pct()));
  return summary_of(std::move(errors));
}

ErrorSummary Validation::operations() const {
  std::vector<double> errors;
  for (const ValidationCase& one : cases) {
    const std::vector<double> of_case = op_errors(one);
    errors.insert(errors.end(), of_case.begin(), of_case.end());
  }
  return summary_of(std::move(errors));
}

Validation validate(const std::filesystem::path& path, const MachineConfig& machine,
                    const std::function<void(std::size_t, std::size_t)>& progress) {
  const std::string file = path.string();
  const nlohmann::json document = load_json(path);
  if (!document.is_object() || !document.contains("workloads")) {
    throw ConfigError(file, "", "a measured file: an object with the key \"workloads\"", shown(document));
  }
  const auto measured = read_config<MeasuredQueues>(document, file);
  check_submission_path(file, machine);
  Validation validation;
  for (std::size_t i = 0; i < measured.workloads.size(); ++i) {
    if (progress) progress(i, measured.workloads.size());
    const std::string pointer = fmt::format("/workloads/{}", i);
    validation.cases.push_back(play_case(measured.workloads[i], measured.device, file, pointer, machine));
  }
  return validation;
}

nlohmann::ordered_json json_of(const Validation& validation) {
  nlohmann::ordered_json document;
  document["cases"] = nlohmann::ordered_json::array();
  for (const ValidationCase& one : validation.cases) {
    document["cases"].push_back({{"name", one.name},
                                 {"measured_us", one.measured_us},
                                 {"simulated_us", one.simulated_us},
                                 {"error_pct", one.error_pct()},
                                 {"mean_op_error_pct", one.mean_op_error_pct()}});
  }
  const ErrorSummary makespan = validation.makespan();
  document["summary"] = {{"mean_abs_error_pct", makespan.mean},
                         {"median_abs_error_pct", makespan.median},
                         {"p90_abs_error_pct", makespan.p90},
                         {"max_abs_error_pct", makespan.max},
                         {"mean_op_error_pct", validation.operations().mean}};
  return document;
}

}  // namespace fenceline

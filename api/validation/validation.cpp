// SPDX-License-Identifier: Apache-2.0
#include "api/validation/validation.hpp"

#include "api/validation/load_measured.hpp"
#include "api/validation/measured_directory.hpp"
#include "api/validation/play/case_player.hpp"
#include "api/workload/load/workload_file.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fenceline {
namespace {

void append(std::vector<double>& to, const std::vector<double>& more) { to.insert(to.end(), more.begin(), more.end()); }

/// The cases of one kind before they are played.
struct PlannedKind {
  std::size_t file;
  const MeasuredKind* kind;
  Plan cases;
};

}  // namespace

ErrorSummary summary_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  const std::size_t count = errors.size();
  const double middle = errors[count / 2];
  const double median = count % 2 == 1 ? middle : (errors[count / 2 - 1] + middle) / 2;
  const std::size_t rank = (count * 90 + 99) / 100;
  return {mean_of(errors), median, errors[rank - 1], errors.back()};
}

ErrorSummary ValidatedKind::errors() const {
  std::vector<double> errors;
  for (const ValidationCase& one : cases) {
    if (one.counts) errors.push_back(std::abs(one.error_pct()));
  }
  return summary_of(std::move(errors));
}

ErrorSummary ValidatedKind::operations() const {
  std::vector<double> errors;
  for (const ValidationCase& one : cases) append(errors, one.op_errors_pct());
  return summary_of(std::move(errors));
}

std::size_t ValidatedKind::over_limit() const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const ValidationCase& one) { return !one.within_limit(); }));
}

bool ValidatedKind::pass() const {
  if (kind->informative) return true;
  const KindLimits& limits = kind->limits;
  const ErrorSummary of_cases = errors();
  if (limits.mean_pct && of_cases.mean > *limits.mean_pct) return false;
  if (limits.p90_pct && of_cases.p90 > *limits.p90_pct) return false;
  if (limits.mean_op_pct && operations().mean > *limits.mean_op_pct) return false;
  return over_limit() == 0;
}

std::vector<const ValidationCase*> Validation::cases() const {
  std::vector<const ValidationCase*> all;
  for (const ValidatedKind& kind : kinds) {
    for (const ValidationCase& one : kind.cases) all.push_back(&one);
  }
  return all;
}

ErrorSummary Validation::makespan() const {
  std::vector<double> errors;
  for (const ValidationCase* one : cases()) errors.push_back(std::abs(one->error_pct()));
  return summary_of(std::move(errors));
}

ErrorSummary Validation::operations() const {
  std::vector<double> errors;
  for (const ValidationCase* one : cases()) append(errors, one->op_errors_pct());
  return summary_of(std::move(errors));
}

bool Validation::pass() const {
  return std::all_of(kinds.begin(), kinds.end(), [](const ValidatedKind& kind) { return kind.pass(); });
}

Validation validate(const std::vector<std::filesystem::path>& paths, const MachineConfig& machine,
                    const std::function<void(std::size_t, std::size_t)>& progress) {
  // All is read and translated first: what is wrong shows before anything is played.
  std::vector<MeasuredFile> files;
  for (const std::filesystem::path& path : paths) {
    for (const std::filesystem::path& file : measured_paths(path)) files.push_back(load_measured(file));
  }
  Validation validation;
  std::vector<PlannedKind> planned;
  std::size_t count = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const MeasuredKind& kind : measured_kinds()) {
      Plan cases = kind.plan({files[i], machine});
      count += cases.size();
      if (!cases.empty()) planned.push_back({i, &kind, std::move(cases)});
    }
    for (SkippedKind& skipped : skipped_kinds(files[i])) {
      validation.skipped.push_back({files[i].path, std::move(skipped)});
    }
  }
  std::size_t index = 0;
  for (const PlannedKind& kind : planned) {
    const std::string& file = files[kind.file].path;
    CasePlayer player(machine, file);
    ValidatedKind& validated = validation.kinds.emplace_back();
    validated.file = file;
    validated.kind = kind.kind;
    for (const PlannedCase& one : kind.cases) {
      if (progress) progress(index++, count);
      validated.cases.push_back(player.play(one));
    }
  }
  return validation;
}

Validation validate(const std::filesystem::path& path, const MachineConfig& machine,
                    const std::function<void(std::size_t, std::size_t)>& progress) {
  return validate(std::vector<std::filesystem::path>{path}, machine, progress);
}

std::vector<MachineValidation> validate_directories(const std::filesystem::path& path,
                                                    const std::vector<std::string>& sets,
                                                    const std::function<void(std::size_t, std::size_t)>& progress) {
  const std::vector<DirectoryOfMachine> directories = directories_of_machines(path);
  std::vector<MachineConfig> machines;
  machines.reserve(directories.size());
  for (const DirectoryOfMachine& one : directories) machines.push_back(load_machine(one.machine, one.directory, sets));
  std::vector<MachineValidation> validations;
  for (std::size_t i = 0; i < directories.size(); ++i) {
    validations.push_back({directories[i].directory.string(), machines[i].name,
                           validate(directories[i].directory, machines[i], progress)});
  }
  return validations;
}

}  // namespace fenceline

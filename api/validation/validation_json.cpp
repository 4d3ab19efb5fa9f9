// SPDX-License-Identifier: Apache-2.0
#include "api/validation/validation.hpp"

#include <utility>

namespace fenceline {
namespace {

nlohmann::ordered_json json_of(const ValidationCase& one, const ValidatedKind& kind) {
  nlohmann::ordered_json document = {{"file", kind.file},
                                     {"kind", kind.kind->name()},
                                     {"name", one.name},
                                     {"measured_us", one.measured_us},
                                     {"simulated_us", one.simulated_us},
                                     {"error_pct", one.error_pct()},
                                     {"mean_op_error_pct", one.mean_op_error_pct()}};
  if (one.units) {
    document["published"] = one.units->measured;
    document["simulated"] = one.units->simulated;
    document["source"] = one.units->source;
  }
  if (one.shares) {
    document["measured_share_pct"] = one.shares->measured_pct;
    document["simulated_share_pct"] = one.shares->simulated_pct;
    document["share_limit_points"] = OutcomeShares::limit_points;
  }
  if (one.limit_pct && !kind.kind->informative) {
    document["limit_pct"] = *one.limit_pct;
    document["pass"] = one.within_limit();
  }
  return document;
}

nlohmann::ordered_json json_of(const KindLimits& limits) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  if (limits.mean_pct) document["mean_abs_error_pct"] = *limits.mean_pct;
  if (limits.p90_pct) document["p90_abs_error_pct"] = *limits.p90_pct;
  if (limits.mean_op_pct) document["mean_op_error_pct"] = *limits.mean_op_pct;
  if (limits.each != nullptr) document["each"] = limits.each;
  return document;
}

nlohmann::ordered_json json_of(const ValidatedKind& kind) {
  const ErrorSummary errors = kind.errors();
  nlohmann::ordered_json document = {{"file", kind.file},
                                     {"kind", kind.kind->name()},
                                     {"cases", kind.cases.size()},
                                     {"mean_abs_error_pct", errors.mean},
                                     {"p90_abs_error_pct", errors.p90},
                                     {"max_abs_error_pct", errors.max},
                                     {"mean_op_error_pct", kind.operations().mean},
                                     {"cases_over_limit", kind.over_limit()},
                                     {"limits", json_of(kind.kind->limits)},
                                     {"informative", kind.kind->informative}};
  if (!kind.kind->informative) document["pass"] = kind.pass();
  return document;
}

}  // namespace

nlohmann::ordered_json json_of(const Validation& validation) {
  nlohmann::ordered_json document;
  document["cases"] = nlohmann::ordered_json::array();
  for (const ValidatedKind& kind : validation.kinds) {
    for (const ValidationCase& one : kind.cases) document["cases"].push_back(json_of(one, kind));
  }
  document["kinds"] = nlohmann::ordered_json::array();
  for (const ValidatedKind& kind : validation.kinds) document["kinds"].push_back(json_of(kind));
  document["skipped"] = nlohmann::ordered_json::array();
  for (const SkippedRows& rows : validation.skipped) {
    document["skipped"].push_back({{"file", rows.file},
                                   {"kind", rows.skipped.key},
                                   {"rows", rows.skipped.rows},
                                   {"reason", rows.skipped.reason}});
  }
  const ErrorSummary makespan = validation.makespan();
  document["summary"] = {{"mean_abs_error_pct", makespan.mean},
                         {"median_abs_error_pct", makespan.median},
                         {"p90_abs_error_pct", makespan.p90},
                         {"max_abs_error_pct", makespan.max},
                         {"mean_op_error_pct", validation.operations().mean}};
  return document;
}

nlohmann::ordered_json json_of(const std::vector<MachineValidation>& validations) {
  nlohmann::ordered_json document;
  document["machines"] = nlohmann::ordered_json::array();
  for (const MachineValidation& one : validations) {
    nlohmann::ordered_json entry = {{"directory", one.directory}, {"machine", one.machine}};
    entry.update(json_of(one.validation));
    document["machines"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace fenceline

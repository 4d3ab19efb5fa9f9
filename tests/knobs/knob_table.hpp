// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/knobs/scenario.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::testing {

/// That a parameter matters: the scenario in which it does, and what to set there to what.
struct Proof {
  std::string parameter;  ///< as parameters.hpp says; of the workload with `/workload` before it
  std::string scenario;
  std::string pointer;
  std::string from;
  std::string to;
  bool refused = false;  ///< the change is no other result but an error
};

/// What no run can show, and why: the reason for the parameter, or the reason for every one of that key.
struct Exemptions {
  std::map<std::string, std::string> keys;       ///< labels
  std::map<std::string, std::string> programs;   ///< only D3D12 programs read them
  std::map<std::string, std::string> files;      ///< they name files
  std::map<std::string, std::string> ignored;    ///< by rule; named in every run that names them
  std::map<std::string, std::string> addresses;  ///< they decide what is refused, and nothing else
};
Exemptions exemptions();

/// Every parameter of a machine, then every one of a workload.
std::vector<std::string> all_parameters();
/// No run is to show it.
bool exempt(const Exemptions& exemptions, const std::string& parameter);

std::vector<Proof> read_table();
nlohmann::ordered_json dump_table(const std::vector<Proof>& proofs);

/// Plays scenarios, each as it is only once.
class Prover {
 public:
  explicit Prover(const std::vector<Scenario>& scenarios);
  /// The change makes another result, or, where the proof says so, an error.
  bool holds(const Proof& proof);
  /// Other values of everything at or below a pointer of `--set` in a scenario, of each twice as much first.
  std::vector<Proof> changes(const std::string& scenario, const std::string& pointer);
  /// The first that holds, of those that double the parameter; where there is none, of those with another value.
  std::optional<Proof> find(const std::string& parameter, bool refused, const std::function<bool(const Proof&)>& holds);

 private:
  struct Base {
    Scenario scenario;
    nlohmann::ordered_json effective;
    std::multimap<std::string, std::string> pointers;  ///< by parameter
    std::vector<std::string> names;
    std::optional<std::string> result;
  };
  Base* base_of(const std::string& scenario);
  const std::string& result(Base& base);
  std::vector<Base> bases_;
};

}  // namespace fenceline::testing

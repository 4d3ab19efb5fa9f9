// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/load/workload_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace fenceline {

/// Parameters of one file that cannot matter for a run, for one reason. Where nothing in an object can and the file
/// names more than a few of its values, the object's pointer stands for them.
struct SilentKnobs {
  std::string file;                   ///< as in NamedParameter
  std::vector<std::string> pointers;  ///< into that file
  std::string reason;                 ///< why they cannot matter
  std::size_t parameters = 0;         ///< how many they are
  bool of_workload = false;           ///< else of the machine
};

/// Of the parameters that were named, those that cannot matter for this workload on this machine: nothing reads them,
/// or the mechanism that does is off. In the order in which they were named.
std::vector<SilentKnobs> silent_knobs(const LoadedWorkload& loaded);
/// Of those that a machine's file names, those that cannot matter for any run on it.
std::vector<SilentKnobs> silent_knobs(const MachineConfig& machine, const std::vector<NamedParameter>& named);

/// "machine.json: /a, /b: has no effect here: reason".
std::string line_of(const SilentKnobs& knobs);
nlohmann::ordered_json json_of(const std::vector<SilentKnobs>& knobs);

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_costs.hpp"
#include "api/import/kineto_import.hpp"
#include "api/import/kineto_lists.hpp"
#include "api/import/kineto_shares.hpp"
#include "api/import/kineto_trace.hpp"
#include "api/import/lone_command.hpp"
#include "api/machine_config.hpp"
#include "api/workload/workload.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fenceline {

/// Records the lists of one trace as command lists of a workload, equal ones once, with pipelines and resources. What
/// a kernel of the workload takes alone is its share (KinetoShares) of what it took.
class KinetoWork {
 public:
  using Progress = std::function<void(std::uint64_t, std::uint64_t)>;
  KinetoWork(const KinetoTrace& trace, const KinetoSchedule& schedule, const std::string& prefix,
             const MachineConfig& machine, LoneCommands& lone, const KinetoShares& shares, Workload& workload);

  void record(KinetoImport& result, const Progress& progress);

  /// What the streams' queues cost: a stream with lists of several commands takes another path.
  const KinetoCosts& costs_of(std::uint32_t stream) const { return costs_[several_[stream] ? 1 : 0]; }
  const std::string& name_of(std::uint32_t list) const { return classes_[class_of_[list]].name; }
  /// How long the list runs on the machine, in the company that it had.
  std::int64_t length_ps(std::uint32_t list) const { return classes_[class_of_[list]].length_ps; }
  /// How long a kernel, the list's operation of this index, takes on the machine alone; 0: it is no kernel.
  std::uint64_t alone_ps(std::uint32_t list, std::size_t op) const { return classes_[class_of_[list]].alone_ps[op]; }
  /// The command that a list's operation is: a barrier stands between two.
  static std::size_t command_of(std::size_t op) { return 2 * op; }

 private:
  /// Lists with the same operations and nearly the same time.
  struct Class {
    std::uint32_t first_list = 0;
    std::uint64_t members = 0;
    std::int64_t first_length_ns = 0;
    std::int64_t first_alone_ns = 0;
    std::vector<double> advance_ns;       // by operation: how far it moved the end of its list; summed over members
    std::vector<double> own_ns;           // by operation: the time it had its stream for itself; summed
    std::vector<double> share;            // by operation: of its speed alone; summed
    std::vector<std::uint64_t> alone_ps;  // by operation: of kernels, on the machine
    std::string name;
    std::int64_t length_ps = 0;
  };

  void check_fit() const;
  void find_shapes();
  void find_classes();
  void record_class(Class& one, KinetoImport& result);
  CommandInfo dispatch(const KinetoOp& op, std::int64_t wanted_ps, LoneCommands::Fit& fit);
  CommandInfo copy(const KinetoOp& op);
  CommandInfo fill(const KinetoOp& op);
  void add_copy_buffers();
  std::string unique_name(const std::string& base, std::map<std::string, std::uint64_t>& counts) const;

  const KinetoTrace& trace_;
  const KinetoSchedule& schedule_;
  const std::string& prefix_;
  const MachineConfig& machine_;
  LoneCommands& lone_;
  Workload& workload_;
  KinetoCosts costs_[2];
  std::vector<bool> several_;            // by stream
  std::vector<std::int64_t> own_start_;  // by operation
  const KinetoShares& share_;            // by operation
  std::vector<std::uint32_t> shape_;     // by operation: equal for equal operations
  std::vector<Class> classes_;
  std::vector<std::uint32_t> class_of_;  // by list
  std::map<std::string, std::uint64_t> pipeline_counts_;
  std::map<std::string, std::uint64_t> list_counts_;
  // name, footprint, work
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t,
                      std::uint32_t>,
           std::string>
      pipelines_;
  std::map<std::vector<std::uint64_t>, std::string> recorded_;  // content -> list
  std::map<std::uint64_t, std::string> fills_;                  // bytes -> resource
  std::map<std::string, std::uint64_t> copy_buffers_;           // name -> bytes
};

/// "at::native::vectorized_elementwise_kernel" of `void at::native::vectorized_elementwise_kernel<8, ...>(int, ...)`
/// without its namespaces: the last name before template and call arguments, at most 48 characters.
std::string short_kernel_name(const std::string& name);

}  // namespace fenceline

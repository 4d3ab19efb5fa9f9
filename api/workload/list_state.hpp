// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/resource_table.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// What a command list has begun and not ended yet: a render pass, queries. Each function throws ConfigError at
/// `pointer` when D3D12 would not take the command there.
class ListState {
 public:
  explicit ListState(std::string file) : file_(std::move(file)) {}

  /// The list's next command, with what an ExecuteIndirect repeats.
  void record(const Command& command, const Command* repeated, const std::string& pointer);
  /// None of the queries is still running.
  void check_resolved(QueryType type, std::uint32_t first_slot, std::uint32_t count, const std::string& pointer) const;
  /// Everything begun has ended; otherwise the error stands where it began.
  void check_ended() const;

 private:
  void begin_render_pass(const std::string& pointer);
  void end_render_pass(const std::string& pointer);
  void begin_query(const BeginQuery& begin, const std::string& pointer);
  void end_query(const EndQuery& end, const std::string& pointer);

  struct Query {
    QueryType type;
    std::string pointer;
  };
  std::string file_;
  std::string render_pass_at_;                               // empty: outside
  std::map<std::pair<bool, std::uint32_t>, Query> queries_;  // in the occlusion heap?, slot
};

/// Where a list stands in its document.
struct ListPlace {
  std::string file;
  std::string pointer;
};

/// What the list says of where it may be split, and its patch location list, to its stream: by the stream's commands,
/// of which `starts` has the first of each of the list's. ConfigError where it names a command that it does not have,
/// or one inside a render pass, or is out of order.
void take_splits(const CommandListInfo& list, const std::vector<std::size_t>& starts, const ResourceTable& resources,
                 const ListPlace& place, CommandStream& stream);

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/captured_outcomes.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline {

class CborMap;

/// Says a stream's commands in a workload's words, as CBOR: numbers in place of resources. Goes through them in order,
/// for it pairs queries, which heaps may number alike.
class CapturedCommands {
 public:
  /// The names of the stream's pipeline states in the workload, by index; all of it outlives this.
  /// `variants` has those of other pipeline states that commands had in their place, by the command's index.
  CapturedCommands(const CommandStream& stream, const std::vector<std::string>& compute,
                   const std::vector<std::string>& graphics, const CapturedOutcomes& outcomes,
                   const std::map<std::size_t, std::string>& variants)
      : stream_(stream), compute_(compute), graphics_(graphics), outcomes_(outcomes), variants_(variants) {}

  /// The command at that index.
  void append(std::string& to, std::size_t index);
  /// The markers before that index which have not been said yet; how many they are.
  std::size_t append_markers(std::string& to, std::size_t index);

 private:
  void append(std::string& to, const Command& command);
  void add_draw(CborMap& to, const Draw& draw) const;
  const std::string& pipeline(const std::vector<std::string>& own, std::uint32_t index) const;
  void append_indirect(std::string& to, const IndirectCall& call);
  std::uint32_t begin(const BeginQuery& query);
  std::uint32_t end(const EndQuery& query);

  const CommandStream& stream_;
  const std::vector<std::string>& compute_;
  const std::vector<std::string>& graphics_;
  const CapturedOutcomes& outcomes_;
  const std::map<std::size_t, std::string>& variants_;
  std::size_t index_ = 0;   // of the command that is being said
  std::size_t marker_ = 0;  // the first that has not been said
  std::uint32_t next_query_ = 0;
  std::map<std::pair<QueryType, std::uint32_t>, std::deque<std::uint32_t>> open_queries_;
};

}  // namespace fenceline

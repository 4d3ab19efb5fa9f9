// SPDX-License-Identifier: Apache-2.0
#include "api/contents/contents_execution.hpp"

#include "api/machine.hpp"
#include "engines/command/draw_counts.hpp"
#include "sim/config_error.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// The first that is of that command, or of a later one.
template <class Of>
auto first_of(const std::vector<Of>& all, std::size_t command) {
  return std::lower_bound(all.begin(), all.end(), command,
                          [](const Of& one, std::size_t wanted) { return one.command < wanted; });
}

}  // namespace

ContentsExecution::ContentsExecution(const Machine& machine, std::shared_ptr<ResourceContents> contents, Work work)
    : machine_(machine),
      contents_(std::move(contents)),
      work_(std::move(work)),
      actor_{"queue " + in_quotes(work_.queue), 0, work_.stream->name},
      order_(work_.bytes->effects.size()) {}

const ContentActor& ContentsExecution::actor_at(std::size_t command) {
  actor_.command = command;
  actor_.name = name_of(work_.stream->commands[command]);
  return actor_;
}

void ContentsExecution::settle(std::size_t command, bool skipped) {
  const std::vector<CommandBytes>& all = work_.bytes->effects;
  const auto at = first_of(all, command);
  if (at == all.end() || at->command != command) return;
  order_.settle(static_cast<std::size_t>(at - all.begin()), skipped && at->predicated, [&](std::size_t index) {
    for (const ByteEffect& effect : all[index].effects) {
      contents_->apply(effect, machine_.now_ps(), actor_at(all[index].command));
    }
  });
}

void ContentsExecution::use(std::size_t command) {
  const std::vector<CommandUse>& all = work_.bytes->uses;
  for (auto at = first_of(all, command); at != all.end() && at->command == command; ++at) {
    contents_->tell(
        {machine_.now_ps(), at->resource, at->reads ? AccessKind::read : AccessKind::use, at->offset, at->count},
        actor_at(command));
  }
}

void ContentsExecution::ended(std::size_t command) {
  if (work_.others) work_.others->ended(command);
  const std::vector<ListQuery>& queries = work_.bytes->queries;
  const auto query = std::lower_bound(queries.begin(), queries.end(), command,
                                      [](const ListQuery& one, std::size_t wanted) { return one.end < wanted; });
  if (query != queries.end() && query->end == command) answer(*query);
  use(command);
  settle(command, false);
}

void ContentsExecution::answer(const ListQuery& query) {
  const CommandStream& stream = *work_.stream;
  DrawCounts counts;
  for (std::size_t command = query.first; command < query.end; ++command) {
    if (std::binary_search(skipped_.begin(), skipped_.end(), command)) continue;
    const auto* const indirect = std::get_if<ExecuteIndirect>(&stream.commands[command]);
    if (indirect == nullptr) {
      count_command(counts, stream.commands[command], stream);
      continue;
    }
    const IndirectCall& call = stream.indirect_calls[indirect->call];
    for (std::uint64_t i = 0; i < call.count; ++i) count_command(counts, call.command, stream);
  }
  contents_->queries().set(query.type, query.slot, counts);
}

void ContentsExecution::ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
  if (work_.others) work_.others->ran(command, start_ps, end_ps);
}

void ContentsExecution::skip(std::size_t command) {
  if (work_.others) work_.others->skip(command);
  if (!work_.bytes->queries.empty()) skipped_.push_back(command);
  settle(command, true);
}

bool ContentsExecution::skips(std::size_t command) {
  use(command);
  if (work_.others) return work_.others->skips(command);
  return std::get<SetPredication>(work_.stream->commands[command]).skip;
}

const IndirectCall* ContentsExecution::call(std::size_t command) {
  return work_.others ? work_.others->call(command) : nullptr;
}

PipelineVariant ContentsExecution::variant(std::size_t command, const Command& begins) {
  return work_.others ? work_.others->variant(command, begins) : PipelineVariant{};
}

void ContentsExecution::finish() {
  if (work_.others) work_.others->finish();
}

void ContentsExecution::timestamp(std::uint32_t slot, std::uint64_t at_ps) {
  if (work_.others) work_.others->timestamp(slot, at_ps);
  contents_->queries().set_timestamp(slot, at_ps);
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/workload/recorded_contents.hpp"

#include "api/workload/effects/byte_effect.hpp"
#include "api/workload/said_numbers.hpp"
#include "sim/config_errors.hpp"
#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// A predicate that skips the command skips its effects, too.
template <class Command>
bool is_predicated(const Command&) {
  return true;
}
bool is_predicated(const CopyBufferCommand& copy) { return copy.predicated; }

/// What the commands of lists do to bytes. They have been recorded: what they name is there, and fits.
class BytesRecorder {
 public:
  BytesRecorder(const Workload& workload, const std::string& file)
      : workload_(workload), file_(file), resources_(workload.resources, file) {
    for (std::size_t i = 0; i < workload.command_lists.size(); ++i) lists_[workload.command_lists[i].name] = i;
  }

  ListBytes record(std::size_t list) {
    bytes_ = {};
    command_ = 0;
    begun_.clear();
    if (workload_.command_lists[list].type != CommandListType::bundle) record_commands(list);
    return std::move(bytes_);
  }

 private:
  void record_commands(std::size_t list) {
    for (const CommandInfo& info : workload_.command_lists[list].commands) record_one(info);
  }
  template <class AnyCommand>
  void record_one(const AnyCommand& info) {
    std::visit([&](const auto& command) { record_any(command); }, info);
    const bool holds_others = std::holds_alternative<ExecuteBundleCommand>(info) || is_repeat(info);
    if (!holds_others && !is_marker(info)) ++command_;
  }
  static bool is_repeat(const CommandInfo& info) { return std::holds_alternative<RepeatCommand>(info); }
  static bool is_repeat(const SimpleCommandInfo&) { return false; }

  std::uint32_t index(const std::string& name) const { return resources_.index(name, ""); }
  const ResourceInfo& info(const std::string& name) const { return resources_.resource(name, ""); }
  void add(ByteEffect effect) {
    if (bytes_.effects.empty() || bytes_.effects.back().command != command_) bytes_.effects.push_back({command_, {}});
    bytes_.effects.back().effects.push_back(std::move(effect));
  }

  /// A command that says numbers has the effects that it says.
  template <class Command>
  void record_any(const Command& command) {
    const std::vector<EffectInfo>* const effects = effects_of(command);
    if (command_of_numbers(command) && effects != nullptr) {
      for (const EffectInfo& one : *effects) add(byte_effect(one, resources_, file_, ""));
      if (!effects->empty()) bytes_.effects.back().predicated = is_predicated(command);
    } else {
      record_command(command);
    }
  }
  template <class Command>
  void record_command(const Command&) {}
  void record_command(const ExecuteBundleCommand& execute) { record_commands(lists_.at(execute.bundle)); }
  void record_command(const RepeatCommand& repeat) {
    for (std::uint64_t round = 0; round < repeat.count; ++round) {
      for (const SimpleCommandInfo& one : repeat.commands) record_one(one);
    }
  }
  void record_command(const CopyBufferCommand& copy) {
    const std::uint64_t most =
        std::min(info(copy.source).bytes - copy.source_offset, info(copy.destination).bytes - copy.destination_offset);
    add(CopyRange{index(copy.source), copy.source_offset, index(copy.destination), copy.destination_offset,
                  copy.bytes.value_or(most)});
  }
  void record_command(const CopyTextureCommand& copy) {
    const ResourceInfo& source = info(copy.source);
    const ResourceInfo& destination = info(copy.destination);
    const ResourceInfo& texture = source.texture() ? source : destination;
    const std::uint64_t in_buffer = rounded_up(texture.row_bytes, texture_row_pitch);
    if ((source.texture() && destination.texture()) || texture.row_bytes == in_buffer) {
      add(CopyRange{index(copy.source), 0, index(copy.destination), 0, texture.bytes});
      return;
    }
    const auto rows_of = [&](const ResourceInfo& one, const std::string& name) {
      const std::uint64_t pitch = one.texture() ? texture.row_bytes : in_buffer;
      return ByteRows{index(name), 0, pitch, texture.rows * pitch};
    };
    add(CopyRows{
        rows_of(source, copy.source), rows_of(destination, copy.destination), {texture.row_bytes, texture.rows, 1}});
  }
  void record_command(const ClearCommand& clear) {
    std::vector<std::byte> value;
    for (const std::uint32_t one : clear.value) value.push_back(static_cast<std::byte>(one));
    const bool zeros = std::all_of(value.begin(), value.end(), [](std::byte one) { return one == std::byte{0}; });
    add(FillBytes{index(clear.target), zeros ? nullptr : ByteSource::repeated(std::move(value))});
  }
  void record_command(const ResolveCommand& resolve) { add_resolve(resolve.source, resolve.destination); }
  void record_command(const ResolveQueryDataCommand& resolve) {
    if (resolve.count == 0) return;
    add(ResolveResults{resolve.query, resolve.first_slot, resolve.count, index(resolve.destination),
                       resolve.destination_offset});
  }
  void record_command(const BeginRenderPassCommand& begin) {
    pass_ = &begin;
    for (const RenderPassTarget& target : begin.targets) {
      if (target.beginning == BeginningAccess::clear) add(FillBytes{index(target.target), nullptr});
    }
  }
  void record_command(const EndRenderPassCommand&) {
    for (const RenderPassTarget& target : pass_->targets) {
      if (target.ending == EndingAccess::resolve) add_resolve(target.target, target.resolve_to);
    }
  }
  void add_resolve(const std::string& from, const std::string& to) {
    add(ResolveSamples{index(from), index(to), info(to).texel_bytes, info(from).samples});
  }

  void record_command(const BeginQueryCommand& begin) {
    begun_[{begin.query == QueryType::pipeline_statistics, begin.slot}] = command_;
  }
  void record_command(const EndQueryCommand& end) {
    if (end.query == QueryType::timestamp) return;
    const std::size_t first = begun_.at({end.query == QueryType::pipeline_statistics, end.slot});
    bytes_.queries.push_back({end.query, end.slot, first, command_});
  }

  // What shaders do with what they have bound is not known.
  void record_command(const DrawCommand& draw) { use(draw.inputs); }
  void record_command(const DrawIndexedCommand& draw) { use(draw.inputs); }
  void record_command(const DispatchCommand& dispatch) { use(dispatch.inputs); }
  void record_command(const ExecuteIndirectCommand& execute) {
    constexpr std::uint64_t argument_bytes[] = {16, 20, 12};  // D3D12_DRAW_ARGUMENTS and so on
    const std::uint64_t bytes = argument_bytes[execute.command.index()];
    const std::uint64_t count = std::min(execute.count.value_or(execute.max_count), execute.max_count);
    if (count > 0 && !execute.arguments_heap) {
      bytes_.uses.push_back({command_, index(execute.arguments), true, execute.arguments_offset,
                             (count - 1) * execute.stride.value_or(static_cast<std::uint32_t>(bytes)) + bytes});
    }
    std::visit([this](const auto& one) { record_command(one); }, execute.command);
  }
  void record_command(const SetPredicationCommand& set) {
    if (!set.buffer.empty()) bytes_.uses.push_back({command_, index(set.buffer), true, set.offset, 8});
  }
  void use(const ShaderInputs& inputs) {
    for (const std::string& name : inputs.resources) bytes_.uses.push_back({command_, index(name), false, 0, 0});
  }

  const Workload& workload_;
  const std::string& file_;
  ResourceTable resources_;
  std::map<std::string, std::size_t> lists_;
  ListBytes bytes_;
  std::size_t command_ = 0;  // of the stream
  const BeginRenderPassCommand* pass_ = nullptr;
  std::map<std::pair<bool, std::uint32_t>, std::size_t> begun_;  // queries: in the heap of statistics?, slot
};

void check_size(const ProgramContents& contents, const std::string& file) {
  std::vector<bool> counts(contents.resources.size());
  for (const ListBytes& list : contents.lists) {
    for (const CommandBytes& command : list.effects) {
      for (const ByteEffect& effect : command.effects) counts[written_by(effect)] = true;
    }
  }
  for (const ContentWrite& write : contents.writes) counts[write.resource] = true;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ContentResource& one = contents.resources[i];
    if (!counts[i] && one.initial.empty()) continue;
    if (one.bytes > most_content_bytes - bytes) {
      throw ConfigError(file, fmt::format("/resources/{}", i),
                        fmt::format("resources that have content or are written of at most {} bytes together, where "
                                    "a workload acts on bytes",
                                    most_content_bytes),
                        "more");
    }
    bytes += one.bytes;
  }
}

/// A command has effects.
struct HasEffects {
  template <class Command>
  bool operator()(const Command& command) const {
    const std::vector<EffectInfo>* const effects = effects_of(command);
    return effects != nullptr && !effects->empty();
  }
  bool operator()(const RepeatCommand& repeat) const {
    return std::any_of(repeat.commands.begin(), repeat.commands.end(),
                       [this](const SimpleCommandInfo& one) { return std::visit(*this, one); });
  }
};

bool says_effects(const CommandListInfo& list) {
  return std::any_of(list.commands.begin(), list.commands.end(),
                     [](const CommandInfo& one) { return std::visit(HasEffects{}, one); });
}

/// In their order in memory.
std::vector<InitialBytes> initial_pieces(const MemoryResource& memory, const std::string& file,
                                         const std::string& pointer) {
  std::map<std::uint64_t, std::pair<InitialBytes, std::string>> pieces;
  ConfigErrors errors;
  for (std::size_t i = 0; i < memory.pieces.size(); ++i) {
    const ContentPiece& piece = memory.pieces[i];
    const std::string at = fmt::format("{}/pieces/{}", pointer, i);
    errors.keep([&] {
      if (piece.offset >= memory.bytes || piece.bytes.value_or(1) > memory.bytes - piece.offset) {
        throw ConfigError(file, at + (piece.offset >= memory.bytes ? "/offset" : "/bytes"),
                          fmt::format("a piece that ends at byte {} at the latest", memory.bytes),
                          fmt::format("{}", piece.offset >= memory.bytes ? piece.offset : *piece.bytes));
      }
      SharedBytes source = content_bytes(piece.content, place_of_piece(piece, memory.bytes, file, at));
      const std::uint64_t count = piece.bytes ? *piece.bytes : source->bytes().size();
      const auto next = pieces.lower_bound(piece.offset);
      const bool into_next = next != pieces.end() && next->first < piece.offset + count;
      const bool into_before =
          next != pieces.begin() &&
          std::prev(next)->second.first.offset + std::prev(next)->second.first.count > piece.offset;
      if (into_next || into_before) {
        throw ConfigError(
            file, at + "/offset", "a piece that overlaps none before it",
            fmt::format("one that overlaps {}", into_next ? next->second.second : std::prev(next)->second.second));
      }
      pieces.emplace(piece.offset, std::pair{InitialBytes{piece.offset, count, std::move(source)}, at});
    });
  }
  errors.throw_any();
  std::vector<InitialBytes> all;
  all.reserve(pieces.size());
  for (auto& [offset, piece] : pieces) all.push_back(std::move(piece.first));
  return all;
}

std::vector<InitialBytes> initial_of(const std::optional<ContentInfo>& content, std::uint64_t bytes,
                                     const std::string& file, const std::string& pointer) {
  if (!content) return {};
  return {{0, bytes, content_bytes(*content, {file, pointer + "/content", bytes, bytes})}};
}

}  // namespace

ContentPlace place_of_piece(const ContentPiece& piece, std::uint64_t resource_bytes, const std::string& file,
                            const std::string& pointer) {
  const std::uint64_t left = resource_bytes - std::min(resource_bytes, piece.offset);
  return {file, pointer + "/content", piece.bytes.value_or(1), piece.bytes.value_or(left)};
}

ContentPlace place_of_write(const CpuWrite& write, const ResourceInfo& resource, const std::string& file,
                            const std::string& pointer) {
  return {file, pointer + "/content", 1, resource.bytes - std::min(resource.bytes, write.offset)};
}

ContentWrite content_write(const CpuWrite& write, const ResourceTable& resources, const std::string& file,
                           const std::string& pointer) {
  const std::string at = pointer + "/resource";
  const ResourceInfo& any = resources.any(write.resource, at);
  const bool memory = any.kind == ResourceInfo::Kind::memory;
  const ResourceInfo& resource = memory ? any : resources.buffer(write.resource, at);
  if (resource.heap == HeapType::default_heap && !memory) {
    throw ConfigError(file, at, "a buffer on an upload or readback heap, which a thread can map",
                      in_quotes(write.resource) + " in video memory");
  }
  const std::uint64_t left = resources.bytes_from(resource, write.offset, pointer + "/offset");
  SharedBytes source = content_bytes(write.content, place_of_write(write, resource, file, pointer));
  std::uint64_t count = write.bytes.value_or(left);
  if (source != nullptr && !source->repeats()) count = source->bytes().size();
  if (count > left) {
    throw ConfigError(file, pointer + "/bytes", fmt::format("at most the {} bytes there", left),
                      fmt::format("{}", count));
  }
  return {resources.index_of_any(write.resource, pointer), write.offset, count, std::move(source)};
}

std::vector<ContentResource> initial_contents(const Workload& workload, const std::string& file) {
  std::vector<ContentResource> resources;
  ConfigErrors errors;
  const ResourceTable table(workload.resources, file);
  for (std::size_t i = 0; i < workload.resources.size(); ++i) {
    const std::string pointer = fmt::format("/resources/{}", i);
    errors.keep([&] {
      std::visit(
          [&](const auto& one) {
            const std::uint64_t bytes = table.any(one.name, "").bytes;
            resources.push_back({one.name, bytes, {}});
            if constexpr (std::is_same_v<std::decay_t<decltype(one)>, MemoryResource>) {
              resources.back().initial = initial_pieces(one, file, pointer);
            } else {
              resources.back().initial = initial_of(one.content, bytes, file, pointer);
            }
          },
          workload.resources[i]);
    });
  }
  errors.throw_any();
  return resources;
}

std::shared_ptr<const ProgramContents> recorded_contents(const Workload& workload,
                                                         std::vector<ContentResource> resources,
                                                         std::vector<ContentWrite> writes, const std::string& file) {
  const auto acts = [](const Resource& one) { return has_content(one) || std::holds_alternative<MemoryResource>(one); };
  const bool says = std::any_of(workload.resources.begin(), workload.resources.end(), acts) ||
                    std::any_of(workload.command_lists.begin(), workload.command_lists.end(), says_effects);
  if (!says && writes.empty()) return nullptr;
  auto contents = std::make_shared<ProgramContents>();
  contents->writes = std::move(writes);
  contents->resources = std::move(resources);
  BytesRecorder recorder(workload, file);
  for (std::size_t i = 0; i < workload.command_lists.size(); ++i) contents->lists.push_back(recorder.record(i));
  check_size(*contents, file);
  return contents;
}

}  // namespace fenceline

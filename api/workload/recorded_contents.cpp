// SPDX-License-Identifier: Apache-2.0
#include "api/workload/recorded_contents.hpp"

#include "sim/config_errors.hpp"
#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// What the commands of lists do to bytes. They have been recorded: what they name is there, and fits.
class BytesRecorder {
 public:
  BytesRecorder(const Workload& workload, const std::string& file)
      : workload_(workload), resources_(workload.resources, file) {
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
    std::visit([&](const auto& command) { record_command(command); }, info);
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
    const ResourceInfo& texture = source.texture ? source : destination;
    const std::uint64_t in_buffer = rounded_up(texture.row_bytes, texture_row_pitch);
    if ((source.texture && destination.texture) || texture.row_bytes == in_buffer) {
      add(CopyRange{index(copy.source), 0, index(copy.destination), 0, texture.bytes});
      return;
    }
    add(CopyRows{index(copy.source), source.texture ? texture.row_bytes : in_buffer, index(copy.destination),
                 source.texture ? in_buffer : texture.row_bytes, texture.row_bytes, texture.rows});
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
    if (count > 0) {
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
  ResourceTable resources_;
  std::map<std::string, std::size_t> lists_;
  ListBytes bytes_;
  std::size_t command_ = 0;  // of the stream
  const BeginRenderPassCommand* pass_ = nullptr;
  std::map<std::pair<bool, std::uint32_t>, std::size_t> begun_;  // queries: in the heap of statistics?, slot
};

/// The resource that an effect writes.
struct WrittenBy {
  template <class Effect>
  std::uint32_t operator()(const Effect& effect) const {
    return effect.to;
  }
};

void check_size(const ProgramContents& contents, const std::string& file) {
  std::vector<bool> counts(contents.resources.size());
  for (const ListBytes& list : contents.lists) {
    for (const CommandBytes& command : list.effects) {
      for (const ByteEffect& effect : command.effects) counts[std::visit(WrittenBy{}, effect)] = true;
    }
  }
  for (const ContentWrite& write : contents.writes) counts[write.resource] = true;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ContentResource& one = contents.resources[i];
    if (!counts[i] && one.initial == nullptr) continue;
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

const std::optional<ContentInfo>& content_of(const Resource& resource) {
  return std::visit([](const auto& one) -> const std::optional<ContentInfo>& { return one.content; }, resource);
}

ContentPlace place_of_write(const CpuWrite& write, const ResourceInfo& resource, const std::string& file,
                            const std::string& pointer) {
  return {file, pointer + "/content", 1, resource.bytes - std::min(resource.bytes, write.offset)};
}

}  // namespace

ContentWrite content_write(const CpuWrite& write, const ResourceTable& resources, const std::string& file,
                           const std::string& pointer) {
  const ResourceInfo& resource = resources.buffer(write.resource, pointer + "/resource");
  if (resource.heap == HeapType::default_heap) {
    throw ConfigError(file, pointer + "/resource", "a buffer on an upload or readback heap, which a thread can map",
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
  return {resources.index(write.resource, pointer), write.offset, count, std::move(source)};
}

std::vector<ContentResource> initial_contents(const Workload& workload, const std::string& file) {
  std::vector<ContentResource> resources;
  ConfigErrors errors;
  const ResourceTable table(workload.resources, file);
  for (std::size_t i = 0; i < workload.resources.size(); ++i) {
    const std::string& name =
        std::visit([](const auto& one) -> const std::string& { return one.name; }, workload.resources[i]);
    errors.keep([&] {
      const std::uint64_t bytes = table.resource(name, "").bytes;
      resources.push_back({name, bytes, nullptr});
      if (const auto& content = content_of(workload.resources[i])) {
        resources.back().initial =
            content_bytes(*content, {file, fmt::format("/resources/{}/content", i), bytes, bytes});
      }
    });
  }
  errors.throw_any();
  return resources;
}

std::shared_ptr<const ProgramContents> recorded_contents(const Workload& workload,
                                                         std::vector<ContentResource> resources,
                                                         std::vector<ContentWrite> writes, const std::string& file) {
  const bool says = std::any_of(workload.resources.begin(), workload.resources.end(),
                                [](const Resource& one) { return content_of(one).has_value(); });
  if (!says && writes.empty()) return nullptr;
  auto contents = std::make_shared<ProgramContents>();
  contents->writes = std::move(writes);
  contents->resources = std::move(resources);
  BytesRecorder recorder(workload, file);
  for (std::size_t i = 0; i < workload.command_lists.size(); ++i) contents->lists.push_back(recorder.record(i));
  check_size(*contents, file);
  return contents;
}

std::vector<BlobContent> blob_contents(Workload& workload, const std::string& file) {
  std::vector<BlobContent> all;
  const ResourceTable table(workload.resources, file);
  for (std::size_t i = 0; i < workload.resources.size(); ++i) {
    std::visit(
        [&](auto& one) {
          if (!one.content || one.content->blob.empty()) return;
          const std::uint64_t bytes = table.resource(one.name, "").bytes;
          all.push_back({&*one.content, {file, fmt::format("/resources/{}/content", i), bytes, bytes}});
        },
        workload.resources[i]);
  }
  const auto add = [&](auto& step, const std::string& pointer) {
    auto* const write = std::get_if<CpuWrite>(&step);
    if (write == nullptr || write->content.blob.empty()) return;
    all.push_back({&write->content,
                   place_of_write(*write, table.resource(write->resource, pointer + "/resource"), file, pointer)});
  };
  for (std::size_t cpu = 0; cpu < workload.cpus.size(); ++cpu) {
    auto& timeline = workload.cpus[cpu].timeline;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      const std::string pointer = fmt::format("/cpus/{}/timeline/{}", cpu, i);
      add(timeline[i], pointer);
      auto* const repeat = std::get_if<CpuRepeat>(&timeline[i]);
      if (repeat == nullptr) continue;
      for (std::size_t j = 0; j < repeat->steps.size(); ++j)
        add(repeat->steps[j], fmt::format("{}/steps/{}", pointer, j));
    }
  }
  return all;
}

void load_contents(Workload& workload, const BlobPlace& place) {
  const std::string name = place.file.string();
  const std::vector<BlobContent> contents = blob_contents(workload, name);
  BlobLimits limits;
  for (const BlobContent& one : contents) {
    std::uint64_t& limit = limits[one.content->blob];
    limit = std::max(limit, std::min(one.place.most, most_content_bytes));
  }
  const auto blobs = read_blobs(place, limits);
  ConfigErrors errors;
  for (const BlobContent& one : contents) {
    const auto found = blobs.find(one.content->blob);
    if (found != blobs.end()) {
      one.content->bytes = found->second;
      continue;
    }
    errors.add({name, one.place.pointer + "/blob",
                place.is_capture ? "a blob of the capture" : "a file beside the workload",
                in_quotes(one.content->blob) + ", which is not there"});
  }
  errors.throw_any();
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/workload/recorder.hpp"

#include "api/resources/names.hpp"
#include "api/workload/command_resolver.hpp"
#include "api/workload/effects/byte_effect.hpp"
#include "api/workload/list_state.hpp"
#include "api/workload/list_uses.hpp"
#include "api/workload/markers/list_markers.hpp"
#include "api/workload/said_numbers.hpp"
#include "engines/command/command.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <type_traits>

namespace fenceline {
namespace {

/// A command that, where it is wrong, leaves it open what has begun and not ended.
struct BeginsOrEnds {
  template <class Info>
  bool operator()(const Info&) const {
    return is_one_of<Info, BeginRenderPassCommand, EndRenderPassCommand, BeginQueryCommand, EndQueryCommand,
                     BeginEventCommand, EndEventCommand, ExecuteBundleCommand, RepeatCommand>;
  }
  template <class Info, class... Others>
  static constexpr bool is_one_of = (std::is_same_v<Info, Others> || ...);
};

/// Records the command lists of one workload.
class Recorder {
 public:
  Recorder(const Workload& workload, const std::string& file)
      : workload_(workload),
        file_(file),
        commands_(workload, file),
        list_names_(file, "command lists", "command_lists", workload.command_lists),
        state_(file),
        markers_(file) {}

  /// Null: something is wrong with it.
  std::shared_ptr<const CommandStream> record(std::size_t index) {
    const CommandListInfo& list = workload_.command_lists[index];
    auto stream = std::make_shared<CommandStream>();
    stream->name = list.label.empty() ? list.name : list.label;
    stream->commands.reserve(list.commands.size());
    stream_ = stream.get();
    commands_.begin(*stream);
    state_ = ListState(file_);
    markers_.restart(list.type == CommandListType::bundle);
    starts_.clear();
    executing_bundle_at_.clear();
    is_wrong_ = false;
    state_is_known_ = true;
    record_commands(index, list.type);
    const std::string at = fmt::format("/command_lists/{}", index);
    if (state_is_known_) {
      keep_errors([&] { state_.check_ended(); });
      keep_errors([&] { markers_.check_ended(); });
    }
    keep_errors([&] { end_uses(*stream, commands_.resources(), list, at); });
    keep_errors([&] { check_patched(list, at); });
    if (!is_wrong_) keep_errors([&] { take_splits(list, starts_, commands_.resources(), {file_, at}, *stream); });
    return is_wrong_ ? nullptr : stream;
  }

  /// Throws what is wrong with the lists that were recorded.
  void throw_errors() const { errors_.throw_any(); }

 private:
  /// Does a piece of the list, which is wrong if that is. False: it is.
  template <class Piece>
  bool keep_errors(Piece&& piece) {
    const bool good = errors_.keep(piece);
    is_wrong_ = is_wrong_ || !good;
    return good;
  }
  /// Appends the commands of a list to the stream, those of the bundles that it executes among them.
  void record_commands(std::size_t index, CommandListType type) {
    const std::vector<CommandInfo>& commands = workload_.command_lists[index].commands;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const std::string at = fmt::format("/command_lists/{}/commands/{}", index, i);
      if (executing_bundle_at_.empty()) starts_.push_back(stream_->commands.size());
      record_one(commands[i], type, at);
    }
  }
  template <class AnyCommand>
  void record_one(const AnyCommand& any, CommandListType type, const std::string& at) {
    const auto record = [&](const auto& info) { record_command(info, type, at); };
    if (keep_errors([&] { std::visit(record, any); })) return;
    state_is_known_ = state_is_known_ && !std::visit(BeginsOrEnds{}, any);
  }

  template <class Info>
  void record_command(const Info& info, CommandListType type, const std::string& at) {
    const std::optional<Command> by_numbers = command_of_numbers(info);
    const ShaderInputs* const inputs = shader_inputs(info);
    Command command;
    PatternKey bound = 0;
    do_each([&] { command = by_numbers ? *by_numbers : commands_.command_of(info, at); },
            [&] {
              if (inputs != nullptr) bound = commands_.resources_key(inputs->resources, at + "/resources");
            },
            [&] { check_ended_before(info, at); }, [&] { check_effects(info, at); });
    check_allowed(command, type, at);
    const auto* indirect = std::get_if<ExecuteIndirect>(&command);
    const Command* repeated = indirect != nullptr ? &stream_->indirect_calls[indirect->call].command : nullptr;
    if (state_is_known_) state_.record(command, repeated, executing_bundle_at_.empty() ? at : executing_bundle_at_);
    if (is_wrong_) return;  // nobody takes the stream
    stream_->commands.push_back(command);
    keep(stream_->root_constants, bound_constants(info));
    if (inputs != nullptr) {
      keep(stream_->branches, constants_key(inputs->branches));
      keep(stream_->resources, bound);
    }
    add_uses(*stream_, commands_.resources(), [&](const NameVisitor& visit) { info.for_each_resource(visit); });
  }
  /// Of the last command; 0 is what a command has that does not say.
  void keep(std::vector<std::uint64_t>& all, std::uint64_t key) const {
    if (key == 0) return;
    all.resize(stream_->commands.size());
    all.back() = key;
  }
  void record_command(const BeginEventCommand& one, CommandListType, const std::string& at) { mark(one.marker(), at); }
  void record_command(const EndEventCommand& one, CommandListType, const std::string& at) { mark(one.marker(), at); }
  void record_command(const SetMarkerCommand& one, CommandListType, const std::string& at) { mark(one.marker(), at); }
  /// What needs that something has ended in the list.
  template <class Info>
  void check_ended_before(const Info&, const std::string&) const {}
  void check_ended_before(const ResolveQueryDataCommand& one, const std::string& at) const {
    if (state_is_known_) state_.check_resolved(one.query, one.first_slot, one.count, at);
  }
  /// What they name is there, and they fit.
  template <class Info>
  void check_effects(const Info& info, const std::string& at) const {
    const std::vector<EffectInfo>* const effects = effects_of(info);
    if (effects == nullptr) return;
    ConfigErrors errors;
    for (std::size_t i = 0; i < effects->size(); ++i) {
      const std::string effect_at = fmt::format("{}/effects/{}", at, i);
      errors.keep([&] { byte_effect((*effects)[i], commands_.resources(), file_, effect_at); });
    }
    errors.throw_any();
  }
  void mark(const Marker& marker, const std::string& at) {
    if (state_is_known_) markers_.record(marker, at, *stream_);
  }
  void record_command(const RepeatCommand& repeat, CommandListType type, const std::string& at) {
    add_inlined(repeat.count * repeat.commands.size(), at);
    std::vector<std::string> places;
    for (std::size_t i = 0; i < repeat.commands.size(); ++i) places.push_back(fmt::format("{}/commands/{}", at, i));
    for (std::uint64_t round = 0; round < repeat.count; ++round) {
      for (std::size_t i = 0; i < repeat.commands.size(); ++i) record_one(repeat.commands[i], type, places[i]);
      if (!is_wrong_) continue;
      state_is_known_ = state_is_known_ && round + 1 == repeat.count;
      return;  // the other rounds would say the same again
    }
  }
  /// Commands that are written once and recorded more often.
  void add_inlined(std::uint64_t commands, const std::string& at) {
    inlined_ += commands;
    if (inlined_ > max_inlined_commands) {
      throw ConfigError(file_, at,
                        fmt::format("at most {} commands of repeats and executed bundles in all", max_inlined_commands),
                        "more");
    }
  }
  void record_command(const ExecuteBundleCommand& execute, CommandListType type, const std::string& at) {
    if (type != CommandListType::direct) unsuitable(type, "ExecuteBundle", at);
    const std::uint32_t bundle = list_names_.index(execute.bundle, at + "/bundle");
    const CommandListInfo& list = workload_.command_lists[bundle];
    if (list.type != CommandListType::bundle) {
      throw ConfigError(file_, at + "/bundle", "a bundle",
                        fmt::format("{}, a {} command list", in_quotes(list.name), name_of(list.type)));
    }
    add_inlined(list.commands.size(), at);
    executing_bundle_at_ = at;
    const std::size_t first = stream_->commands.size();
    record_commands(bundle, CommandListType::bundle);
    executing_bundle_at_.clear();
    if (stream_->commands.size() - first > 1) stream_->splits.bundles.emplace_back(first, stream_->commands.size());
  }

  void check_allowed(const Command& command, CommandListType type, const std::string& at) const {
    if (!allowed(command, type)) unsuitable(type, name_of(command), at);
    if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
      const Command& repeated = stream_->indirect_calls[indirect->call].command;
      if (!allowed(repeated, type)) unsuitable(type, name_of(repeated), at + "/command");
      if (type == CommandListType::bundle && stream_->indirect_calls[indirect->call].count_buffer) {
        throw ConfigError(file_, at + "/count", "no count buffer in a bundle", "one");
      }
    }
  }
  [[noreturn]] void unsuitable(CommandListType type, const char* command, const std::string& at) const {
    const std::string list = type == CommandListType::bundle ? "bundle" : std::string(name_of(type)) + " list";
    throw ConfigError(file_, at, fmt::format("a command that a {} may have", list), command);
  }

  /// The names of its patches are looked up, whatever else is wrong with it.
  void check_patched(const CommandListInfo& list, const std::string& at) const {
    ConfigErrors errors;
    for (std::size_t i = 0; i < list.patches.size(); ++i) {
      const std::string& name = list.patches[i].resource;
      if (!name.empty())
        errors.keep([&] { commands_.resources().resource(name, fmt::format("{}/patches/{}/resource", at, i)); });
    }
    errors.throw_any();
  }

  const Workload& workload_;
  const std::string& file_;
  CommandResolver commands_;
  Names list_names_;
  std::uint64_t inlined_ = 0;
  ListState state_;
  ListMarkers markers_;
  std::string executing_bundle_at_;  // pointer; empty: the list's own commands
  std::vector<std::size_t> starts_;  // by the list's command: the first of the stream that is its
  CommandStream* stream_ = nullptr;
  ConfigErrors errors_;         // of all lists
  bool is_wrong_ = false;       // something is, with the list
  bool state_is_known_ = true;  // what has begun there and not ended
};

}  // namespace

std::vector<std::shared_ptr<const CommandStream>> record_lists(const Workload& workload, const std::string& file) {
  Recorder recorder(workload, file);
  std::vector<std::shared_ptr<const CommandStream>> lists;
  for (std::size_t i = 0; i < workload.command_lists.size(); ++i) lists.push_back(recorder.record(i));
  recorder.throw_errors();
  return lists;
}

}  // namespace fenceline

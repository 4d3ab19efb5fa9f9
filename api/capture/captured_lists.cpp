// SPDX-License-Identifier: Apache-2.0
#include "api/capture/captured_lists.hpp"

#include "api/capture/captured_commands.hpp"
#include "api/capture/cbor_map.hpp"
#include "api/capture/file/capture_format.hpp"
#include "api/workload/pipelines/pipeline_info.hpp"
#include "sim/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

using nlohmann::json;

/// Commands in one item of a capture: longer lists come in pieces.
constexpr std::size_t piece_commands = 4096;

void append_array(std::string& to, const CapturedPiece& piece) {
  append_cbor_head(to, 4, piece.count);
  to += piece.commands;
}

void append_list(std::string& to, const std::string& name, const std::string& label, CommandListType type,
                 const CapturedPiece& piece) {
  CborMap map(to);
  map.add("name", name);
  map.add("type", name_of(type));
  if (label != name) map.add("label", label);
  append_array(map.value_of("commands"), piece);
}

std::string list_item(const std::string& name, const std::string& label, CommandListType type,
                      const CapturedPiece& piece) {
  std::string item;
  append_list(item, name, label, type, piece);
  return item;
}

/// WriteBufferImmediate, which bundles have, is a copy here, which they have not: then the list has the commands
/// itself.
bool fits_bundle(const CommandStream& stream, const std::pair<std::size_t, std::size_t>& bundle) {
  for (std::size_t i = bundle.first; i < bundle.second; ++i) {
    if (!allowed(stream.commands[i], CommandListType::bundle)) return false;
  }
  return true;
}

}  // namespace

std::string unique_name(const std::string& wanted, std::set<std::string>& names) {
  std::string name = wanted;
  for (std::size_t i = 2; !names.insert(name).second; ++i) name = fmt::format("{}#{}", wanted, i);
  return name;
}

/// The name in the capture. `in_list`: how many of a list's pipeline states there have been so far, by what they say:
/// alike ones of one list are different ones, for going from one to another takes time.
template <class Info, class Pipeline>
std::string CapturedLists::pipeline(const char* key, const Pipeline& pipeline,
                                    std::map<std::string, std::size_t>* in_list) {
  static const json& usual = *new json(dump_config(Info()));  // a capture may end with the process
  json said = dump_config(Info(pipeline));
  for (const auto& [name, value] : usual.items()) {
    if (name != "name" && said.contains(name) && said[name] == value) said.erase(name);
  }
  const std::string content = key + said.dump();
  const std::size_t alike = in_list != nullptr ? (*in_list)[content]++ : 0;
  const auto [entry, is_new] = pipelines_.try_emplace({content, alike});
  if (is_new) {
    entry->second = unique_name(pipeline.name, pipeline_names_);
    if (entry->second != pipeline.name) said["label"] = pipeline.name;
    said["name"] = entry->second;
    writer_.add_objects({{key, json::array({said})}});
  }
  return entry->second;
}

CapturedLists::PipelineNames CapturedLists::pipelines_of(const CommandStream& stream) {
  PipelineNames names;
  std::map<std::string, std::size_t> in_list;
  for (const ComputePipeline& one : stream.compute_pipelines) {
    names.compute.push_back(pipeline<ComputePipelineInfo>("compute_pipelines", one, &in_list));
  }
  for (const GraphicsPipeline& one : stream.graphics_pipelines) {
    names.graphics.push_back(pipeline<GraphicsPipelineInfo>("graphics_pipelines", one, &in_list));
  }
  return names;
}

/// By the command's index, where a variant took the place of its pipeline state.
std::map<std::size_t, std::string> CapturedLists::variants_of(const CapturedOutcomes& outcomes) {
  std::map<std::size_t, std::string> names;
  for (const auto& [command, variants] : outcomes.variants) {
    std::set<std::string> different;
    for (const CapturedVariant& one : variants) {
      different.insert(one.compute    ? pipeline<ComputePipelineInfo>("compute_pipelines", *one.compute)
                       : one.graphics ? pipeline<GraphicsPipelineInfo>("graphics_pipelines", *one.graphics)
                                      : "");
    }
    mixed_ = mixed_ || different.size() > 1;
    if (!different.empty() && !different.rbegin()->empty()) names[command] = *different.rbegin();
  }
  return names;
}

std::string CapturedLists::name_of(const CapturedExecution& execution) {
  if (execution.once) return name_of(*execution.stream, execution.key.type, execution.outcomes);
  if (execution.stream != nullptr) {
    known_[execution.key] = name_of(*execution.stream, execution.key.type, execution.outcomes);
  }
  return known_.at(execution.key);
}

std::string CapturedLists::name_of(const CommandStream& stream, CommandListType type,
                                   const CapturedOutcomes& outcomes) {
  const PipelineNames pipelines = pipelines_of(stream);
  const std::map<std::size_t, std::string> variants = variants_of(outcomes);
  CapturedCommands commands(stream, pipelines.compute, pipelines.graphics, outcomes, variants);
  const std::string wanted = stream.name.empty() ? fmt::format("{} list", fenceline::name_of(type)) : stream.name;
  std::string name;  // empty: it has none before its first piece is whole
  CapturedPiece& piece = piece_;
  piece.clear();
  const auto write = [&](bool last) {
    item_.clear();
    if (!name.empty()) {
      append_array(item_, piece);
      return writer_.add_list_item(item_);
    }
    // One of the same content may be there: what is longer than a piece is not looked for.
    if (last) {
      append_list(item_, "", wanted, type, piece);
      const auto [entry, is_new] = by_content_.try_emplace({capture_check(item_), capture_check(item_, 1)});
      item_.clear();
      if (is_new) entry->second = unique_name(wanted, list_names_);
      name = entry->second;
      if (!is_new) return;
    } else {
      name = unique_name(wanted, list_names_);
    }
    append_list(item_, name, stream.name, type, piece);
    writer_.add_list_item(item_);
  };
  auto bundle = stream.splits.bundles.begin();
  for (std::size_t i = 0; i < stream.commands.size();) {
    piece.count += commands.append_markers(piece.commands, i);
    if (bundle != stream.splits.bundles.end() && bundle->first == i && fits_bundle(stream, *bundle)) {
      CapturedPiece inner;
      for (; i < bundle->second; ++i, ++inner.count) {
        inner.count += commands.append_markers(inner.commands, i);
        commands.append(inner.commands, i);
      }
      ++bundle;
      const std::string content = list_item("", "", CommandListType::bundle, inner);
      const auto [entry, is_new] = by_content_.try_emplace({capture_check(content), capture_check(content, 1)});
      if (is_new) {
        entry->second = unique_name(wanted + " bundle", list_names_);
        bundles_.push_back(list_item(entry->second, entry->second, CommandListType::bundle, inner));
      }
      CborMap map(piece.commands);
      map.add("type", "execute_bundle");
      map.add("bundle", entry->second);
    } else {
      if (bundle != stream.splits.bundles.end() && bundle->first <= i) ++bundle;
      commands.append(piece.commands, i++);
    }
    if (++piece.count < piece_commands) continue;
    write(false);
    piece.clear();
  }
  piece.count += commands.append_markers(piece.commands, stream.commands.size());
  if (name.empty() || piece.count > 0) write(true);
  for (const std::string& item : bundles_) writer_.add_list_item(item);
  bundles_.clear();
  return name;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/machine_document.hpp"

#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

bool is_builtin_name(const std::string& name) {
  return name.find('.') == std::string::npos && name.find('/') == std::string::npos;
}

struct Text {
  std::string file;
  json document;
};

Text text_of(const std::string& name, const std::filesystem::path& directory) {
  if (is_builtin_name(name)) {
    const std::string file = "built-in " + name;
    return {file, parse_json(builtin_machine_text(name), file)};
  }
  const std::filesystem::path path = directory / name;
  return {path.string(), load_json(path)};
}

/// What the change says, else what is there.
void merge(json& whole, const json& change) {
  if (!whole.is_object() || !change.is_object()) {
    whole = change;
    return;
  }
  for (const auto& [key, value] : change.items()) merge(whole[key], value);
}

/// The value at a pointer of what was said; nothing, if it is not said there.
bool says(const json& said, const std::vector<std::string>& tokens) {
  const json* at = &said;
  for (const std::string& token : tokens) {
    if (at->is_object()) {
      const auto member = at->find(token);
      if (member == at->end()) return false;
      at = &*member;
    } else {
      return at->is_array();  // lists are said as a whole
    }
  }
  return true;
}

void add_differences(std::vector<std::string>& lines, const ordered_json& one, const ordered_json& other,
                     const std::string& pointer) {
  if (one == other) return;
  const bool alike = one.type() == other.type() && one.size() == other.size();
  if (one.is_object() && other.is_object()) {
    for (const auto& [key, value] : other.items()) {
      if (key == "source" || pointer_to(pointer, key) == "/name") continue;
      add_differences(lines, one.contains(key) ? one[key] : ordered_json(), value, pointer_to(pointer, key));
    }
  } else if (one.is_array() && alike && one.front().is_object()) {
    for (std::size_t i = 0; i < one.size(); ++i) add_differences(lines, one[i], other[i], pointer_to(pointer, i));
  } else if (one.is_null()) {
    lines.push_back(fmt::format("{}: {}", pointer, shortened(other.dump(), 120)));
  } else {
    lines.push_back(
        fmt::format("{}: {} instead of {}", pointer, shortened(other.dump(), 120), shortened(one.dump(), 120)));
  }
}

}  // namespace

MachineDocument::MachineDocument(json said, std::string file, const std::filesystem::path& directory)
    : file_(std::move(file)), said_(std::move(said)) {
  if (!said_.is_object() || !said_.contains("like")) {
    whole_ = said_;
    return;
  }
  fill_in(directory);
}

void MachineDocument::fill_in(const std::filesystem::path& directory) {
  const json like = said_["like"];
  if (!like.is_string() || like == "") {
    throw ConfigError(file_, "/like", "the name of a built-in machine, or a file's", shown(like));
  }
  like_ = like;
  Text base;
  try {
    base = text_of(like_, directory);
  } catch (const ConfigError& error) {
    if (!is_builtin_name(like_)) throw;
    throw ConfigError(file_, "/like", error.expected() + ", or a file's name", error.found());
  }
  if (base.document.is_object() && base.document.contains("like")) {
    throw ConfigError(file_, "/like", "a machine that is itself like none", in_quotes(like_));
  }
  liked_ = read_config<MachineConfig>(base.document, base.file);
  said_.erase("like");
  whole_ = dump_config(liked_);
  whole_["name"] = "like " + liked_.name;
  const auto engines = said_.find("engines");
  if (engines != said_.end() && engines->is_object()) {
    *engines = by_index(*engines);
    for (const auto& [index, change] : engines->items()) merge(whole_["engines"][std::stoul(index)], change);
  }
  for (const auto& [key, value] : said_.items()) {
    if (key != "engines" || engine_names_.empty()) merge(whole_[key], value);
  }
}

json MachineDocument::by_index(const json& engines) {
  engine_names_ = node_names(liked_.engines);
  json placed = json::object();
  const auto place_one = [&](const std::string& name, const json& change) {
    const std::string pointer = pointer_to("/engines", name);
    const auto found = std::find(engine_names_.begin(), engine_names_.end(), name);
    if (found == engine_names_.end()) {
      const std::string near = nearest_name(name, engine_names_);
      throw ConfigError(
          file_, pointer,
          fmt::format("a node of {}, {}, or a list of all engines", in_quotes(like_), fmt::join(engine_names_, ", ")),
          in_quotes(name) + (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)"));
    }
    if (!change.is_object()) throw ConfigError(file_, pointer, "an object", shown(change));
    const auto index = static_cast<std::size_t>(found - engine_names_.begin());
    const json& type = whole_["engines"][index]["type"];
    if (change.contains("type") && change["type"] != type) {
      throw ConfigError(file_, pointer_to(pointer, "type"), type.dump() + ", or a list of all engines",
                        shown(change["type"]));
    }
    placed[std::to_string(index)] = change;
  };
  for (const auto& [key, value] : engines.items()) {
    const std::string& name = key;
    const json& change = value;
    errors_.keep([&] { place_one(name, change); });
  }
  return placed;
}

MachineConfig MachineDocument::read(const std::vector<std::string>& sets, std::vector<std::string>* set) const {
  ConfigErrors errors = errors_;
  MachineConfig config;
  try {
    config = read_with_overrides<MachineConfig>(whole_, file_, sets, set);
  } catch (const ConfigError& error) {
    for (const ConfigError& one : error.each()) errors.add(like_.empty() ? one : as_said(one));
  }
  errors.throw_any();
  return config;
}

ConfigError MachineDocument::as_said(const ConfigError& error) const {
  if (error.file() != file_) return error;
  std::vector<std::string> tokens = split_pointer(error.pointer()).value_or(std::vector<std::string>());
  if (!says(said_, tokens)) {
    return {fmt::format("{}, like {}", file_, like_), error.pointer(), error.expected(), error.found()};
  }
  if (engine_names_.empty() || tokens.size() < 2 || tokens[0] != "engines") return error;
  tokens[1] = engine_names_.at(std::stoul(tokens[1]));
  std::string pointer;
  for (const std::string& token : tokens) pointer = pointer_to(pointer, token);
  return {file_, pointer, error.expected(), error.found()};
}

MachineDocument machine_document(const std::string& name, const std::filesystem::path& directory) {
  Text text = text_of(name, directory);
  const std::filesystem::path beside = is_builtin_name(name) ? "" : (directory / name).parent_path();
  return {std::move(text.document), std::move(text.file), beside};
}

MachineConfig builtin_machine(const std::string& name) {
  const std::string file = "built-in " + name;
  return MachineDocument(parse_json(builtin_machine_text(name), file), file, "").read({});
}

std::vector<std::string> differences(const MachineConfig& machine, const MachineConfig& other) {
  std::vector<std::string> lines;
  add_differences(lines, dump_config(machine), dump_config(other), "");
  return lines;
}

ordered_json machine_schema() {
  ordered_json schema = schema_of<MachineConfig>("Fenceline machine");
  ordered_json& properties = schema["properties"];
  properties["like"] = {{"description",
                         "a machine, built in or a file, that itself is like none: what this file does not say is as "
                         "there. Objects are merged, lists replaced"},
                        {"type", "string"},
                        {"minLength", 1}};
  schema.erase("required");
  schema["anyOf"] = ordered_json::array(
      {{{"required", ordered_json::array({"name"})}}, {{"required", ordered_json::array({"like"})}}});
  ordered_json changes = ordered_json::array();
  for (const char* kind : {"Graphics", "Compute", "Copy"}) {
    ordered_json change = schema["definitions"][std::string(kind) + "EngineConfig"];
    change.erase("required");
    const std::string name = std::string(kind) + "EngineChange";
    schema["definitions"][name] = std::move(change);
    changes.push_back({{"$ref", "#/definitions/" + name}});
  }
  ordered_json& engines = properties["engines"];
  ordered_json list = {{"type", "array"}, {"items", engines["items"]}};
  ordered_json by_name = {{"description", "beside like: what changes of the nodes with these names"},
                          {"type", "object"},
                          {"additionalProperties", {{"anyOf", std::move(changes)}}}};
  engines.erase("type");
  engines.erase("items");
  engines["oneOf"] = ordered_json::array({std::move(list), std::move(by_name)});
  return schema;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/workload/knobs/silent_knobs.hpp"

#include "api/workload/beats.hpp"
#include "api/workload/knobs/silent_knob_rules.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_pointer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace fenceline {
namespace {

bool is_label(const std::string& pointer) {
  const std::string key = pointer.substr(pointer.rfind('/') + 1);
  return key == "source" || key == "$schema";
}

/// So many values are named each for itself.
constexpr std::size_t most_values_of_object = 4;

const std::string workload_prefix = "/workload";

std::string parent_of(const std::string& pointer) { return pointer.substr(0, pointer.rfind('/')); }

std::string first_tokens(const std::string& pointer, std::size_t tokens) {
  std::size_t end = 0;
  for (; tokens > 0 && end != std::string::npos; --tokens) end = pointer.find('/', end + 1);
  return pointer.substr(0, end);
}

/// A file says nothing of where it stands in `--set`.
bool is_workload_file(const NamedParameter& one) { return one.of_workload && one.file != "--set"; }

/// Reasons for values, and for objects in which nothing matters for one and the same reason.
class Reasons {
 public:
  /// `effective`: addressed as `--set` does.
  Reasons(const KnobFacts& facts, nlohmann::ordered_json effective) : facts_(facts), effective_(std::move(effective)) {}

  /// Of a value that a file may name.
  KnobSilence of_value(const std::string& pointer) const {
    const auto tokens = split_pointer(pointer).value_or(std::vector<std::string>());
    return tokens.empty() ? KnobSilence() : silence_of(facts_, tokens);
  }
  /// The largest object around the value that does not matter for the same reason; the value itself, if there is none.
  std::string object_of(const std::string& pointer, const char* reason) {
    std::string object = pointer;
    for (std::string at = parent_of(object); !at.empty() && at != workload_prefix; at = parent_of(at)) {
      if (of_object(at) != reason) break;
      object = at;
    }
    return object;
  }

 private:
  const char* of_object(const std::string& pointer) {
    const auto [known, is_new] = objects_.try_emplace(pointer, nullptr);
    if (is_new) {
      const nlohmann::ordered_json::json_pointer at(pointer);
      if (effective_.contains(at)) objects_[pointer] = common_reason(effective_[at], pointer);
    }
    return objects_[pointer];
  }
  const char* common_reason(const nlohmann::ordered_json& object, const std::string& pointer) const {
    if (!object.is_structured() || object.empty()) return of_value(pointer).reason;
    const char* common = nullptr;
    std::size_t index = 0;
    for (const auto& [key, value] : object.items()) {
      const std::string at = object.is_array() ? pointer_to(pointer, index++) : pointer_to(pointer, key);
      if (is_label(at)) continue;
      const char* reason = common_reason(value, at);
      if (reason == nullptr || (common != nullptr && reason != common)) return nullptr;
      common = reason;
    }
    return common;
  }

  const KnobFacts& facts_;
  nlohmann::ordered_json effective_;
  std::map<std::string, const char*> objects_;
};

std::vector<SilentKnobs> silent_among(const std::vector<NamedParameter>& named, Reasons reasons) {
  std::map<std::pair<std::string, std::string>, std::size_t> named_in_object;  // by file
  for (const NamedParameter& one : named) {
    for (std::string at = parent_of(one.pointer); !at.empty(); at = parent_of(at)) ++named_in_object[{one.file, at}];
  }
  std::vector<SilentKnobs> groups;
  for (const NamedParameter& one : named) {
    if (is_label(one.pointer)) continue;
    const std::string prefix = is_workload_file(one) ? workload_prefix : "";
    const KnobSilence silence = reasons.of_value(prefix + one.pointer);
    if (silence.reason == nullptr) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const SilentKnobs& g) { return g.file == one.file && g.reason == silence.reason; });
    if (group == groups.end()) group = groups.insert(group, {one.file, {}, silence.reason, 0, one.of_workload});
    ++group->parameters;
    auto& pointers = group->pointers;
    if (one.file == "--set") {
      pointers.push_back(one.pointer);  // as it was typed
      continue;
    }
    const std::string own =
        silence.tokens > 0 ? first_tokens(prefix + one.pointer, silence.tokens) : prefix + one.pointer;
    std::string object = reasons.object_of(own, silence.reason).substr(prefix.size());
    if (named_in_object[{one.file, object}] <= most_values_of_object) object = own.substr(prefix.size());
    if (std::find(pointers.begin(), pointers.end(), object) == pointers.end()) pointers.push_back(object);
  }
  return groups;
}

}  // namespace

std::vector<SilentKnobs> silent_knobs(const LoadedWorkload& loaded) {
  std::optional<Workload> resolved;
  if (keeps_beats(loaded.workload)) {
    resolved = with_times_of_beats(loaded.workload, "");
    resolved->beats = loaded.workload.beats;
  }
  KnobFacts facts{loaded.machine, resolved ? &*resolved : &loaded.workload};
  facts.uses.emplace(loaded.machine, loaded.program);
  facts.names.emplace(loaded.workload);
  nlohmann::ordered_json effective = dump_config(loaded.machine);
  effective["workload"] = dump_config(loaded.workload);
  return silent_among(loaded.named, {facts, std::move(effective)});
}

std::vector<SilentKnobs> silent_knobs(const MachineConfig& machine, const std::vector<NamedParameter>& named) {
  const KnobFacts facts{machine};
  return silent_among(named, {facts, dump_config(machine)});
}

std::string line_of(const SilentKnobs& knobs) {
  return fmt::format("{}: {}: has no effect here: {}", knobs.file, fmt::join(knobs.pointers, ", "), knobs.reason);
}

nlohmann::ordered_json json_of(const std::vector<SilentKnobs>& knobs) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const SilentKnobs& one : knobs)
    json.push_back({{"file", one.file}, {"at", one.pointers}, {"reason", one.reason}});
  return json;
}

}  // namespace fenceline

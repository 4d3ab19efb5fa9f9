// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/bytecode.hpp"

#include "engines/command/shader_stat.hpp"
#include "sim/config_errors.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fenceline {
namespace {

using nlohmann::json;

// What the workload may say itself.
constexpr std::uint32_t most_compute_registers = 255;
constexpr std::uint32_t most_graphics_registers = 64;

/// Reads the code that one key of a pipeline names.
class Code {
 public:
  Code(const json& pipeline, const char* key, const std::string& file, const std::string& pipeline_pointer,
       const std::filesystem::path& directory)
      : file_(file), pointer_(fmt::format("{}/{}", pipeline_pointer, key)) {
    const auto named = pipeline.find(key);
    if (named == pipeline.end() || !named->is_string()) return;  // the reader says what is wrong with it
    name_ = named->get<std::string>();
    if (!name_.empty()) read(directory / name_);
  }

  const std::optional<ShaderStat>& stat() const { return stat_; }
  bool is_dxbc() const { return is_dxbc_; }

 private:
  void read(const std::filesystem::path& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) {
      throw ConfigError(file_, pointer_, "a readable file", in_quotes(name_) + ", which is none");
    }
    const std::string bytes = read_input(path);
    const auto container = parse_dxbc(bytes);
    if (const auto* error = std::get_if<DxbcError>(&container)) fail(*error);
    is_dxbc_ = std::get<DxbcContainer>(container).part("DXIL") == nullptr;
    const auto stat = shader_stat(std::get<DxbcContainer>(container));
    if (const auto* error = std::get_if<DxbcError>(&stat)) fail(*error);
    stat_ = std::get<std::optional<ShaderStat>>(stat);
  }
  [[noreturn]] void fail(const DxbcError& error) const {
    throw ConfigError(file_, pointer_,
                      fmt::format("{} at byte {} of {}", error.expected, error.offset, in_quotes(name_)), error.found);
  }

  const std::string& file_;
  std::string pointer_;
  std::string name_;
  std::optional<ShaderStat> stat_;
  bool is_dxbc_ = false;
};

void add_missing(json& object, const char* key, const json& value) {
  if (!object.contains(key)) object[key] = value;
}

void add_missing(json& shader, const ShaderStat& stat) {
  add_missing(shader, "alu_instructions", stat.cost.alu_instructions);
  add_missing(shader, "texture_samples", stat.cost.texture_samples);
  if (stat.cost.sfu_instructions > 0) add_missing(shader, "sfu_instructions", stat.cost.sfu_instructions);
  if (stat.cost.shared_accesses > 0) add_missing(shader, "shared_accesses", stat.cost.shared_accesses);
  if (stat.cost.code_instructions > 0) add_missing(shader, "code_instructions", stat.cost.code_instructions);
}

/// Calls `visit` with each pipeline object of the list and its pointer.
template <class Visit>
void for_each_pipeline(json& workload, const char* key, Visit&& visit) {
  if (!workload.is_object() || !workload.contains(key) || !workload[key].is_array()) return;
  json& pipelines = workload[key];
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    if (pipelines[i].is_object()) visit(pipelines[i], fmt::format("/{}/{}", key, i));
  }
}

void erase_keys(nlohmann::json& document, const char* pipelines, const std::vector<const char*>& keys) {
  const auto all = document.find(pipelines);
  if (all == document.end()) return;
  for (nlohmann::json& one : *all) {
    for (const char* const key : keys) one.erase(key);
  }
}

}  // namespace

void apply_bytecode(json& workload, const std::string& file, const std::filesystem::path& directory) {
  ConfigErrors errors;
  const auto compute = [&](json& pipeline, const std::string& pointer) {
    const Code code(pipeline, "bytecode", file, pointer, directory);
    if (code.is_dxbc()) add_missing(pipeline, "dxbc", true);
    if (!code.stat()) return;
    add_missing(pipeline, *code.stat());
    add_missing(pipeline, "registers_per_thread", std::min(code.stat()->registers, most_compute_registers));
  };
  const auto graphics = [&](json& pipeline, const std::string& pointer) {
    std::uint32_t registers = 0;
    bool known = false;
    const auto add = [&](const char* bytecode, const char* shader) {
      const Code code(pipeline, bytecode, file, pointer, directory);
      if (code.is_dxbc()) add_missing(pipeline, "dxbc", true);
      if (!code.stat()) return;
      if (!pipeline.contains(shader)) pipeline[shader] = json::object();
      if (pipeline[shader].is_object()) add_missing(pipeline[shader], *code.stat());
      registers = std::max(registers, code.stat()->registers);
      known = true;
    };
    do_each([&] { add("vertex_bytecode", "vertex_shader"); }, [&] { add("pixel_bytecode", "pixel_shader"); });
    if (known) add_missing(pipeline, "registers_per_thread", std::min(registers, most_graphics_registers));
  };
  for_each_pipeline(workload, "compute_pipelines", [&](json& pipeline, const std::string& pointer) {
    errors.keep([&] { compute(pipeline, pointer); });
  });
  for_each_pipeline(workload, "graphics_pipelines", [&](json& pipeline, const std::string& pointer) {
    errors.keep([&] { graphics(pipeline, pointer); });
  });
  errors.throw_any();
}

void check_no_bytecode(const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    const std::string pointer = set.substr(0, set.find('='));
    const std::string key = pointer.substr(pointer.find_last_of('/') + 1);
    if (key == "bytecode" || key == "vertex_bytecode" || key == "pixel_bytecode") {
      throw ConfigError("--set", pointer, "a key whose value can change after the workload's code was read",
                        in_quotes(key));
    }
  }
}

void take_in_bytecode(WorkloadDocument& read, const std::filesystem::path& file) {
  if (read.capture) return;
  if (!read.recorded) apply_bytecode(read.workload, file.string(), file.parent_path());
  erase_bytecode(read.workload);
}

void erase_bytecode(nlohmann::json& document) {
  erase_keys(document, "compute_pipelines", {"bytecode"});
  erase_keys(document, "graphics_pipelines", {"vertex_bytecode", "pixel_bytecode"});
}

}  // namespace fenceline

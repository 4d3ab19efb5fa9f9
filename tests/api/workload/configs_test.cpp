// SPDX-License-Identifier: Apache-2.0
#include "api/machine_config.hpp"
#include "api/machine_document.hpp"
#include "api/sweep/sweep.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "sim/config/without_defaults.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path configs = source_directory() / "configs";

/// The JSON files of one folder of configs/, in a stable order.
std::vector<fs::path> files_of(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(configs / folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  CHECK(!files.empty());
  return files;
}

bool valid(const json& document, const json& schema_text) {
  valijson::Schema schema;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_text), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  const bool good = validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results);
  valijson::ValidationResults::Error error;
  while (!good && results.popError(error)) UNSCOPED_INFO(error.description);
  return good;
}

bool has_number(const json& value) {
  if (value.is_number()) return true;
  if (!value.is_structured()) return false;
  return std::any_of(value.begin(), value.end(), has_number);
}

}  // namespace

TEST_CASE("configs: the schemas are what the code generates", "[configs]") {
  CHECK(files_of("schema").size() == 3);
  CHECK(contents_of(configs / "schema/machine.schema.json") == dump_json(machine_schema()));
  CHECK(contents_of(configs / "schema/workload.schema.json") == dump_json(schema_of<Workload>("Fenceline workload")));
  CHECK(contents_of(configs / "schema/sweep.schema.json") == dump_json(schema_of<Sweep>("Fenceline sweep")));
}

TEST_CASE("configs: every shipped file is valid against the schema it names, and for fenceline check", "[configs]") {
  const Shell shell;
  for (const std::string folder : {"machines", "workloads", "sweeps"}) {
    for (const fs::path& file : files_of(folder)) {
      INFO(file);
      const json document = load_json(file);
      REQUIRE(document.contains("$schema"));
      const fs::path schema = file.parent_path() / document["$schema"].get<std::string>();
      REQUIRE(fs::exists(schema));
      CHECK(schema.filename() == folder.substr(0, folder.size() - 1) + ".schema.json");
      CHECK(valid(document, load_json(schema)));
      CHECK(document["name"] == file.stem().string());
      CHECK(shell.fenceline({"check", file.string()}).code == 0);
    }
  }
}

TEST_CASE("configs: the schemas refuse what the reader refuses", "[configs]") {
  const json machine_schema = load_json(configs / "schema/machine.schema.json");
  const json workload_schema = load_json(configs / "schema/workload.schema.json");
  json machine = load_json(configs / "machines/h200.json");
  machine["engines"][0]["clok_mhz"] = 1;
  CHECK_FALSE(valid(machine, machine_schema));
  machine = load_json(configs / "machines/h200.json");
  machine["shader_array"]["sms"] = 0;
  CHECK_FALSE(valid(machine, machine_schema));
  CHECK(valid(small_workload(), workload_schema));
  json workload = small_workload();
  workload["queues"][0]["timeline"][0]["type"] = "exec";
  CHECK_FALSE(valid(workload, workload_schema));
  workload = small_workload();
  workload.erase("queues");
  CHECK_FALSE(valid(workload, workload_schema));
}

TEST_CASE("configs: what stands at its default need not be said", "[configs]") {
  for (const std::string folder : {"machines", "workloads"}) {
    for (const fs::path& file : files_of(folder)) {
      INFO(file);
      const json document = load_json(file);
      const bool is_machine = folder == "machines";
      const auto effective = [&](const json& said) {
        return is_machine ? dump_config(MachineDocument(said, file.string(), file.parent_path()).read({}))
                          : dump_config(read_config<Workload>(said, file.string()));
      };
      const nlohmann::ordered_json all = effective(document);
      nlohmann::ordered_json said = all;
      remove_defaults(said, is_machine ? type_of<MachineConfig>() : type_of<Workload>());
      CHECK(effective(json(said)) == all);
      CHECK((document.contains("like") || said.flatten().size() <= document.flatten().size()));
      nlohmann::ordered_json again = said;
      remove_defaults(again, is_machine ? type_of<MachineConfig>() : type_of<Workload>());
      CHECK(again == said);
    }
  }
}

TEST_CASE("configs: every part of a machine that has numbers says where they are from", "[configs]") {
  for (const fs::path& file : files_of("machines")) {
    const json machine = load_json(file);
    INFO(file);
    CHECK(!machine.value("source", "").empty());
    std::size_t parts = 0;
    const auto needs_source = [&](const std::string& name, const json& part) {
      if (!has_number(part)) return;
      ++parts;
      INFO(name);
      CHECK(!part.value("source", "").empty());
    };
    for (const auto& [name, part] : machine.items()) {
      if (!part.is_structured()) continue;
      const bool of_parts = name == "engines" || name == "submission_paths";
      if (!of_parts) needs_source(name, part);
      for (const auto& [key, inner] : part.items()) {
        if (of_parts) needs_source(std::string(name).append("/").append(key), inner);
      }
    }
    CHECK(parts >= (machine.contains("like") ? 2 : 6));
  }
}

TEST_CASE("configs: every workload says where it is from", "[configs]") {
  for (const fs::path& file : files_of("workloads")) CHECK(!load_json(file).value("source", "").empty());
}

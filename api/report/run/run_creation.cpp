// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_creation.hpp"

#include "api/report/html/html_text.hpp"

#include <utility>

namespace fenceline {

nlohmann::ordered_json json_of(const CreationByProcess& creation) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [process, one] : creation) {
    json.push_back({{"process", process},
                    {"created", one.created},
                    {"compiled", one.compiled},
                    {"compilations_found", one.created - one.compiled},
                    {"converted", one.converted},
                    {"conversions_found", one.conversions_found},
                    {"cpu_ps", one.cpu_ps}});
  }
  return json;
}

std::vector<HtmlTable> html_tables_of(const CreationByProcess& creation) {
  if (creation.empty()) return {};
  HtmlTable table{
      "Creating pipeline states",
      {"process", "created", "compiled", "found compiled", "shaders converted", "found converted", "CPU \u00b5s"},
      {},
      "Found: in an implicit shader cache. Converted: from DXBC to DXIL."};
  for (const auto& [process, one] : creation) {
    table.rows.push_back({process, with_commas(one.created), with_commas(one.compiled),
                          with_commas(one.created - one.compiled), with_commas(one.converted),
                          with_commas(one.conversions_found), microseconds(one.cpu_ps)});
  }
  std::vector<HtmlTable> tables;
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace fenceline

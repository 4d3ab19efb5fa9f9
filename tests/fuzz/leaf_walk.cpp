// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/leaf_walk.hpp"

#include <map>
#include <random>
#include <stdexcept>

namespace fenceline::testing {

using nlohmann::json;

namespace {

void collect(const json& document, const json::json_pointer& at, std::vector<json::json_pointer>& out) {
  if (!document.is_structured() || document.empty()) {
    out.push_back(at);
  } else if (document.is_object()) {
    for (const auto& [key, inner] : document.items()) collect(inner, at / key, out);
  } else {
    for (std::size_t i = 0; i < document.size(); ++i) collect(document[i], at / i, out);
  }
}

/// The pointers of a document's leaves: values that hold no others.
std::vector<json::json_pointer> leaves_of(const json& document) {
  std::vector<json::json_pointer> leaves;
  collect(document, json::json_pointer(), leaves);
  return leaves;
}

/// The pointer with "*" for each place in a list.
std::string kind_of(const json& document, const json::json_pointer& leaf) {
  std::string kind;
  for (json::json_pointer at = leaf; !at.empty(); at = at.parent_pointer()) {
    kind = "/" + (document.at(at.parent_pointer()).is_array() ? "*" : at.back()) + kind;
  }
  return kind;
}

void erase(json& document, const json::json_pointer& leaf) {
  json& parent = document[leaf.parent_pointer()];
  if (parent.is_array()) {
    parent.erase(static_cast<std::size_t>(std::stoull(leaf.back())));
  } else {
    parent.erase(leaf.back());
  }
}

}  // namespace

std::vector<DamagedLeaf> every_damage_of_every_leaf(const nlohmann::json& document) {
  std::vector<DamagedLeaf> cases;
  for (const json::json_pointer& leaf : leaves_of(document)) {
    for (const Damage& damage : damages()) cases.push_back({leaf, &damage});
  }
  return cases;
}

std::vector<DamagedLeaf> every_damage_of_every_kind(const nlohmann::json& document) {
  std::map<std::string, std::vector<json::json_pointer>> kinds;
  for (const json::json_pointer& leaf : leaves_of(document)) kinds[kind_of(document, leaf)].push_back(leaf);
  std::mt19937_64 random(kinds.size());
  std::vector<DamagedLeaf> cases;
  for (const auto& [kind, leaves] : kinds) {
    for (const Damage& damage : damages()) cases.push_back({leaves[random() % leaves.size()], &damage});
  }
  return cases;
}

const std::vector<Damage>& damages() {
  using Kind = Damage::Kind;
  static const std::vector<Damage> all = {
      {Kind::replaced, "\"text\""},
      {Kind::replaced, "[{}]"},
      {Kind::replaced, "true"},
      {Kind::replaced, "-1"},
      {Kind::replaced, "0"},
      {Kind::replaced, "1000000000"},
      {Kind::replaced, "4294967295"},            // 2^32 - 1
      {Kind::replaced, "9223372036854775807"},   // 2^63 - 1
      {Kind::replaced, "18446744073709551616"},  // 2^64
      {Kind::replaced, "1e308"},
      {Kind::replaced, "1e-308"},
      {Kind::replaced, "null"},
      {Kind::replaced, "\"\""},
      {Kind::replaced, "[]"},
      {Kind::replaced, "{}"},
      {Kind::missing, ""},
      {Kind::doubled, ""},
  };
  return all;
}

std::string damaged(json document, const json::json_pointer& leaf, const Damage& damage) {
  if (damage.kind == Damage::Kind::missing) {
    erase(document, leaf);
    return document.dump();
  }
  // Some of it cannot be said by a json: numbers beyond 64 bits, a key that stands twice.
  const std::string placeholder = "\"the damaged leaf\"";
  const std::string value = document.at(leaf).dump();
  document[leaf] = json::parse(placeholder);
  std::string text = document.dump();
  const std::size_t at = text.find(placeholder);
  if (at == std::string::npos) throw std::logic_error("no placeholder");
  if (damage.kind == Damage::Kind::replaced) return text.replace(at, placeholder.size(), damage.text);
  const bool member = document.at(leaf.parent_pointer()).is_object();
  const std::string key = member ? json(leaf.back()).dump() + ":" : "";
  return text.replace(at, placeholder.size(), value + "," + key + value);
}

}  // namespace fenceline::testing

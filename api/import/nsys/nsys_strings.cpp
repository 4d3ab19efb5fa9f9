// SPDX-License-Identifier: Apache-2.0
#include "api/import/nsys/nsys_strings.hpp"

#include "api/import/nsys/nsys_table.hpp"

namespace fenceline {

std::size_t NsysStrings::place_of(std::int64_t id) {
  const auto [place, is_new] = places_.emplace(id, texts_.size());
  if (is_new) texts_.emplace_back();
  return place->second;
}

void NsysStrings::read(NsysDatabase& database) {
  if (texts_.empty() || !database.has("StringIds")) return;
  NsysTable table(database, "StringIds");
  const NsysTable::Column id = table.needed("id");
  const NsysTable::Column value = table.needed("value");
  while (table.next()) {
    const auto asked = places_.find(table.integer(id, any_integer));
    if (asked == places_.end() || texts_[asked->second].known) continue;
    texts_[asked->second] = {table.text(value), true};
  }
}

const std::string* NsysStrings::at(std::size_t place) const {
  return texts_[place].known ? &texts_[place].text : nullptr;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/workload/effects/effect_info.hpp"

#include "sim/config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fenceline {
namespace {

constexpr Range places = between(0, 1e15);
/// Of one effect.
constexpr std::uint64_t most_effect_rows = 1'000'000;

void describe_rows(Fields& f, EffectRows& c) {
  f.required("destination", c.destination, "name of the resource that is written");
  f.optional("destination_offset", c.destination_offset, "bytes: where the first row begins", places);
  f.optional("destination_row_pitch", c.destination_row_pitch, "bytes from a row to the next; absent: row_bytes",
             places);
  f.optional("destination_slice_pitch", c.destination_slice_pitch,
             "bytes from a slice to the next; absent: rows times the row pitch", places);
  f.required("row_bytes", c.row_bytes, "of a row", between(1, 1e15));
  f.optional("rows", c.rows, "of a slice", between(1, 1e6));
  f.optional("slices", c.slices, "how many", between(1, 1e6));
  f.check(c.rows <= most_effect_rows / std::max<std::uint64_t>(c.slices, 1),
          fmt::format("at most {} rows of all slices", most_effect_rows), "more", "rows");
  constexpr double most_bytes = 1e15;
  f.check(static_cast<double>(c.row_bytes) * static_cast<double>(c.rows) * static_cast<double>(c.slices) <= most_bytes,
          "at most 1e15 bytes in all rows", "more", "row_bytes");
}

}  // namespace

void describe(Fields& f, CopyEffect& c) {
  f.about("bytes go from one resource to another");
  f.required("source", c.source, "name of the resource that is read");
  f.optional("source_offset", c.source_offset, "bytes: where the first row begins", places);
  f.optional("source_row_pitch", c.source_row_pitch, "bytes from a row to the next; absent: row_bytes", places);
  f.optional("source_slice_pitch", c.source_slice_pitch,
             "bytes from a slice to the next; absent: rows times the row pitch", places);
  describe_rows(f, c);
}

void describe(Fields& f, FillEffect& c) {
  f.about("a value goes to a resource again and again, in each row from its first byte on");
  describe_rows(f, c);
  f.required("value", c.value, "1 to 16 bytes", between(0, 255));
  f.check(!c.value.empty() && c.value.size() <= 16, "1 to 16 bytes", std::to_string(c.value.size()), "value");
}

void describe(Fields& f, WriteEffect& c) {
  f.about("bytes that the command has come to go to a resource, row behind row");
  describe_rows(f, c);
  f.required("content", c.content, "row_bytes x rows x slices bytes, or a fill");
}

void describe_effects(Fields& f, std::vector<EffectInfo>& effects, bool says_numbers, const char* numbers) {
  f.optional("effects", effects,
             "what it does to bytes, in order, where it names no resources (docs/contents.md, rule 15)");
  f.check(effects.empty() || says_numbers, fmt::format("{} beside effects", numbers), "none", "effects");
}

void for_each_name(const EffectInfo& effect, const std::function<void(const std::string&)>& visit) {
  if (const auto* const copy = std::get_if<CopyEffect>(&effect)) visit(copy->source);
  std::visit([&](const auto& one) { visit(one.destination); }, effect);
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/resource.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {

// What a command that says numbers in place of resources does to bytes (docs/contents.md, rule 15).

/// Rows of bytes in equal slices, and where they go.
struct EffectRows {
  std::string destination;
  std::uint64_t destination_offset = 0;                       ///< bytes
  std::optional<std::uint64_t> destination_row_pitch = {};    ///< bytes; unset: row_bytes
  std::optional<std::uint64_t> destination_slice_pitch = {};  ///< bytes; unset: rows without gaps
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 1;  ///< of a slice
  std::uint64_t slices = 1;
};
/// They come from another place.
struct CopyEffect : EffectRows {
  static constexpr const char* type_name = "copy";
  std::string source;
  std::uint64_t source_offset = 0;                       ///< bytes
  std::optional<std::uint64_t> source_row_pitch = {};    ///< bytes; unset: row_bytes
  std::optional<std::uint64_t> source_slice_pitch = {};  ///< bytes; unset: rows without gaps
};
/// A value, again and again in each row.
struct FillEffect : EffectRows {
  static constexpr const char* type_name = "fill";
  std::vector<std::uint32_t> value;  ///< bytes
};
/// What a command has come to.
struct WriteEffect : EffectRows {
  static constexpr const char* type_name = "write";
  ContentInfo content;
};
using EffectInfo = std::variant<CopyEffect, FillEffect, WriteEffect>;
void describe(Fields& f, CopyEffect& c);
void describe(Fields& f, FillEffect& c);
void describe(Fields& f, WriteEffect& c);

/// The `effects` of a command: none where it does not say numbers in place of resources.
void describe_effects(Fields& f, std::vector<EffectInfo>& effects, bool says_numbers, const char* numbers);

/// The names of the resources that it reads or writes.
void for_each_name(const EffectInfo& effect, const std::function<void(const std::string&)>& visit);

/// A command may have effects.
template <class Command, class = void>
struct MayHaveEffects : std::false_type {};
template <class Command>
struct MayHaveEffects<Command, std::void_t<decltype(std::declval<Command>().effects)>> : std::true_type {};

/// The command's; null: it may have none.
template <class Command>
const std::vector<EffectInfo>* effects_of(const Command& command) {
  if constexpr (MayHaveEffects<Command>::value) {
    return &command.effects;
  } else {
    return nullptr;
  }
}

}  // namespace fenceline

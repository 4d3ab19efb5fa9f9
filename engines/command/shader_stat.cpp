// SPDX-License-Identifier: Apache-2.0
#include "engines/command/shader_stat.hpp"

#include <fmt/format.h>

#include <initializer_list>

namespace fenceline {
namespace {

/// Places in the STAT part, counted in numbers.
enum Count : std::uint64_t {
  all_instructions = 0,
  temp_registers = 1,
  float_instructions = 4,
  int_instructions = 5,
  uint_instructions = 6,
  static_flow_control = 7,
  dynamic_flow_control = 8,
  array_instructions = 11,
  texture_normal = 14,
  texture_load = 15,
  texture_comparison = 16,
  texture_bias = 17,
  texture_gradient = 18,
  mov_instructions = 19,
  movc_instructions = 20,
  conversion_instructions = 21,
  shader_model_4_counts = 29,
  barrier_instructions = 34,
  interlocked_instructions = 35,
  texture_stores = 36,
  shader_model_5_counts = 37,
};
constexpr std::uint32_t most_instructions = 1'000'000'000;  // what a workload may say, too
constexpr std::uint32_t most_temp_registers = 4096;         // D3D11_COMMONSHADER_TEMP_REGISTER_COUNT
constexpr std::uint32_t most_registers = 255;               // of a thread, what a machine has

/// Adds up counts; remembers the first that no shader has.
class Counts {
 public:
  explicit Counts(const DxbcPart& part) : part_(part) {}

  double sum(std::initializer_list<Count> counts) {
    double total = 0;
    for (const Count count : counts) total += at(count, most_instructions);
    return total;
  }
  std::uint32_t at(Count count, std::uint32_t most) {
    const std::uint32_t value = dxbc_number(part_.bytes, 4 * count);
    if (value > most && !error_) {
      error_ = DxbcError{part_.offset + 4 * count, fmt::format("a count up to {}", most), fmt::format("{}", value)};
    }
    return value;
  }
  const std::optional<DxbcError>& error() const { return error_; }

 private:
  const DxbcPart& part_;
  std::optional<DxbcError> error_;
};

using Read = std::variant<std::optional<ShaderStat>, DxbcError>;

Read own_stat(const DxbcPart& part) {
  constexpr std::uint64_t part_bytes = 24;  // of version 1; version 2 has a number more
  const bool tells_code = part.bytes.size() == part_bytes + 4;
  if (part.bytes.size() != part_bytes && !tells_code) {
    return DxbcError{part.offset, fmt::format("an FNCL part of {} or {} bytes", part_bytes, part_bytes + 4),
                     fmt::format("{}", part.bytes.size())};
  }
  const std::uint32_t expected = tells_code ? 2 : 1;
  if (const std::uint32_t version = dxbc_number(part.bytes, 0); version != expected) {
    return DxbcError{part.offset, fmt::format("version {} of FNCL", expected), fmt::format("{}", version)};
  }
  Counts counts(part);
  const auto count = [&](std::uint64_t at) { return counts.at(static_cast<Count>(at), most_instructions); };
  ShaderStat stat;
  stat.cost.alu_instructions = count(1);
  stat.cost.sfu_instructions = count(2);
  stat.cost.texture_samples = count(3);
  stat.cost.shared_accesses = count(4);
  stat.registers = counts.at(static_cast<Count>(5), most_registers);
  if (tells_code) stat.cost.code_instructions = count(6);
  if (counts.error()) return *counts.error();
  return std::optional<ShaderStat>(stat);
}

}  // namespace

std::variant<std::optional<ShaderStat>, DxbcError> shader_stat(const DxbcContainer& container) {
  if (const DxbcPart* own = container.part("FNCL")) return own_stat(*own);
  const DxbcPart* part = container.part("STAT");
  if (part == nullptr || container.part("DXIL") != nullptr) return std::optional<ShaderStat>();
  if (part->bytes.size() < 4 * shader_model_4_counts) {
    return DxbcError{part->offset, fmt::format("a STAT part of at least {} bytes", 4 * shader_model_4_counts),
                     fmt::format("{}", part->bytes.size())};
  }
  Counts counts(*part);
  ShaderStat stat;
  stat.cost.alu_instructions =
      counts.sum({float_instructions, int_instructions, uint_instructions, static_flow_control, dynamic_flow_control,
                  array_instructions, mov_instructions, movc_instructions, conversion_instructions});
  stat.cost.texture_samples =
      counts.sum({texture_normal, texture_load, texture_comparison, texture_bias, texture_gradient});
  if (part->bytes.size() >= 4 * shader_model_5_counts) {
    stat.cost.alu_instructions += counts.sum({barrier_instructions, interlocked_instructions});
    stat.cost.texture_samples += counts.sum({texture_stores});
  }
  stat.cost.code_instructions = counts.at(all_instructions, most_instructions);
  constexpr std::uint32_t components = 4;
  stat.registers = components * counts.at(temp_registers, most_temp_registers);
  if (counts.error()) return *counts.error();
  return std::optional<ShaderStat>(stat);
}

}  // namespace fenceline

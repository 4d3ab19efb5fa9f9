// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/clear_value.hpp"

#include "api/d3d12/formats/format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint64_t low_bits(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (1ULL << bits) - 1; }

/// Writes numbers of any width one behind the other, lowest bit first.
class BitWriter {
 public:
  void put(std::uint64_t value, unsigned bits) {
    for (unsigned bit = 0; bit < bits; ++bit, ++at_) {
      if ((value >> bit & 1) != 0) element_[at_ / 8] |= std::byte{1} << (at_ % 8);
    }
  }
  const Element& element() const { return element_; }

 private:
  Element element_{};
  unsigned at_ = 0;
};

float srgb(float linear) {
  return linear <= 0.0031308F ? 12.92F * linear : 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F;
}

/// A number as a float with 5 bits of exponent and so many of mantissa: rounded toward zero, and at most the largest
/// one that is finite. Without a sign, negative ones become 0.
std::uint32_t small_float(float value, unsigned mantissa_bits, bool has_sign) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = has_sign ? bits >> 31 << (5 + mantissa_bits) : 0;
  const std::uint32_t infinity = 31U << mantissa_bits;
  if (std::isnan(value)) return sign | infinity | 1U << (mantissa_bits - 1);
  if (!has_sign && value < 0) return 0;
  const float magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return sign | infinity;
  constexpr int bias = 15;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int least = 1 - bias;
  const int unit = std::max(exponent - 1, least) - static_cast<int>(mantissa_bits);  // exponent of the last place
  const auto places = static_cast<std::uint32_t>(std::trunc(std::ldexp(magnitude, -unit)));
  if (places == 0) return sign;
  const std::uint32_t biased = static_cast<std::uint32_t>(unit + static_cast<int>(mantissa_bits) + bias - 1);
  const std::uint32_t number = (biased << mantissa_bits) + places;
  const std::uint32_t normal = places >= 1U << mantissa_bits ? number : places;
  return sign | std::min(normal, infinity - 1);
}

std::uint64_t normalised(float value, unsigned bits, bool with_sign) {
  if (std::isnan(value)) return 0;
  const auto most = static_cast<double>(low_bits(with_sign ? bits - 1 : bits));
  const double clamped = std::clamp(static_cast<double>(value), with_sign ? -1.0 : 0.0, 1.0);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::round(clamped * most))) & low_bits(bits);
}

std::uint64_t integer(float value, unsigned bits, bool with_sign) {
  if (std::isnan(value)) return 0;
  const double least = with_sign ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0;
  const double most = std::ldexp(1.0, static_cast<int>(with_sign ? bits - 1 : bits)) - 1;
  return static_cast<std::uint64_t>(
             static_cast<std::int64_t>(std::clamp(std::trunc(static_cast<double>(value)), least, most))) &
         low_bits(bits);
}

std::uint64_t number(float value, unsigned bits) {
  if (bits == 32) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, &value, sizeof raw);
    return raw;
  }
  return small_float(value, bits == 16 ? 10 : bits == 11 ? 6 : 5, bits == 16);
}

/// Components in the order in which they lie in memory, as indices of red, green, blue, alpha.
std::array<unsigned, 4> order_of(DXGI_FORMAT format) {
  switch (format) {
    case DXGI_FORMAT_B5G6R5_UNORM:
    case DXGI_FORMAT_B5G5R5A1_UNORM:
    case DXGI_FORMAT_B8G8R8A8_UNORM:
    case DXGI_FORMAT_B8G8R8X8_UNORM:
    case DXGI_FORMAT_B8G8R8A8_UNORM_SRGB:
    case DXGI_FORMAT_B8G8R8X8_UNORM_SRGB:
    case DXGI_FORMAT_B4G4R4A4_UNORM: return {2, 1, 0, 3};
    default: return {0, 1, 2, 3};
  }
}

/// R9G9B9E5: one exponent for the largest component. Source: DXGI_FORMAT_R9G9B9E5_SHAREDEXP.
Element shared_exponent(const float color[4]) {
  constexpr int bias = 15;
  constexpr int mantissa_bits = 9;
  const float largest_value = std::ldexp(511.0F / 512, 31 - bias);
  float clamped[3];
  for (int i = 0; i < 3; ++i) clamped[i] = color[i] > 0 ? std::min(color[i], largest_value) : 0;
  const float largest = std::max({clamped[0], clamped[1], clamped[2]});
  int exponent = 0;
  std::frexp(largest, &exponent);
  exponent = largest == 0 ? 0 : std::max(exponent + bias, 0);
  if (std::round(std::ldexp(largest, mantissa_bits + bias - exponent)) == 512) ++exponent;
  BitWriter writer;
  for (const float component : clamped) {
    writer.put(static_cast<std::uint64_t>(std::round(std::ldexp(component, mantissa_bits + bias - exponent))),
               mantissa_bits);
  }
  writer.put(static_cast<std::uint64_t>(exponent), 5);
  return writer.element();
}

std::uint64_t component(const Format& format, unsigned index, float value, unsigned bits) {
  switch (format.kind) {
    case ComponentKind::unorm: return normalised(value, bits, false);
    case ComponentKind::unorm_srgb: return normalised(index < 3 ? srgb(value) : value, bits, false);
    case ComponentKind::snorm: return normalised(value, bits, true);
    case ComponentKind::uint: return integer(value, bits, false);
    case ComponentKind::sint: return integer(value, bits, true);
    default: return number(value, bits);
  }
}

}  // namespace

Element encode_color(DXGI_FORMAT format, const float color[4]) {
  const Format* const known = find_format(format);
  if (known == nullptr) return {};
  if (known->kind == ComponentKind::shared_exponent) return shared_exponent(color);
  if (format == DXGI_FORMAT_A8_UNORM) {
    BitWriter writer;
    writer.put(normalised(color[3], 8, false), 8);
    return writer.element();
  }
  BitWriter writer;
  for (const unsigned index : order_of(format)) {
    const unsigned bits = known->bits[index];
    if (bits > 0) writer.put(component(*known, index, color[index], bits), bits);
  }
  return writer.element();
}

Element encode_integers(DXGI_FORMAT format, const std::uint32_t values[4]) {
  const Format* const known = find_format(format);
  BitWriter writer;
  if (known == nullptr) return {};
  for (const unsigned index : order_of(format)) {
    const unsigned bits = known->bits[index];
    writer.put(values[index] & low_bits(bits), bits);
  }
  return writer.element();
}

Element encode_depth(DXGI_FORMAT format, float depth) {
  const Format* const known = find_format(format);
  BitWriter writer;
  if (known == nullptr) return {};
  const unsigned bits = known->bits[0];
  writer.put(known->kind == ComponentKind::float_number ? number(depth, 32) : normalised(depth, bits, false), 32);
  return writer.element();
}

}  // namespace fenceline::d3d12

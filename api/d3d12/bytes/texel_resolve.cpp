// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/texel_resolve.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace fenceline::d3d12 {
namespace {

std::uint64_t bits_at(const std::byte* from, unsigned first, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned bit = 0; bit < count; ++bit) {
    const std::byte mask = std::byte{1} << ((first + bit) % 8);
    if ((from[(first + bit) / 8] & mask) != std::byte{0}) value |= std::uint64_t{1} << bit;
  }
  return value;
}

void put_bits(Element& element, unsigned first, unsigned count, std::uint64_t value) {
  for (unsigned bit = 0; bit < count; ++bit) {
    if ((value >> bit & 1) != 0) element[(first + bit) / 8] |= std::byte{1} << ((first + bit) % 8);
  }
}

std::int64_t with_sign(std::uint64_t bits, unsigned count) {
  const std::uint64_t sign = std::uint64_t{1} << (count - 1);
  return static_cast<std::int64_t>(bits ^ sign) - static_cast<std::int64_t>(sign);
}

/// A float of 32, 16, 11 or 10 bits; the last two have no sign.
double float_of(std::uint64_t bits, unsigned count) {
  if (count == 32) {
    const auto raw = static_cast<std::uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &raw, sizeof value);
    return value;
  }
  const unsigned mantissa_bits = count == 16 ? 10 : count - 5;
  const auto mantissa = static_cast<double>(bits & ((1U << mantissa_bits) - 1));
  const auto exponent = static_cast<int>(bits >> mantissa_bits & 31);
  const double sign = count == 16 && (bits >> 15) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  const double scale = std::ldexp(1.0, -static_cast<int>(mantissa_bits));
  if (exponent == 0) return sign * std::ldexp(mantissa * scale, -14);
  return sign * std::ldexp(1 + mantissa * scale, exponent - 15);
}

std::uint64_t float_bits(double value, unsigned count) {
  const DXGI_FORMAT format = count == 32   ? DXGI_FORMAT_R32_FLOAT
                             : count == 16 ? DXGI_FORMAT_R16_FLOAT
                                           : DXGI_FORMAT_R11G11B10_FLOAT;
  const float color[4] = {count == 10 ? 0 : static_cast<float>(value), 0, static_cast<float>(value), 0};
  const Element element = encode_color(format, color);
  return bits_at(element.data(), count == 10 ? 22 : 0, count);
}

double linear(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }
double srgb(double value) { return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055; }

/// Divided and rounded to nearest, halves away from zero.
std::int64_t rounded(std::int64_t sum, std::int64_t count) {
  return (2 * sum + (sum < 0 ? -count : count)) / (2 * count);
}

/// Where a component's bits lie in a texel.
struct Component {
  ComponentKind kind;
  unsigned first;
  unsigned count;
  const std::byte* texel;
  std::uint32_t samples;
  std::uint32_t sample_bytes;

  std::uint64_t raw(std::uint32_t sample) const { return bits_at(texel + sample * sample_bytes, first, count); }
  bool has_sign() const { return kind == ComponentKind::snorm || kind == ComponentKind::sint; }
  double order(std::uint32_t sample) const {
    if (kind == ComponentKind::float_number) return float_of(raw(sample), count);
    return has_sign() ? static_cast<double>(with_sign(raw(sample), count)) : static_cast<double>(raw(sample));
  }
};

std::uint64_t mean_of(const Component& of) {
  if (of.kind == ComponentKind::uint || of.kind == ComponentKind::sint) return of.raw(0);
  if (of.kind == ComponentKind::float_number || of.kind == ComponentKind::unorm_srgb) {
    const bool is_float = of.kind == ComponentKind::float_number;
    const auto most = static_cast<double>((std::uint64_t{1} << of.count) - 1);
    double sum = 0;
    for (std::uint32_t i = 0; i < of.samples; ++i) sum += is_float ? of.order(i) : linear(of.order(i) / most);
    const double mean = sum / of.samples;
    return is_float ? float_bits(mean, of.count) : static_cast<std::uint64_t>(std::round(srgb(mean) * most));
  }
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < of.samples; ++i) {
    const std::uint64_t raw = of.raw(i);
    // The lowest number of a snorm format is -1, as the one above it.
    const std::int64_t least = -static_cast<std::int64_t>((std::uint64_t{1} << (of.count - 1)) - 1);
    sum += of.has_sign() ? std::max(with_sign(raw, of.count), least) : static_cast<std::int64_t>(raw);
  }
  return static_cast<std::uint64_t>(rounded(sum, of.samples));
}

std::uint64_t extreme_of(const Component& of, bool highest) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 1; i < of.samples; ++i) {
    if (highest ? of.order(i) > of.order(found) : of.order(i) < of.order(found)) found = i;
  }
  return of.raw(found);
}

}  // namespace

SampleFormat sample_format(DXGI_FORMAT format, std::uint32_t plane) {
  const Format* const known = find_format(format);
  if (known == nullptr || is_typeless(*known) || is_block_compressed(*known) || is_video(*known)) return {};
  // Views of one plane alone are not of the other.
  if (known->planes == PlaneScheme::depth_stencil && known->bits[plane] == 0) return {};
  if (plane > 0) return {ComponentKind::uint, {8, 0, 0, 0}};
  if (is_depth(*known)) return {known->kind, {known->bits[0], 0, 0, 0}};
  const bool simple = known->kind == ComponentKind::float_number || known->kind == ComponentKind::unorm ||
                      known->kind == ComponentKind::unorm_srgb || known->kind == ComponentKind::snorm ||
                      known->kind == ComponentKind::uint || known->kind == ComponentKind::sint;
  return simple ? SampleFormat{known->kind, known->bits} : SampleFormat{};
}

Element resolve_texel(const SampleFormat& format, D3D12_RESOLVE_MODE mode, const std::byte* texel,
                      std::uint32_t samples, std::uint32_t sample_bytes) {
  Element result{};
  unsigned first = 0;
  unsigned index = 0;
  for (const unsigned count : format.bits) {
    // Alpha, which lies last, is linear.
    const bool alpha = ++index == format.bits.size();
    const auto kind = alpha && format.kind == ComponentKind::unorm_srgb ? ComponentKind::unorm : format.kind;
    const Component component{kind, first, count, texel, samples, sample_bytes};
    if (count == 0) continue;
    const bool average = mode == D3D12_RESOLVE_MODE_AVERAGE;
    put_bits(result, first, count,
             average ? mean_of(component) : extreme_of(component, mode == D3D12_RESOLVE_MODE_MAX));
    first += count;
  }
  return result;
}

}  // namespace fenceline::d3d12

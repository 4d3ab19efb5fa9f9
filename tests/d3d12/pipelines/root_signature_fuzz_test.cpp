// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/root_rules.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"
#include "tests/support/dxbc_builder.hpp"
#include "tests/support/mutator.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

RootLayout random_layout(std::mt19937_64& random) {
  const auto pick = [&](UINT end) { return static_cast<UINT>(random() % end); };
  RootLayout layout;
  layout.version = pick(2) == 0 ? D3D_ROOT_SIGNATURE_VERSION_1_0 : D3D_ROOT_SIGNATURE_VERSION_1_1;
  const bool flags = layout.version == D3D_ROOT_SIGNATURE_VERSION_1_1;
  for (UINT count = pick(6); count > 0; --count) {
    RootParameter& parameter = layout.parameters.emplace_back();
    parameter.type = static_cast<D3D12_ROOT_PARAMETER_TYPE>(pick(5));
    parameter.visibility = static_cast<D3D12_SHADER_VISIBILITY>(pick(8));
    parameter.constants = {pick(20), pick(3), pick(8)};
    const UINT data[] = {0, 2, 4, 8};
    parameter.descriptor = {
        pick(20), pick(3),
        flags ? static_cast<D3D12_ROOT_DESCRIPTOR_FLAGS>(data[pick(4)]) : descriptor_flags_of_version_1_0()};
    if (parameter.type != D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) continue;
    for (UINT ranges = pick(4); ranges > 0; --ranges) {
      D3D12_DESCRIPTOR_RANGE1 range{};
      range.RangeType = static_cast<D3D12_DESCRIPTOR_RANGE_TYPE>(pick(4));
      range.NumDescriptors = 1 + pick(5);
      range.BaseShaderRegister = pick(50);
      range.RegisterSpace = pick(3);
      range.Flags = flags ? static_cast<D3D12_DESCRIPTOR_RANGE_FLAGS>(pick(3)) : flags_of_version_1_0(range.RangeType);
      range.OffsetInDescriptorsFromTableStart = pick(2) == 0 ? D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND : pick(10);
      parameter.ranges.push_back(range);
    }
  }
  for (UINT count = pick(3); count > 0; --count) {
    D3D12_STATIC_SAMPLER_DESC sampler{};
    sampler.AddressU = sampler.AddressV = sampler.AddressW = D3D12_TEXTURE_ADDRESS_MODE_CLAMP;
    sampler.ShaderRegister = pick(50);
    layout.static_samplers.push_back(sampler);
  }
  layout.flags = static_cast<D3D12_ROOT_SIGNATURE_FLAGS>(pick(0x80));
  return layout;
}

}  // namespace

TEST_CASE("root signature fuzz: random layouts come back from their bytes unchanged", "[d3d12][fuzz]") {
  std::mt19937_64 random(31);
  std::size_t valid = 0;
  for (int round = 0; round < 20'000; ++round) {
    const RootLayout layout = random_layout(random);
    const std::string bytes = serialize_root_signature(layout);
    const auto parsed = parse_root_signature(bytes);
    if (!std::holds_alternative<RootLayout>(parsed)) FAIL("round " << round);
    if (serialize_root_signature(std::get<RootLayout>(parsed)) != bytes) FAIL("round " << round);
    const bool follows_rules = check_root_layout(layout).ok();
    if (follows_rules != std::holds_alternative<RootLayout>(read_root_signature(bytes))) FAIL("round " << round);
    if (follows_rules) ++valid;
  }
  CHECK(valid > 2'000);
}

TEST_CASE("root signature fuzz: changed bytes are read within them or refused", "[d3d12][fuzz]") {
  std::mt19937_64 random(32);
  Mutator mutator(33);
  std::size_t refused = 0;
  std::size_t read = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string part = serialize_root_signature(random_layout(random)).substr(44);
    const std::uint32_t awkward[] = {0, 1, 2, 24, static_cast<std::uint32_t>(part.size()), 0x7FFFFFFF, 0xFFFFFFF8, ~0U};
    for (std::uint64_t times = random() % 3; times > 0; --times) {
      put_number(part, random() % (part.size() / 4) * 4, awkward[random() % std::size(awkward)]);
    }
    if (random() % 4 == 0) part = mutator.mutated(part);
    const std::string text = random() % 8 == 0 ? mutator.mutated(dxbc({{"RTS0", part}})) : dxbc({{"RTS0", part}});
    // In memory of exactly its size, so that the sanitizer sees a step beyond it.
    const auto memory = std::make_unique<char[]>(text.size());
    std::copy(text.begin(), text.end(), memory.get());
    const std::string_view bytes(memory.get(), text.size());
    const auto parsed = parse_root_signature(bytes);
    if (const auto* error = std::get_if<DxbcError>(&parsed)) {
      ++refused;
      if (error->offset > bytes.size() || error->expected.empty() || error->found.empty()) FAIL("round " << round);
    }
    const auto checked = read_root_signature(bytes);
    if (const auto* verdict = std::get_if<Verdict>(&checked)) {
      const auto container = parse_dxbc(bytes);
      const auto* const whole = std::get_if<DxbcContainer>(&container);
      const bool other_parts = whole != nullptr && whole->part("RTS0") == nullptr;
      if (verdict->result != (other_parts ? E_FAIL : E_INVALIDARG) || verdict->message.empty()) FAIL("round " << round);
      continue;
    }
    ++read;
    // What follows the rules can be written again and means the same.
    const auto& layout = std::get<RootLayout>(checked);
    const auto again = read_root_signature(serialize_root_signature(layout));
    if (!std::holds_alternative<RootLayout>(again)) FAIL("round " << round);
    const RootDescs descs(layout);
    if (descs.version_1_0().Desc_1_0.NumParameters != layout.parameters.size()) FAIL("round " << round);
  }
  CHECK(refused > 5'000);
  CHECK(read > 2'000);
}

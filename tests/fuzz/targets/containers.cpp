// SPDX-License-Identifier: Apache-2.0
// Bytes that D3D12 programs hand over: read within their size, or refused with the place.
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/pipelines/pipeline_blob.hpp"
#include "api/d3d12/root/root_rules.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"
#include "api/d3d12/shader.hpp"
#include "api/d3d12/shaders/shader_bytecode.hpp"
#include "engines/command/dxbc_container.hpp"
#include "engines/command/shader_stat.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/support/dxbc_builder.hpp"

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace fenceline::testing {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

template <class Parsed>
void check_place(const Parsed& parsed, std::string_view bytes) {
  const auto* error = std::get_if<DxbcError>(&parsed);
  if (error == nullptr) return;
  require(error->offset <= bytes.size() && !error->expected.empty() && !error->found.empty(), "an error without place");
}

void container(std::string_view bytes) {
  const auto parsed = parse_dxbc(bytes);
  check_place(parsed, bytes);
  if (const auto* whole = std::get_if<DxbcContainer>(&parsed)) check_place(shader_stat(*whole), bytes);
}

void shader_code(std::string_view bytes) { check_place(d3d12::parse_shader_bytecode(bytes), bytes); }

void root_signature(std::string_view bytes) {
  check_place(d3d12::parse_root_signature(bytes), bytes);
  const auto read = d3d12::read_root_signature(bytes);
  if (const auto* layout = std::get_if<d3d12::RootLayout>(&read)) {
    const auto again = d3d12::read_root_signature(d3d12::serialize_root_signature(*layout));
    require(std::holds_alternative<d3d12::RootLayout>(again), "it does not read back");
  }
}

const d3d12::BlobOrigin origin{7, {1, 2, 3, 4}};

/// As they are, and with the right hash: what is behind it is read, too.
template <class Read>
void with_right_hash(std::string_view bytes, Read&& read) {
  read(bytes);
  constexpr std::size_t size_at = 20;
  if (bytes.size() < size_at + 4) return;
  std::string forged(bytes);
  put_number(forged, size_at, static_cast<std::uint32_t>(forged.size()));
  const d3d12::DxbcHash hash = d3d12::dxbc_hash(forged);
  for (std::size_t i = 0; i < hash.size(); ++i) put_number(forged, 4 + 4 * i, hash[i]);
  read(forged);
}

void pipeline_library(std::string_view bytes) {
  with_right_hash(bytes, [](std::string_view blob) {
    const auto read = d3d12::read_pipeline_library(blob, origin);
    const auto* names = std::get_if<d3d12::PipelineNames>(&read);
    require(names == nullptr || d3d12::pipeline_library_bytes(*names) <= blob.size(), "more names than bytes");
  });
}

void cached_pipeline(std::string_view bytes) {
  with_right_hash(bytes, [](std::string_view blob) { d3d12::read_cached_pipeline(blob, origin); });
}

std::vector<std::string> container_seeds() {
  return {
      dxbc({{"RDEF", "resources"}, {"STAT", numbers(std::vector<std::uint32_t>(37, 5))}, {"SHEX", "code"}}),
      dxbc({{"STAT", numbers(std::vector<std::uint32_t>(29, 5))}}),
      dxbc({{"DXIL", "module"}, {"STAT", "copy"}, {"PSV0", std::string(52, '\0')}}),
      dxbc({{"DXIL", "module"}, {"FNCL", numbers({1, 5, 5, 5, 5, 5})}}),
  };
}

d3d12::RootLayout layout() {
  d3d12::RootLayout layout;
  layout.version = D3D_ROOT_SIGNATURE_VERSION_1_1;
  d3d12::RootParameter& constants = layout.parameters.emplace_back();
  constants.type = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  constants.constants = {0, 0, 4};
  d3d12::RootParameter& table = layout.parameters.emplace_back();
  table.type = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  D3D12_DESCRIPTOR_RANGE1 range{};
  range.NumDescriptors = 3;
  range.BaseShaderRegister = 2;
  table.ranges.push_back(range);
  D3D12_STATIC_SAMPLER_DESC sampler{};
  sampler.AddressU = sampler.AddressV = sampler.AddressW = D3D12_TEXTURE_ADDRESS_MODE_CLAMP;
  layout.static_samplers.push_back(sampler);
  return layout;
}

std::vector<std::string> root_signature_seeds() {
  d3d12::RootLayout old = layout();
  old.version = D3D_ROOT_SIGNATURE_VERSION_1_0;
  return {d3d12::serialize_root_signature(layout()), d3d12::serialize_root_signature(old),
          d3d12::serialize_root_signature({})};
}

std::vector<std::string> shader_seeds() {
  auto seeds = container_seeds();
  for (std::string& seed : root_signature_seeds()) seeds.push_back(std::move(seed));
  return seeds;
}

std::vector<std::string> library_seeds() {
  return {d3d12::write_pipeline_library(origin, {{L"one", {1, 1, 1, 1}}, {L"another", {2, 2, 2, 2}}}),
          d3d12::write_pipeline_library(origin, {})};
}

std::vector<std::string> cached_seeds() { return {d3d12::write_cached_pipeline(origin, {9, 8, 7, 6})}; }

}  // namespace

std::vector<FuzzTarget> container_targets() {
  return {{"dxbc", container, container_seeds},
          {"shader", shader_code, shader_seeds},
          {"root_signature", root_signature, root_signature_seeds},
          {"pipeline_library", pipeline_library, library_seeds},
          {"cached_pipeline", cached_pipeline, cached_seeds}};
}

}  // namespace fenceline::testing

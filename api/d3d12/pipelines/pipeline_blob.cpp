// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_blob.hpp"

#include "api/d3d12/dxbc/blob_writer.hpp"
#include "api/d3d12/pipelines/pipeline_hash.hpp"
#include "api/driver_version.hpp"
#include "engines/command/dxbc_container.hpp"
#include "sim/config/config.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr std::string_view pipeline_tag = "FLPS";
constexpr std::string_view library_tag = "FLPL";
constexpr std::size_t hash_at = 4;
constexpr std::size_t size_at = 20;  // the first that the hash counts
constexpr std::size_t driver_at = 24;
constexpr std::size_t adapter_at = 32;
constexpr std::size_t header_bytes = 48;
constexpr std::size_t hash_bytes = 16;
constexpr std::size_t entry_bytes = 4 + hash_bytes;  // and the name

BlobWriter& operator<<(BlobWriter& out, const DxbcHash& hash) {
  for (const std::uint32_t number : hash) out << number;
  return out;
}

DxbcHash hash_from(std::string_view bytes, std::size_t at) {
  DxbcHash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = dxbc_number(bytes, at + 4 * i);
  return hash;
}

std::string blob_of(std::string_view tag, const BlobOrigin& origin, const std::string& content) {
  BlobWriter counted;
  counted << static_cast<std::uint32_t>(header_bytes + content.size()) << origin.driver << origin.adapter;
  const std::string rest = counted.bytes() + content;
  BlobWriter hash;
  hash << hash_of(rest);
  return std::string(tag) + hash.bytes() + rest;
}

std::string version_text(std::uint64_t version) {
  return fmt::format("{}.{}.{}", version >> 48, version >> 32 & 0xFFFF, version >> 16 & 0xFFFF);
}

/// Nothing for a blob that was made by this driver for this adapter, and that nobody has changed.
std::optional<BlobRefusal> check_header(std::string_view bytes, std::string_view tag, const BlobOrigin& origin) {
  const auto corrupt = [](const char* text) { return BlobRefusal{E_INVALIDARG, text}; };
  if (bytes.size() < header_bytes) return corrupt("expected a blob with a header, found fewer bytes");
  if (bytes.substr(0, tag.size()) != tag) return corrupt("expected a blob of this kind, found another tag");
  if (dxbc_number(bytes, size_at) != bytes.size()) return corrupt("expected the blob's size in it, found another one");
  if (hash_of(bytes.substr(size_at)) != hash_from(bytes, hash_at)) {
    return corrupt("expected the blob as it was given out, found other bytes");
  }
  if (hash_from(bytes, adapter_at) != origin.adapter) {
    return BlobRefusal{D3D12_ERROR_ADAPTER_NOT_FOUND, "expected a blob of this adapter, found another one's"};
  }
  const std::uint64_t driver = dxbc_number(bytes, driver_at) | std::uint64_t{dxbc_number(bytes, driver_at + 4)} << 32;
  if (driver != origin.driver) {
    return BlobRefusal{D3D12_ERROR_DRIVER_VERSION_MISMATCH,
                       fmt::format("expected a blob of driver version {}, found {}", version_text(origin.driver),
                                   version_text(driver))};
  }
  return {};
}

}  // namespace

BlobOrigin blob_origin(const MachineConfig& machine) {
  MachineConfig gpu;
  gpu.name = machine.name;
  gpu.shader_array = machine.shader_array;
  gpu.memory = machine.memory;
  gpu.engines = machine.engines;
  return {fenceline::driver_version(machine), hash_of(dump_config(gpu).dump())};
}

std::string write_cached_pipeline(const BlobOrigin& origin, const DxbcHash& pipeline) {
  BlobWriter content;
  content << pipeline;
  return blob_of(pipeline_tag, origin, content.bytes());
}

std::variant<DxbcHash, BlobRefusal> read_cached_pipeline(std::string_view bytes, const BlobOrigin& origin) {
  if (auto refusal = check_header(bytes, pipeline_tag, origin)) return std::move(*refusal);
  if (bytes.size() != header_bytes + hash_bytes) {
    return BlobRefusal{E_INVALIDARG, "expected one pipeline state in the blob, found other content"};
  }
  return hash_from(bytes, header_bytes);
}

std::size_t pipeline_library_bytes(const PipelineNames& names) {
  std::size_t bytes = header_bytes + 4;
  for (const auto& [name, hash] : names) bytes += entry_bytes + 4 * name.size();
  return bytes;
}

std::string write_pipeline_library(const BlobOrigin& origin, const PipelineNames& names) {
  BlobWriter content;
  content << static_cast<std::uint32_t>(names.size());
  for (const auto& [name, hash] : names) {
    content << hash << static_cast<std::uint32_t>(name.size());
    for (const wchar_t c : name) content << static_cast<std::uint32_t>(c);
  }
  return blob_of(library_tag, origin, content.bytes());
}

std::variant<PipelineNames, BlobRefusal> read_pipeline_library(std::string_view bytes, const BlobOrigin& origin) {
  if (auto refusal = check_header(bytes, library_tag, origin)) return std::move(*refusal);
  const BlobRefusal corrupt{E_INVALIDARG, "expected the library's entries, found other content"};
  std::size_t at = header_bytes;
  const auto has = [&](std::uint64_t count) { return count <= bytes.size() - at; };
  if (!has(4)) return corrupt;
  const std::uint32_t count = dxbc_number(bytes, at);
  at += 4;
  PipelineNames names;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!has(entry_bytes)) return corrupt;
    const DxbcHash hash = hash_from(bytes, at);
    const std::uint64_t characters = dxbc_number(bytes, at + hash_bytes);
    at += entry_bytes;
    if (characters == 0 || !has(4 * characters)) return corrupt;
    std::wstring name;
    for (std::uint64_t c = 0; c < characters; ++c) name.push_back(static_cast<wchar_t>(dxbc_number(bytes, at + 4 * c)));
    at += 4 * characters;
    if (!names.emplace(std::move(name), hash).second) return corrupt;
  }
  if (at != bytes.size()) return corrupt;
  return names;
}

}  // namespace fenceline::d3d12

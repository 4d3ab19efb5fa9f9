// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_library.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/pipelines/pipeline_creation.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace fenceline::d3d12 {
namespace {

bool is_name(LPCWSTR name) { return name != nullptr && *name != 0; }

D3D12_MESSAGE_ID library_message(HRESULT blob_refusal) {
  switch (blob_refusal) {
    case D3D12_ERROR_ADAPTER_NOT_FOUND: return D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_ADAPTERVERSIONMISMATCH;
    case D3D12_ERROR_DRIVER_VERSION_MISMATCH: return D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_DRIVERVERSIONMISMATCH;
    default: return D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_INVALIDLIBRARYBLOB;
  }
}

}  // namespace

PipelineLibrary::PipelineLibrary(DeviceCore& device, BlobOrigin origin, const PipelineNames& names)
    : DeviceChild(device), origin_(origin) {
  for (const auto& [name, hash] : names) entries_[name].hash = hash;
}

HRESULT PipelineLibrary::refuse(D3D12_MESSAGE_ID id, const std::string& text) {
  device().message(D3D12_MESSAGE_SEVERITY_ERROR, id, "ID3D12PipelineLibrary::" + text);
  return E_INVALIDARG;
}

HRESULT PipelineLibrary::StorePipeline(LPCWSTR name, ID3D12PipelineState* pipeline) {
  Host::spend(device().costs().call_ps);
  if (!is_name(name)) {
    return refuse(D3D12_MESSAGE_ID_STOREPIPELINE_NONAME, "StorePipeline: expected a name, found none");
  }
  auto* const state = com_cast<PipelineState>(pipeline);
  if (state == nullptr || &state->device() != &device()) {
    return refuse(D3D12_MESSAGE_ID_UNKNOWN, "StorePipeline: expected a pipeline state of the library's device");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!entries_.emplace(name, Entry{state->hash(), Held<PipelineState>(state)}).second) {
    return refuse(D3D12_MESSAGE_ID_STOREPIPELINE_DUPLICATENAME,
                  "StorePipeline: the library has a pipeline state of that name");
  }
  return S_OK;
}

template <class Check>
HRESULT PipelineLibrary::load(LPCWSTR name, const char* method, const void* desc, Check&& check, REFIID iid,
                              void** pipeline) {
  Host::spend(device().costs().call_ps);
  if (pipeline != nullptr) *pipeline = nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = is_name(name) ? entries_.find(name) : entries_.end();
  if (found == entries_.end()) {
    return refuse(D3D12_MESSAGE_ID_LOADPIPELINE_NAMENOTFOUND, fmt::format("{}: found no such name", method));
  }
  if (desc == nullptr) return E_INVALIDARG;
  const std::string full_method = fmt::format("ID3D12PipelineLibrary::{}", method);
  auto checked = check(full_method.c_str());
  if (const auto* result = std::get_if<HRESULT>(&checked)) return *result;
  auto& content = std::get<PipelineContent>(checked);
  Entry& entry = found->second;
  if (content.hash != entry.hash) {
    return refuse(
        D3D12_MESSAGE_ID_LOADPIPELINE_INVALIDDESC,
        fmt::format("{}: expected the description of the pipeline state of that name, found another", method));
  }
  if (device().removed()) return device().removed_reason();
  if (pipeline == nullptr) return S_FALSE;
  if (entry.state) return entry.state->QueryInterface(iid, pipeline);
  if (const HRESULT spent = spend_look_up(device(), content.created); FAILED(spent)) return spent;
  auto* const made = new PipelineState(device(), std::move(content));
  entry.state = Held<PipelineState>(made);
  return give_out(made, iid, pipeline);
}

HRESULT PipelineLibrary::LoadGraphicsPipeline(LPCWSTR name, const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc, REFIID iid,
                                              void** pipeline) {
  return load(
      name, "LoadGraphicsPipeline", desc,
      [&](const char* method) { return check_pipeline(device(), method, pipeline_desc(*desc)); }, iid, pipeline);
}

HRESULT PipelineLibrary::LoadComputePipeline(LPCWSTR name, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                             void** pipeline) {
  return load(
      name, "LoadComputePipeline", desc,
      [&](const char* method) { return check_pipeline(device(), method, pipeline_desc(*desc)); }, iid, pipeline);
}

HRESULT PipelineLibrary::LoadPipeline(LPCWSTR name, const D3D12_PIPELINE_STATE_STREAM_DESC* desc, REFIID iid,
                                      void** pipeline) {
  return load(
      name, "LoadPipeline", desc, [&](const char* method) { return check_pipeline(device(), method, *desc); }, iid,
      pipeline);
}

PipelineNames PipelineLibrary::names() const {
  PipelineNames names;
  for (const auto& [name, entry] : entries_) names.emplace(name, entry.hash);
  return names;
}

SIZE_T PipelineLibrary::GetSerializedSize() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return pipeline_library_bytes(names());
}

HRESULT PipelineLibrary::Serialize(void* data, SIZE_T bytes) {
  Host::spend(device().costs().call_ps);
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string blob = write_pipeline_library(origin_, names());
  if (data == nullptr || bytes < blob.size()) {
    return refuse(D3D12_MESSAGE_ID_PIPELINELIBRARY_SERIALIZE_NOTENOUGHMEMORY,
                  fmt::format("Serialize: expected room for {} bytes, found {}", blob.size(), data ? bytes : 0));
  }
  std::memcpy(data, blob.data(), blob.size());
  return S_OK;
}

HRESULT create_pipeline_library(DeviceCore& device, const void* blob, SIZE_T bytes, REFIID iid, void** library) {
  Host::spend(device.costs().call_ps);
  if (library != nullptr) *library = nullptr;
  const auto refuse = [&](const BlobRefusal& refusal) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, library_message(refusal.result),
                   "ID3D12Device1::CreatePipelineLibrary: " + refusal.text);
    return refusal.result;
  };
  if (blob == nullptr && bytes > 0) return refuse({E_INVALIDARG, fmt::format("expected {} bytes, found null", bytes)});
  const BlobOrigin origin = blob_origin(device.machine().config());
  PipelineNames names;
  if (bytes > 0) {
    auto read = read_pipeline_library(std::string_view(static_cast<const char*>(blob), bytes), origin);
    if (const auto* refusal = std::get_if<BlobRefusal>(&read)) return refuse(*refusal);
    names = std::get<PipelineNames>(std::move(read));
  }
  if (device.removed()) return device.removed_reason();
  return give_out(new PipelineLibrary(device, origin, names), iid, library);
}

}  // namespace fenceline::d3d12

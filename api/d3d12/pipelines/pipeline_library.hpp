// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/held.hpp"
#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/pipelines/pipeline_blob.hpp"
#include "api/d3d12/pipelines/pipeline_state.hpp"

#include <map>
#include <mutex>
#include <string>
#include <variant>

namespace fenceline::d3d12 {

/// ID3D12PipelineLibrary1: pipeline states by name. A stored one, and one that has been loaded once, is kept, and every
/// load gives out that object. Of a blob that it is made from nothing is needed afterwards, though D3D12 asks programs
/// to keep it. Free-threaded.
class PipelineLibrary final
    : public DeviceChild<Face<ID3D12PipelineLibrary1, ID3D12PipelineLibrary, ID3D12DeviceChild, ID3D12Object>> {
 public:
  PipelineLibrary(DeviceCore& device, BlobOrigin origin, const PipelineNames& names);

  HRESULT STDMETHODCALLTYPE StorePipeline(LPCWSTR name, ID3D12PipelineState* pipeline) override;
  HRESULT STDMETHODCALLTYPE LoadGraphicsPipeline(LPCWSTR name, const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc,
                                                 REFIID iid, void** pipeline) override;
  HRESULT STDMETHODCALLTYPE LoadComputePipeline(LPCWSTR name, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                                void** pipeline) override;
  HRESULT STDMETHODCALLTYPE LoadPipeline(LPCWSTR name, const D3D12_PIPELINE_STATE_STREAM_DESC* desc, REFIID iid,
                                         void** pipeline) override;
  SIZE_T STDMETHODCALLTYPE GetSerializedSize() override;
  HRESULT STDMETHODCALLTYPE Serialize(void* data, SIZE_T bytes) override;

 private:
  ~PipelineLibrary() override = default;
  struct Entry {
    DxbcHash hash{};
    Held<PipelineState> state;  // null: not loaded yet
  };
  HRESULT refuse(D3D12_MESSAGE_ID id, const std::string& text);
  template <class Check>
  HRESULT load(LPCWSTR name, const char* method, const void* desc, Check&& check, REFIID iid, void** pipeline);
  PipelineNames names() const;

  const BlobOrigin origin_;
  std::mutex mutex_;
  std::map<std::wstring, Entry> entries_;
};

HRESULT create_pipeline_library(DeviceCore& device, const void* blob, SIZE_T bytes, REFIID iid, void** library);

}  // namespace fenceline::d3d12

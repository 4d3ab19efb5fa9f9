// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxgi.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/units.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace fenceline::testing {

constexpr UINT64 page_bytes = 65536;  // /video_memory/page_kib of tiny
/// PCIe at 0.128 GB/s each way: a MiB passes in 8192 us; the update of its 16 pages, 128 bytes, in 1.
constexpr const char* slow_pcie = "/memory/pcie_to_device/gb_per_s=0.128\n/memory/pcie_to_host/gb_per_s=0.128\n";
constexpr double mib_passes_us = 8192;
constexpr double mib_moves_us = 8193;

/// Whether the test runs on tiny with these settings. Where not, it is run once more in a process of its own that has
/// them, and has to pass there: adapters are those of the process, and the first test that asks chooses them.
inline bool runs_with(const std::string& settings) {
  if (std::getenv("RESIDENCY_TEST_CHILD") != nullptr) return true;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const Shell shell;
  const Output output =
      shell.run("RESIDENCY_TEST_CHILD=1 FENCELINE_MACHINE=tiny FENCELINE_SET=" + Shell::quoted(settings) + " " +
                Shell::quoted(program) + " " + Shell::quoted(Catch::getResultCapture().getCurrentTestName()));
  INFO(settings << output.out << output.err);
  std::fputs(output.err.c_str(), stderr);  // a capture says what it has not
  CHECK(output.code == 0);
  CHECK(output.out.find("All tests passed") != std::string::npos);  // there was one
  return false;
}

/// With each of them, one process after another.
inline bool runs_with_each(std::initializer_list<std::string> all) {
  bool here = false;
  for (const std::string& settings : all) {
    here = runs_with(settings);
    if (here) break;
  }
  return here;
}

/// An App's video memory.
struct VideoMemoryOf {
  explicit VideoMemoryOf(App& of) : app(of) {
    REQUIRE(app.device.As(&device) == S_OK);
    ComPtr<IDXGIFactory7> factory;
    REQUIRE(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)) == S_OK);
    REQUIRE(factory->EnumAdapterByLuid(app.device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)) == S_OK);
  }

  DXGI_QUERY_VIDEO_MEMORY_INFO local() const { return info(DXGI_MEMORY_SEGMENT_GROUP_LOCAL); }
  DXGI_QUERY_VIDEO_MEMORY_INFO non_local() const { return info(DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL); }
  UINT64 usage() const { return local().CurrentUsage; }
  /// Until usage is at the budget.
  UINT64 room() const { return local().Budget - usage(); }

  ComPtr<ID3D12Heap> heap(UINT64 bytes, D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE,
                          D3D12_HEAP_TYPE type = D3D12_HEAP_TYPE_DEFAULT) const {
    const D3D12_HEAP_DESC desc{bytes, {type, {}, {}, 0, 0}, 0, flags | D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    ComPtr<ID3D12Heap> made;
    REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12Heap> not_resident(UINT64 bytes) const { return heap(bytes, D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT); }
  /// A committed buffer of that kind.
  ComPtr<ID3D12Resource> buffer_not_resident(UINT64 bytes) const {
    const D3D12_HEAP_PROPERTIES properties{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
    const D3D12_RESOURCE_DESC desc = buffer_desc(bytes);
    ComPtr<ID3D12Resource> made;
    REQUIRE(app.device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT, &desc,
                                                D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  /// A buffer at a heap's beginning.
  ComPtr<ID3D12Resource> placed(ID3D12Heap* in, UINT64 bytes) const {
    const D3D12_RESOURCE_DESC desc = buffer_desc(bytes);
    ComPtr<ID3D12Resource> made;
    REQUIRE(app.device->CreatePlacedResource(in, 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&made)) ==
            S_OK);
    return made;
  }
  /// Takes all that is left but so much, and makes no room for anybody.
  void fill_but(UINT64 bytes) {
    REQUIRE(room() > bytes);
    filler = heap(room() - bytes);
    REQUIRE(prioritize(filler.Get(), D3D12_RESIDENCY_PRIORITY_MAXIMUM) == S_OK);
  }

  using Pageables = std::initializer_list<ID3D12Pageable*>;
  HRESULT make_resident(Pageables all) const {
    return device->MakeResident(static_cast<UINT>(all.size()), all.begin());
  }
  HRESULT evict(Pageables all) const { return device->Evict(static_cast<UINT>(all.size()), all.begin()); }
  HRESULT enqueue(Pageables all, ID3D12Fence* fence, UINT64 value,
                  D3D12_RESIDENCY_FLAGS flags = D3D12_RESIDENCY_FLAG_NONE) const {
    return device->EnqueueMakeResident(flags, static_cast<UINT>(all.size()), all.begin(), fence, value);
  }
  HRESULT prioritize(ID3D12Pageable* one, UINT priority) const {
    const auto given = static_cast<D3D12_RESIDENCY_PRIORITY>(priority);
    return device->SetResidencyPriority(1, &one, &given);
  }

  App& app;
  ComPtr<ID3D12Device11> device;
  ComPtr<IDXGIAdapter3> adapter;
  ComPtr<ID3D12Heap> filler;

 private:
  DXGI_QUERY_VIDEO_MEMORY_INFO info(DXGI_MEMORY_SEGMENT_GROUP group) const {
    DXGI_QUERY_VIDEO_MEMORY_INFO found{};
    REQUIRE(adapter->QueryVideoMemoryInfo(0, group, &found) == S_OK);
    return found;
  }
};

/// Measures copies by time stamps, and everything by the GPU's clock.
struct Stopwatch {
  explicit Stopwatch(App& app)
      : copies(app, copy_type),
        stamps(query_heap(app, D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP, 2)),
        back(app.buffer(2 * sizeof(UINT64), D3D12_HEAP_TYPE_READBACK)) {
    REQUIRE(copies.queue->GetTimestampFrequency(&frequency) == S_OK);
  }
  double us(UINT64 ticks) const { return static_cast<double>(ticks) * 1e6 / static_cast<double>(frequency); }
  double now_us() const {
    UINT64 gpu = 0;
    UINT64 cpu = 0;
    REQUIRE(copies.queue->GetClockCalibration(&gpu, &cpu) == S_OK);
    return us(gpu);
  }
  /// Between the time stamps around a copy of a MiB.
  double copy_us(ID3D12Resource* to, ID3D12Resource* from) {
    copies.list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
    copies.list->CopyBufferRegion(to, 0, from, 0, mib);
    copies.list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
    copies.list->ResolveQueryData(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, back.Get(), 0);
    copies.run();
    const auto read_back = read<UINT64>(back.Get(), 2);
    return us(read_back[1] - read_back[0]);
  }
  /// Bytes of the program's to a buffer, and back.
  void upload(ID3D12Resource* to, const std::vector<std::uint32_t>& values) {
    const auto from = copies.app.buffer(values.size() * 4, D3D12_HEAP_TYPE_UPLOAD);
    write(from.Get(), values);
    copies.list->CopyBufferRegion(to, 0, from.Get(), 0, values.size() * 4);
    copies.run();
  }
  std::vector<std::uint32_t> download(ID3D12Resource* from, std::size_t count) {
    const auto to = copies.app.buffer(count * 4, D3D12_HEAP_TYPE_READBACK);
    copies.list->CopyBufferRegion(to.Get(), 0, from, 0, count * 4);
    copies.run();
    return read<std::uint32_t>(to.Get(), count);
  }

  Recorder copies;
  ComPtr<ID3D12QueryHeap> stamps;
  ComPtr<ID3D12Resource> back;
  UINT64 frequency = 0;
};

}  // namespace fenceline::testing

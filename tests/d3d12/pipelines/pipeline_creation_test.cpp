// SPDX-License-Identifier: Apache-2.0
// What creating pipeline states takes of the calling thread's simulated time.
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/shader.hpp"
#include "sim/duration.hpp"
#include "tests/d3d12/cache_app.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/support/shell.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

// Of a program of 20 instructions, in microseconds: docs/model.md's formula with its usual numbers.
constexpr double compiles = 10'000 + 105 * 20;
constexpr double converts = 1000 + 10 * 20;
constexpr double looks_up = 55 + 0.3 * 20;

/// A device, and compute pipeline states of a program of 20 instructions in DXBC, of which a thread executes many.
class Creating {
 public:
  explicit Creating(const std::function<void(MachineConfig&)>& change = [](MachineConfig&) {})
      : device(cache_device(change)),
        code_(d3d12::shader(d3d12::PipelineStage::compute, {.alu_instructions = 327'680, .code_instructions = 20})) {
    const std::string blob = empty_root_signature();
    const std::string container = dxbc({{"RTS0", blob}});
    REQUIRE(device->CreateRootSignature(0, container.data(), container.size(), IID_PPV_ARGS(&root_)) == S_OK);
    desc.pRootSignature = root_.Get();
    desc.CS = {code_.data(), code_.size()};
  }
  /// Microseconds without those of the call itself.
  double creation_us(const std::function<void()>& call) const {
    const double before = now_us();
    call();
    return now_us() - before - device_of().config().host.call_us;
  }
  double create_us() {
    return creation_us([&] { create(); });
  }
  ComPtr<ID3D12PipelineState> create() {
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  void control(D3D12_SHADER_CACHE_KIND_FLAGS kind, D3D12_SHADER_CACHE_CONTROL_FLAGS what) {
    REQUIRE(device->ShaderCacheControl(kind, what) == S_OK);
  }

  ComPtr<ID3D12Device9> device;
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};

 private:
  Machine& device_of() const { return machine_of(static_cast<ID3D12Device*>(device.Get())); }
  /// The thread's clock, with what its calls have only noted.
  static double now_us() {
    d3d12::Host::instance().compute(0);
    return static_cast<double>(d3d12::Host::clock_ps()) / 1e6;
  }
  std::string code_;
  ComPtr<ID3D12RootSignature> root_;
};

constexpr auto for_driver = D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CACHE_FOR_DRIVER;
constexpr auto conversions = D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CONVERSIONS;

}  // namespace

TEST_CASE("pipeline creation: the first of a description is converted and compiled, the second is looked up",
          "[d3d12]") {
  Creating app;
  CHECK(app.create_us() == Approx(compiles + converts));
  CHECK(app.create_us() == Approx(2 * looks_up));
  app.control(for_driver, clear);
  CHECK(app.create_us() == Approx(compiles + looks_up));
  app.control(conversions, disable);
  CHECK(app.create_us() == Approx(looks_up + converts));
  app.control(conversions, enable);
  app.control(for_driver, disable);
  CHECK(app.create_us() == Approx(compiles + looks_up));
  CHECK(app.create_us() == Approx(compiles + looks_up));
}

TEST_CASE("pipeline creation: warm caches have even the first", "[d3d12]") {
  Creating warm([](MachineConfig& machine) { machine.shader_cache.start = CacheStart::warm; });
  CHECK(warm.create_us() == Approx(2 * looks_up));
  Creating updated([](MachineConfig& machine) { machine.shader_cache.start = CacheStart::driver_update; });
  CHECK(updated.create_us() == Approx(compiles + looks_up));
}

TEST_CASE("pipeline creation: what would take a program beyond the end of simulated time fails, and takes none",
          "[d3d12]") {
  const DebugLayerOn debug;
  constexpr double beyond_us = 1e13;  // 2^63 ps are 9.2e12 us
  for (const CacheStart start : {CacheStart::cold, CacheStart::warm}) {
    Creating app([&](MachineConfig& machine) {
      machine.shader_cache.start = start;
      (start == CacheStart::cold ? machine.shader_cache.compile_us : machine.shader_cache.look_up_us) = beyond_us;
    });
    ComPtr<ID3D12InfoQueue> messages;
    REQUIRE(app.device.As(&messages) == S_OK);
    messages->SetMuteDebugOutput(TRUE);
    take_messages(*messages.Get());
    ComPtr<ID3D12PipelineState> made;
    HRESULT result = S_OK;
    CHECK(app.creation_us([&] { result = app.device->CreateComputePipelineState(&app.desc, IID_PPV_ARGS(&made)); }) ==
          Approx(0).margin(0.001));
    CHECK(result == E_FAIL);
    CHECK(made == nullptr);
    const std::vector<Said> said = take_messages(*messages.Get());
    REQUIRE(said.size() == 1);
    CHECK_THAT(said[0].text, Catch::Contains("creating the pipeline state takes too long"));
  }
}

TEST_CASE("pipeline creation: what a cached blob or a library brings along is looked up", "[d3d12]") {
  Creating app;
  const auto state = app.create();
  ComPtr<ID3DBlob> blob;
  REQUIRE(state->GetCachedBlob(&blob) == S_OK);
  ComPtr<ID3D12PipelineLibrary> library;
  REQUIRE(app.device->CreatePipelineLibrary(nullptr, 0, IID_PPV_ARGS(&library)) == S_OK);
  REQUIRE(library->StorePipeline(L"one", state.Get()) == S_OK);
  std::string bytes(library->GetSerializedSize(), '\0');
  REQUIRE(library->Serialize(bytes.data(), bytes.size()) == S_OK);

  Creating later;
  later.desc.CachedPSO = {blob->GetBufferPointer(), blob->GetBufferSize()};
  CHECK(later.create_us() == Approx(looks_up));
  later.desc.CachedPSO = {};
  REQUIRE(later.device->CreatePipelineLibrary(bytes.data(), bytes.size(), IID_PPV_ARGS(&library)) == S_OK);
  ComPtr<ID3D12PipelineState> loaded;
  CHECK(later.creation_us([&] {
    REQUIRE(library->LoadComputePipeline(L"one", &later.desc, IID_PPV_ARGS(&loaded)) == S_OK);
  }) == Approx(looks_up));
  CHECK(later.create_us() == Approx(compiles + converts));  // neither told the implicit caches
}

TEST_CASE("pipeline creation: a directory of the environment's has what the last run left, and is told where it cannot",
          "[d3d12]") {
  const Shell shell;
  const auto run = [&](const std::string& set) {
    return shell.run("FENCELINE_MACHINE=tiny:tiny FENCELINE_SET='" + set + "' FENCELINE_OUT=out " +
                     Shell::quoted(FENCELINE_MULTIADAPTER_PROGRAM));
  };
  const auto compilations = [&] {
    const std::string report = contents_of(shell.work() / "out/report.json");
    return report.substr(report.find("\"compiled\""), 16);
  };
  CHECK(run("/shader_cache/directory=kept").code == 0);
  const std::string first = compilations();
  CHECK(first.substr(0, 13) != "\"compiled\": 0");
  CHECK(run("/shader_cache/directory=kept\n/shader_cache/look_up_us=1").code == 0);
  CHECK(compilations().substr(0, 13) == "\"compiled\": 0");
  const Output unusable = run("/shader_cache/directory=/proc/none");
  CHECK(unusable.code == 0);
  CHECK(compilations() == first);
  const std::string told = "fenceline: /shader_cache/directory is not used: ";
  CHECK(unusable.err.find(told) != std::string::npos);
  CHECK(unusable.err.find(told) == unusable.err.rfind(told));
  CHECK_THAT(run("/shader_cache/start=hot").err,
             Catch::Contains("FENCELINE_SET: /shader_cache/start: expected one of \"cold\", \"warm\""));
}

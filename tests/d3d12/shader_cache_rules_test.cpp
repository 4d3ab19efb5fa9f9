// SPDX-License-Identifier: Apache-2.0
// Shader caches through D3D12: what the header fixes, devices and flags, and control of implicit caches.
#include "api/d3d12/caches/cache_desc.hpp"
#include "shadercache/shader_caches.hpp"
#include "tests/d3d12/cache_app.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr auto memory = D3D12_SHADER_CACHE_MODE_MEMORY;
constexpr auto disk = D3D12_SHADER_CACHE_MODE_DISK;

// The numbers of the header, as the DirectX specification has them.
using Desc = D3D12_SHADER_CACHE_SESSION_DESC;
static_assert(sizeof(Desc) == 48);
static_assert(offsetof(Desc, Mode) == 16 && offsetof(Desc, Flags) == 20);
static_assert(offsetof(Desc, MaximumInMemoryCacheSizeBytes) == 24 && offsetof(Desc, MaximumInMemoryCacheEntries) == 28);
static_assert(offsetof(Desc, MaximumValueFileSizeBytes) == 32 && offsetof(Desc, Version) == 40);
static_assert(memory == 0 && disk == 1);
static_assert(D3D12_SHADER_CACHE_FLAG_NONE == 0 && D3D12_SHADER_CACHE_FLAG_DRIVER_VERSIONED == 1);
static_assert(D3D12_SHADER_CACHE_FLAG_USE_WORKING_DIR == 2);
static_assert(D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CACHE_FOR_DRIVER == 1);
static_assert(D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CONVERSIONS == 2);
static_assert(D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_DRIVER_MANAGED == 4);
static_assert(D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED == 8);
static_assert(disable == 1 && enable == 2 && clear == 4);
static_assert(D3D12_FEATURE_SHADER_CACHE == 19);

D3D12_SHADER_CACHE_KIND_FLAGS kinds(int bits) { return static_cast<D3D12_SHADER_CACHE_KIND_FLAGS>(bits); }
D3D12_SHADER_CACHE_CONTROL_FLAGS flags(int bits) { return static_cast<D3D12_SHADER_CACHE_CONTROL_FLAGS>(bits); }

/// Where the files of a cache are; `end` as ".val".
std::filesystem::path file_of(const std::string& stem, const char* end) {
  return default_cache_directory() / (stem + end);
}

}  // namespace

TEST_CASE("shader cache results: every status has the HRESULT that D3D12 gives it", "[d3d12]") {
  const std::pair<CacheStatus, HRESULT> all[] = {
      {CacheStatus::ok, S_OK},
      {CacheStatus::invalid_argument, E_INVALIDARG},
      {CacheStatus::not_found, static_cast<HRESULT>(0x887A0002)},
      {CacheStatus::more_data, static_cast<HRESULT>(0x887A0003)},
      {CacheStatus::disabled, static_cast<HRESULT>(0x887A0022)},
      {CacheStatus::corrupt, static_cast<HRESULT>(0x887A0033)},
      {CacheStatus::full, static_cast<HRESULT>(0x887A0034)},
      {CacheStatus::hash_collision, static_cast<HRESULT>(0x887A0035)},
      {CacheStatus::already_exists, static_cast<HRESULT>(0x887A0036)},
  };
  for (const auto& [status, result] : all) CHECK(d3d12::result_of(status) == result);
}

TEST_CASE("shader cache sessions: a memory cache of the default limits is soon full", "[d3d12]") {
  CacheApp app;
  const auto session = app.open(cache_desc(20, memory));
  CHECK(store(*session.Get(), "key", std::string(1024, 'v')) == DXGI_ERROR_CACHE_FULL);
  CHECK(store(*session.Get(), "key", std::string(1000, 'v')) == S_OK);
  CHECK(store(*session.Get(), "more", std::string(30, 'v')) == DXGI_ERROR_CACHE_FULL);
  CHECK(app.ids() == Ids{1292, 1292});
  CHECK(find(*session.Get(), "key") == S_OK);
}

TEST_CASE("shader cache sessions: files that can be neither used nor reset are told as damaged", "[d3d12]") {
  CacheApp app;
  const std::filesystem::path file = file_of("a1000015-0001-0002-0304-05060708090a", ".val");
  {
    const auto session = app.open(cache_desc(21, disk));
    CHECK(std::filesystem::exists(file));
  }
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  app.open(cache_desc(21, disk), DXGI_ERROR_CACHE_CORRUPT);
  CHECK(app.ids() == Ids{1294});
  std::filesystem::remove(file);
  app.open(cache_desc(21, disk))->SetDeleteOnDestroy();
}

TEST_CASE("shader cache sessions: an interface that they have not is refused before anything is opened", "[d3d12]") {
  CacheApp app;
  CHECK(store(*app.open(cache_desc(22, disk, 1)).Get(), "key", "value") == S_OK);
  const auto other_version = cache_desc(22, disk, 2);  // which would clear it
  void* place = &app;
  CHECK(app.device->CreateShaderCacheSession(&other_version, __uuidof(ID3D12Fence), &place) == E_NOINTERFACE);
  CHECK(place == nullptr);
  CHECK(app.device->CreateShaderCacheSession(&other_version, __uuidof(ID3D12ShaderCacheSession), nullptr) == S_FALSE);
  const auto again = app.open(cache_desc(22, disk, 1));
  CHECK(find(*again.Get(), "key") == S_OK);
  again->SetDeleteOnDestroy();
  for (const IID& iid : {__uuidof(IUnknown), __uuidof(ID3D12Object), __uuidof(ID3D12DeviceChild)}) {
    const auto desc = cache_desc(23, memory);
    ComPtr<IUnknown> session;
    CHECK(app.device->CreateShaderCacheSession(&desc, iid, &session) == S_OK);
    CHECK(session != nullptr);
  }
}

TEST_CASE("shader cache sessions: disabled ones are told without a place for the session, too", "[d3d12]") {
  CacheApp app;
  const auto desc = cache_desc(24, memory);
  CHECK(app.device->ShaderCacheControl(application, disable) == S_OK);
  CHECK(app.device->CreateShaderCacheSession(&desc, __uuidof(ID3D12ShaderCacheSession), nullptr) ==
        DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  CHECK(app.ids() == Ids{1284});
  CHECK(app.device->ShaderCacheControl(application, enable) == S_OK);
}

TEST_CASE("shader cache sessions: two devices of a process share a cache", "[d3d12]") {
  CacheApp app;
  const auto other = cache_device([](MachineConfig& machine) { machine.name = "other"; });
  for (const auto mode : {memory, disk}) {
    const auto first = app.open(cache_desc(25, mode));
    const auto second = CacheApp::open_on(*other.Get(), cache_desc(25, mode));
    CHECK(store(*first.Get(), "key", "value") == S_OK);
    CHECK(find(*second.Get(), "key") == S_OK);
    first->SetDeleteOnDestroy();
  }
}

TEST_CASE("shader cache sessions: a session keeps its device", "[d3d12]") {
  auto device = cache_device([](MachineConfig&) {});
  const ULONG before = references(device.Get());
  const auto session = CacheApp::open_on(*device.Get(), cache_desc(26, memory));
  CHECK(references(device.Get()) == before + 1);
  device.Reset();
  ComPtr<ID3D12Device9> again;
  CHECK(session->GetDevice(IID_PPV_ARGS(&again)) == S_OK);
  CHECK(store(*session.Get(), "key", "value") == S_OK);
}

TEST_CASE("shader cache sessions: driver versioned caches are of an adapter, and of a version of its driver",
          "[d3d12]") {
  const auto device_of = [](const char* name, std::uint32_t revision) {
    return cache_device([=](MachineConfig& machine) {
      machine.name = name;
      machine.shader_cache.driver_revision = revision;
    });
  };
  const auto device = device_of("one", 0);
  const auto updated = device_of("one", 1);
  const auto other = device_of("two", 1);
  auto desc = cache_desc(27, disk);
  desc.Flags = D3D12_SHADER_CACHE_FLAG_DRIVER_VERSIONED;
  {
    const auto session = CacheApp::open_on(*device.Get(), desc);
    CHECK(session->GetDesc().Flags == D3D12_SHADER_CACHE_FLAG_DRIVER_VERSIONED);
    CHECK(store(*session.Get(), "key", "value") == S_OK);
    CacheApp::open_on(*updated.Get(), desc, DXGI_ERROR_ALREADY_EXISTS);
    const auto beside = CacheApp::open_on(*other.Get(), desc);
    CHECK(find(*beside.Get(), "key") == DXGI_ERROR_NOT_FOUND);
    beside->SetDeleteOnDestroy();
  }
  CHECK(find(*CacheApp::open_on(*device.Get(), desc).Get(), "key") == S_OK);
  const auto later = CacheApp::open_on(*updated.Get(), desc);
  CHECK(find(*later.Get(), "key") == DXGI_ERROR_NOT_FOUND);
  later->SetDeleteOnDestroy();
}

TEST_CASE("shader cache sessions: in the working directory they are caches of their own, cleared while they are open",
          "[d3d12]") {
  CacheApp app;
  const TemporaryDirectory directory;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directory(directory / "work");
  std::filesystem::current_path(directory / "work");
  auto desc = cache_desc(28, disk);
  desc.Flags = D3D12_SHADER_CACHE_FLAG_USE_WORKING_DIR;
  const std::string stem = "a100001c-0001-0002-0304-05060708090a";
  {
    const auto session = app.open(desc);
    std::filesystem::current_path(before);
    CHECK(names_in(directory / "work") == std::vector<std::string>{stem + ".idx", stem + ".lock", stem + ".val"});
    CHECK(session->GetDesc().Flags == D3D12_SHADER_CACHE_FLAG_USE_WORKING_DIR);
    CHECK(store(*session.Get(), "key", "value") == S_OK);
    const auto usual = app.open(cache_desc(28, disk));
    CHECK(find(*usual.Get(), "key") == DXGI_ERROR_NOT_FOUND);
    usual->SetDeleteOnDestroy();
  }
  CHECK(app.device->ShaderCacheControl(application, clear) == S_OK);
  std::filesystem::current_path(directory / "work");
  const auto session = app.open(desc);
  std::filesystem::current_path(before);
  CHECK(find(*session.Get(), "key") == S_OK);  // nobody had it open
  CHECK(app.device->ShaderCacheControl(application, clear) == S_OK);
  CHECK(find(*session.Get(), "key") == DXGI_ERROR_NOT_FOUND);
}

TEST_CASE("shader cache control: clearing goes with disabling and with enabling", "[d3d12]") {
  CacheApp app;
  const auto session = app.open(cache_desc(29, memory));
  CHECK(store(*session.Get(), "key", "value") == S_OK);
  CHECK(app.device->ShaderCacheControl(application, flags(clear | disable)) == S_OK);
  CHECK(find(*session.Get(), "key") == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  CHECK(app.device->ShaderCacheControl(application, enable) == S_OK);
  CHECK(find(*session.Get(), "key") == DXGI_ERROR_NOT_FOUND);
  CHECK(store(*session.Get(), "key", "value") == S_OK);
  CHECK(app.device->ShaderCacheControl(application, disable) == S_OK);
  CHECK(app.device->ShaderCacheControl(application, flags(clear | enable)) == S_OK);
  CHECK(find(*session.Get(), "key") == DXGI_ERROR_NOT_FOUND);
}

TEST_CASE("shader cache control: of implicit caches it tells what is so already, and what there is none of",
          "[d3d12]") {
  CacheApp app;
  const auto control = [&](int which, int what) {
    CHECK(app.device->ShaderCacheControl(kinds(which), flags(what)) == S_OK);
    return app.ids();
  };
  for (const int kind : {1, 2}) {
    CHECK(control(kind, enable) == Ids{1288});
    CHECK(control(kind, disable).empty());
    CHECK(control(kind, disable | clear) == Ids{1288});
    CHECK(control(kind, enable | clear).empty());
    CHECK(control(kind, clear).empty());
  }
  CHECK(control(4, disable) == Ids{1289});  // this machine's driver keeps none
  CHECK(control(15, enable) == Ids{1288, 1288, 1289, 1288});
}

TEST_CASE("shader cache control: without developer mode it is refused with a message", "[d3d12]") {
  const DebugLayerOn layer;
  const auto device =
      cache_device([](MachineConfig& machine) { machine.background_processing.developer_mode = false; });
  ComPtr<ID3D12InfoQueue> messages;
  REQUIRE(device.As(&messages) == S_OK);
  messages->SetMuteDebugOutput(TRUE);
  for (const int kind : {1, 2, 4, 8, 15}) {
    CHECK(device->ShaderCacheControl(kinds(kind), clear) == E_ACCESSDENIED);
    CHECK(take_ids(*messages.Get()) == Ids{1286});
  }
  CHECK(device->ShaderCacheControl(kinds(8), flags(3)) == E_INVALIDARG);
}

TEST_CASE("shader cache control: a message's callback may call D3D12", "[d3d12]") {
  CacheApp app;
  ComPtr<ID3D12InfoQueue1> messages;
  REQUIRE(app.device.As(&messages) == S_OK);
  struct Heard {
    ComPtr<ID3D12Fence> fence;
    UINT64 times = 0;
  } heard{app.fence()};
  const auto hear = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR, void* context) {
    auto* const one = static_cast<Heard*>(context);
    CHECK(one->fence->Signal(++one->times) == S_OK);
  };
  DWORD cookie = 0;
  REQUIRE(messages->RegisterMessageCallback(hear, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &heard, &cookie) == S_OK);
  CHECK(app.device->ShaderCacheControl(kinds(15), enable) == S_OK);
  CHECK(heard.times == 4);
  CHECK(heard.fence->GetCompletedValue() == 4);
}

TEST_CASE("shader cache support: it is told by who keeps compilations, and where", "[d3d12]") {
  const auto flags_of = [](CompilationsKeptBy kept_by, const char* directory) {
    const auto device = cache_device([&](MachineConfig& machine) {
      machine.shader_cache.compilations_kept_by = kept_by;
      machine.shader_cache.directory = directory;
    });
    D3D12_FEATURE_DATA_SHADER_CACHE data{};
    CHECK(device->CheckFeatureSupport(D3D12_FEATURE_SHADER_CACHE, &data, sizeof data) == S_OK);
    return static_cast<unsigned>(data.SupportFlags);
  };
  // SINGLE_PSO, LIBRARY, SHADER_CONTROL_CLEAR and SHADER_SESSION_DELETE.
  constexpr unsigned always = 0x1 | 0x2 | 0x20 | 0x40;
  CHECK(flags_of(CompilationsKeptBy::d3d, "") == (always | 0x4));
  CHECK(flags_of(CompilationsKeptBy::d3d, "kept") == (always | 0x8));
  CHECK(flags_of(CompilationsKeptBy::driver, "") == (always | 0x10));
  CHECK(flags_of(CompilationsKeptBy::driver, "kept") == (always | 0x10));
  CHECK(flags_of(CompilationsKeptBy::nobody, "") == always);
}

TEST_CASE("shader cache support: no driver here takes precompiled shaders", "[d3d12]") {
  const App app;
  constexpr auto shader_cache_abi_support = static_cast<D3D12_FEATURE>(61);
  std::array<char, 256> data{};
  CHECK(app.device->CheckFeatureSupport(shader_cache_abi_support, data.data(), data.size()) == E_FAIL);
  CHECK(app.device->CheckFeatureSupport(shader_cache_abi_support, nullptr, 0) == E_INVALIDARG);
}

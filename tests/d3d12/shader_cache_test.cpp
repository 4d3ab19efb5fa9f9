// SPDX-License-Identifier: Apache-2.0
// ID3D12ShaderCacheSession and ShaderCacheControl: results, messages, and what two processes share.
#include "tests/d3d12/cache_app.hpp"
#include "tests/support/shell.hpp"

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Session = ID3D12ShaderCacheSession;

namespace {

// Before the first cache of the process.
const CacheHome cache_home;

}  // namespace

TEST_CASE("shader cache sessions: values are stored once and found by two calls", "[d3d12]") {
  CacheApp app;
  for (const auto mode : {D3D12_SHADER_CACHE_MODE_MEMORY, D3D12_SHADER_CACHE_MODE_DISK}) {
    const auto session = app.open(cache_desc(1, mode));
    CHECK(store(*session.Get(), "key", "value") == S_OK);
    CHECK(store(*session.Get(), "key", "other") == DXGI_ERROR_ALREADY_EXISTS);
    std::string value;
    CHECK(find(*session.Get(), "key", value) == S_OK);
    CHECK(value == "value");
    CHECK(find(*session.Get(), "none", value) == DXGI_ERROR_NOT_FOUND);
    UINT bytes = 4;
    char four[5] = "....";
    CHECK(session->FindValue("key", 3, four, &bytes) == DXGI_ERROR_MORE_DATA);
    CHECK(bytes == 5);
    CHECK(std::string(four) == "....");
    CHECK(app.ids() == Ids{1290, 1293});
    CHECK(store(*session.Get(), "", "x") == E_INVALIDARG);
    CHECK(session->StoreValue("key", 3, nullptr, 3) == E_INVALIDARG);
    CHECK(session->FindValue("key", 3, nullptr, nullptr) == E_INVALIDARG);
    const D3D12_SHADER_CACHE_SESSION_DESC desc = session->GetDesc();
    CHECK(desc.Identifier == cache_desc(1, mode).Identifier);
    CHECK(desc.Mode == mode);
    CHECK(desc.MaximumInMemoryCacheSizeBytes == 1024);
    CHECK(desc.MaximumInMemoryCacheEntries == 128);
    CHECK(desc.MaximumValueFileSizeBytes == 134'217'728);
    ComPtr<ID3D12Device> of;
    CHECK(session->GetDevice(IID_PPV_ARGS(&of)) == S_OK);
    CHECK(of == app.App::device);
    session->SetDeleteOnDestroy();
  }
}

TEST_CASE("shader cache sessions: what cannot be created is refused with a message", "[d3d12]") {
  CacheApp app;
  auto desc = cache_desc(2, D3D12_SHADER_CACHE_MODE_MEMORY);
  CHECK(app.device->CreateShaderCacheSession(nullptr, IID_PPV_ARGS(ComPtr<Session>().GetAddressOf())) == E_INVALIDARG);
  CHECK(app.device->CreateShaderCacheSession(&desc, IID_ID3D12ShaderCacheSession, nullptr) == S_FALSE);
  void* other = &desc;
  CHECK(app.device->CreateShaderCacheSession(&desc, IID_ID3D12Fence, &other) == E_NOINTERFACE);
  CHECK(other == nullptr);
  CHECK(app.ids() == Ids{1283});
  desc.MaximumValueFileSizeBytes = 1U << 30;
  app.open(desc);
  desc.MaximumValueFileSizeBytes += 1;
  app.open(desc, E_INVALIDARG);
  desc = cache_desc(2, static_cast<D3D12_SHADER_CACHE_MODE>(2));
  app.open(desc, E_INVALIDARG);
  desc = cache_desc(2, D3D12_SHADER_CACHE_MODE_DISK);
  desc.Flags = static_cast<D3D12_SHADER_CACHE_FLAGS>(4);
  app.open(desc, E_INVALIDARG);
  desc.Flags = D3D12_SHADER_CACHE_FLAG_NONE;
  desc.Identifier = {};
  app.open(desc, E_INVALIDARG);
  CHECK(app.ids() == Ids{1283, 1283, 1283, 1283});
}

TEST_CASE("shader cache sessions: another version waits until no session is open, and clears", "[d3d12]") {
  CacheApp app;
  std::string value;
  {
    const auto first = app.open(cache_desc(3, D3D12_SHADER_CACHE_MODE_DISK, 1));
    CHECK(store(*first.Get(), "key", "value") == S_OK);
    app.open(cache_desc(3, D3D12_SHADER_CACHE_MODE_DISK, 2), DXGI_ERROR_ALREADY_EXISTS);
    CHECK(app.ids() == Ids{1285});
    const auto second = app.open(cache_desc(3, D3D12_SHADER_CACHE_MODE_DISK, 1));
    CHECK(find(*second.Get(), "key", value) == S_OK);
  }
  const auto later = app.open(cache_desc(3, D3D12_SHADER_CACHE_MODE_DISK, 2));
  CHECK(find(*later.Get(), "key", value) == DXGI_ERROR_NOT_FOUND);
  later->SetDeleteOnDestroy();
}

TEST_CASE("shader cache control: disabling, enabling and clearing the application's caches", "[d3d12]") {
  CacheApp app;
  ID3D12Device9& device = *app.device.Get();
  const auto session = app.open(cache_desc(4, D3D12_SHADER_CACHE_MODE_DISK));
  session->SetDeleteOnDestroy();
  std::string value;
  CHECK(store(*session.Get(), "key", "value") == S_OK);
  CHECK(device.ShaderCacheControl(application, disable) == S_OK);
  CHECK(find(*session.Get(), "key", value) == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  CHECK(store(*session.Get(), "new", "value") == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  app.open(cache_desc(5, D3D12_SHADER_CACHE_MODE_MEMORY), DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  CHECK(device.ShaderCacheControl(application, disable) == S_OK);
  CHECK(app.ids() == Ids{1295, 1295, 1284, 1288});
  CHECK(device.ShaderCacheControl(application, enable) == S_OK);
  CHECK(find(*session.Get(), "key", value) == S_OK);
  CHECK(device.ShaderCacheControl(application, clear) == S_OK);
  CHECK(find(*session.Get(), "key", value) == DXGI_ERROR_NOT_FOUND);
  CHECK(device.ShaderCacheControl(application, enable) == S_OK);
  CHECK(app.ids() == Ids{1293, 1288});
  const auto kinds = [](int bits) { return static_cast<D3D12_SHADER_CACHE_KIND_FLAGS>(bits); };
  const auto flags = [](int bits) { return static_cast<D3D12_SHADER_CACHE_CONTROL_FLAGS>(bits); };
  for (const auto& [kind, flag] : {std::pair{0, 4}, {8, 0}, {8, 3}, {8, 7}, {16, 4}, {8, 8}}) {
    CHECK(device.ShaderCacheControl(kinds(kind), flags(flag)) == E_INVALIDARG);
  }
  CHECK(app.ids() == Ids{1287, 1287, 1287, 1287, 1287, 1287});
  CHECK(device.ShaderCacheControl(kinds(7), clear) == S_OK);
  CHECK(app.ids() == Ids{1289});  // the driver's own cache, which is not there
}

TEST_CASE("shader cache control: a system without developer mode refuses it", "[d3d12]") {
  ComPtr<ID3D12Device9> device;
  REQUIRE(tiny_with([](MachineConfig& tiny) { tiny.background_processing.developer_mode = false; }).As(&device) ==
          S_OK);
  CHECK(device->ShaderCacheControl(application, disable) == E_ACCESSDENIED);
  auto desc = cache_desc(6, D3D12_SHADER_CACHE_MODE_MEMORY);
  ComPtr<Session> session;
  CHECK(device->CreateShaderCacheSession(&desc, IID_PPV_ARGS(&session)) == S_OK);
}

TEST_CASE("shader cache sessions: a second process finds what the first stored, and another version clears it",
          "[d3d12]") {
  const Shell shell;
  const auto run = [&](const std::string& arguments) {
    return shell.run("FENCELINE_MACHINE=tiny XDG_CACHE_HOME=$PWD/home " + Shell::quoted(FENCELINE_CACHE_PROGRAM) + " " +
                     arguments);
  };
  CHECK(run("1 store one first store two second").out == "open 0x00000000 \nstore 0x00000000 \nstore 0x00000000 \n");
  CHECK(run("1 find two find none store one other find one").out ==
        "open 0x00000000 \nfind 0x00000000 second\nfind 0x887a0002 \nstore 0x887a0036 \nfind 0x00000000 first\n");
  CHECK(run("2 find one store one new").out == "open 0x00000000 \nfind 0x887a0002 \nstore 0x00000000 \n");
  CHECK(run("2 find one drop").out == "open 0x00000000 \nfind 0x00000000 new\n");
  CHECK(run("2 find one").out == "open 0x00000000 \nfind 0x887a0002 \n");
}

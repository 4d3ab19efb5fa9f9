// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/com/private_data.hpp"

#include "api/d3d12/com/blob.hpp"
#include "tests/d3d12/app.hpp"

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

constexpr GUID key = {0xfdb37466, 0x428f, 0x4edf, {0xa3, 0x7f, 0x9b, 0x1d, 0xf4, 0x88, 0xc5, 0xfc}};
constexpr GUID other_key = {0x2e5afac2, 0x87b5, 0x4c10, {0x9b, 0x4b, 0x89, 0xd7, 0xd1, 0x12, 0xe7, 0x2b}};

constexpr UINT pointer_bytes = sizeof(void*);

}  // namespace

TEST_CASE("private data: what was set is got, in its size", "[d3d12]") {
  PrivateData store;
  const std::uint32_t data[] = {1, 2, 3, 4};
  REQUIRE(store.set(key, sizeof(data), data) == S_OK);
  std::uint32_t got[8] = {};
  UINT size = sizeof(got);
  CHECK(store.get(key, &size, got) == S_OK);
  CHECK(size == sizeof(data));
  CHECK(got[3] == 4);
  CHECK(got[4] == 0);
  CHECK(store.set(key, 4, data) == S_OK);
  size = sizeof(got);
  CHECK(store.get(key, &size, got) == S_OK);
  CHECK(size == 4);
}

TEST_CASE("private data: without a place tells the size, in too small a place MORE_DATA", "[d3d12]") {
  PrivateData store;
  const char data[] = "12345678";
  REQUIRE(store.set(key, 8, data) == S_OK);
  UINT size = 1;
  CHECK(store.get(key, &size, nullptr) == S_OK);
  CHECK(size == 8);
  size = 7;
  char place[8] = {};
  CHECK(store.get(key, &size, place) == DXGI_ERROR_MORE_DATA);
  CHECK(size == 8);
  CHECK(place[0] == 0);
  CHECK(store.get(key, nullptr, place) == E_INVALIDARG);
  CHECK(store.get(other_key, nullptr, nullptr) == E_INVALIDARG);
  size = 100;
  CHECK(store.get(other_key, &size, place) == DXGI_ERROR_NOT_FOUND);
  CHECK(size == 0);
}

TEST_CASE("private data: null removes, whatever the size says", "[d3d12]") {
  PrivateData store;
  CHECK(store.set(key, 0, nullptr) == S_FALSE);
  REQUIRE(store.set(key, 1, "x") == S_OK);
  CHECK(store.set(key, ~0U, nullptr) == S_OK);
  CHECK(store.set(key, ~0U, nullptr) == S_FALSE);
  UINT size = 0;
  CHECK(store.get(key, &size, nullptr) == DXGI_ERROR_NOT_FOUND);
}

TEST_CASE("private data: an interface has a reference while it is kept and one more for whoever gets it", "[d3d12]") {
  ComPtr<ID3DBlob> blob;
  blob.Attach(make_blob("x"));
  {
    PrivateData store;
    REQUIRE(store.set_interface(key, blob.Get()) == S_OK);
    CHECK(references(blob.Get()) == 2);
    REQUIRE(store.set_interface(key, blob.Get()) == S_OK);
    CHECK(references(blob.Get()) == 2);
    IUnknown* got = nullptr;
    UINT size = 2 * pointer_bytes;
    CHECK(store.get(key, &size, static_cast<void*>(&got)) == S_OK);
    CHECK(size == pointer_bytes);
    CHECK(got == blob.Get());
    CHECK(references(blob.Get()) == 3);
    got->Release();
    size = pointer_bytes - 1;
    CHECK(store.get(key, &size, static_cast<void*>(&got)) == DXGI_ERROR_MORE_DATA);
    CHECK(references(blob.Get()) == 2);
    CHECK(store.set(key, 1, "x") == S_OK);
    CHECK(references(blob.Get()) == 1);
    REQUIRE(store.set_interface(key, blob.Get()) == S_OK);
    CHECK(store.set(key, 0, nullptr) == S_OK);
    CHECK(references(blob.Get()) == 1);
    REQUIRE(store.set_interface(key, blob.Get()) == S_OK);
  }
  CHECK(references(blob.Get()) == 1);
}

TEST_CASE("private data: a null interface is kept", "[d3d12]") {
  PrivateData store;
  REQUIRE(store.set_interface(key, nullptr) == S_OK);
  IUnknown* got = reinterpret_cast<IUnknown*>(&store);
  UINT size = pointer_bytes;
  CHECK(store.get(key, &size, static_cast<void*>(&got)) == S_OK);
  CHECK(size == pointer_bytes);
  CHECK(got == nullptr);
  CHECK(store.set(key, 0, nullptr) == S_OK);
}

TEST_CASE("private data: a name is data of the debug name's GUID and reads as UTF-8", "[d3d12]") {
  PrivateData store;
  CHECK(store.name().empty());
  REQUIRE(store.set_name(L"B\u00e4r \u20ac \U0001f600") == S_OK);
  CHECK(store.name() == "B\xC3\xA4r \xE2\x82\xAC \xF0\x9F\x98\x80");
  WCHAR text[16] = {};
  UINT size = sizeof(text);
  CHECK(store.get(WKPDID_D3DDebugObjectNameW, &size, text) == S_OK);
  CHECK(size == 8 * sizeof(WCHAR));  // with its ending null
  CHECK(std::wstring(text) == L"B\u00e4r \u20ac \U0001f600");
  CHECK(store.set_name(nullptr) == S_OK);
  CHECK(store.name().empty());
  REQUIRE(store.set(WKPDID_D3DDebugObjectName, 5, "queue") == S_OK);
  CHECK(store.name() == "queue");
}

TEST_CASE("private data: threads set and get at once", "[d3d12]") {
  PrivateData store;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&store, i] {
      GUID own = key;
      own.Data1 = static_cast<std::uint32_t>(i / 2);
      for (int round = 0; round < 5'000; ++round) {
        ComPtr<ID3DBlob> blob;
        blob.Attach(make_blob("x"));
        store.set_interface(own, blob.Get());
        IUnknown* got = nullptr;
        UINT size = pointer_bytes;
        if (store.get(own, &size, static_cast<void*>(&got)) == S_OK && got != nullptr) got->Release();
        store.set(own, 0, nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  UINT size = 0;
  CHECK(store.get(key, &size, nullptr) == DXGI_ERROR_NOT_FOUND);
}

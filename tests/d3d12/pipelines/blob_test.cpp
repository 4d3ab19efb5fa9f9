// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/com/blob.hpp"

#include <catch2/catch.hpp>

#include <wrl/client.h>

#include <cstring>
#include <string>

using namespace fenceline::d3d12;
using Microsoft::WRL::ComPtr;

TEST_CASE("blob: gives its bytes and answers as ID3DBlob", "[d3d12]") {
  const std::string bytes("a\0b", 3);
  ComPtr<ID3DBlob> blob;
  blob.Attach(make_blob(bytes));
  CHECK(std::string(static_cast<const char*>(blob->GetBufferPointer()), blob->GetBufferSize()) == bytes);
  ComPtr<ID3DBlob> again;
  CHECK(blob->QueryInterface(__uuidof(ID3DBlob), reinterpret_cast<void**>(again.GetAddressOf())) == S_OK);
  CHECK(again.Get() == blob.Get());
  ComPtr<ID3D12Object> object;
  CHECK(blob.As(&object) == E_NOINTERFACE);
}

TEST_CASE("blob: a text ends with a null", "[d3d12]") {
  ComPtr<ID3DBlob> blob;
  blob.Attach(make_text_blob("too many"));
  CHECK(blob->GetBufferSize() == 9);
  CHECK(std::strcmp(static_cast<const char*>(blob->GetBufferPointer()), "too many") == 0);
}

TEST_CASE("blob: may be empty", "[d3d12]") {
  ComPtr<ID3DBlob> blob;
  blob.Attach(make_blob({}));
  CHECK(blob->GetBufferSize() == 0);
}

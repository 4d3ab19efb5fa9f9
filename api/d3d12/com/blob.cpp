// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/com/blob.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

ID3DBlob* blob_of(std::string_view text, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return new Blob(std::move(bytes));
}

}  // namespace

ID3DBlob* make_blob(std::string_view bytes) { return blob_of(bytes, bytes.size()); }

ID3DBlob* make_text_blob(std::string_view text) { return blob_of(text, text.size() + 1); }

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace fenceline::d3d12 {

/// Bytes with a reference count. The program may write to them.
class Blob final : public ComObject<Face<ID3DBlob>> {
 public:
  explicit Blob(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  void* STDMETHODCALLTYPE GetBufferPointer() override { return bytes_.data(); }
  SIZE_T STDMETHODCALLTYPE GetBufferSize() override { return bytes_.size(); }

 private:
  ~Blob() override = default;
  std::vector<std::byte> bytes_;
};

/// A blob of a copy of the bytes; the caller has its one reference.
ID3DBlob* make_blob(std::string_view bytes);
/// A blob of a line of text and its ending null, as serializers give out their errors.
ID3DBlob* make_text_blob(std::string_view text);

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// A message of the debug layer.
struct DebugMessage {
  D3D12_MESSAGE_CATEGORY category;
  D3D12_MESSAGE_SEVERITY severity;
  D3D12_MESSAGE_ID id;
  std::string text;
};

/// A D3D12_INFO_QUEUE_FILTER with lists of its own. Lets a message pass that is on no list of those denied, and on each
/// list of those allowed that is not empty.
class InfoFilter {
 public:
  bool passes(const DebugMessage& message) const;
  /// Adds the entries that it has not. E_INVALIDARG for a count without a list.
  HRESULT add(const D3D12_INFO_QUEUE_FILTER& filter);
  /// Bytes of a D3D12_INFO_QUEUE_FILTER with its lists behind it.
  SIZE_T size_in_bytes() const;
  /// Writes as many, with the lists' addresses in place.
  void write(D3D12_INFO_QUEUE_FILTER* filter) const;

 private:
  struct Lists {
    std::vector<D3D12_MESSAGE_CATEGORY> categories;
    std::vector<D3D12_MESSAGE_SEVERITY> severities;
    std::vector<D3D12_MESSAGE_ID> ids;
  };
  static void add(Lists& lists, const D3D12_INFO_QUEUE_FILTER_DESC& desc);
  static D3D12_INFO_QUEUE_FILTER_DESC write(const Lists& lists, std::byte*& at);

  Lists allow_;
  Lists deny_;
};

/// Filters, of which the topmost counts. Without any, everything passes.
class InfoFilterStack {
 public:
  bool passes(const DebugMessage& message) const { return filters_.empty() || filters_.back().passes(message); }
  /// To the topmost filter; the first one becomes one.
  HRESULT add(const D3D12_INFO_QUEUE_FILTER* filter);
  /// The topmost filter, to a place of `*bytes` bytes; leaves its size there. With a null filter the size alone, and
  /// S_FALSE. E_INVALIDARG without a size, DXGI_ERROR_MORE_DATA when it does not fit.
  HRESULT get(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) const;
  /// The topmost filter lets everything pass again.
  void clear();
  void push_empty() { filters_.emplace_back(); }
  void push_copy() { filters_.push_back(filters_.empty() ? InfoFilter() : filters_.back()); }
  HRESULT push(const D3D12_INFO_QUEUE_FILTER* filter);
  void pop();
  UINT size() const { return static_cast<UINT>(filters_.size()); }

 private:
  std::vector<InfoFilter> filters_;
};

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/info_filter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {
namespace {

template <class T>
bool has(const std::vector<T>& list, T entry) {
  return std::find(list.begin(), list.end(), entry) != list.end();
}

template <class T>
void add_to(std::vector<T>& list, UINT count, const T* entries) {
  for (UINT i = 0; i < count; ++i) {
    if (!has(list, entries[i])) list.push_back(entries[i]);
  }
}

bool is_complete(const D3D12_INFO_QUEUE_FILTER_DESC& desc) {
  return (desc.NumCategories == 0 || desc.pCategoryList != nullptr) &&
         (desc.NumSeverities == 0 || desc.pSeverityList != nullptr) && (desc.NumIDs == 0 || desc.pIDList != nullptr);
}

template <class T>
T* write_list(const std::vector<T>& list, std::byte*& at) {
  if (list.empty()) return nullptr;
  std::memcpy(at, list.data(), list.size() * sizeof(T));
  return reinterpret_cast<T*>(std::exchange(at, at + list.size() * sizeof(T)));
}

}  // namespace

bool InfoFilter::passes(const DebugMessage& message) const {
  const auto allowed = [](const auto& list, auto entry) { return list.empty() || has(list, entry); };
  return !has(deny_.categories, message.category) && !has(deny_.severities, message.severity) &&
         !has(deny_.ids, message.id) && allowed(allow_.categories, message.category) &&
         allowed(allow_.severities, message.severity) && allowed(allow_.ids, message.id);
}

HRESULT InfoFilter::add(const D3D12_INFO_QUEUE_FILTER& filter) {
  if (!is_complete(filter.AllowList) || !is_complete(filter.DenyList)) return E_INVALIDARG;
  add(allow_, filter.AllowList);
  add(deny_, filter.DenyList);
  return S_OK;
}

void InfoFilter::add(Lists& lists, const D3D12_INFO_QUEUE_FILTER_DESC& desc) {
  add_to(lists.categories, desc.NumCategories, desc.pCategoryList);
  add_to(lists.severities, desc.NumSeverities, desc.pSeverityList);
  add_to(lists.ids, desc.NumIDs, desc.pIDList);
}

SIZE_T InfoFilter::size_in_bytes() const {
  SIZE_T bytes = sizeof(D3D12_INFO_QUEUE_FILTER);
  for (const Lists* lists : {&allow_, &deny_}) {
    bytes += lists->categories.size() * sizeof(D3D12_MESSAGE_CATEGORY) +
             lists->severities.size() * sizeof(D3D12_MESSAGE_SEVERITY) + lists->ids.size() * sizeof(D3D12_MESSAGE_ID);
  }
  return bytes;
}

void InfoFilter::write(D3D12_INFO_QUEUE_FILTER* filter) const {
  auto* at = reinterpret_cast<std::byte*>(filter + 1);
  filter->AllowList = write(allow_, at);
  filter->DenyList = write(deny_, at);
}

D3D12_INFO_QUEUE_FILTER_DESC InfoFilter::write(const Lists& lists, std::byte*& at) {
  D3D12_INFO_QUEUE_FILTER_DESC desc{};
  desc.NumCategories = static_cast<UINT>(lists.categories.size());
  desc.pCategoryList = write_list(lists.categories, at);
  desc.NumSeverities = static_cast<UINT>(lists.severities.size());
  desc.pSeverityList = write_list(lists.severities, at);
  desc.NumIDs = static_cast<UINT>(lists.ids.size());
  desc.pIDList = write_list(lists.ids, at);
  return desc;
}

HRESULT InfoFilterStack::add(const D3D12_INFO_QUEUE_FILTER* filter) {
  if (filter == nullptr) return E_INVALIDARG;
  if (filters_.empty()) return push(filter);
  return filters_.back().add(*filter);
}

HRESULT InfoFilterStack::get(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) const {
  if (bytes == nullptr) return E_INVALIDARG;
  const InfoFilter none;
  const InfoFilter& top = filters_.empty() ? none : filters_.back();
  const SIZE_T place = std::exchange(*bytes, top.size_in_bytes());
  if (filter == nullptr) return S_FALSE;
  if (place < *bytes) return DXGI_ERROR_MORE_DATA;
  top.write(filter);
  return S_OK;
}

void InfoFilterStack::clear() {
  if (!filters_.empty()) filters_.back() = InfoFilter();
}

HRESULT InfoFilterStack::push(const D3D12_INFO_QUEUE_FILTER* filter) {
  if (filter == nullptr) return E_INVALIDARG;
  InfoFilter pushed;
  const HRESULT result = pushed.add(*filter);
  if (result == S_OK) filters_.push_back(std::move(pushed));
  return result;
}

void InfoFilterStack::pop() {
  if (!filters_.empty()) filters_.pop_back();
}

}  // namespace fenceline::d3d12

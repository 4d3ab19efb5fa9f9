// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/root_values.hpp"

#include "api/pgo/constants_key.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace fenceline::d3d12 {

void RootValues::clear() {
  values_.clear();
  changed_ = true;
}

void RootValues::set(UINT parameter, UINT count, const void* values, UINT at) {
  constexpr UINT most = D3D12_MAX_ROOT_COST;
  if (values == nullptr || count == 0 || count > most || at > most - count || parameter >= most) return;
  for (UINT i = 0; i < count; ++i) {
    Value value{parameter, at + i, 0};
    std::memcpy(&value.value, static_cast<const std::byte*>(values) + i * sizeof value.value, sizeof value.value);
    const auto place = std::lower_bound(values_.begin(), values_.end(), value, [](const Value& a, const Value& b) {
      return std::tie(a.parameter, a.at) < std::tie(b.parameter, b.at);
    });
    if (place != values_.end() && place->parameter == value.parameter && place->at == value.at) {
      *place = value;
    } else {
      values_.insert(place, value);
    }
  }
  changed_ = true;
}

void RootValues::take(const RootValues& bundle) {
  for (const Value& value : bundle.values_) set(value.parameter, 1, &value.value, value.at);
}

std::uint64_t RootValues::key() {
  if (changed_) {
    std::vector<std::uint32_t> all;
    all.reserve(3 * values_.size());
    for (const Value& value : values_) all.insert(all.end(), {value.parameter, value.at, value.value});
    key_ = constants_key(all);
    changed_ = false;
  }
  return key_;
}

void RootArguments::set_signature(const ID3D12RootSignature* of_list) {
  if (of_list == signature) return;
  signature = of_list;
  constants.clear();
  descriptors.clear();
}

void RootArguments::take(const RootArguments& bundle) {
  if (bundle.signature != nullptr) set_signature(bundle.signature);
  constants.take(bundle.constants);
  descriptors.take(bundle.descriptors);
}

std::uint64_t IndirectConstants::key(const std::byte* command) const {
  RootValues values = bound;
  for (const Argument& one : arguments) values.set(one.parameter, one.count, command + one.offset, one.at);
  return values.key();
}

}  // namespace fenceline::d3d12

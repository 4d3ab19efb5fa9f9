// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

namespace fenceline {

/// It is one of them.
template <class T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Behind the others, unless it is one of them already. True: it was not.
template <class T>
bool add_once(std::vector<T>& all, const T& one) {
  if (contains(all, one)) return false;
  all.push_back(one);
  return true;
}

}  // namespace fenceline

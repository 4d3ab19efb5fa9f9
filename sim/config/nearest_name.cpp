// SPDX-License-Identifier: Apache-2.0
#include "sim/config/nearest_name.hpp"

#include "sim/config_error.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {
namespace {

constexpr std::size_t longest = 64;  // a key longer than this is no slip of the fingers

std::string plain(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == ' ') c = '_';
  }
  return text;
}

/// Letters inserted, deleted, replaced, or swapped with their neighbour (optimal string alignment).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(const std::string& misspelt, const std::vector<std::string>& names) {
  const std::string near = nearest_name(misspelt, names);
  return near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)";
}

std::string nearest_name(const std::string& misspelt, const std::vector<std::string>& names) {
  std::string nearest;
  if (misspelt.size() > longest) return nearest;
  std::size_t best = std::max<std::size_t>(1, misspelt.size() / 3) + 1;
  const std::string wanted = plain(misspelt);
  const auto begins = [&](const std::string& name) { return plain(name).compare(0, wanted.size(), wanted) == 0; };
  constexpr std::size_t least = 3;  // letters that mean what begins with them
  if (wanted.size() >= least && std::count_if(names.begin(), names.end(), begins) == 1) {
    return *std::find_if(names.begin(), names.end(), begins);
  }
  for (const std::string& name : names) {
    const std::string candidate = plain(name);
    // The distance is at least what one is longer than the other.
    const std::size_t longer = std::max(wanted.size(), candidate.size()) - std::min(wanted.size(), candidate.size());
    if (name.size() > longest || longer >= best) continue;
    const std::size_t here = distance(wanted, candidate);
    const bool is_alike = here < std::max(wanted.size(), candidate.size());  // some letter of it is there
    if (here < best && is_alike) {
      best = here;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/report/vcd/vcd_scopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fenceline {
namespace {

/// The number in digits '!' to '~', lowest first.
std::string code_of(std::size_t number) {
  constexpr std::size_t digits = '~' - '!' + 1;
  std::string code;
  do {
    code += static_cast<char>('!' + number % digits);
    number /= digits;
  } while (number != 0);
  return code;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string VcdScopes::add(std::string_view path, std::string_view name, unsigned width) {
  const ScopeId scope = scope_of(path);
  variables_.push_back({scope, legal_name(scope, name), width, code_of(variables_.size())});
  return variables_.back().code;
}

void VcdScopes::write(OutputFile& file) const {
  // Scopes by nesting. Not recursive: a name may hold any number of dots.
  struct Place {
    std::vector<ScopeId> path;
    const Variable* variable;
  };
  std::vector<Place> places;
  for (const Variable& variable : variables_) {
    Place place{{}, &variable};
    for (ScopeId scope = variable.scope; scope != 0; scope = scopes_[scope].parent) place.path.push_back(scope);
    std::reverse(place.path.begin(), place.path.end());
    places.push_back(std::move(place));
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.path < b.path; });

  const auto out = std::back_inserter(file.buffer());
  const std::vector<ScopeId> outside;
  const std::vector<ScopeId>* open = &outside;
  const auto change_scope = [&](const std::vector<ScopeId>& path) {
    const auto shared = std::mismatch(open->begin(), open->end(), path.begin(), path.end());
    for (auto scope = shared.first; scope != open->end(); ++scope) file.append("$upscope $end\n");
    for (auto scope = shared.second; scope != path.end(); ++scope) {
      fmt::format_to(out, "$scope module {} $end\n", scopes_[*scope].name);
      file.end_record();
    }
    open = &path;
  };
  for (const Place& place : places) {
    change_scope(place.path);
    fmt::format_to(out, "$var wire {} {} {} $end\n", place.variable->width, place.variable->code, place.variable->name);
    file.end_record();
  }
  change_scope(outside);
}

VcdScopes::ScopeId VcdScopes::scope_of(std::string_view path) {
  ScopeId scope = 0;
  for (;;) {
    const std::size_t dot = path.find('.');
    const auto [known, is_new] = found_.try_emplace({scope, std::string(path.substr(0, dot))}, scopes_.size());
    if (is_new) scopes_.push_back({scope, legal_name(scope, known->first.second)});
    scope = known->second;
    if (dot == std::string_view::npos) return scope;
    path.remove_prefix(dot + 1);
  }
}

std::string VcdScopes::legal_name(ScopeId scope, std::string_view text) {
  std::string name;
  if (text.empty() || is_digit(text.front())) name += '_';
  for (const char c : text) name += is_letter(c) || is_digit(c) ? c : '_';
  const auto [number, is_free] = taken_.try_emplace({scope, name}, 2);
  if (is_free) return name;
  for (;;) {
    const std::string numbered = fmt::format("{}_{}", name, number->second++);
    if (taken_.try_emplace({scope, numbered}, 2).second) return numbered;
  }
}

}  // namespace fenceline

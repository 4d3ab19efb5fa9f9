// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline {

/// The declarations of a value change dump. Each part of a dotted path is a scope; scopes and variables stand in order
/// of first appearance. Names become Verilog identifiers: every other byte is '_', and names that would then be the
/// same in one scope end in _2, _3 and so on.
class VcdScopes {
 public:
  /// Declares a variable and returns its identifier code. A path and name are declared once.
  std::string add(std::string_view path, std::string_view name, unsigned width);
  void write(OutputFile& file) const;

 private:
  using ScopeId = std::size_t;  ///< 0 is what contains the outermost scopes
  struct Scope {
    ScopeId parent;
    std::string name;
  };
  struct Variable {
    ScopeId scope;
    std::string name;
    unsigned width;
    std::string code;
  };

  ScopeId scope_of(std::string_view path);
  std::string legal_name(ScopeId scope, std::string_view text);

  std::vector<Scope> scopes_{1};
  std::vector<Variable> variables_;
  std::map<std::pair<ScopeId, std::string>, ScopeId> found_;      ///< by parent and the text as it was given
  std::map<std::pair<ScopeId, std::string>, std::size_t> taken_;  ///< names of a scope; next number to try behind each
};

}  // namespace fenceline

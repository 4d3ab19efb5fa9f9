// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config_error.hpp"

#include <cstddef>
#include <vector>

namespace fenceline {

/// What is wrong with one document, as far as its reader can go on behind it: one more than a person is shown.
class ConfigErrors {
 public:
  /// Does a piece of the reading that others do not need. True: it threw no ConfigError; what it threw is kept. When
  /// there are enough, nothing is done any more.
  template <class Piece>
  bool keep(Piece&& piece) {
    if (errors_.size() > ConfigError::most) return false;
    try {
      piece();
    } catch (const ConfigError& error) {
      add(error);
      return false;
    }
    return true;
  }
  /// Keeps it, unless it is kept already or there are enough.
  void add(const ConfigError& error);

  std::size_t size() const { return errors_.size(); }
  const std::vector<ConfigError>& all() const { return errors_; }  ///< each alone, in the order in which they were kept
  /// Throws all that were kept as one ConfigError, if any were.
  void throw_any() const;

 private:
  std::vector<ConfigError> errors_;
};

/// Does all of the pieces, of which none needs another; throws what any of them threw as one ConfigError.
template <class... Pieces>
void do_each(Pieces&&... pieces) {
  ConfigErrors errors;
  (errors.keep(pieces), ...);
  errors.throw_any();
}

}  // namespace fenceline

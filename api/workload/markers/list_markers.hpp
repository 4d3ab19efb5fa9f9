// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <string>
#include <vector>

namespace fenceline {

/// The markers of a list that is being recorded, those of bundles that it executes among them. Each region of a list
/// ends in it; a bundle's may end, or have begun, in the list that executes it. Each function throws ConfigError at
/// `pointer` where that is not so.
class ListMarkers {
 public:
  /// The file is named in errors, and outlives this.
  explicit ListMarkers(const std::string& file) : file_(&file) {}

  /// A list begins, or a bundle by itself.
  void restart(bool bundle);
  /// The stream's next marker, whose `command` does not count: it stands behind the commands that the stream has.
  void record(Marker marker, const std::string& pointer, CommandStream& stream);
  /// All that has begun has ended; otherwise the error stands where it began.
  void check_ended() const;

 private:
  struct Open {
    std::string name;
    std::string pointer;
  };
  const std::string* file_;
  bool bundle_ = false;
  std::vector<Open> open_;
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/places.hpp"
#include "tests/support/temporary_directory.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace fenceline::testing {

/// What a process said.
struct Output {
  int code;
  std::string out;
  std::string err;
};

inline std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Every file under a directory, by relative path.
inline std::map<std::string, std::string> files_in(const std::filesystem::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.is_directory()) continue;
    files[entry.path().lexically_relative(directory).string()] = contents_of(entry.path());
  }
  return files;
}

/// A directory of its own to work in, in which the fenceline executable runs.
class Shell {
 public:
  /// Runs `fenceline ARGUMENTS` in the work directory; `around` is shell text before it.
  Output fenceline(const std::vector<std::string>& arguments, const std::string& around = "") const {
    std::string command = around + quoted(fenceline_binary());
    for (const std::string& argument : arguments) command += ' ' + quoted(argument);
    return run(command);
  }
  Output run(const std::string& command) const {
    const std::string whole = "cd " + quoted(work().string()) + " && { " + command + "; } >" + quoted(path("out")) +
                              " 2>" + quoted(path("err"));
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents_of(path("out")), contents_of(path("err"))};
  }
  std::filesystem::path work() const {
    std::filesystem::create_directories(directory_ / "work");
    return directory_ / "work";
  }
  /// Puts a file into the work directory.
  void write(const std::string& name, const std::string& text) const { write_file(work() / name, text); }

  static std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
  }

 private:
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  TemporaryDirectory directory_;
};

}  // namespace fenceline::testing

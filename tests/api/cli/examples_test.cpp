// SPDX-License-Identifier: Apache-2.0
// The examples at the end of each verb's help.
#include "tests/support/places.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using Verb = std::vector<std::string>;  // with what it is inside of

std::string help_of(const Shell& shell, Verb verb) {
  verb.emplace_back("--help");
  const Output help = shell.fenceline(verb);
  CHECK(help.code == 0);
  return help.out;
}

/// Lines of a help behind a heading, up to an empty line.
std::vector<std::string> lines_behind(const std::string& help, const std::string& heading) {
  std::vector<std::string> lines;
  const std::size_t at = help.find("\n" + heading + "\n");
  if (at == std::string::npos) return lines;
  std::istringstream rest(help.substr(at + heading.size() + 2));
  for (std::string line; std::getline(rest, line) && !line.empty();) lines.push_back(line);
  return lines;
}

/// All verbs that have none inside them.
std::vector<Verb> verbs_in(const Shell& shell, const Verb& outer) {
  std::vector<Verb> verbs;
  for (const std::string& line : lines_behind(help_of(shell, outer), "Subcommands:")) {
    if (line.compare(0, 2, "  ") != 0 || line[2] == ' ') continue;  // what goes on in a second line
    Verb verb = outer;
    verb.push_back(line.substr(2, line.find(' ', 2) - 2));
    const std::vector<Verb> inner = verbs_in(shell, verb);
    verbs.insert(verbs.end(), inner.begin(), inner.end());
    if (inner.empty()) verbs.push_back(verb);
  }
  return verbs;
}

std::vector<std::string> examples_of(const Shell& shell, const Verb& verb) {
  return lines_behind(help_of(shell, verb), "Examples:");
}

std::string joined(const Verb& verb) {
  std::string text;
  for (const std::string& word : verb) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TEST_CASE("fenceline --help: every verb has one to four examples, in one form and place", "[cli]") {
  const Shell shell;
  const std::vector<Verb> verbs = verbs_in(shell, {});
  CHECK(verbs.size() >= 19);
  for (const Verb& verb : verbs) {
    INFO(joined(verb));
    const std::string help = help_of(shell, verb);
    const std::vector<std::string> examples = lines_behind(help, "Examples:");
    CHECK(examples.size() >= 1);
    CHECK(examples.size() <= 4);
    const std::string called = "fenceline " + joined(verb);
    CHECK(std::any_of(examples.begin(), examples.end(),
                      [&](const std::string& example) { return example.find(called) != std::string::npos; }));
    for (const std::string& example : examples) {
      CHECK((example.compare(0, 12, "  fenceline ") == 0 || example.compare(0, 9, "  source ") == 0));
    }
    if (examples.empty()) continue;
    CHECK(help.substr(help.size() - examples.back().size() - 1) == examples.back() + "\n");  // the end of all
  }
  CHECK(examples_of(shell, {"cache"}).size() == 5);   // of all verbs inside it
  CHECK(examples_of(shell, {"import"}).size() == 4);  // of both

  REQUIRE(shell.fenceline({"manual", "--write", "man"}).code == 0);
  for (const auto& [name, page] : files_in(shell.work() / "man")) {
    INFO(name);
    if (name != "fenceline.1") CHECK_THAT(page, Contains("\n.SH EXAMPLES\n.nf\n  "));
  }
}

TEST_CASE("fenceline --help: examples work from the root of the tree, those of one verb in their order", "[cli]") {
  const Shell all;
  const std::vector<std::string> left_out = {"sweep configs/sweeps/", "--launcher slurm", "bench/hardware --check"};
  std::size_t ran = 0;
  for (const Verb& verb : verbs_in(all, {})) {
    const Shell shell;
    for (const char* part : {"configs", "bench", "examples"}) {
      fs::create_directory_symlink(source_directory() / part, shell.work() / part);
    }
    const std::string around = "PATH=" + Shell::quoted(fs::path(fenceline_binary()).parent_path().string()) +
                               ":$PATH HOME=" + Shell::quoted(shell.work().string()) + " XDG_CACHE_HOME= bash -euc ";
    for (const std::string& example : examples_of(all, verb)) {
      if (std::any_of(left_out.begin(), left_out.end(),
                      [&](const std::string& part) { return example.find(part) != std::string::npos; })) {
        continue;
      }
      const Output output = shell.run(around + Shell::quoted(example));
      INFO(example << "\n" << output.err);
      CHECK(output.code == 0);
      ++ran;
    }
  }
  CHECK(ran >= 35);
}

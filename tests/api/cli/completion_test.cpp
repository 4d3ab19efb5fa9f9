// SPDX-License-Identifier: Apache-2.0
// Completion and manual pages, which are made of what --help says.
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

/// What bash offers for the last of the words.
std::string completed(const Shell& shell, const std::vector<std::string>& words) {
  std::string script = "source ./completion; COMP_WORDS=(fenceline";
  for (const std::string& word : words) script += " " + Shell::quoted(word);
  script += "); COMP_CWORD=" + std::to_string(words.size()) + "; _fenceline; echo \"${COMPREPLY[*]}\"";
  const Output output = shell.run("bash -euc " + Shell::quoted(script));
  CHECK(output.code == 0);
  CHECK(output.err.empty());
  return output.out.substr(0, output.out.find('\n'));
}

}  // namespace

TEST_CASE("fenceline completion: bash completes verbs and options and values that have names", "[cli]") {
  const Shell shell;
  const Output script = shell.fenceline({"completion", "bash"});
  CHECK(script.code == 0);
  shell.write("completion", script.out);
  CHECK(completed(shell, {"ru"}) == "run");
  CHECK_THAT(completed(shell, {""}), Contains("run sweep check") && Contains("cache") && Contains("--version"));
  CHECK(completed(shell, {"run", "--fast"}) == "--fast-forward");
  CHECK(completed(shell, {"run", "w.json", "--unt"}) == "--until");
  CHECK(completed(shell, {"run", ""}).empty());  // a file
  CHECK(completed(shell, {"run", "--machine", "rx_"}) == "rx_6800_xt rx_7900_xtx");
  CHECK(completed(shell, {"run", "--outputs", "rep"}) == "report");
  CHECK(completed(shell, {"run", "--outputs", "report,tr"}) == "report,trace");
  CHECK(completed(shell, {"run", "--outputs", "report,trace,pre"}) == "report,trace,preemptions");
  CHECK(completed(shell, {"run", "--outputs", "report,x"}).empty());
  CHECK(completed(shell, {"sweep", "s.json", "--launcher", ""}) == "slurm");
  CHECK(completed(shell, {"sweep", "--metric", "makes"}) == "makespan_us");
  CHECK(completed(shell, {"schema", "wo"}) == "workload");
  CHECK(completed(shell, {"cache", "v"}) == "verify");
  CHECK(completed(shell, {"cache", "clear", "--a"}) == "--all");
  CHECK(completed(shell, {"cache", "list", "--a"}).empty());
  CHECK(completed(shell, {"import", "kineto", "--con"}) == "--context");
  CHECK_THAT(completed(shell, {"sweep", "--w"}), !Contains("--worker"));  // which nobody types
  CHECK(shell.fenceline({"completion"}).code == 2);
  CHECK(shell.fenceline({"completion", "fish"}).code == 2);
}

TEST_CASE("fenceline manual: a page for the command and one for each verb, with all options", "[cli]") {
  const Shell shell;
  CHECK(shell.fenceline({"manual"}).code == 2);
  const Output written = shell.fenceline({"manual", "--write", "man1"});
  CHECK(written.code == 0);
  CHECK(written.out.empty());
  const auto pages = files_in(shell.work() / "man1");
  CHECK(pages.size() > 15);
  for (const auto& [name, page] : pages) {
    INFO(name);
    CHECK_THAT(name, StartsWith("fenceline") && Catch::EndsWith(".1"));
    CHECK_THAT(page, StartsWith(".TH \"FENCELINE"));
    for (const char* section : {"\n.SH NAME\n", "\n.SH SYNOPSIS\n"}) CHECK_THAT(page, Contains(section));
    CHECK(page.find('\t') == std::string::npos);
  }
  const std::string& run = pages.at("fenceline-run.1");
  CHECK_THAT(run, Contains("\nfenceline\\-run \\- play a workload; ") && Contains("\\fB\\-\\-until\\fR") &&
                      Contains("\\fB\\-\\-fast\\-forward\\fR") && Contains("trace.json"));
  CHECK_THAT(pages.at("fenceline.1"), Contains("Exit codes: 0 done") && Contains("\\fBfenceline\\-compare\\fR(1)"));
  CHECK_THAT(pages.at("fenceline-cache.1"), Contains(".SH VERIFY\n") && Contains("\\-\\-directory"));
  CHECK_THAT(pages.at("fenceline-sweep.1"), !Contains("worker\\fR"));
  // Every line that begins with a dot is a request that manual pages have.
  for (const auto& [name, page] : pages) {
    for (std::size_t at = page.find("\n."); at != std::string::npos; at = page.find("\n.", at + 1)) {
      const std::string request = page.substr(at + 2, 2);
      INFO(name << ": ." << request);
      const std::vector<std::string> known = {"SH", "TP", "nf", "fi", "br", "BR"};
      CHECK(std::find(known.begin(), known.end(), request) != known.end());
    }
  }
}

TEST_CASE("fenceline: nothing is coloured", "[cli]") {
  const Shell shell;
  for (const char* colour : {"NO_COLOR=1 ", "CLICOLOR_FORCE=1 TERM=xterm-256color "}) {
    const Output output = shell.fenceline({"run", shipped_workload("ring_buffer").string()}, colour);
    CHECK(output.code == 0);
    CHECK((output.out + output.err).find('\x1b') == std::string::npos);
  }
}

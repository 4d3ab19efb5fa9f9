// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER
#include "tests/support/places.hpp"

#include <catch2/catch.hpp>
#include <systemc>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

// A warning from the kernel means that a model did something it should not: it fails the test.
void fail_on_warning(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING && (actions & sc_core::SC_DISPLAY) != 0) {
    FAIL_CHECK("SystemC warning: " << report.get_msg_type() << ": " << report.get_msg());
    return;
  }
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

namespace fenceline::testing {

const std::filesystem::path& source_directory() {
  static const std::filesystem::path directory = FENCELINE_SOURCE_DIR;
  return directory;
}

const std::string& fenceline_binary() {
  static const std::string binary = FENCELINE_BINARY;
  return binary;
}

}  // namespace fenceline::testing

int main(int argc, char* argv[]) {
  // Every machine of every test holds its runs against the rules, and so do the programs that tests start.
  ::setenv("FENCELINE_CHECK_INVARIANTS", "1", 0);
  sc_core::sc_report_handler::set_handler(fail_on_warning);
  return Catch::Session().run(argc, argv);
}

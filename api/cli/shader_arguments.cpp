// SPDX-License-Identifier: Apache-2.0
#include "api/cli/shader_arguments.hpp"

#include "api/cli/usage/examples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>

namespace fenceline::cli {
namespace {

/// An option with a value, and what takes it.
struct Valued {
  std::string_view name;
  void (*take)(ShaderArguments&, const std::string&);
};

void define(ShaderArguments& to, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    to.defines.emplace_back(text, "1");
  } else {
    to.defines.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
}
void ignore(ShaderArguments&, const std::string&) {}

// The longer of two names that begin alike first.
constexpr Valued valued[] = {
    {"-T", [](ShaderArguments& to, const std::string& text) { to.profile = text; }},
    {"-E", [](ShaderArguments& to, const std::string& text) { to.entry = text; }},
    {"-Fo", [](ShaderArguments& to, const std::string& text) { to.object_file = text; }},
    {"-Fh", [](ShaderArguments& to, const std::string& text) { to.header_file = text; }},
    {"-Vn", [](ShaderArguments& to, const std::string& text) { to.variable = text; }},
    {"-D", define},
    {"-I", [](ShaderArguments& to, const std::string& text) { to.include_directories.push_back(text); }},
    {"-HV", ignore},   // language version
    {"-Fd", ignore},   // debug information
    {"-Fre", ignore},  // reflection
    {"-Frs", ignore},  // root signature
    {"-Fsh", ignore},  // hash
};

/// Options that change nothing for code that is not executed.
constexpr std::string_view plain_flags[] = {"-nologo",
                                            "-Zi",
                                            "-Zs",
                                            "-Zpr",
                                            "-Zpc",
                                            "-Zsb",
                                            "-Zss",
                                            "-Od",
                                            "-O0",
                                            "-O1",
                                            "-O2",
                                            "-O3",
                                            "-O4",
                                            "-Gec",
                                            "-Ges",
                                            "-Gfa",
                                            "-Gfp",
                                            "-Gis",
                                            "-Vd",
                                            "-no-warnings",
                                            "-all_resources_bound",
                                            "-all-resources-bound",
                                            "-Qembed_debug",
                                            "-Qstrip_debug",
                                            "-Qstrip_priv",
                                            "-Qstrip_reflect",
                                            "-Qstrip_rootsignature",
                                            "-enable-16bit-types",
                                            "-flegacy-macro-expansion",
                                            "-flegacy-resource-reservation",
                                            "-pack_prefix_stable",
                                            "-pack-prefix-stable",
                                            "-no-legacy-cbuf-layout",
                                            "-res_may_alias",
                                            "-res-may-alias",
                                            "-ffinite-math-only",
                                            "-fno-finite-math-only"};

/// The option whose name the argument begins with, the longest.
const Valued* find_valued(const std::string& argument) {
  const Valued* best = nullptr;
  for (const Valued& one : valued) {
    if (argument.compare(0, one.name.size(), one.name) != 0) continue;
    if (best == nullptr || one.name.size() > best->name.size()) best = &one;
  }
  return best;
}

}  // namespace

std::variant<ShaderArguments, std::string> parse_shader_arguments(const std::vector<std::string>& arguments) {
  ShaderArguments result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty() || argument[0] != '-' || argument == "-") {
      if (!result.source.empty()) {
        return fmt::format("expected one source file, found {} and {}", result.source, argument);
      }
      result.source = argument;
    } else if (argument == "-h" || argument == "-help" || argument == "--help") {
      result.help = true;
    } else if (argument == "-WX") {
      result.warnings_are_errors = true;
    } else if (std::find(std::begin(plain_flags), std::end(plain_flags), argument) != std::end(plain_flags)) {
      continue;
    } else if (const Valued* option = find_valued(argument)) {
      std::string value = argument.substr(option->name.size());
      if (value.empty()) {
        if (i + 1 == arguments.size()) return fmt::format("expected a value behind {}, found the end", argument);
        value = arguments[++i];
      }
      option->take(result, value);
    } else {
      return fmt::format("expected an option of dxc's that is here, found {}; fenceline shader -help lists them",
                         argument);
    }
  }
  if (result.help) return result;
  if (result.source.empty()) return "expected a source file, found none";
  if (result.profile.empty()) return "expected a target profile, such as -T ps_6_0, found none";
  if (result.entry.empty()) result.entry = "main";
  if (result.variable.empty()) result.variable = "g_" + result.entry;
  return result;
}

std::string shader_help() {
  return R"(fenceline shader: compiles HLSL for the simulator, with the options of dxc
usage: fenceline shader -T PROFILE [OPTIONS] FILE

  -T PROFILE   vs_6_0, ps_6_0, gs_6_0, hs_6_0, ds_6_0 or cs_6_0; shader models 4_0 to 6_9
  -E NAME      entry function (default: main)
  -Fo FILE     write the compiled code: a DXBC container with signatures, bindings and cost
  -Fh FILE     write it as a C header
  -Vn NAME     the header's variable (default: g_ and the entry function)
  -D NAME[=X]  define a macro (without a text: 1)
  -I DIR       look for included files there, too
  -WX          warnings are errors

Without -Fo and -Fh what the code takes, puts out and costs is printed. -O0 to -O4, -Od, -Zi, -Zs, -Zpr, -Zpc, -nologo,
-Qembed_debug, -Qstrip_debug, -Qstrip_reflect, -HV VERSION, -Fd FILE and others of dxc's that change nothing here are
taken. Exit codes: 0 done, 1 the source does not compile, 2 the command line is wrong.

)" + examples_text("shader") +
         "\n";
}

}  // namespace fenceline::cli

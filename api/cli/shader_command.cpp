// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/shader_arguments.hpp"
#include "api/cli/shader_summary.hpp"
#include "api/hlsl/hlsl_compiler.hpp"
#include "api/hlsl/include_files.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>

namespace fenceline::cli {
namespace {

std::string header_text(const std::string& variable, const std::string& code, const std::string& summary) {
  std::string text = "#if 0\n" + summary + "#endif\n\nconst unsigned char " + variable + "[] = {";
  constexpr std::size_t a_line = 12;
  for (std::size_t i = 0; i < code.size(); ++i) {
    text += fmt::format("{}0x{:02x}",
                        i == 0            ? "\n  "
                        : i % a_line == 0 ? ",\n  "
                                          : ", ",
                        static_cast<unsigned char>(code[i]));
  }
  return text + "\n};\n";
}

int compile(const ShaderArguments& arguments) {
  const auto text = d3d12::read_source(arguments.source);
  if (!text) {
    console::tell("fenceline shader: expected a readable source file, found {}\n", in_quotes(arguments.source));
    return wrong_input;
  }
  d3d12::HlslSource source;
  source.text = *text;
  source.name = arguments.source;
  source.profile = arguments.profile;
  source.entry = arguments.entry;
  source.defines = arguments.defines;
  source.include = d3d12::include_files(arguments.include_directories);
  const d3d12::HlslResult result = d3d12::compile_hlsl(source);
  console::tell(result.messages);
  if (result.code.empty()) return model_failed;
  if (arguments.warnings_are_errors && !result.messages.empty()) return model_failed;
  const std::string summary = shader_summary(result.code, arguments.profile, arguments.entry);
  if (!arguments.object_file.empty()) write_whole_file(arguments.object_file, result.code, {arguments.source});
  if (!arguments.header_file.empty()) {
    write_whole_file(arguments.header_file, header_text(arguments.variable, result.code, summary), {arguments.source});
  }
  if (arguments.object_file.empty() && arguments.header_file.empty()) console::print(summary);
  return done;
}

}  // namespace

int shader(const std::vector<std::string>& arguments) {
  const auto parsed = parse_shader_arguments(arguments);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) {
    console::tell("fenceline shader: {}\n", *wrong);
    return wrong_input;
  }
  const auto& wanted = std::get<ShaderArguments>(parsed);
  if (wanted.help) {
    console::print(shader_help());
    return done;
  }
  return compile(wanted);
}

}  // namespace fenceline::cli

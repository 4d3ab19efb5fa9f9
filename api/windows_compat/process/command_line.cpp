// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/process/command_line.hpp"

#include <fstream>

namespace fenceline::windows_compat {
namespace {

std::string quoted(const std::string& argument) {
  if (!argument.empty() && argument.find_first_of(" \t\"") == std::string::npos) return argument;
  std::string text = "\"";
  std::size_t slashes = 0;
  for (const char letter : argument) {
    if (letter == '"') text.append(slashes + 1, '\\');
    slashes = letter == '\\' ? slashes + 1 : 0;
    text += letter;
  }
  return text.append(slashes, '\\') + '"';
}

bool is_space(wchar_t letter) { return letter == L' ' || letter == L'\t'; }

std::wstring first_argument(std::wstring_view line, std::size_t& at) {
  const bool in_quotes = line[at] == L'"';
  const std::size_t begin = at + (in_quotes ? 1 : 0);
  for (at = begin; at < line.size() && (in_quotes ? line[at] != L'"' : !is_space(line[at]));) ++at;
  const std::wstring argument(line.substr(begin, at - begin));
  if (in_quotes && at < line.size()) ++at;
  return argument;
}

std::wstring next_argument(std::wstring_view line, std::size_t& at) {
  std::wstring argument;
  for (bool in_quotes = false; at < line.size() && (in_quotes || !is_space(line[at]));) {
    const std::size_t slashes = std::min(line.find_first_not_of(L'\\', at), line.size()) - at;
    at += slashes;
    const bool before_quote = at < line.size() && line[at] == L'"';
    argument.append(before_quote ? slashes / 2 : slashes, L'\\');
    if (at == line.size()) break;
    if (before_quote && slashes % 2 == 0) {
      in_quotes = !in_quotes;
      ++at;
    } else if (before_quote || slashes == 0) {
      argument += line[at++];
    }
  }
  return argument;
}

}  // namespace

std::string quoted(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) line += (line.empty() ? "" : " ") + quoted(argument);
  return line;
}

std::vector<std::wstring> arguments_of(std::wstring_view command_line) {
  std::vector<std::wstring> arguments;
  for (std::size_t at = 0; at < command_line.size();) {
    if (is_space(command_line[at])) {
      ++at;
    } else if (arguments.empty()) {
      arguments.push_back(first_argument(command_line, at));
    } else {
      arguments.push_back(next_argument(command_line, at));
    }
  }
  return arguments;
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return quoted(arguments);
}

}  // namespace fenceline::windows_compat

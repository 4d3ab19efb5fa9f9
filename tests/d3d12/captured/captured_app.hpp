// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_format.hpp"
#include "api/d3d12/pix_capture.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/support/shell.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace fenceline::testing {

using Bytes = std::vector<unsigned char>;

/// `count` numbers from `first` on.
inline Bytes numbers(std::size_t count, int first = 0) {
  Bytes all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(static_cast<unsigned char>(first + static_cast<int>(i)));
  return all;
}
inline void put(Bytes& into, std::size_t at, const Bytes& bytes) {
  std::copy(bytes.begin(), bytes.end(), into.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class T>
ComPtr<T> named(ComPtr<T> object, const wchar_t* name) {
  REQUIRE(object->SetName(name) == S_OK);
  return object;
}

/// Where the CPU writes a buffer, from now on without any call.
inline unsigned char* kept_pointer(ID3D12Resource* buffer) {
  void* data = nullptr;
  REQUIRE(buffer->Map(0, nullptr, &data) == S_OK);
  return static_cast<unsigned char*>(data);
}

/// All bytes of a buffer that the CPU may read.
inline Bytes seen(ID3D12Resource* buffer) {
  return read<unsigned char>(buffer, static_cast<std::size_t>(buffer->GetDesc().Width));
}

/// What a run says of one memory; null where it was not written.
inline nlohmann::json content_of(const nlohmann::json& statistics, const std::string& name) {
  const nlohmann::json contents = statistics.value("contents", nlohmann::json::array());
  for (const nlohmann::json& one : contents) {
    if (one.at("resource") == name) return one;
  }
  return nullptr;
}

/// How what a memory contains in the end is not `expected`, with zeros up to its size: empty where it is.
inline std::string difference(const nlohmann::json& statistics, const std::string& name, const Bytes& expected) {
  const nlohmann::json found = content_of(statistics, name);
  if (found.is_null()) return name + " was not written: " + statistics.value("contents", nlohmann::json()).dump();
  std::string bytes(expected.begin(), expected.end());
  if (found.at("bytes") < bytes.size()) return name + " is too small: " + found.dump();
  bytes.resize(found.at("bytes").get<std::size_t>());
  const std::string hash = fmt::format("{:016x}", capture_check(bytes));
  return found.at("xxh3") == hash ? "" : name + ": expected " + hash + ", found " + found.dump();
}

/// Plays a capture of the shell into the directory `run`, and gives report.json's statistics.
inline nlohmann::json played(const Shell& shell, const std::vector<std::string>& more = {},
                             const std::string& file = "x.capture") {
  std::vector<std::string> arguments = {"run", file, "--out", "run", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Output output = shell.fenceline(arguments);
  INFO(output.err);
  REQUIRE(output.code == 0);
  return nlohmann::json::parse(output.out).at("statistics");
}

/// A capture of the shell as JSON, its blobs beside it.
inline nlohmann::json unpacked(const Shell& shell, const std::string& file = "x.capture") {
  REQUIRE(shell.fenceline({"unpack", file, "-o", "x.json"}).code == 0);
  return nlohmann::json::parse(contents_of(shell.work() / "x.json"));
}

/// Names of a workload's memory.
inline std::set<std::string> memory_names(const nlohmann::json& workload) {
  std::set<std::string> names;
  for (const auto& one : workload.at("resources")) {
    if (one.at("type") == "memory") names.insert(one.at("name").get<std::string>());
  }
  return names;
}

inline std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 0xFF);
  }
  return bytes;
}

/// What a memory of an unpacked capture holds at the start.
inline Bytes start_of(const Shell& shell, const nlohmann::json& workload, const std::string& name) {
  for (const auto& one : workload.at("resources")) {
    if (one.at("name") != name) continue;
    Bytes all(one.at("bytes").get<std::size_t>());
    const nlohmann::json pieces = one.value("pieces", nlohmann::json::array());
    for (const auto& piece : pieces) {
      const nlohmann::json& content = piece.at("content");
      std::string bytes;
      if (content.contains("fill")) {
        bytes.assign(piece.at("bytes").get<std::size_t>(), static_cast<char>(content["fill"].get<int>()));
      } else if (content.value("blob", "").empty()) {
        bytes = from_base64(content.at("base64").get<std::string>());
      } else {
        bytes = contents_of(shell.work() / content["blob"].get<std::string>());
      }
      const auto offset = piece.value("offset", std::size_t{0});
      REQUIRE(offset + bytes.size() <= all.size());
      put(all, offset, Bytes(bytes.begin(), bytes.end()));
    }
    return all;
  }
  FAIL("no memory " << name);
  return {};
}

/// With zeros up to a size.
inline Bytes padded(Bytes bytes, std::size_t size) {
  bytes.resize(std::max(size, bytes.size()));
  return bytes;
}

/// A memory's rows of the run that was played last: access, offset, bytes, and "queue" or "CPU" by whom.
inline std::vector<std::string> accesses_of(const Shell& shell, const std::string& name) {
  const Output output = shell.fenceline({"report", "run", "--resource", name, "--json"});
  INFO(output.err);
  REQUIRE(output.code == 0);
  std::vector<std::string> rows;
  const nlohmann::json report = nlohmann::json::parse(output.out);
  for (const auto& one : report.at("accesses")) {
    const auto by = one.at("by").get<std::string>();
    rows.push_back(fmt::format("{} {} {} {}", one.at("access").get<std::string>(), one.at("offset").dump(),
                               one.at("bytes").dump(), by.substr(0, by.find(' '))));
  }
  return rows;
}

/// Captures what the process does on all devices, from here to end().
class Capturing {
 public:
  Capturing() {
    const std::wstring file = (shell.work() / "x.capture").wstring();
    PIXCaptureParameters parameters{};
    parameters.GpuCaptureParameters.FileName = file.c_str();
    REQUIRE(PIXBeginCapture(PIX_CAPTURE_GPU, &parameters) == S_OK);
  }
  ~Capturing() {
    if (!ended_) PIXEndCapture(FALSE);
  }
  Capturing(const Capturing&) = delete;
  Capturing& operator=(const Capturing&) = delete;

  void end() {
    ended_ = true;
    REQUIRE(PIXEndCapture(FALSE) == S_OK);
  }
  /// The same, and plays it.
  nlohmann::json end_and_play() {
    end();
    return played(shell);
  }

  Shell shell;

 private:
  bool ended_ = false;
};

}  // namespace fenceline::testing

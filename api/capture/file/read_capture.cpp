// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/read_capture.hpp"

#include "api/capture/file/cbor_reader.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/json_sax.hpp"
#include "sim/config_error.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using nlohmann::json;

ReadBytes reader_of(std::string_view bytes) {
  return [bytes, at = std::size_t{0}](char* to, std::size_t most) mutable {
    const std::size_t count = std::min(most, bytes.size() - at);
    std::memcpy(to, bytes.data() + at, count);
    at += count;
    return count;
  };
}

/// The name that a BLOB begins with.
std::string blob_name(const SectionReader& reader, const std::string& stored) {
  const std::string length = reader.full(stored, 2);
  if (length.size() < 2) reader.refuse("to have a name", "nothing");
  const std::uint64_t end = 2 + number_at(length.data(), 2);
  const std::string text = reader.full(stored, end);
  if (text.size() < end)
    reader.refuse(fmt::format("to have a name of {} bytes", end - 2), fmt::format("{}", text.size() - 2));
  return text.substr(2);
}

/// Puts a capture's workload together.
class CaptureParts {
 public:
  explicit CaptureParts(SectionReader& reader) : reader_(reader) {}

  /// Reads to the end.
  Capture read() {
    capture_.facts.minor = reader_.minor();
    for (;;) {
      const SectionReader::Next next = reader_.next();
      if (next == SectionReader::Next::section && section()) {
        if (reader_.section().type != "DONE") continue;
        if (reader_.next() != SectionReader::Next::end) {
          throw ConfigError(reader_.file(), "", "the end of the file behind section DONE", "more");
        }
        return std::move(capture_);
      }
      return cut_off();
    }
  }

 private:
  /// False: the file ends within it.
  bool section() {
    const SectionHeader& header = reader_.section();
    const bool first = capture_.facts.sections.empty();
    if (first && header.type != "WORK") reader_.refuse("to be WORK", one_line(header.type));
    const SectionFacts facts = {header.type, reader_.section_offset(), header.is_compressed(), header.stored_bytes,
                                header.full_bytes};
    std::string stored;
    if (header.type == "WORK" || header.type == "LIST" || header.type == "STEP" || header.type == "DONE") {
      if (!reader_.read(stored)) return false;
      document(stored, first);
    } else if (header.type == "BLOB") {
      if (!reader_.read(stored)) return false;
      blob(stored);
    } else {
      if (!header.may_be_skipped())
        reader_.refuse("to be of a type that is known, or that may be skipped", header.type);
      if (!reader_.skip()) return false;
    }
    capture_.facts.sections.push_back(facts);
    ++counts_[facts.type];
    return true;
  }

  void document(const std::string& stored, bool first) {
    const std::string& type = reader_.section().type;
    bytes_ += reader_.section().full_bytes;
    if (bytes_ > most_capture_bytes) {
      reader_.refuse(fmt::format("to be within the {} bytes that a capture may have", most_capture_bytes), "more");
    }
    // Where they come to be the containers are at most as deep as those of a JSON document.
    const std::size_t depth = type == "WORK" ? max_json_depth + 1 : max_json_depth - 1;
    json value =
        read_cbor(reader_.full(stored), {depth, values_},
                  [&](const std::string& expected, const std::string& found) { reader_.refuse(expected, found); });
    if (type == "WORK") {
      work(std::move(value), first);
    } else if (type == "LIST") {
      lists(std::move(value));
    } else if (type == "STEP") {
      steps(std::move(value));
    } else if (value != json(counts_)) {
      reader_.refuse("to count the sections before it: " + json(counts_).dump(), shortened(value.dump(), 200));
    }
  }

  void work(json&& value, bool first) {
    if (!value.is_object() || !value.contains("workload"))
      reader_.refuse("to be an object with a workload", shown(value));
    for (const auto& [key, one] : value.items()) {
      if (key != "workload" && !(first && key == "machine")) reader_.refuse("to have known keys", in_quotes(key));
    }
    json& workload = value["workload"];
    if (first) {
      capture_.workload = std::move(workload);
      if (value.contains("machine")) capture_.facts.machine = std::move(value["machine"]);
      return;
    }
    if (!workload.is_object()) reader_.refuse("to have an object with what is added to the workload", shown(workload));
    for (auto& [key, added] : workload.items()) append(array_of(capture_.workload, key), std::move(added));
  }

  void lists(json&& value) {
    json& all = array_of(capture_.workload, "command_lists");
    if (!value.is_array()) reader_.refuse("to be an array", shown(value));
    for (json& one : value) {
      if (one.is_array()) {
        if (all.empty()) reader_.refuse("to begin with a list", "commands without one");
        append(array_of(all.back(), "commands"), std::move(one));
      } else {
        all.push_back(std::move(one));
      }
    }
  }

  void steps(json&& value) {
    if (!value.is_array()) reader_.refuse("to be an array", shown(value));
    for (json& run : value) {
      if (!run.is_object() || run.size() != 2 || !run.contains("steps")) {
        reader_.refuse("to have objects with queue or cpu and with steps", shown(run));
      }
      const char* const of = run.contains("queue") ? "queue" : "cpu";
      const auto index = run.find(of);
      json& all = array_of(capture_.workload, of == std::string_view("queue") ? "queues" : "cpus");
      if (index == run.end() || !index->is_number_unsigned() || index->get<std::uint64_t>() >= all.size()) {
        reader_.refuse(fmt::format("to have steps of a {} below {}", of, all.size()),
                       index == run.end() ? "none" : shown(*index));
      }
      append(array_of(all[index->get<std::size_t>()], "timeline"), std::move(run["steps"]));
    }
  }

  /// The array that more is added to.
  json& array_of(json& object, const std::string& key) const {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end() || !found->is_array()) {
      reader_.refuse("to add to an array " + in_quotes(key), "none before it");
    }
    return *found;
  }

  void append(json& all, json&& more) const {
    if (!more.is_array()) reader_.refuse("to add an array", shown(more));
    for (json& one : more) all.push_back(std::move(one));
  }

  void blob(const std::string& stored) {
    const std::string name = blob_name(reader_, stored);
    const std::uint64_t bytes = reader_.section().full_bytes - 2 - name.size();
    const auto [at, is_new] = blobs_.emplace(name, capture_.facts.blobs.size());
    if (is_new) capture_.facts.blobs.push_back({name, 0});
    capture_.facts.blobs[at->second].bytes += bytes;
  }

  Capture cut_off() {
    const std::size_t complete = capture_.facts.sections.size();
    if (complete == 0) {
      throw ConfigError(reader_.file(), "", "a section WORK at byte 32",
                        fmt::format("the end of the file at byte {}", reader_.offset()));
    }
    const bool within = reader_.offset() > reader_.section_offset();
    capture_.facts.cut_off = fmt::format(
        "{}: ends too early, at byte {}{}: {} whole section{} before it, {} of them STEP, {} read",
        one_line(reader_.file()), reader_.offset(),
        within
            ? " within " + (reader_.section().type.empty() ? fmt::format("the header of section {}", reader_.number())
                                                           : reader_.place())
            : ", without a section DONE",
        complete, complete == 1 ? "" : "s", counts_["STEP"], complete == 1 ? "is" : "are");
    return std::move(capture_);
  }

  SectionReader& reader_;
  Capture capture_;
  std::uint64_t bytes_ = 0;
  std::uint64_t values_ = most_capture_values;
  std::map<std::string, std::uint64_t> counts_;
  std::map<std::string, std::size_t> blobs_;
};

/// Those of the limits' names, piece by piece.
std::map<std::string, std::vector<std::byte>> blobs_of(ReadBytes read, const std::string& file,
                                                       const std::map<std::string, std::uint64_t>& limits) {
  SectionReader reader(std::move(read), file);
  std::map<std::string, std::vector<std::byte>> blobs;
  std::string stored;
  while (reader.next() == SectionReader::Next::section && reader.section().type != "DONE") {
    if (reader.section().type != "BLOB") {
      if (!reader.skip()) break;
      continue;
    }
    if (!reader.read(stored)) break;
    const std::string name = blob_name(reader, stored);
    const auto limit = limits.find(name);
    if (limit == limits.end()) continue;
    std::vector<std::byte>& bytes = blobs[name];
    const std::uint64_t more = reader.section().full_bytes - 2 - name.size();
    if (more > limit->second - bytes.size()) {
      reader.refuse(fmt::format("to end {} within {} bytes", in_quotes(name), limit->second), "more");
    }
    const std::string text = reader.full(stored);
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), first + 2 + name.size(), first + text.size());
  }
  return blobs;
}

}  // namespace

Capture read_capture(ReadBytes read, const std::string& file) {
  SectionReader reader(std::move(read), file);
  return CaptureParts(reader).read();
}

Capture read_capture(std::string_view bytes, const std::string& file) { return read_capture(reader_of(bytes), file); }

std::map<std::string, std::vector<std::byte>> read_capture_blobs(const std::filesystem::path& file,
                                                                 const std::map<std::string, std::uint64_t>& limits) {
  InputFile input(file, InputFile::trace_limit);
  return blobs_of([&](char* to, std::size_t most) { return input.read(to, most); }, input.name(), limits);
}

std::map<std::string, std::vector<std::byte>> read_capture_blobs(std::string_view bytes, const std::string& file,
                                                                 const std::map<std::string, std::uint64_t>& limits) {
  return blobs_of(reader_of(bytes), file, limits);
}

std::string read_blob(const std::filesystem::path& file, const std::string& name, std::uint64_t limit_bytes) {
  const auto blobs = read_capture_blobs(file, {{name, limit_bytes}});
  const auto found = blobs.find(name);
  if (found == blobs.end()) throw ConfigError(file.string(), "", "a section BLOB named " + in_quotes(name), "none");
  return {reinterpret_cast<const char*>(found->second.data()), found->second.size()};
}

bool is_capture(const std::filesystem::path& file) { return first_bytes(file, capture_magic.size()) == capture_magic; }

}  // namespace fenceline

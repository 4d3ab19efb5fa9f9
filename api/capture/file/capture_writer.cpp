// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/capture_writer.hpp"

#include "sim/assert.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace fenceline {
namespace {

using nlohmann::json;

/// From so many bytes on what is pending is a section.
constexpr std::size_t section_bytes = 1 << 20;
/// Commands or steps in one piece.
constexpr std::size_t piece_elements = 4096;

void append_cbor(std::string& to, const json& value) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(value);
  to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::string cbor_of(const json& value) {
  std::string bytes;
  append_cbor(bytes, value);
  return bytes;
}

/// Of an array's beginning.
constexpr std::size_t head_bytes = 9;

/// How an array of so many begins.
void put_array_head(char* at, std::uint64_t count) {
  *at = '\x9B';  // with eight bytes of a length, the largest first
  for (std::size_t i = 8; i > 0; --i, count >>= 8) at[i] = static_cast<char>(count);
}

/// Elements from `first` on, at most a piece.
json piece_of(const json& array, std::size_t first) {
  json piece = json::array();
  for (std::size_t i = first; i < std::min(array.size(), first + piece_elements); ++i) piece.push_back(array[i]);
  return piece;
}

}  // namespace

CaptureWriter::CaptureWriter(OutputFile& file, const json& workload, const json& machine)
    : file_(file), sections_(file) {
  json work = {{"workload", workload}};
  if (!machine.is_null()) work["machine"] = machine;
  sections_.append("WORK", cbor_of(work));
}

void CaptureWriter::add_objects(const json& arrays) {
  write_pending();
  sections_.append("WORK", cbor_of({{"workload", arrays}}));
}

void CaptureWriter::add_list(const json& list) {
  const auto commands = list.find("commands");
  if (commands == list.end() || !commands->is_array() || commands->size() <= piece_elements) {
    add(lists_, list);
    return;
  }
  json first = json::object();
  for (const auto& [key, value] : list.items()) {
    if (key != "commands") first[key] = value;
  }
  first["commands"] = piece_of(*commands, 0);
  add(lists_, first);
  for (std::size_t at = piece_elements; at < commands->size(); at += piece_elements) {
    add(lists_, piece_of(*commands, at));
  }
}

void CaptureWriter::add_steps(Timeline timeline, std::size_t index, const json& steps) {
  for (std::size_t at = 0; at < steps.size(); at += piece_elements) {
    add(steps_, {{timeline == Timeline::queue ? "queue" : "cpu", index}, {"steps", piece_of(steps, at)}});
  }
}

void CaptureWriter::add_blob(std::string_view name, std::string_view bytes) {
  FENCELINE_ASSERT(name.size() <= std::numeric_limits<std::uint16_t>::max(), "capture");
  std::string payload(2, '\0');
  put_number_at(payload.data(), 2, name.size());
  payload += name;
  const std::size_t most = static_cast<std::size_t>(most_section_bytes) - payload.size();
  const std::size_t head = payload.size();
  do {
    payload.resize(head);
    payload += bytes.substr(0, most);
    bytes.remove_prefix(std::min(most, bytes.size()));
    sections_.append("BLOB", payload);
  } while (!bytes.empty());
}

/// To append to.
std::string& CaptureWriter::items_of(Pending& pending) {
  if (pending.items.empty()) pending.items.resize(head_bytes);
  return pending.items;
}

void CaptureWriter::add_list_item(std::string_view cbor) {
  items_of(lists_) += cbor;
  added(lists_);
}

void CaptureWriter::add(Pending& pending, const json& item) {
  append_cbor(items_of(pending), item);
  added(pending);
}

void CaptureWriter::added(Pending& pending) {
  ++pending.count;
  if (pending.items.size() < section_bytes) return;
  if (&pending == &lists_) {
    write("LIST", lists_);
  } else {
    write_pending();
  }
}

void CaptureWriter::write(std::string_view type, Pending& pending) {
  if (pending.count == 0) return;
  put_array_head(pending.items.data(), pending.count);
  sections_.append(type, pending.items);
  pending.items.clear();  // what is next has the memory
  pending.count = 0;
}

void CaptureWriter::write_pending() {
  write("LIST", lists_);
  write("STEP", steps_);
}

void CaptureWriter::flush() {
  write_pending();
  file_.flush();
}

void CaptureWriter::finish() {
  write_pending();
  sections_.append("DONE", cbor_of(sections_.counts()));
}

}  // namespace fenceline

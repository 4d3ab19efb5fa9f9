// SPDX-License-Identifier: Apache-2.0
#include "api/capture/captured_bytes.hpp"

#include "api/capture/captured_lists.hpp"
#include "api/capture/file/capture_format.hpp"
#include "api/capture/word_of.hpp"
#include "api/contents/base64.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

using nlohmann::json;

/// What the system gives memory in: a page that is all zeros is not in a capture.
constexpr std::uint64_t page_bytes = 4096;
/// Of one blob of a memory: longer runs come in several.
constexpr std::uint64_t most_piece_bytes = std::uint64_t{8} << 20;
/// Up to so many bytes are text.
constexpr std::uint64_t most_text_bytes = 96;
/// Writes that are so near to each other are one.
constexpr std::uint64_t gap_bytes = 64;

bool all_zeros(const std::byte* bytes, std::uint64_t count) {
  return count == 0 || (bytes[0] == std::byte{0} && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

std::string_view text_of(const std::byte* bytes, std::uint64_t count) {
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count)};
}

/// `visit(begin, end)` of what is not zeros, in pages, at most a piece each.
template <class Visit>
void for_each_run(const std::byte* bytes, std::uint64_t size, const Visit& visit) {
  std::uint64_t begin = 0;
  for (std::uint64_t at = 0; at <= size;) {
    const std::uint64_t count = std::min(page_bytes, size - at);
    const bool ends = at == size || all_zeros(bytes + at, count);
    if ((ends || at - begin >= most_piece_bytes) && at > begin) {
      visit(begin, at);
      begin = at;
    }
    if (at == size) break;
    at += count;
    if (ends) begin = at;
  }
}

/// `visit(begin, end)` of what is different, exactly; runs that lie nearer than `gap_bytes` are one. `before` is as
/// `now` then, which is read once: other threads may be writing there.
template <class Visit>
void take_differences(const std::byte* now, std::byte* before, std::uint64_t size, const Visit& visit) {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // of the run that is being followed; 0: none is
  for (std::uint64_t page = 0; page < size; page += page_bytes) {
    const std::uint64_t count = std::min(page_bytes, size - page);
    if (std::memcmp(now + page, before + page, count) == 0) continue;
    std::array<std::byte, page_bytes> earlier;
    std::memcpy(earlier.data(), before + page, static_cast<std::size_t>(count));
    std::memcpy(before + page, now + page, static_cast<std::size_t>(count));
    for (std::uint64_t at = page; at < page + count; ++at) {
      if (before[at] == earlier[at - page]) continue;
      if (end != 0 && at - end >= gap_bytes) {
        visit(begin, end);
        end = 0;
      }
      if (end == 0) begin = at;
      end = at + 1;
    }
  }
  if (end != 0) visit(begin, end);
}

void add_place(json& effect, const std::string& key, const ActedRows& rows, const RowShape& shape) {
  if (rows.offset != 0) effect[key + "_offset"] = rows.offset;
  if (shape.rows > 1 && rows.row_pitch != shape.row_bytes) effect[key + "_row_pitch"] = rows.row_pitch;
  const std::uint64_t packed = shape.rows * (shape.rows > 1 ? rows.row_pitch : shape.row_bytes);
  if (shape.slices > 1 && rows.slice_pitch != packed) effect[key + "_slice_pitch"] = rows.slice_pitch;
}

/// The rows of the memory, one behind the other.
std::vector<std::byte> gathered(const ActedRows& rows, const RowShape& shape) {
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(shape.bytes()));
  for (std::uint64_t slice = 0; slice < shape.slices; ++slice) {
    for (std::uint64_t row = 0; row < shape.rows; ++row) {
      const std::byte* const at =
          rows.memory->first_byte() + rows.offset + slice * rows.slice_pitch + row * rows.row_pitch;
      bytes.insert(bytes.end(), at, at + shape.row_bytes);
    }
  }
  return bytes;
}

}  // namespace

CapturedBytes::Memory& CapturedBytes::known(const ActedMemoryPtr& memory) {
  Memory& known = memories_[memory.get()];
  if (!known.memory.expired()) return known;
  known = {memory, unique_name(memory->name(), names_)};
  forget_those_gone();
  const std::uint64_t size = memory->size();
  // Read once: the program may be writing there.
  if (memory->cpu_visible()) known.seen.assign(memory->first_byte(), memory->first_byte() + size);
  const std::byte* const bytes = memory->cpu_visible() ? known.seen.data() : memory->first_byte();
  json pieces = json::array();
  for_each_run(bytes, size, [&](std::uint64_t begin, std::uint64_t end) {
    json piece = {{"content", content_of(bytes + begin, end - begin)}};
    if (begin != 0) piece["offset"] = begin;
    if (piece["content"].contains("fill")) piece["bytes"] = end - begin;
    pieces.push_back(std::move(piece));
  });
  json object = {{"type", "memory"}, {"name", known.name}, {"heap", word_of(memory->heap())}, {"bytes", size}};
  if (!pieces.empty()) object["pieces"] = std::move(pieces);
  batch_.objects.push_back({{"resources", json::array({std::move(object)})}});
  return known;
}

/// What was seen of memories that the program has given back is given back, once they are many.
void CapturedBytes::forget_those_gone() {
  if (memories_.size() < 2 * kept_ + 64) return;
  for (auto one = memories_.begin(); one != memories_.end();) {
    one = one->second.memory.expired() ? memories_.erase(one) : std::next(one);
  }
  kept_ = memories_.size();
}

json CapturedBytes::content_of(const std::byte* bytes, std::uint64_t count) {
  const bool same = std::memcmp(bytes, bytes + 1, static_cast<std::size_t>(count - 1)) == 0;
  if (same) return {{"fill", std::to_integer<int>(bytes[0])}};
  if (count <= most_text_bytes) return {{"base64", base64_of(bytes, static_cast<std::size_t>(count))}};
  const std::string_view text = text_of(bytes, count);
  std::string name = fmt::format("{:016x}{:016x}", capture_check(text), capture_check(text, 1));
  if (blobs_.insert(name).second) batch_.blobs.emplace_back(name, text);
  return {{"blob", std::move(name)}};
}

void CapturedBytes::look_at(const std::shared_ptr<StreamBytes>& bytes, const Write& write) {
  std::set<const ActedMemory*> looked;
  UnderWay list{bytes, {}};
  bytes->for_each_memory([&](const ActedMemoryPtr& memory) {
    if (!looked.insert(memory.get()).second) return;
    known(memory);
    if (memory->cpu_visible()) list.seen.push_back(memory);
  });
  if (!list.seen.empty()) under_way_.push_back(std::move(list));
  look_at_those_under_way(write);
}

void CapturedBytes::look_at_those_under_way(const Write& write) {
  const auto is_over = [](const UnderWay& list) { return list.bytes.expired(); };
  under_way_.erase(std::remove_if(under_way_.begin(), under_way_.end(), is_over), under_way_.end());
  std::set<const ActedMemory*> looked;
  for (const UnderWay& list : under_way_) {
    for (const std::weak_ptr<const ActedMemory>& one : list.seen) {
      const ActedMemoryPtr memory = one.lock();
      if (memory != nullptr && looked.insert(memory.get()).second) look_at(known(memory), *memory, write);
    }
  }
}

void CapturedBytes::look_at_all(const Write& write) {
  std::map<std::string, Memory*> by_name;  // in an order that addresses do not decide
  for (auto& [address, memory] : memories_) by_name[memory.name] = &memory;
  for (const auto& [name, memory] : by_name) {
    const auto now = memory->memory.lock();
    if (now != nullptr) look_at(*memory, *now, write);
  }
}

void CapturedBytes::look_at(Memory& memory, const ActedMemory& now, const Write& write) {
  if (!now.cpu_visible()) return;
  memory.seen.resize(now.size());  // which has been shared since: it was zeros, as far as is known here
  take_differences(now.first_byte(), memory.seen.data(), memory.seen.size(),
                   [&](std::uint64_t begin, std::uint64_t end) { add_write(memory, begin, end, write); });
}

void CapturedBytes::add_write(const Memory& memory, std::uint64_t begin, std::uint64_t end, const Write& write) {
  for (std::uint64_t at = begin; at < end; at += most_piece_bytes) {
    const std::uint64_t count = std::min(most_piece_bytes, end - at);
    json step = {{"type", "write"}, {"resource", memory.name}, {"content", content_of(memory.seen.data() + at, count)}};
    if (at != 0) step["offset"] = at;
    if (step["content"].contains("fill")) step["bytes"] = count;
    write(std::move(step));
  }
}

json CapturedBytes::rows_of(const char* type, const ActedRows& to, const RowShape& shape) {
  json effect = {{"type", type}, {"destination", known(to.memory).name}, {"row_bytes", shape.row_bytes}};
  add_place(effect, "destination", to, shape);
  if (shape.rows > 1) effect["rows"] = shape.rows;
  if (shape.slices > 1) effect["slices"] = shape.slices;
  return effect;
}

json CapturedBytes::effects_of(const ActedCommand& command) {
  json all = json::array();
  for (const ActedEffect& effect : command.effects) {
    if (const auto* const copy = std::get_if<ActedCopy>(&effect)) {
      json said = rows_of("copy", copy->to, copy->shape);
      said["source"] = known(copy->from.memory).name;
      add_place(said, "source", copy->from, copy->shape);
      all.push_back(std::move(said));
    } else if (const auto* const fill = std::get_if<ActedFill>(&effect)) {
      json said = rows_of("fill", fill->to, fill->shape);
      for (const std::byte one : fill->value) said["value"].push_back(std::to_integer<int>(one));
      all.push_back(std::move(said));
    }
  }
  return all;
}

json CapturedBytes::effects_of(const std::vector<ActedWrite>& writes) {
  json all = json::array();
  for (const ActedWrite& write : writes) {
    const std::vector<std::byte> bytes = gathered(write.to, write.shape);
    if (bytes.empty()) continue;
    json said = rows_of("write", write.to, write.shape);
    said["content"] = content_of(bytes.data(), bytes.size());
    all.push_back(std::move(said));
    see(write.to, write.shape);
  }
  return all;
}

void CapturedBytes::gpu_wrote(const ActedCommand& command) {
  for (const ActedEffect& effect : command.effects) {
    std::visit([this](const auto& one) { see(one.to, one.shape); }, effect);
  }
}

void CapturedBytes::see(const ActedRows& rows, const RowShape& shape) {
  Memory& memory = known(rows.memory);
  if (memory.seen.empty()) return;
  for (std::uint64_t slice = 0; slice < shape.slices; ++slice) {
    for (std::uint64_t row = 0; row < shape.rows; ++row) {
      const std::uint64_t at = rows.offset + slice * rows.slice_pitch + row * rows.row_pitch;
      std::memcpy(memory.seen.data() + at, rows.memory->first_byte() + at, static_cast<std::size_t>(shape.row_bytes));
    }
  }
}

}  // namespace fenceline

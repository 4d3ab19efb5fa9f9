// SPDX-License-Identifier: Apache-2.0
// Random effects on random memory, held against plain arrays by rules 14 to 16 of docs/contents.md.
#include "tests/api/contents/effects_workload.hpp"

#include <algorithm>
#include <random>

using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// Where the rows of one side lie.
struct Rows {
  std::size_t offset, row_pitch, slice_pitch;
};

class RandomEffects {
 public:
  explicit RandomEffects(unsigned seed) : random_(seed) {
    for (std::size_t i = 0; i < 4; ++i) {
      memories.emplace_back(300 + below(300));
      add_pieces(i);
    }
    json commands = json::array();
    for (int i = 0; i < 30; ++i) {
      json command = {{"type", "copy_buffer"}, {"route", "device_to_device"}, {"bytes", 1 + below(1000)}};
      command["effects"] = json::array();
      for (std::size_t count = 1 + below(4); count > 0; --count) command["effects"].push_back(effect());
      commands.push_back(command);
    }
    document = one_list("", "", "copy");
    document["resources"] = resources_;
    document["command_lists"][0]["commands"] = commands;
  }

  json document;
  std::vector<Bytes> memories;

 private:
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_()) % end; }
  unsigned char any() { return static_cast<unsigned char>(random_()); }
  static std::string name_of(std::size_t memory) { return "m" + std::to_string(memory); }

  void add_pieces(std::size_t memory) {
    json pieces = json::array();
    for (std::size_t at = below(50); at + 60 < memories[memory].size(); at += below(80)) {
      const std::size_t count = 1 + below(50);
      const unsigned char fill = any();
      pieces.push_back({{"offset", at}, {"bytes", count}, {"content", {{"fill", fill}}}});
      std::fill_n(memories[memory].begin() + static_cast<std::ptrdiff_t>(at), count, fill);
      at += count;
    }
    std::shuffle(pieces.begin(), pieces.end(), random_);
    resources_.push_back({{"type", "memory"},
                          {"name", name_of(memory)},
                          {"heap", "default"},
                          {"bytes", memories[memory].size()},
                          {"pieces", pieces}});
  }

  /// Says where the effect's rows lie on a side, so that they are within so many bytes.
  Rows place(json& effect, const std::string& side, std::size_t bytes) {
    const std::size_t room = bytes - row_bytes_;
    Rows rows{0, row_bytes_, 0};
    if (below(3) > 0 && rows_ > 1) {
      rows.row_pitch = 1 + below(room / (2 * (rows_ - 1)));
      effect[side + "_row_pitch"] = rows.row_pitch;
    }
    rows.slice_pitch = rows_ * rows.row_pitch;
    const std::size_t rest = room - (rows_ - 1) * rows.row_pitch;
    if (slices_ > 1 && (below(3) > 0 || rows.slice_pitch * (slices_ - 1) > rest)) {
      rows.slice_pitch = 1 + below(rest / (slices_ - 1));
      effect[side + "_slice_pitch"] = rows.slice_pitch;
    }
    rows.offset = below(rest - (slices_ - 1) * rows.slice_pitch + 1);
    if (rows.offset > 0 || below(2) == 0) effect[side + "_offset"] = rows.offset;
    return rows;
  }

  json effect() {
    row_bytes_ = 1 + below(20);
    rows_ = 1 + below(4);
    slices_ = 1 + below(3);
    const std::size_t to = below(4);
    json made = {{"destination", name_of(to)}, {"row_bytes", row_bytes_}};
    if (rows_ > 1 || below(2) == 0) made["rows"] = rows_;
    if (slices_ > 1 || below(2) == 0) made["slices"] = slices_;
    const Rows there = place(made, "destination", memories[to].size());
    Bytes packed;
    switch (below(3)) {
      case 0: packed = copied(made); break;
      case 1: packed = filled(made); break;
      default:
        made["type"] = "write";
        packed.assign(row_bytes_ * rows_ * slices_, any());
        made["content"] = {{"fill", packed[0]}};
    }
    auto from = packed.begin();
    each_row(there, [&](std::size_t at) {
      std::copy_n(from, row_bytes_, memories[to].begin() + static_cast<std::ptrdiff_t>(at));
      from += static_cast<std::ptrdiff_t>(row_bytes_);
    });
    return made;
  }

  Bytes copied(json& made) {
    const std::size_t memory = below(4);
    made["type"] = "copy";
    made["source"] = name_of(memory);
    const Rows there = place(made, "source", memories[memory].size());
    Bytes packed;
    each_row(there, [&](std::size_t at) {
      for (std::size_t i = 0; i < row_bytes_; ++i) packed.push_back(memories[memory][at + i]);
    });
    return packed;
  }

  Bytes filled(json& made) {
    made["type"] = "fill";
    Bytes value(1 + below(16));
    std::generate(value.begin(), value.end(), [&] { return any(); });
    made["value"] = json::array();
    for (const unsigned char one : value) made["value"].push_back(one);
    Bytes packed;
    for (std::size_t i = 0; i < row_bytes_ * rows_ * slices_; ++i) {
      packed.push_back(value[i % row_bytes_ % value.size()]);
    }
    return packed;
  }

  template <class Visit>
  void each_row(const Rows& of, Visit visit) const {
    for (std::size_t slice = 0; slice < slices_; ++slice) {
      for (std::size_t row = 0; row < rows_; ++row) {
        visit(of.offset + slice * of.slice_pitch + row * of.row_pitch);
      }
    }
  }

  std::mt19937 random_;
  json resources_ = json::array();
  std::size_t row_bytes_ = 1, rows_ = 1, slices_ = 1;
};

}  // namespace

TEST_CASE("memory effects: random ones do what they do to plain arrays", "[contents]") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const RandomEffects effects(seed);
    const Shell shell;
    const json run = statistics_of(shell, effects.document);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string name = "m" + std::to_string(i);
      if (!content_of(run, name).is_null()) CHECK(difference(run, name, effects.memories[i]) == "");
    }
    CHECK(run["contents"].size() == 4);  // of some 75 effects each memory gets one
  }
}

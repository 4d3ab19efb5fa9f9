// SPDX-License-Identifier: Apache-2.0
// Random workloads, played by the simulator, against a plain array for each resource.
#include "api/contents/resource_contents.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/program.hpp"
#include "sim/config/config.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using nlohmann::json;

namespace {

/// A resource, and what it should contain.
struct Plain {
  json info;
  bool texture = false;
  bool mapped = false;
  std::size_t row_bytes = 0;
  std::size_t rows = 0;
  std::size_t texel_bytes = 0;
  std::size_t samples = 1;
  std::vector<unsigned char> bytes;
  std::string name() const { return info["name"]; }
};

/// Makes a workload and goes through the rules of docs/contents.md with plain arrays, one step after the other.
class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 8; ++i) add_resource(i);
    json timeline = json::array();
    document_ = {{"name", "random"},
                 {"command_lists", json::array()},
                 {"fences", {{{"name", "f"}}}},
                 {"queues", {{{"name", "q"}, {"type", "direct"}}}}};
    for (int round = 1; round <= 6; ++round) {
      if (below(3) > 0) timeline.push_back(write());
      const std::string list = "l" + std::to_string(round);
      json commands = json::array();
      for (std::size_t i = below(6); i > 0; --i) add_command(commands);
      document_["command_lists"].push_back({{"name", list}, {"type", "direct"}, {"commands", commands}});
      timeline.push_back({{"type", "execute"}, {"queue", "q"}, {"lists", {list}}});
      timeline.push_back({{"type", "queue_signal"}, {"queue", "q"}, {"fence", "f"}, {"value", round}});
      timeline.push_back({{"type", "fence_wait"}, {"fence", "f"}, {"value", round}});
    }
    document_["cpus"] = {{{"name", "t"}, {"timeline", timeline}}};
    document_["resources"] = json::array();
    for (const Plain& one : resources_) document_["resources"].push_back(one.info);
  }

  const json& document() const { return document_; }
  const std::vector<Plain>& resources() const { return resources_; }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  void add_resource(int index) {
    Plain one;
    one.texture = index % 2 == 1;
    one.mapped = index % 4 == 0;
    const auto fill = static_cast<unsigned char>(random_());
    const std::string name = "r" + std::to_string(index);
    if (one.texture) {
      // Two with one sample and one with several are of one size.
      const std::size_t width = index < 7 ? 5 : 80, height = 3;
      one.texel_bytes = 4;
      one.samples = index == 5 ? 4 : 1;
      one.row_bytes = width * one.texel_bytes * one.samples;
      one.rows = height;
      one.info = {{"type", "texture"}, {"name", name}, {"width", width}, {"height", height}, {"samples", one.samples}};
    } else {
      one.row_bytes = 1100 + below(400);
      one.rows = 1;
      one.info = {{"type", "buffer"},
                  {"name", name},
                  {"bytes", one.row_bytes},
                  {"heap", one.mapped ? index == 0 ? "upload" : "readback" : "default"}};
    }
    one.bytes.resize(one.row_bytes * one.rows);
    if (below(3) > 0 || index == 0) {
      one.info["content"] = {{"fill", fill}};
      std::fill(one.bytes.begin(), one.bytes.end(), fill);
    }
    resources_.push_back(one);
  }

  json write() {
    Plain& to = resources_[below(2) * 4];
    const std::size_t offset = below(to.bytes.size());
    const std::size_t count = 1 + below(to.bytes.size() - offset);
    const auto fill = static_cast<unsigned char>(random_());
    std::fill_n(to.bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, fill);
    return {{"type", "write"},
            {"resource", to.name()},
            {"offset", offset},
            {"bytes", count},
            {"content", {{"fill", fill}}}};
  }

  void add_command(json& commands) {
    const std::size_t from = below(8), to = below(8);
    Plain& source = resources_[from];
    Plain& destination = resources_[to];
    const bool in_video_memory = !destination.mapped;
    if (below(4) == 0 && in_video_memory) {
      json value = json::array();
      const std::size_t period = destination.texture ? 4 : destination.bytes.size() % 3 == 0 ? 3 : 1;
      for (std::size_t i = 0; i < period; ++i) value.push_back(below(256));
      for (std::size_t i = 0; i < destination.bytes.size(); ++i) destination.bytes[i] = value[i % period];
      commands.push_back({{"type", "clear"}, {"target", destination.name()}, {"value", value}});
    } else if (source.texture && destination.texture) {
      copy_or_resolve(commands, source, destination);
    } else if (source.texture || destination.texture) {
      const Plain& texture = source.texture ? source : destination;
      if (texture.samples > 1 || from == to) return;
      const std::size_t pitch = (texture.row_bytes + 255) / 256 * 256;
      const Plain& buffer = source.texture ? destination : source;
      if ((texture.rows - 1) * pitch + texture.row_bytes > buffer.bytes.size()) return;
      for (std::size_t row = 0; row < texture.rows; ++row) {
        std::memcpy(&destination.bytes[row * (destination.texture ? texture.row_bytes : pitch)],
                    &source.bytes[row * (source.texture ? texture.row_bytes : pitch)], texture.row_bytes);
      }
      commands.push_back({{"type", "copy_texture"}, {"source", source.name()}, {"destination", destination.name()}});
    } else {
      const std::size_t at = below(destination.bytes.size()), start = below(source.bytes.size());
      const std::size_t most = std::min(destination.bytes.size() - at, source.bytes.size() - start);
      const std::size_t count = 1 + below(most);
      std::memmove(&destination.bytes[at], &source.bytes[start], count);
      commands.push_back({{"type", "copy_buffer"},
                          {"source", source.name()},
                          {"destination", destination.name()},
                          {"source_offset", start},
                          {"destination_offset", at},
                          {"bytes", count}});
    }
  }

  void copy_or_resolve(json& commands, const Plain& source, Plain& destination) {
    if (source.samples > 1 && destination.samples == 1 && source.bytes.size() == 4 * destination.bytes.size()) {
      for (std::size_t texel = 0; texel < destination.bytes.size() / 4; ++texel) {
        std::memcpy(&destination.bytes[texel * 4], &source.bytes[texel * 16], 4);
      }
      commands.push_back({{"type", "resolve"}, {"source", source.name()}, {"destination", destination.name()}});
    } else if (source.bytes.size() == destination.bytes.size() && source.samples == destination.samples) {
      destination.bytes = std::vector<unsigned char>(source.bytes);
      commands.push_back({{"type", "copy_texture"}, {"source", source.name()}, {"destination", destination.name()}});
    }
  }

  std::mt19937_64 random_;
  std::vector<Plain> resources_;
  json document_;
};

}  // namespace

TEST_CASE("contents: random workloads come to what their commands do to plain arrays, cold and warm", "[contents]") {
  std::size_t written = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    const Model model(seed);
    const Program program = make_program(read_config<Workload>(model.document(), "w.json"), "w.json");
    REQUIRE(program.contents != nullptr);
    std::shared_ptr<ResourceContents> contents;
    for (int play = 0; play < 2; ++play) {
      Machine machine(builtin_machine(seed % 2 == 0 ? "tiny" : "h200"));
      Player player(machine, program, contents);
      REQUIRE(player.play());
      contents = player.contents();
      std::size_t changed = 0;
      for (std::size_t i = 0; i < model.resources().size(); ++i) {
        const auto& expected = model.resources()[i].bytes;
        std::vector<unsigned char> found(expected.size());
        contents->of(i).read(0, found.size(), reinterpret_cast<std::byte*>(found.data()));
        INFO("resource " << i);
        CHECK(found == expected);
        changed += contents->written(i) ? 1 : 0;
      }
      written += changed;
      CHECK(contents->reset().resources == changed);
    }
  }
  CHECK(written > 500);
}

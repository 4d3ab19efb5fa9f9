// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/blob_contents.hpp"

#include "api/workload/recorded_contents.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// Goes through all contents that are blobs'.
class Finder {
 public:
  Finder(Workload& workload, const std::string& file)
      : workload_(workload), file_(file), table_(workload.resources, file) {}

  std::vector<BlobContent> find() {
    for (std::size_t i = 0; i < workload_.resources.size(); ++i) {
      const std::string at = fmt::format("/resources/{}", i);
      std::visit([&](auto& one) { add_initial(one, at); }, workload_.resources[i]);
    }
    for (std::size_t i = 0; i < workload_.command_lists.size(); ++i) {
      add_commands(workload_.command_lists[i].commands, fmt::format("/command_lists/{}/commands", i));
    }
    for (std::size_t i = 0; i < workload_.cpus.size(); ++i) {
      add_steps(workload_.cpus[i].timeline, fmt::format("/cpus/{}/timeline", i));
    }
    return std::move(all_);
  }

 private:
  void add(ContentInfo& content, ContentPlace place) {
    if (!content.blob.empty()) all_.push_back({&content, std::move(place)});
  }
  template <class OfMachine>
  void add_initial(OfMachine& one, const std::string& at) {
    if (!one.content) return;
    const std::uint64_t bytes = table_.resource(one.name, at).bytes;
    add(*one.content, {file_, at + "/content", bytes, bytes});
  }
  void add_initial(MemoryResource& memory, const std::string& at) {
    for (std::size_t i = 0; i < memory.pieces.size(); ++i) {
      ContentPiece& piece = memory.pieces[i];
      add(piece.content, place_of_piece(piece, memory.bytes, file_, fmt::format("{}/pieces/{}", at, i)));
    }
  }

  template <class Commands>
  void add_commands(Commands& commands, const std::string& at) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
      std::visit([&](auto& one) { add_command(one, at, i); }, commands[i]);
    }
  }
  void add_command(RepeatCommand& repeat, const std::string& at, std::size_t index) {
    add_commands(repeat.commands, fmt::format("{}/{}/commands", at, index));
  }
  template <class Command>
  void add_command(Command& command, const std::string& at, std::size_t index) {
    if constexpr (MayHaveEffects<Command>::value) {
      for (std::size_t i = 0; i < command.effects.size(); ++i) {
        auto* const write = std::get_if<WriteEffect>(&command.effects[i]);
        if (write == nullptr) continue;
        const std::uint64_t bytes = write->row_bytes * write->rows * write->slices;
        add(write->content, {file_, fmt::format("{}/{}/effects/{}/content", at, index, i), bytes, bytes});
      }
    }
  }

  template <class Steps>
  void add_steps(Steps& steps, const std::string& at) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string pointer = fmt::format("{}/{}", at, i);
      if (auto* const write = std::get_if<CpuWrite>(&steps[i])) {
        add(write->content, place_of_write(*write, table_.any(write->resource, pointer + "/resource"), file_, pointer));
      }
      if constexpr (std::is_same_v<Steps, std::vector<CpuStep>>) {
        if (auto* const repeat = std::get_if<CpuRepeat>(&steps[i])) add_steps(repeat->steps, pointer + "/steps");
      }
    }
  }

  Workload& workload_;
  const std::string& file_;
  ResourceTable table_;
  std::vector<BlobContent> all_;
};

}  // namespace

std::vector<BlobContent> blob_contents(Workload& workload, const std::string& file) {
  return Finder(workload, file).find();
}

void load_contents(Workload& workload, const BlobPlace& place) {
  const std::string name = place.file.string();
  const std::vector<BlobContent> contents = blob_contents(workload, name);
  BlobLimits limits;
  for (const BlobContent& one : contents) {
    std::uint64_t& limit = limits[one.content->blob];
    limit = std::max(limit, std::min(one.place.most, most_content_bytes));
  }
  const auto blobs = read_blobs(place, limits);
  ConfigErrors errors;
  for (const BlobContent& one : contents) {
    const auto found = blobs.find(one.content->blob);
    if (found != blobs.end()) {
      one.content->bytes = found->second;
      continue;
    }
    errors.add({name, one.place.pointer + "/blob",
                place.is_capture ? "a blob of the capture" : "a file beside the workload",
                in_quotes(one.content->blob) + ", which is not there"});
  }
  errors.throw_any();
}

}  // namespace fenceline

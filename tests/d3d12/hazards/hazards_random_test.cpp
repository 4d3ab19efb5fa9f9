// SPDX-License-Identifier: Apache-2.0
// Random programs over several queues, fences and the CPU, against a graph of what happens before what: the debug layer
// tells of pairs that the graph leaves without order, and of no other.
#include "tests/d3d12/hazards/hazard_program.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <regex>
#include <set>
#include <tuple>

using namespace fenceline::testing;

namespace {

constexpr std::size_t queues = 4;
constexpr std::size_t buffers = 3;
constexpr UINT64 size = 4096;
constexpr UINT64 grain = 64;

/// Events of a program: submissions and what queues do with them.
class Graph {
 public:
  std::size_t add(const std::vector<std::size_t>& after) {
    before_.emplace_back();
    std::vector<bool>& mine = before_.back();
    mine.resize(before_.size());
    for (const std::size_t one : after) {
      if (one == none) continue;
      mine[one] = true;
      for (std::size_t i = 0; i < before_[one].size(); ++i) mine[i] = mine[i] || before_[one][i];
    }
    return before_.size() - 1;
  }
  /// `one` happens before `of`.
  bool before(std::size_t of, std::size_t one) const { return one < before_[of].size() && before_[of][one]; }
  static constexpr std::size_t none = ~std::size_t{0};

 private:
  std::vector<std::vector<bool>> before_;
};

struct Touched {
  std::size_t buffer;
  UINT64 begin, end;
  bool writes;
};

struct Execution {
  std::size_t queue;
  std::size_t event;
  std::vector<Touched> touched;
};

/// Buffer, and two lists of it.
using Pair = std::tuple<std::size_t, std::size_t, std::size_t>;

struct RandomProgram {
  RandomProgram(HazardProgram& of, const std::vector<ComPtr<ID3D12Resource>>& its_buffers, unsigned seed)
      : app(of), data(its_buffers), random(seed), cpu_fence(of.kept_fence()) {
    queue_last.fill(Graph::none);
    for (Lane* lane : {&app.one, &app.two, &app.direct, &app.compute}) {
      lanes.push_back(lane);
      first_value.push_back(lane->value);
    }
  }

  std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); }
  std::size_t cpu(const std::vector<std::size_t>& also = {}) {
    std::vector<std::size_t> after = also;
    after.push_back(cpu_last);
    return cpu_last = graph.add(after);
  }
  std::size_t submit(std::size_t queue, std::size_t also = Graph::none) {
    return queue_last[queue] = graph.add({queue_last[queue], cpu(), also});
  }
  /// Of a queue's fence the signal of that value; before the program began there is nothing to know.
  std::size_t signal_of(std::size_t queue, UINT64 value) const {
    return value > first_value[queue] ? signals[queue][value - first_value[queue] - 1] : Graph::none;
  }

  void step() {
    const std::size_t queue = below(queues);
    const std::size_t other = below(queues);
    Lane& lane = *lanes[queue];
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3: execute(queue); break;
      case 4:
      case 5:
        lane.signal();
        signals[queue].push_back(submit(queue));
        break;
      case 6:
      case 7: {
        const UINT64 value = first_value[other] + below(signals[other].size() + 1);
        REQUIRE(lane.queue->Wait(lanes[other]->fence.Get(), value) == S_OK);
        submit(queue, signal_of(other, value));
        break;
      }
      case 8: look(queue); break;
      case 9: use_cpu_fence(queue); break;
      default: break;
    }
    if (below(6) == 0) Sleep(1);
  }

  void execute(std::size_t queue) {
    Execution execution{queue, 0, {}};
    std::vector<std::array<UINT64, 5>> copies;
    for (std::size_t i = 0; i <= below(2); ++i) {
      const std::size_t to = below(buffers);
      const std::size_t from = (to + 1 + below(buffers - 1)) % buffers;
      const UINT64 bytes = (1 + below(8)) * grain;
      const UINT64 to_offset = below((size - bytes) / grain + 1) * grain;
      const UINT64 from_offset = below((size - bytes) / grain + 1) * grain;
      copies.push_back({to, to_offset, from, from_offset, bytes});
      execution.touched.push_back({to, to_offset, to_offset + bytes, true});
      execution.touched.push_back({from, from_offset, from_offset + bytes, false});
    }
    lanes[queue]->execute("L" + std::to_string(executions.size()), [&](ID3D12GraphicsCommandList* list) {
      for (const auto& copy : copies) {
        list->CopyBufferRegion(data[copy[0]].Get(), copy[1], data[copy[2]].Get(), copy[3], copy[4]);
      }
    });
    execution.event = submit(queue);
    executions.push_back(execution);
  }

  /// The CPU looks at a fence, or waits for it.
  void look(std::size_t queue) {
    const auto& fence = lanes[queue]->fence;
    UINT64 seen = 0;
    if (below(2) == 0) {
      seen = fence->GetCompletedValue();
    } else {
      if (pending_cpu_value > cpu_value) signal_cpu_fence();  // queues may wait for it
      seen = first_value[queue] + below(signals[queue].size() + 1);
      HANDLE event = below(2) == 0 ? CreateEvent(nullptr, FALSE, FALSE, nullptr) : nullptr;
      REQUIRE(fence->SetEventOnCompletion(seen, event) == S_OK);
      if (event != nullptr) {
        REQUIRE(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
        CloseHandle(event);
      }
    }
    cpu({signal_of(queue, seen)});
  }

  /// A queue waits for a signal of the CPU, which comes later.
  void use_cpu_fence(std::size_t queue) {
    if (pending_cpu_value > cpu_value) return signal_cpu_fence();
    pending_cpu_value = cpu_value + 1;
    REQUIRE(lanes[queue]->queue->Wait(cpu_fence.Get(), pending_cpu_value) == S_OK);
    pending_wait = submit(queue);
  }
  void signal_cpu_fence() {
    REQUIRE(cpu_fence->Signal(++cpu_value) == S_OK);
    const std::size_t signal = cpu();
    // What has been submitted behind the wait since comes after it, too.
    waits_for_cpu.emplace_back(pending_wait, signal);
  }

  std::set<Pair> unordered() const {
    std::set<Pair> pairs;
    for (std::size_t a = 0; a < executions.size(); ++a) {
      for (std::size_t b = a + 1; b < executions.size(); ++b) {
        const Execution& one = executions[a];
        const Execution& other = executions[b];
        if (one.queue == other.queue || ordered(one.event, other.event)) continue;
        for (const Touched& x : one.touched) {
          for (const Touched& y : other.touched) {
            const bool common = x.buffer == y.buffer && x.begin < y.end && y.begin < x.end;
            if (common && (x.writes || y.writes)) pairs.insert({x.buffer, a, b});
          }
        }
      }
    }
    return pairs;
  }
  /// By the graph, and the late signals of the CPU on top of it.
  bool ordered(std::size_t a, std::size_t b) const { return reaches(a, b) || reaches(b, a); }
  bool reaches(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> open{from};
    std::set<std::size_t> seen{from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == to || graph.before(to, at)) return true;
      for (const auto& [wait, signal] : waits_for_cpu) {
        const bool signalled = signal == at || graph.before(signal, at);
        if (signalled && seen.insert(wait).second) open.push_back(wait);
      }
    }
    return false;
  }

  HazardProgram& app;
  const std::vector<ComPtr<ID3D12Resource>>& data;
  std::mt19937 random;
  std::vector<Lane*> lanes;
  std::vector<UINT64> first_value;
  Graph graph;
  std::size_t cpu_last = Graph::none;
  std::array<std::size_t, queues> queue_last{};
  std::array<std::vector<std::size_t>, queues> signals;
  ComPtr<ID3D12Fence> cpu_fence;
  UINT64 cpu_value = 0;
  UINT64 pending_cpu_value = 0;
  std::size_t pending_wait = Graph::none;
  std::vector<std::pair<std::size_t, std::size_t>> waits_for_cpu;  // wait, signal
  std::vector<Execution> executions;
};

/// What a message is about.
Pair pair_of(const std::string& text) {
  static const std::regex buffer("of buffer \"b(\\d)\"");
  static const std::regex list("of list \"L(\\d+)\"");
  std::smatch found;
  REQUIRE(std::regex_search(text, found, buffer));
  const std::size_t of = std::stoul(found[1]);
  std::vector<std::size_t> lists;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), list); at != std::sregex_iterator(); ++at) {
    lists.push_back(std::stoul((*at)[1]));
  }
  REQUIRE(lists.size() == 2);
  return {of, std::min(lists[0], lists[1]), std::max(lists[0], lists[1])};
}

}  // namespace

TEST_CASE("hazards: of random programs exactly what a graph of all events leaves without order", "[d3d12][hazards]") {
  HazardProgram app;
  std::vector<ComPtr<ID3D12Resource>> data;
  for (std::size_t i = 0; i < buffers; ++i) data.push_back(app.named_buffer("b" + std::to_string(i), size));
  std::size_t correct = 0;
  std::size_t pairs = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    RandomProgram program(app, data, seed);
    const std::size_t steps = 10 + program.below(40);
    for (std::size_t i = 0; i < steps; ++i) program.step();
    if (program.pending_cpu_value > program.cpu_value) program.signal_cpu_fence();
    app.finish();
    const std::set<Pair> expected = program.unordered();
    // The nearest of several uses by one queue is told of: of each buffer and two queues there is one at least.
    const auto by_queues = [&](const std::set<Pair>& of) {
      std::set<std::tuple<std::size_t, std::size_t, std::size_t>> all;
      for (const auto& [buffer, a, b] : of) {
        const auto [low, high] = std::minmax(program.executions[a].queue, program.executions[b].queue);
        all.insert({buffer, low, high});
      }
      return all;
    };
    std::set<Pair> found;
    for (const auto& message : app.said()) {
      if (message.id != D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE) continue;
      INFO(message.text);
      const Pair pair = pair_of(message.text);
      CHECK(found.insert(pair).second);
      CHECK(expected.count(pair) == 1);
    }
    CHECK(by_queues(found) == by_queues(expected));
    correct += expected.empty() ? 1 : 0;
    pairs += expected.size();
    for (Lane* lane : program.lanes) {
      lane->lists.clear();
      lane->allocators.clear();
    }
  }
  CHECK(correct > 20);  // both kinds of programs were there
  CHECK(pairs > 1000);
}

// SPDX-License-Identifier: Apache-2.0
// What goes while its commit is under way: pipeline states, devices, events.
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/queues/background_frames.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::testing::background;

TEST_CASE("background processing: a pipeline state may go while it is compiled, and so may its device", "[d3d12]") {
  auto app = std::make_unique<App>();
  const Event event;
  {
    Frames frames(*app);
    frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
    frames.play(3);
    frames.device->SetBackgroundProcessingMode(light, commit, event.handle, nullptr);
    CHECK_FALSE(event.is_set());
  }  // the list and the pipeline state are gone
  CHECK(WaitForSingleObject(event.handle, INFINITE) == WAIT_OBJECT_0);

  app = nullptr;

  app = std::make_unique<App>();
  auto frames = std::make_unique<Frames>(*app);
  frames->device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
  frames->play(3);
  frames->device->SetBackgroundProcessingMode(light, commit, nullptr, nullptr);
  frames.reset();
  app.reset();
}

TEST_CASE("background processing: a device that goes with a commit under way sets its event", "[d3d12]") {
  const auto execution = GENERATE(TaskExecution::simulated, TaskExecution::host);
  const TemporaryDirectory directory;
  setenv("FENCELINE_OUT", (directory / "out").c_str(), 1);
  const Event event;
  {
    App app(tiny_with([execution](MachineConfig& tiny) { tiny.background_processing.executor = execution; }));
    Frames frames(app);
    frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
    frames.play(3);
    frames.device->SetBackgroundProcessingMode(light, commit, event.handle, nullptr);
  }
  unsetenv("FENCELINE_OUT");
  CHECK(event.is_set());
  const auto report = nlohmann::json::parse(contents_of(run_in(directory) / "report.json"));
  const auto& told = report["statistics"]["background_processing"][0];
  CHECK(told["queued"] == 1);
  CHECK(told["finished"].get<int>() + told["cancelled"].get<int>() == 1);
}

TEST_CASE("background processing: devices go with commits under way while other threads make and close events",
          "[d3d12][threads]") {
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([&over] {
      while (!over) CloseHandle(CreateEvent(nullptr, TRUE, FALSE, nullptr));
    });
  }
  int set = 0;
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    const Event event;
    {
      App app;
      Frames frames(app);
      frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
      frames.play(3);
      frames.device->SetBackgroundProcessingMode(light, commit, event.handle, nullptr);
    }
    if (event.is_set()) ++set;
  }
  over = true;
  for (std::thread& other : others) other.join();
  CHECK(set == rounds);
}

TEST_CASE("background processing: a removed device's commit still sets its event", "[d3d12][threads]") {
  const auto execution = GENERATE(TaskExecution::simulated, TaskExecution::host);
  App app(tiny_with([execution](MachineConfig& tiny) { tiny.background_processing.executor = execution; }));
  Frames frames(app);
  const Event event;
  frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
  frames.play(3);
  frames.device->SetBackgroundProcessingMode(light, commit, event.handle, nullptr);
  frames.device->RemoveDevice();
  CHECK(WaitForSingleObject(event.handle, INFINITE) == WAIT_OBJECT_0);
  CHECK(frames.device->SetBackgroundProcessingMode(light, keep, nullptr, nullptr) == DXGI_ERROR_DEVICE_REMOVED);
}

TEST_CASE("background processing: an event that is closed before its commit completes is left alone", "[d3d12]") {
  App app;
  Frames frames(app);
  auto closed = std::make_unique<Event>();
  frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
  frames.play(3);
  frames.device->SetBackgroundProcessingMode(light, commit, closed->handle, nullptr);
  const HANDLE handle = closed->handle;
  closed.reset();
  const Event next;  // with the same handle, as a rule
  const Event last;
  frames.device->SetBackgroundProcessingMode(light, commit, last.handle, nullptr);  // has the same set
  CHECK(WaitForSingleObject(last.handle, INFINITE) == WAIT_OBJECT_0);
  CHECK(next.handle == handle);
  CHECK_FALSE(next.is_set());
}

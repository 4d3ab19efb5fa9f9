// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/agenda.hpp"
#include "sim/kernel/kernel.hpp"

#include <systemc>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Does what a test wants done at given times; at one time in the order it was asked for.
class Script : public sc_core::sc_module {
 public:
  explicit Script(sc_core::sc_module_name module_name) : sc_module(module_name), agenda_("agenda") {}
  void at(std::uint64_t time_ps, std::function<void()> action) {
    actions_.push_back(std::move(action));
    agenda_.at<&Script::act>(time_ps, this, actions_.size() - 1);
  }
  /// A callback that does `action`, for modules that want one.
  Callback callback(std::function<void()> action) {
    actions_.push_back(std::move(action));
    return Callback::to<&Script::act>(this, actions_.size() - 1);
  }

 private:
  void act(std::uint64_t index) {
    const std::function<void()> action = actions_[index];  // a copy: the action may add further ones
    action();
  }
  std::vector<std::function<void()>> actions_;
  Agenda agenda_;
};

/// A kernel around one top module.
template <class Top>
class KernelOf {
 public:
  template <class... Args>
  explicit KernelOf(const Args&... args)
      : kernel([&] {
          auto top = std::make_unique<Top>("top", args...);
          top_ = top.get();
          return top;
        }) {}
  /// For touching the modules between two runs.
  void enter(const std::function<void(Top&)>& body) {
    kernel.enter([&] { body(*top_); });
  }
  Top& top() { return *top_; }

 private:
  Top* top_ = nullptr;  // set by the kernel's construction

 public:
  Kernel kernel;
};

}  // namespace fenceline::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/policy.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fenceline {

/// A process among those that want a node: it has a place in the order of arrival in each band and level in which
/// contexts of it want the node. A turn that is over in one of them says nothing of the others.
class Arrivals {
 public:
  /// One of its contexts begins to want the node. `height` is height_of its rank.
  void begin(std::uint32_t height, const Arrival& arrival) {
    Place& place = place_of(height);
    if (place.contexts++ == 0) place.arrival = arrival;
  }
  void end(std::uint32_t height) { --place_of(height).contexts; }
  /// The rank of one has changed: it keeps its place, unless the process has one there.
  void move(std::uint32_t from, std::uint32_t to) {
    const Arrival arrival = of(from);
    end(from);
    begin(to, arrival);
  }
  void set(std::uint32_t height, const Arrival& arrival) { place_of(height).arrival = arrival; }
  Arrival of(std::uint32_t height) const {
    for (const Place& place : places_) {
      if (place.height == height) return place.arrival;
    }
    return {};
  }
  /// It wants the node, with whatever rank.
  bool any() const {
    return std::any_of(places_.begin(), places_.end(), [](const Place& place) { return place.contexts > 0; });
  }

 private:
  struct Place {
    std::uint32_t height;
    std::uint32_t contexts;
    Arrival arrival;
  };
  Place& place_of(std::uint32_t height) {
    for (Place& place : places_) {
      if (place.height == height) return place;
    }
    places_.push_back({height, 0, {}});
    return places_.back();
  }
  std::vector<Place> places_;
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/candidate.hpp"
#include "scheduler/policies/policy_traits.hpp"
#include "scheduler/policies/scheduling_policy.hpp"
#include "scheduler/policies/turns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Who is next: the index of one of `candidates`, of which there is at least one.
std::size_t choose_context(const PolicyTraits& policy, const std::vector<Candidate>& candidates);

/// Of those that run, the first to give way to a higher one: an index of `running`, of which there is at least one.
std::size_t choose_victim(const PolicyTraits& policy, const std::vector<Candidate>& running);

/// Bands and levels as one number. While it is its part of the time the normal band goes before the focus band.
std::uint32_t height(const PolicyTraits& policy, const Candidate& one);

/// `a` goes before `b` whatever turns there are, and may have it stopped.
bool outranks(const PolicyTraits& policy, const Candidate& a, const Candidate& b);

/// `waiting` has to go before `queued`, which stands in front of it in a hardware queue, behind `running`: by its rank,
/// or because the turn of `running` is its, too, or is over for `queued`.
bool goes_before(const PolicyTraits& policy, const Candidate& waiting, const Candidate& queued,
                 const Candidate& running);

/// Whether `running` has to stop for `waiting`.
PreemptionVerdict judge(const PolicyTraits& policy, const Candidate& waiting, const Candidate& running);

/// Of a context's groups on the shader array, where the higher one gets a free place first.
int array_priority(const PolicyTraits& policy, const Rank& rank);

/// The peers among which a process, or a context, takes turns.
Peers process_peers(const Rank& rank);
Peers context_peers(const PolicyTraits& policy, const Rank& rank, std::uint32_t process);
Peers context_peers(const PolicyTraits& policy, std::uint32_t height, int in_process, std::uint32_t process);

/// What policies choose and judge by, if not by something of their own.
template <class Before>
std::size_t first_of(const std::vector<Candidate>& candidates, const Before& before) {
  return static_cast<std::size_t>(std::min_element(candidates.begin(), candidates.end(), before) - candidates.begin());
}
/// In the order of submission, but that a process's oldest packet gives its place to the process's highest one.
std::size_t choose_oldest_of_highest(const PolicyTraits& policy, const std::vector<Candidate>& candidates);
/// Whoever is outranked has to stop at once.
PreemptionVerdict judge_by_rank(const PolicyTraits& policy, const Candidate& waiting, const Candidate& running);

/// A hardware queue as the choice of one sees it.
struct HardwareQueueView {
  std::size_t packets = 0;  ///< that it holds
  bool has_room = false;    ///< for another one
  bool kept = false;        ///< the context's turn there is not over
};
constexpr std::size_t no_queue = static_cast<std::size_t>(-1);
/// An empty one, that of its turn before others (lowest index); `no_queue` if there is none.
std::size_t choose_hardware_queue(const std::vector<HardwareQueueView>& queues);

}  // namespace fenceline

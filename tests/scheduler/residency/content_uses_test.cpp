// SPDX-License-Identifier: Apache-2.0
// Whose content is needed, as the commands of a list end: docs/residency.md, rule 31.
#include "scheduler/residency/content_uses.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

using namespace fenceline;

namespace {

/// A list of clears (c), barriers (b) and discards (d) that all use allocation 7, and what one execution of it tells.
class Told {
 public:
  explicit Told(const std::string& list) {
    auto stream = std::make_shared<CommandStream>();
    for (const char one : list) {
      const AllocationUse::As as = one == 'd' ? AllocationUse::As::discard : AllocationUse::As::other;
      stream->memory.uses.push_back({stream->commands.size(), 7, as});
      stream->commands.push_back(one == 'd' ? Command(Discard{}) : one == 'b' ? Command(Barrier{}) : Clear{1});
    }
    stream->memory.uses.push_back({AllocationUse::of_list, 7});
    uses_ = std::make_unique<ContentUses>(stream, [this](std::uint32_t, bool needed) { text_ += needed ? 'n' : 'd'; });
  }
  ContentUses& operator*() { return *uses_; }
  /// Since it was last asked: n for each time it was needed, d for each time it was not any more.
  std::string text() { return std::exchange(text_, {}); }

 private:
  std::unique_ptr<ContentUses> uses_;
  std::string text_;
};

}  // namespace

TEST_CASE("content uses: a discard counts until a later command ends", "[scheduler]") {
  Told told("cdc");
  (*told).ended(0);
  CHECK(told.text() == "n");
  (*told).ended(1);
  CHECK(told.text() == "d");
  (*told).ended(2);
  CHECK(told.text() == "n");
  (*told).finished();
  CHECK(told.text().empty());
}

TEST_CASE("content uses: a discard is complete with the commands before it", "[scheduler]") {
  Told told("ccdc");
  (*told).ended(2);
  (*told).ended(1);
  CHECK(told.text().empty());
  SECTION("the last one of them ends") {
    (*told).ended(0);
    CHECK(told.text() == "d");
    (*told).ended(3);
    CHECK(told.text() == "n");
  }
  SECTION("the last one of them is skipped") {
    (*told).skipped(0);
    CHECK(told.text() == "d");
  }
  SECTION("one behind it has ended before") {
    (*told).ended(3);
    CHECK(told.text() == "n");
    (*told).ended(0);
    CHECK(told.text().empty());
  }
  SECTION("the packet has ended") {
    (*told).finished();
    CHECK(told.text() == "dn");
  }
}

TEST_CASE("content uses: what a predicate skips needs nothing", "[scheduler]") {
  Told told("dc");
  (*told).ended(0);
  (*told).skipped(1);
  (*told).finished();
  CHECK(told.text() == "d");
}

TEST_CASE("content uses: of two discards the second counts again", "[scheduler]") {
  Told told("dcd");
  (*told).ended(0);
  CHECK(told.text() == "d");
  (*told).ended(2);  // the clear still runs
  CHECK(told.text().empty());
  (*told).ended(1);
  CHECK(told.text() == "d");
}

TEST_CASE("content uses: what passes through the front end is over once something behind it is", "[scheduler]") {
  Told told("dbd");
  (*told).ended(0);
  CHECK(told.text() == "d");
  (*told).ended(2);
  CHECK(told.text() == "nd");
}

TEST_CASE("content uses: a list's own uses need nothing", "[scheduler]") {
  Told told("d");
  (*told).ended(0);
  (*told).finished();
  CHECK(told.text() == "d");
}

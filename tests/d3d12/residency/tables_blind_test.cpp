// SPDX-License-Identifier: Apache-2.0
// What descriptor tables show is used: rule 26 of docs/residency.md. Written from the rules and Microsoft's pages,
// without knowledge of the implementation.
#include "tests/d3d12/residency/tables_app.hpp"

#include <string>
#include <vector>

using namespace fenceline::testing;

TEST_CASE("residency tables: what a declared register shows hangs the device once it is evicted",
          "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto version = GENERATE(table_1_0, table_1_1);
  const auto kind = GENERATE(table_srv, table_uav, table_cbv);
  const auto root = tables_root(app.app, {{{{kind, 1}}}}, version, D3D12_DESCRIPTOR_RANGE_FLAG_NONE);
  const auto state = app.compute(root.Get(), {{kind, 0, 0, 0}});
  const auto gone = app.writable(mib);
  if (kind == table_srv) app.srv(0, gone);
  if (kind == table_uav) app.uav(0, gone);
  if (kind == table_cbv) app.cbv(0, gone);
  app.dispatch(root.Get(), state.Get());
  // Its count decides (rule 14): while it is 1 nothing happens, with 1 - 1 = 0 it is a page fault.
  REQUIRE(app.execute() == S_OK);
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute_again() == DXGI_ERROR_DEVICE_HUNG);
}

TEST_CASE("residency tables: a UAV shows its counter too", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto root = tables_root(app.app, {{{{table_uav, 2}}}});
  const auto state = app.compute(root.Get(), {{table_uav, 0, 0, 0}});  // u0
  const auto data = app.writable(mib);
  const auto counter = app.writable(4);
  const auto other_counter = app.writable(4);
  const bool its_own = GENERATE(true, false);
  app.uav(0, data, its_own ? counter.Get() : other_counter.Get());
  app.uav(1, data, counter.Get());  // of u1, which nobody declares
  app.dispatch(root.Get(), state.Get());
  REQUIRE(app.evict(counter) == S_OK);
  CHECK(app.execute() == (its_own ? DXGI_ERROR_DEVICE_HUNG : S_OK));
}

TEST_CASE("residency tables: what no shader declares is not used", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  // Slots 0 and 1: t0 and t1; 2 and 3: u0 and u1; 4: b0; 5: t0 in space 1.
  const auto root = tables_root(app.app, {{{{table_srv, 2}, {table_uav, 2}, {table_cbv, 1}, {table_srv, 1, 0, 1}}}});
  const auto gone = app.writable(mib);
  const auto other = app.writable(mib);
  for (const UINT slot : {0, 1, 5}) app.srv(slot, other);
  for (const UINT slot : {2, 3}) app.uav(slot, other);
  app.cbv(4, other);
  TableBindings declared;
  SECTION("the register beside it") {
    declared = {{table_srv, 0, 0, 0}};
    app.srv(1, gone);
  }
  SECTION("the register of another kind") {
    declared = {{table_uav, 0, 0, 0}};
    app.srv(0, gone);
    app.cbv(4, gone);
  }
  SECTION("the register of another space") {
    declared = {{table_srv, 0, 0, 0}};
    app.srv(5, gone);
  }
  SECTION("nothing at all is declared") {
    app.srv(0, gone);
    app.uav(2, gone);
    app.cbv(4, gone);
  }
  SECTION("all but one are declared") {
    declared = {{table_srv, 0, 0, 1}, {table_uav, 0, 0, 0}, {table_cbv, 0, 0, 0}, {table_srv, 1, 0, 0}};
    app.uav(3, gone);
  }
  const auto state = app.compute(root.Get(), declared);
  app.dispatch(root.Get(), state.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == S_OK);
}

TEST_CASE("residency tables: a stage uses the tables that it sees", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  // t0 of vertices at slot 0, t0 of pixels at slot 1, t1 of both at slot 2.
  const auto root = tables_root(app.app, {{{{table_srv, 1}}, D3D12_SHADER_VISIBILITY_VERTEX},
                                          {{{table_srv, 1}}, D3D12_SHADER_VISIBILITY_PIXEL},
                                          {{{table_srv, 1, 1}}, D3D12_SHADER_VISIBILITY_ALL}});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  const TableBindings none;
  const TableBindings t0 = {{table_srv, 0, 0, 0}};
  const TableBindings t1 = {{table_srv, 0, 1, 1}};
  struct Row {
    const char* what;
    UINT slot;  // which shows what is evicted
    TableBindings of_vertices, of_pixels;
    HRESULT end;
  };
  const Row rows[] = {
      {"the vertices' table, vertices declare", 0, t0, none, DXGI_ERROR_DEVICE_HUNG},
      {"the vertices' table, pixels declare", 0, none, t0, S_OK},
      {"the pixels' table, vertices declare", 1, t0, none, S_OK},
      {"the pixels' table, pixels declare", 1, none, t0, DXGI_ERROR_DEVICE_HUNG},
      {"the pixels' table, both declare", 1, t0, t0, DXGI_ERROR_DEVICE_HUNG},
      {"the table of all, vertices declare", 2, t1, none, DXGI_ERROR_DEVICE_HUNG},
      {"the table of all, pixels declare", 2, none, t1, DXGI_ERROR_DEVICE_HUNG},
      {"the table of all, both declare another", 2, t0, t0, S_OK},
  };
  const auto index = GENERATE(range(0, 8));
  const Row& row = rows[index];
  CAPTURE(row.what);
  for (UINT slot = 0; slot < 3; ++slot) app.srv(slot, slot == row.slot ? gone : other);
  const auto state = app.graphics(root.Get(), row.of_vertices, row.of_pixels);
  app.begin(root.Get());
  for (UINT i = 0; i < 3; ++i) app.list()->SetGraphicsRootDescriptorTable(i, app.gpu(i));
  app.draw(state.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == row.end);
}

TEST_CASE("residency tables: draws have tables of their own and dispatches theirs", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto root = tables_root(app.app, {{{{table_srv, 1}}}});
  const TableBindings t0 = {{table_srv, 0, 0, 0}};
  const auto draws = app.graphics(root.Get(), {}, t0);
  const auto dispatches = app.compute(root.Get(), t0);
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  app.srv(0, gone);
  app.srv(1, other);
  const bool draw_finds_it = GENERATE(false, true);
  const bool dispatch_finds_it = GENERATE(false, true);
  app.begin(root.Get());
  app.list()->SetGraphicsRootDescriptorTable(0, app.gpu(draw_finds_it ? 0 : 1));
  app.list()->SetComputeRootDescriptorTable(0, app.gpu(dispatch_finds_it ? 0 : 1));
  SECTION("a draw") {
    app.draw(draws.Get());
    REQUIRE(app.evict(gone) == S_OK);
    CHECK(app.execute() == (draw_finds_it ? DXGI_ERROR_DEVICE_HUNG : S_OK));
  }
  SECTION("a dispatch") {
    app.list()->SetPipelineState(dispatches.Get());
    app.list()->Dispatch(1, 1, 1);
    REQUIRE(app.evict(gone) == S_OK);
    CHECK(app.execute() == (dispatch_finds_it ? DXGI_ERROR_DEVICE_HUNG : S_OK));
  }
  SECTION("neither") {
    REQUIRE(app.evict(gone) == S_OK);
    CHECK(app.execute() == S_OK);
  }
}

TEST_CASE("residency tables: a declared array counts in whole and no register more", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  // t3 to t8 at slots 0 to 5; the shader's array is t4 to t6: slots 1 to 3.
  const auto version = GENERATE(table_1_0, table_1_1);
  const UINT shows_it = GENERATE(0U, 1U, 2U, 3U, 4U, 5U);
  const auto root = tables_root(app.app, {{{{table_srv, 6, 3}}}}, version);
  const auto state = app.compute(root.Get(), {{table_srv, 0, 4, 6}});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  for (UINT slot = 0; slot < 6; ++slot) app.srv(slot, slot == shows_it ? gone : other);
  app.dispatch(root.Get(), state.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CAPTURE(shows_it);
  CHECK(app.execute() == (shows_it >= 1 && shows_it <= 3 ? DXGI_ERROR_DEVICE_HUNG : S_OK));
}

TEST_CASE("residency tables: of an array without an end nothing is known", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  // All of space 0 from slot 0 on.
  const auto root = tables_root(app.app, {{{{table_srv, table_no_end}}}});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  for (UINT slot = 0; slot < TablesApp::slots; ++slot) app.srv(slot, other);
  struct Row {
    UINT first, last, shows_it;
    HRESULT end;
  };
  const Row rows[] = {
      {0, table_no_end, 0, S_OK},            // an array without an end: counts as resident
      {5, table_no_end, 7, S_OK},            //
      {0, 1, 0, DXGI_ERROR_DEVICE_HUNG},     // the range has none, the array has: it counts in whole
      {0, 1, 1, DXGI_ERROR_DEVICE_HUNG},     //
      {0, 1, 2, S_OK},                       // behind its end
      {15, 15, 15, DXGI_ERROR_DEVICE_HUNG},  // the heap's last descriptor
  };
  const auto index = GENERATE(range(0, 6));
  const Row& row = rows[index];
  CAPTURE(index);
  app.srv(row.shows_it, gone);
  const auto state = app.compute(root.Get(), {{table_srv, 0, row.first, row.last}});
  app.dispatch(root.Get(), state.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == row.end);
}

TEST_CASE("residency tables: an array without an end hides no other register", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  // Slot 0: t0; slots 1 and on: all of space 1.
  const auto root = tables_root(app.app, {{{{table_srv, 1}, {table_srv, table_no_end, 0, 1}}}});
  const auto state = app.compute(root.Get(), {{table_srv, 0, 0, 0}, {table_srv, 1, 0, table_no_end}});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  const UINT shows_it = GENERATE(0U, 1U);
  for (UINT slot = 0; slot < TablesApp::slots; ++slot) app.srv(slot, slot == shows_it ? gone : other);
  app.dispatch(root.Get(), state.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == (shows_it == 0 ? DXGI_ERROR_DEVICE_HUNG : S_OK));
}

TEST_CASE("residency tables: a register's slot follows from offsets and where the table begins",
          "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  // The table begins at slot 3. t5 and t6 at its offset 0: slots 3 and 4. u1 and u2 of space 2 behind them: 5 and 6.
  // b0 at offset 9: slot 12. t0 behind that, offset 10: slot 13.
  const auto version = GENERATE(table_1_0, table_1_1);
  const auto root = tables_root(
      app.app, {{{{table_srv, 2, 5, 0, 0}, {table_uav, 2, 1, 2}, {table_cbv, 1, 0, 0, 9}, {table_srv, 1, 0, 0}}}},
      version);
  // t6: slot 4; u1 of space 2: slot 5; b0: slot 12; t0: slot 13.
  const auto state =
      app.compute(root.Get(), {{table_srv, 0, 6, 6}, {table_uav, 2, 1, 1}, {table_cbv, 0, 0, 0}, {table_srv, 0, 0, 0}});
  const auto gone = app.writable(mib);
  const auto other = app.writable(mib);
  const UINT used = GENERATE(0U, 4U, 5U, 12U, 13U);  // 0: none of them shows it
  CAPTURE(used);
  for (UINT slot = 0; slot < TablesApp::slots; ++slot) {
    const bool declared = slot == 4 || slot == 5 || slot == 12 || slot == 13;
    const auto& shown = declared && slot != used ? other : gone;
    if (slot == 5 || slot == 6) {
      app.uav(slot, shown);
    } else if (slot == 12) {
      app.cbv(slot, shown);
    } else {
      app.srv(slot, shown);
    }
  }
  app.dispatch(root.Get(), state.Get(), 3);
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == (used == 0 ? S_OK : DXGI_ERROR_DEVICE_HUNG));
}

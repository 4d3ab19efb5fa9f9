// SPDX-License-Identifier: Apache-2.0
// node timeline_test.mjs FENCELINE WORKLOADS WORK: what a user does with timeline.html, in a headless Chromium.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdirSync, readdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {chromium, failures} from "./browser.mjs";

const [fenceline, workloads, work] = process.argv.slice(2);
if (!chromium) {
  console.log("SKIPPED: no Chromium (Debian: chromium; FENCELINE_CHROMIUM names another one)");
  process.exit(0);
}

mkdirSync(work, {recursive: true});
function pageOf(file, name, ...more) {
  const out = join(work, name);
  // Its own exit code is another test's: a hang that ends a run leaves a page as well.
  spawnSync(fenceline, ["run", file, "--html", "--out", out, ...more], {stdio: "ignore"});
  return join(out, "timeline.html");
}
const shipped = (name, ...more) => pageOf(join(workloads, `${name}.json`), name, ...more);

/// Where a box is on the page: its middle as far as it is to be seen.
const placeOf = item => `(() => {
  const {painter, lanes, picture} = fenceline;
  const item = ${item};
  for (const lane of lanes) for (const [i, level] of (lane.levels || []).entries()) {
    const j = level.items.indexOf(item);
    if (j < 0) continue;
    const x = (Math.max(painter.gutter, painter.x(level.from[j])) + Math.min(painter.width, painter.x(level.to[j]))) / 2;
    const box = picture.getBoundingClientRect();
    return [Math.round(box.left + x), Math.round(box.top + painter.top(lane) + levelTop(lane, i) + lane.boxHeight / 2)];
  }
})()`;
const textOf = selector => `document.querySelector(${JSON.stringify(selector)}).textContent`;

const tests = {
  async "game_and_compositor: zoom, pan, hover, search, and from a missed deadline to its cause"(browser) {
    await browser.goto(shipped("game_and_compositor"));
    const view = () => browser.value("[fenceline.view.from, fenceline.view.to, fenceline.model.end]");
    let [from, to, end] = await view();
    assert.deepEqual([from, to], [0, end]);
    assert.equal(end, 80925100398);
    assert.deepEqual(await browser.value("fenceline.lanes.filter(lane => lane.kind !== 'heading').map(lane => lane.title)"),
      ["game frame", "vsync", "3d0", "compositor", "game"]);

    const [x, y] = await browser.value(placeOf("fenceline.model.packets.get(3)"));
    await browser.mouse("mouseMoved", x, y);
    assert.match(await browser.value(textOf("#tip")), /^composition.*packet 3 of compositor on 3d0.*waited for the engine: 8\.445 ms/);
    const before = await browser.value(`fenceline.painter.time(${x} - fenceline.picture.getBoundingClientRect().left)`);
    await browser.wheel(x, y, -1500);
    [from, to] = await view();
    assert(to - from < end / 4, "the wheel zooms in");
    const after = await browser.value(`fenceline.painter.time(${x} - fenceline.picture.getBoundingClientRect().left)`);
    assert(Math.abs(after - before) < (to - from) / 1000, "what is below the mouse stays there");
    await browser.drag(x, y, x - 200, y);
    assert((await view())[0] > from, "a drag moves in time");
    await browser.key("0");
    [from, to] = await view();
    assert.deepEqual([from, to], [0, end]);
    await browser.drag(x, y, x + 100, y, 8);
    assert((await view())[1] - (await view())[0] < end / 5, "Shift and a drag zoom to a range");
    await browser.key("0");
    await browser.key("d");
    await browser.key("w");
    assert((await view())[1] - (await view())[0] < end, "keys zoom");
    await browser.key("0");

    await browser.value("document.querySelector('#bar input').focus()");
    await browser.send("Input.insertText", {text: "composition"});
    await browser.painted();
    assert.equal(await browser.value(textOf("#count")), "12 found");
    await browser.key("Enter");
    assert.equal(await browser.value(textOf("#count")), "1 of 12");
    assert.match(await browser.value(textOf("#panel")), /composition.*packet 3 of compositor/);
    await browser.key("Escape");

    // The cross of the first missed vertical blank.
    const cross = await browser.value(`(() => {
      const lane = fenceline.lanes.find(one => one.title === "vsync");
      const box = fenceline.picture.getBoundingClientRect();
      return [box.left + fenceline.painter.x(lane.rows.find(row => row.missed).due),
        box.top + fenceline.painter.top(lane) + lane.height / 2];
    })()`);
    await browser.click(...cross);
    const panel = await browser.value(textOf("#panel"));
    assert.match(panel, /vsync: missed/);
    assert.match(panel, /due 6\.944 ms, 6\.034 ms late/);
    assert.match(panel, /composition \(3, compositor\)/);
    assert.match(panel, /Meanwhile on 3d0.*game: game frame.*8\.433 ms/);
    assert.match(panel, /could not stop game frame \(1, game\) at 3\.944 ms: MissNoCommand/);
    await browser.value("[...document.querySelectorAll('#panel .link')].find(one => /composition/.test(one.textContent)).click()");
    assert.equal(await browser.value("fenceline.selected.id"), 3);
    assert.equal(await browser.value("fenceline.missed.length"), 7);
  },

  async "background_compute: preemptions are found, stand in the hardware queue and name both packets"(browser) {
    await browser.goto(shipped("background_compute"));
    await browser.value("fenceline.searchFor('preemption')");
    const requests = await browser.value("fenceline.model.requests.size");
    assert(requests > 0);
    assert.equal(await browser.value(textOf("#count")), `${requests} found`);
    await browser.key("n");
    const panel = await browser.value(textOf("#panel"));
    assert.match(panel, /preemption of 3d0: higher_rank.*drain.*save/);
    assert.match(panel, /gave way training \(\d+, background\).*for game frame \(\d+, game\)/);
    const depth = await browser.value("fenceline.lanes.find(lane => lane.kind === 'hardware').levels.length");
    assert(depth >= 3, "running, waiting, preemption");
    const stacked = await browser.value(`(() => {
      const [bottom] = fenceline.lanes.find(lane => lane.kind === "hardware").levels;
      return bottom.items.every(item => item.kind === "packet");
    })()`);
    assert(stacked, "a request does not stand at the bottom");
  },

  async "hang_and_recover: a timeout's steps are told, and the hardware queue is empty behind the reset"(browser) {
    await browser.goto(shipped("hang_and_recover"));
    assert.deepEqual(await browser.value("fenceline.model.recoveries.slice(0, 2).map(one => one.step)"),
      ["timeout", "engine_reset"]);
    await browser.value("fenceline.searchFor('recovery timeout')");
    await browser.key("n");
    assert.match(await browser.value(textOf("#panel")), /timeout.*at 2\.004 s/);
    assert.equal(await browser.value("fenceline.view.to - fenceline.view.from"), 2052500000000, "what is seen stays so");
    const stuck = await browser.value(`(() => {
      const reset = fenceline.model.recoveries.find(one => one.step === "engine_reset").at;
      return fenceline.lanes.find(lane => lane.kind === "hardware").levels.filter(
        level => level.from.some((from, i) => from < reset && level.to[i] > reset)).length;
    })()`);
    assert.equal(stuck, 0);
  },

  async "pipelined_compute_graphics: an arrow leads from each signal to the wait that it ended"(browser) {
    await browser.goto(shipped("pipelined_compute_graphics"));
    const arrows = await browser.value(`fenceline.model.arrows.filter(one => one.held).map(one =>
      [one.signal && one.signal.context !== one.wait.context, one.start <= one.end, one.end === one.wait.ready,
       one.signal && one.signal.value >= one.wait.value])`);
    assert(arrows.length > 50);
    assert(arrows.every(one => one.every(Boolean)));
    await browser.value("fenceline.view.show(0, fenceline.model.end / 20)");
    await browser.painted();
    assert.equal(await browser.value("fenceline.painter.arrowsHidden"), 0);
  },

  async "order and colours follow names: they are the same in every run of a workload"(browser) {
    const look = async page => {
      await browser.goto(page);
      return browser.value("[fenceline.lanes.map(lane => lane.title), [...fenceline.look.colours].sort()]");
    };
    assert.deepEqual(await look(shipped("flip_storm")),
      await look(pageOf(join(workloads, "flip_storm.json"), "other", "--machine", "h200")));
  },

  async "dark and light: what the system prefers, and the button turns it round"(browser) {
    await browser.goto(shipped("game_and_compositor"));
    const page = () => browser.value("fenceline.look.page");
    const first = await page();
    await browser.key("t");
    assert.notEqual(await page(), first);
    await browser.key("t");
    assert.equal(await page(), first);
  },

  async "names that are markup stay text"(browser) {
    const evil = "<img src=x onerror=document.title=1></script><b>'\"&";
    const workload = {name: evil, fences: [{name: evil + "f"}], queues: [{name: evil + "q", type: "compute", timeline: [
      {type: "execute", lists: [evil]}, {type: "signal", fence: evil + "f", value: 1}]}],
      compute_pipelines: [{name: "p", alu_instructions: 10000}], command_lists: [{name: evil, type: "compute",
        commands: [{type: "dispatch", pipeline: "p", x: 64}]}],
      deadlines: [{name: evil, fence: evil + "f", value: 1, us: 0.000001}]};
    const file = join(work, "evil.json");
    writeFileSync(file, JSON.stringify(workload));
    await browser.goto(pageOf(file, "evil", "--machine", "tiny"));
    await browser.value("fenceline.stepMissed(1)");
    await browser.value("fenceline.select(fenceline.model.packets.get(1), true)");
    const [x, y] = await browser.value(placeOf("fenceline.model.packets.get(1)"));
    await browser.mouse("mouseMoved", x, y);
    assert((await browser.value(textOf("#tip"))).startsWith(evil.slice(0, 20)));
    assert.equal(await browser.value("document.querySelectorAll('img').length"), 0);
    assert.notEqual(await browser.value("document.title"), "1");
  },

  async "a run of 100,000 packets: a picture costs by its width, and any is found"(browser) {
    await browser.goto(shipped("paging_pressure", "--loop", "210"));
    assert(await browser.value("fenceline.model.packets.size") >= 100000);
    // Boxes drawn, as a measure that does not depend on the machine.
    const drawn = await browser.value(`(() => {
      const {painter, view} = fenceline;
      let count = 0;
      const fill = painter.c.fillRect;
      painter.c.fillRect = function (...box) { ++count; return fill.apply(this, box); };
      painter.paint(view);
      delete painter.c.fillRect;
      return count;
    })()`);
    const pixels = await browser.value("fenceline.painter.plot");
    assert(drawn > 100 && drawn < pixels * 25, `${drawn} boxes on ${pixels} pixels`);
    await browser.value("fenceline.searchFor('packet 99999')");
    await browser.key("n");
    assert.equal(await browser.value("fenceline.selected.id"), 99999);
  },
};

/// Whatever a run was like: its page opens, paints and tells of everything without an error.
async function looksThrough(browser, page) {
  await browser.goto(page);
  await browser.value(`(() => {
    for (const thing of fenceline.things.slice(0, 400)) {
      fenceline.select(thing.item, true);
      tipLines(fenceline.model, thing.item);
    }
    for (const zoom of [1, 7, 1000, 1e7]) {
      fenceline.view.show(fenceline.model.end / 3, fenceline.model.end / 3 + fenceline.model.end / zoom);
      fenceline.painter.paint(fenceline.view);
    }
  })()`);
  await browser.painted();
}

for (const file of readdirSync(workloads).filter(one => one.endsWith(".json"))) {
  tests[`${file}: opens and tells of everything`] = browser => looksThrough(browser, shipped(file.replace(".json", "")));
}
tests["runs that were cut short or begin late open, too"] = async browser => {
  const game = join(workloads, "game_and_compositor.json");
  await looksThrough(browser, pageOf(game, "limited", "--limit-us", "15000"));
  await looksThrough(browser, pageOf(game, "late", "--fast-forward", "submit:6"));
  await looksThrough(browser, pageOf(game, "traced", "--trace"));
};

process.exit(await failures(tests) === 0 ? 0 : 1);

// SPDX-License-Identifier: Apache-2.0
// node causes_test.mjs FENCELINE WORKLOADS WORK: whether timeline.html tells the true reason why something waited, in a
// headless Chromium.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
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
  spawnSync(fenceline, ["run", file, "--html", "--out", out, ...more], {stdio: "ignore"});
  return join(out, "timeline.html");
}
const shipped = (name, as, ...more) => pageOf(join(workloads, `${name}.json`), as, ...more);
function written(name, workload) {
  const file = join(work, `${name}.json`);
  writeFileSync(file, JSON.stringify(workload));
  return file;
}

const panelOf = id => `(() => {
  fenceline.select(fenceline.model.packets.get(${id}));
  return document.getElementById("panel").textContent;
})()`;
const life = id => `reasonsOf(fenceline.model.packets.get(${id})).map(one => [one.name, one.from, one.to])`;

const tests = {
  async "a packet that hangs to the end of the run runs to it, and has its list's name"(browser) {
    await browser.goto(shipped("six_hangs", "hang", "--set", "/tdr/engine_reset=unsupported"));
    const [label, status, end] = await browser.value(
      "(({label, status}) => [label, status, fenceline.model.end])(fenceline.model.packets.get(12))");
    assert.deepEqual([label, status], ["hanging", "not finished"]);
    const pieces = await browser.value(life(12));
    const [name, , to] = pieces[pieces.length - 1];
    assert.deepEqual([name, to], ["runs", end]);
    assert.match(await browser.value(panelOf(12)), /finishednot finishedcompletednot finished/);
  },

  async "what --until cuts off keeps its reasons: it runs, stands behind another, waits for a fence"(browser) {
    await browser.goto(shipped("game_and_compositor", "until", "--until", "20ms"));
    const ran = await browser.value("fenceline.model.packets.get(7).runs.map(run => run[1])");
    assert.equal(ran[ran.length - 1], 20e9);
    assert.equal(await browser.value("fenceline.model.packets.get(7).label"), "game frame");
    await browser.goto(shipped("multi_engine", "millisecond", "--until", "1ms"));
    const names = async id => (await browser.value(life(id))).map(one => one[0]);
    assert.deepEqual(await names(8), ["queued behind others", "waits for a fence"]);
    assert.match(await browser.value(panelOf(8)), /Stood behindpre-pass \(6, render\)/);
    assert.deepEqual(await names(9), ["behind packet 8 of its queue"]);
    assert.match(await browser.value(panelOf(9)), /Stands behindwait 301: compute \(8, render\)/);
  },

  async "a wait that holds its engine's hardware queue waits for a fence there"(browser) {
    const set = ["--set", "/scheduler/hardware_waits=true"];
    await browser.goto(shipped("multi_engine", "hardware", ...set, "--until", "1ms"));
    const pieces = await browser.value(life(8));
    assert.deepEqual(pieces.map(one => one[0]), ["queued behind others", "waits for a fence"]);
    await browser.goto(shipped("multi_engine", "hardware_all", ...set));
    const [start, end, held, finished, at] = await browser.value(`(() => {
      const one = fenceline.model.arrows.find(arrow => arrow.wait.id === 8);
      return [one.start, one.end, one.held, one.wait.finished, one.signal && one.signal.id];
    })()`);
    assert.deepEqual([end, held, at], [finished, true, 13]);
    assert(start <= end);
  },

  async "an arrow comes from the signal that ended the wait where a fence goes down, and values keep 64 bits"(browser) {
    const list = (name, type) => ({name, type, commands: [{type: "dispatch", pipeline: "k", x: 8}]});
    const signal = value => [{type: "execute", lists: ["a"]}, {type: "signal", fence: "f", value}];
    const workload = {name: "down", compute_pipelines: [{name: "k", threads: 32, group_cycles: 100000}],
      fences: [{name: "f"}], command_lists: [list("a", "compute"), list("b", "direct")],
      queues: [{name: "s", type: "compute", timeline: [5, 1, 5].flatMap(signal)
        .concat([{type: "execute", lists: ["a"]}, {type: "signal", fence: "f", value: "LARGEST"}])},
        {name: "w", type: "direct", timeline: [{type: "execute", lists: ["b"]}]}],
      cpus: [{name: "c", timeline: [{type: "sleep_until", us: 0}, {type: "queue_wait", queue: "w", fence: "f", value: 5},
        {type: "execute", queue: "w", lists: ["b"]}]}]};
    const plain = written("down", workload);
    const text = JSON.stringify(workload).replace('"LARGEST"', "18446744073709551615");
    const at = us => { // the CPU asks then
      writeFileSync(plain, text.replace('"us":0', `"us":${us}`));
      return pageOf(plain, `down${us}`, "--machine", "tiny");
    };
    const raised = () => browser.value("fenceline.model.fences.get('adapter.fences.f').map(one => [one.at, String(one.value)])");
    const starts = "fenceline.model.arrows.map(one => one.start)";
    await browser.goto(at(0));
    assert.deepEqual(await browser.value(starts), [(await raised())[0][0]]);
    await browser.goto(at(350)); // while it is down
    const values = await raised();
    assert.deepEqual(values.map(one => one[1]), ["5", "1", "5", "18446744073709551615"]);
    assert(values[1][0] < 350e6 && values[2][0] > 350e6);
    assert.deepEqual(await browser.value(starts), [values[2][0]]);
    const largest = await browser.value("[...fenceline.model.packets.values()].find(one => typeof one.value === 'bigint').id");
    assert.match(await browser.value(panelOf(largest)), /^×signal 18446744073709551615: f/);
  },

  async "attempts to stop others: those that went well say so, and those for nobody make no packet"(browser) {
    await browser.goto(shipped("two_processes_time_sliced", "slices"));
    assert.equal(await browser.value("fenceline.model.packets.has(0)"), false);
    await browser.goto(shipped("background_compute", "background"));
    const asked = await browser.value("[...fenceline.model.packets.values()].find(one => one.attempts.some(succeeded)).id");
    const panel = await browser.value(panelOf(asked));
    assert.match(panel, /Attempts to stop others.*asked to stop /);
    assert.doesNotMatch(panel, /could not stop[^:]*: Success/);
    assert.deepEqual(await browser.value("[timesText(1), timesText(2)]"), ["once", "2 times"]);
  },

  async "a wait for memory is none for a fence, and leads to what moved"(browser) {
    await browser.goto(shipped("paging_pressure", "memory", ...["dedicated_mib=5120", "residency=allocation_list",
      "over_commit=page"].flatMap(one => ["--set", `/video_memory/${one}`])));
    const names = (await browser.value(life(279))).map(one => one[0]);
    assert(names.includes("waited for memory") && !names.includes("waited for a fence"), names.join());
    assert.match(await browser.value(panelOf(279)), /Waited for memoryb038 \(in, 64 MiB\): .*\(679, /);
    assert.match(await browser.value("document.getElementById('legend').textContent"), /waits for memory/);
  },

  async "zoomed out, a column of pixels has the colour of what has most of its time"(browser) {
    await browser.goto(shipped("game_and_compositor", "game"));
    const drawn = await browser.value(`(() => {
      const [a, b] = ["game", "compositor"].map(name => ({kind: "packet", context: "adapter.scheduler." + name}));
      const level = new Level();
      for (let i = 0; i < 1000; ++i) { // 10 % of the time the one that begins first, 90 % the other
        level.add(i * 100, i * 100 + 10, b);
        level.add(i * 100 + 10, i * 100 + 100, a);
      }
      const most = [[0, 2, 0, 100], [0, 20, 0, 1000], [1980, 2000, 99000, 100000]].map(column =>
        fenceline.painter.mostOf(level, ...column)).map(one => [one.item.context, one.share]);
      return most;
    })()`);
    assert.deepEqual(drawn, Array(3).fill(["adapter.scheduler.game", 1]));
  },

  async "frames that missed vertical blanks are counted and reached by a key, and lead to their packets"(browser) {
    const counted = `[...fenceline.model.chains.values()].map(one => [leafOf(fenceline.model, one),
      one.frames.reduce((sum, frame) => sum + frame.missed.length, 0)]).sort()`;
    const screens = [["cold_and_warm_start"], ["flip_storm", "--set", "/display/refresh_hz=144"], ["flip_storm"]];
    for (const [name, ...set] of screens) { // alone on the screen, and windows of a compositor that is late itself
      const page = shipped(name, name, ...set);
      const {statistics} = JSON.parse(readFileSync(join(page, "../report.json"), "utf8"));
      await browser.goto(page);
      const missed = statistics.swap_chains.map(one => [one.swap_chain, one.missed_vblanks]).sort();
      assert(missed.some(one => one[1] > 0));
      assert.deepEqual(await browser.value(counted), missed);
    }
    assert.match(await browser.value("document.getElementById('missed').textContent"), /^8 missed/);
    const legend = await browser.value("document.getElementById('legend').textContent");
    for (const mark of ["frames in turn", "vertical blank", "vertical blank missed", "tear", "frame discarded",
      "more above what is drawn"]) assert(legend.includes(mark), mark);
    await browser.key("m");
    assert.equal(await browser.value("fenceline.selected.kind"), "frame");
    assert.match(await browser.value("document.getElementById('panel').textContent"),
      /vertical blanks? missed.*Its presentpresent \d+: .*Its work.* frame \(\d+, /);
    const [x, y, frame] = await browser.value(`(() => {
      const {painter, lanes, picture} = fenceline;
      const lane = lanes.find(one => one.kind === "screen" && one.discarded.length > 0);
      fenceline.view.scrollTo(lane);
      fenceline.view.show(0, fenceline.model.end);
      const box = picture.getBoundingClientRect();
      return [box.left + painter.x(lane.discarded[0].shown), box.top + painter.top(lane) + lane.height - 4,
        lane.discarded[0].frame];
    })()`);
    await browser.click(x, y);
    assert.deepEqual(await browser.value("[fenceline.selected.fate, fenceline.selected.frame]"), ["discarded", frame]);
  },

  async "the legend's queues are searched for by name alone"(browser) {
    await browser.goto(shipped("game_and_compositor", "game"));
    await browser.value("[...document.querySelectorAll('#legend button')].find(one => one.textContent === 'game').click()");
    const contexts = await browser.value("[...new Set(fenceline.found.map(one => one.context))]");
    assert.deepEqual(contexts, ["adapter.scheduler.game"]);
  },

  async "a name has one colour whatever others there are, and text on it can be read"(browser) {
    await browser.goto(shipped("game_and_compositor", "game"));
    const contrast = await browser.value(`(() => {
      const light = hex => {
        const [r, g, b] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
          .map(one => one <= 0.04045 ? one / 12.92 : Math.pow((one + 0.055) / 1.055, 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const least = [Infinity, Infinity];
      for (let i = 0; i < 400; ++i) {
        least[0] = Math.min(least[0], 1.05 / (light(colourOf("queue " + i, false)) + 0.05));
        least[1] = Math.min(least[1], (light(colourOf("queue " + i, true)) + 0.05) / (light("#14171c") + 0.05));
      }
      return least;
    })()`);
    assert(contrast[0] > 3 && contrast[1] > 4.5, `${contrast}`);
    const game = "fenceline.look.of('adapter.scheduler.game')";
    const colour = await browser.value(game);
    await browser.goto(shipped("background_compute", "background"));
    assert.equal(await browser.value(game), colour);
  },

  async "what is told under the mouse follows a zoom by keys"(browser) {
    await browser.goto(shipped("game_and_compositor", "game"));
    const [x, y] = await browser.value(`(() => {
      const {painter, lanes, picture} = fenceline;
      const lane = lanes.find(one => one.kind === "hardware");
      const box = picture.getBoundingClientRect();
      return [box.left + painter.x(5e9), box.top + painter.top(lane) + levelTop(lane, 0) + 4];
    })()`);
    await browser.mouse("mouseMoved", x, y);
    assert.match(await browser.value("document.getElementById('tip').textContent"), /^game frame/);
    await browser.value("fenceline.view.show(0, fenceline.model.end)");
    for (let i = 0; i < 8; ++i) await browser.key("d"); // to other packets
    for (let i = 0; i < 3; ++i) await browser.key("w");
    await browser.painted();
    const [told, there] = await browser.value(`(() => {
      const {painter, picture, tip} = fenceline;
      const box = picture.getBoundingClientRect();
      const item = painter.at(${x} - box.left, ${y} - box.top);
      return [tip.hidden ? null : tip.textContent, item && tipLines(fenceline.model, item).join("")];
    })()`);
    assert.equal(told, there);
  },

  async "arrow keys scroll the figures and the panel"(browser) {
    await browser.goto(shipped("game_and_compositor", "game"));
    await browser.value("[...document.querySelectorAll('[role=tab]')][1].click()");
    const left = "(() => { const event = new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true, cancelable: true});" +
      "document.body.dispatchEvent(event); return event.defaultPrevented; })()";
    assert.equal(await browser.value(left), false);
    await browser.value("[...document.querySelectorAll('[role=tab]')][0].click()");
    assert.equal(await browser.value(left), true);
  },

  async "rows of workers name their cores, and deadlines behind the run's end are counted"(browser) {
    await browser.goto(shipped("game_and_compositor", "game"));
    const texts = await browser.value(`[[[]], [[{processor: 2}, {processor: 2}]], [[{processor: 3}, {processor: 1}]],
      [[{processor: 0}, {processor: 1}, {processor: 2}]]].map(one => coresOf(...one))`);
    assert.deepEqual(texts, ["", "core 2", "cores 1, 3", "cores 0 to 2"]);
    const later = "dueLaterText({end: 10, deadlines: new Map([['a', [{due: 5}, {due: 11}]], ['b', [{due: 12}]]])})";
    assert.equal(await browser.value(later), "2 due after the end");
    assert.match(await browser.value("rangeText(1e12, 1e12 + 1000)"), /^1 s \u2013 1\.000000001 s \(1 ns\)$/);
  },
};

process.exit(await failures(tests) === 0 ? 0 : 1);

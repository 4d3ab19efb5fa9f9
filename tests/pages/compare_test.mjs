// SPDX-License-Identifier: Apache-2.0
// node compare_test.mjs FENCELINE WORKLOADS WORK: two runs on one page, in a headless Chromium.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {chromium, failures} from "./browser.mjs";

const [fenceline, workloads, work] = process.argv.slice(2);
if (!chromium) {
  console.log("SKIPPED: no Chromium (Debian: chromium; FENCELINE_CHROMIUM names another one)");
  process.exit(0);
}

mkdirSync(work, {recursive: true});
function played(file, name, ...more) {
  const out = join(work, name);
  spawnSync(fenceline, ["run", file, "--out", out, ...more], {stdio: "ignore"});
  return out;
}
function compared(a, b, name) {
  const page = join(work, name);
  const {status, stderr} = spawnSync(fenceline, ["compare", a, b, "--html", page], {encoding: "utf8"});
  assert.equal(status, 0, stderr);
  return page;
}

/// What both pictures show, in picoseconds: from and to of A, from and to of B.
const seen = `(() => {
  const line = id => document.getElementById(id).contentWindow.fenceline;
  return [line("a").view.from, line("a").view.to, line("b").view.from, line("b").view.to];
})()`;
const line = id => `document.getElementById("${id}").contentWindow.fenceline`;
const about = (a, b) => assert(Math.abs(a - b) <= 1 + Math.abs(b) * 1e-6, `${a} is not ${b}`);

const game = join(workloads, "game_and_compositor.json");
const coarse = played(game, "coarse");

const tests = {
  async "one axis for both: what one is zoomed to the other one shows"(browser) {
    // With a page of its own, and without.
    const fine = played(game, "fine", "--html", "--set", "/engines/3d/graphics_preemption/granularity=pixel_boundary");
    await browser.goto(compared(coarse, fine, "granularity.html"));
    assert.match(await browser.value("document.getElementById('verdict').textContent"), /it misses 3 deadlines in place of 7;/);
    assert.match(await browser.value("document.querySelector('details').textContent"),
      /\/engines\/3d\/graphics_preemption\/granularity"dma_buffer_boundary""pixel_boundary"/);
    assert.deepEqual(await browser.value(`[${line("a")}.missed.length, ${line("b")}.missed.length]`), [7, 3]);
    for (const [id, from, to] of [["a", 1e9, 30e9], ["b", 20e9, 21e9], ["a", 0, 5e9]]) {
      await browser.value(`${line(id)}.view.show(${from}, ${to})`);
      await browser.painted();
      await browser.painted();
      const [fromA, toA, fromB, toB] = await browser.value(seen);
      about(fromA, from);
      about(toA, to);
      about(fromB, from);
      about(toB, to);
    }
    // By the mouse, over the picture of A.
    const box = await browser.value(`(() => { const {x, y} = document.getElementById("a").getBoundingClientRect(); return [x, y]; })()`);
    await browser.wheel(box[0] + 600, box[1] + 200, -800);
    await browser.painted();
    const [fromA, toA, fromB, toB] = await browser.value(seen);
    assert(toA - fromA < 4e9, "the wheel zooms in");
    about(fromB, fromA);
    about(toB, toA);
  },

  async "a run that is over before is pale from there on; both show the longer one's whole time"(browser) {
    const short = played(game, "short", "--until", "30ms");
    await browser.goto(compared(coarse, short, "short.html"));
    const ends = await browser.value(`[${line("a")}.model.end, ${line("b")}.model.end, ${line("b")}.model.over]`);
    assert.equal(ends[1], ends[0]);
    assert(ends[2] > 0 && ends[2] < ends[0], `${ends}`);
    assert.equal(await browser.value(`${line("a")}.model.over === undefined`), true);
    const [fromA, toA, fromB, toB] = await browser.value(seen);
    assert.deepEqual([fromA, fromB], [0, 0]);
    about(toA, ends[0]);
    about(toB, ends[0]);
    // The picture is pale there: the pixel right of the end is not the one left of it.
    await browser.painted();
    const shades = await browser.value(`(() => {
      const {painter, model} = ${line("b")};
      const at = x => [...painter.c.getImageData(Math.round(x), painter.height - 6, 1, 1).data].join();
      return [at(painter.x(model.over) - 5), at(painter.x(model.over) + 5)];
    })()`);
    assert.notEqual(shades[0], shades[1]);
  },

  async "times among the inputs have their unit"(browser) {
    const [a, b] = ["10ms", "12ms"].map(until => played(game, until, "--until", until));
    await browser.goto(compared(a, b, "until.html"));
    assert.match(await browser.value("document.querySelector('details').textContent"), /\/run\/until_ps10000\.000 us12000\.000 us/);
  },

  async "names of any kind stay text"(browser) {
    const bad = "a\"'><script>alert(1)<";
    mkdirSync(join(work, bad), {recursive: true});
    const one = played(game, join(bad, "run"));
    await browser.goto(compared(one, coarse, "names.html"));
    assert.match(await browser.value("document.querySelector('figcaption').textContent"), /a"'><script>alert\(1\)</);
    assert.equal(await browser.value("document.scripts.length"), 1);
  },
};

process.exit(await failures(tests) === 0 ? 0 : 1);

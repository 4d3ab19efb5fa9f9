// SPDX-License-Identifier: Apache-2.0
// node sweep_test.mjs FENCELINE WORKLOADS WORK: what a user does with sweep.html, in a headless Chromium.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {existsSync, mkdirSync, readFileSync, rmSync} from "node:fs";
import {join} from "node:path";
import {chromium, failures} from "./browser.mjs";

const [fenceline, workloads, work] = process.argv.slice(2);
if (!chromium) {
  console.log("SKIPPED: no Chromium (Debian: chromium; FENCELINE_CHROMIUM names another one)");
  process.exit(0);
}

rmSync(work, {recursive: true, force: true});
mkdirSync(work, {recursive: true});
function told(...words) {
  const {status, stdout, stderr} = spawnSync(fenceline, words, {cwd: work, encoding: "utf8"});
  assert.equal(status, 0, stderr);
  return stdout;
}
told("sweep", join(workloads, "multi_engine.json"), "--vary", "/engines/3d/clock_mhz=500,1000,1500",
  "--vary", "/shader_array/graphics_sms=4,8,16", "--metric", "makespan_us", "--metric", "cost=/machine/engines/3d/clock_mhz",
  "--metric", "queue_p99_us", "--outputs", "report", "--quiet", "--out", "swept");

/// Rows of results.csv by the names of their columns.
const [names, ...lines] = readFileSync(join(work, "swept/results.csv"), "utf8").trim().split("\n").map(line => line.split(","));
const rows = lines.map(line => Object.fromEntries(line.map((text, i) => [names[i], text])));
/// Runs of which no other is better in both, the quickest first.
function frontier(x, y) {
  const of = (row, name) => Number(row[name]);
  return rows
    .filter(row => !rows.some(other => of(other, x) <= of(row, x) && of(other, y) <= of(row, y) &&
      (of(other, x) < of(row, x) || of(other, y) < of(row, y))))
    .sort((a, b) => of(a, x) - of(b, x) || of(a, y) - of(b, y) || of(a, "run") - of(b, "run"))
    .map(row => row.run);
}
const shownFrontier = `document.querySelector("#pareto-card svg").dataset.frontier.split(",")`;
const tableRuns = `[...document.querySelectorAll("#table tbody tr")].map(row => row.id.slice(4))`;
const choose = (id, value) => `(() => {
  const select = document.getElementById("${id}");
  select.value = "${value}";
  select.dispatchEvent(new Event("change"));
})()`;
const middle = selector => `(() => {
  const mark = document.querySelector('${selector}');
  mark.scrollIntoView({block: "center"});
  const box = mark.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})()`;

const page = join(work, "swept/sweep.html");
const tests = {
  async "the frontier is what the rows say, and its points are marked and named"(browser) {
    await browser.goto(page);
    for (const [x, y] of [["makespan_us", "cost"], ["queue_p99_us", "makespan_us"], ["cost", "makespan_us"]]) {
      await browser.value(choose("x", x));
      await browser.value(choose("y", y));
      const expected = frontier(x, y);
      assert.deepEqual(await browser.value(shownFrontier), expected, `${y} over ${x}`);
      assert.equal(await browser.value(`document.querySelectorAll("#pareto-card .on-frontier").length`), expected.length);
      assert.match(await browser.value(`document.querySelector("#pareto-card .note").textContent`),
        new RegExp(`^Frontier, ${expected.length} of 9 runs: `));
    }
    assert.equal(await browser.value("location.hash"), "#x=cost&y=makespan_us");
  },

  async "a point under the mouse says which run it is, and leads to it"(browser) {
    await browser.goto(page);
    await browser.value(choose("x", "makespan_us"));
    await browser.value(choose("y", "cost"));
    const [first] = frontier("makespan_us", "cost");
    const row = rows.find(one => one.run === first);
    const [x, y] = await browser.value(middle(`#pareto-card a[data-run="${first}"] circle`));
    await browser.mouse("mouseMoved", x, y);
    assert.equal(await browser.value(`document.getElementById("tip").hidden`), false);
    const tip = await browser.value(`document.getElementById("tip").textContent`);
    assert.match(tip, new RegExp(`^run \\d+: clock_mhz ${row.clock_mhz}, graphics_sms `));
    assert.match(tip, /\nmakespan_us {2}[\d,.]+\n/);
    const run = tip.match(/^run (\d+)/)[1];  // of points on one another the last drawn
    const link = await browser.value(`document.querySelector('#pareto-card a[data-run="${run}"]').getAttribute("href")`);
    const report = join(work, "swept", link);
    assert(existsSync(report), report);
    const one = rows.find(candidate => candidate.run === run);
    assert.equal(JSON.parse(readFileSync(report, "utf8")).machine.engines[0].clock_mhz, Number(one.clock_mhz));
  },

  async "a click on a column sorts by it, a second one the other way"(browser) {
    await browser.goto(page);
    const sorted = [...rows].sort((a, b) => a.makespan_us - b.makespan_us || a.run - b.run).map(row => row.run);
    const head = `[...document.querySelectorAll("#table th button")].find(one => one.textContent.startsWith("makespan_us")).click()`;
    await browser.value(head);
    assert.deepEqual(await browser.value(tableRuns), sorted);
    await browser.value(head);
    const makespans = (await browser.value(tableRuns)).map(run => Number(rows.find(row => row.run === run).makespan_us));
    assert.deepEqual(makespans, [...makespans].sort((a, b) => b - a));
    assert.equal(await browser.value(`document.querySelector('#table th[aria-sort="descending"]').textContent`), "makespan_us ↓");
  },

  async "a row that is chosen tells the command that plays its run again"(browser) {
    await browser.goto(page);
    const last = rows[rows.length - 1];
    const [x, y] = await browser.value(middle(`#run-${last.run} td:last-child`));
    await browser.click(x, y);
    const command = await browser.value(`document.querySelector("#chosen code").textContent`);
    const [tool, ...words] = command.split(" ");
    assert.equal(tool, "fenceline");
    const summary = told(...words, "--out", "again");
    const again = Number(summary.match(/^makespan +([\d.]+) us$/m)[1]);
    assert(Math.abs(again - Number(last.makespan_us)) < 0.001, `${again} us, in the sweep ${last.makespan_us}`);
  },

  async "where more is better the frontier has the most, and the chart opens with two metrics"(browser) {
    told("sweep", join(workloads, "multi_engine.json"), "--vary", "/engines/3d/clock_mhz=500,1000,1500",
      "--metric", "packets_per_second", "--metric", "busy_percent:3d", "--outputs", "report", "--quiet", "--out", "more");
    await browser.goto(join(work, "more/sweep.html"));
    assert.deepEqual(await browser.value("data.more_is_better"), [true, true]);
    assert.notEqual(await browser.value("chosen('x')"), await browser.value("chosen('y')"));
    const on = (more, points) => browser.value(`frontierOf(${JSON.stringify(points)}, ...${JSON.stringify(more)}).map(p => [p.x, p.y])`);
    const points = [{x: 1, y: 1}, {x: 2, y: 3}, {x: 3, y: 2}, {x: 2, y: 2}];
    assert.deepEqual(await on([false, false], points), [[1, 1]]);
    assert.deepEqual(await on([true, true], points), [[3, 2], [2, 3]]);
    assert.deepEqual(await on([false, true], points), [[1, 1], [2, 3]]);
    assert.deepEqual(await on([true, false], points), [[3, 2], [1, 1]]);
  },

  async "repetitions have their seed in the table and in the command, and so has the limit"(browser) {
    told("sweep", join(workloads, "multi_engine.json"), "--vary", "/engines/3d/clock_mhz=500,1500", "--repeat", "2",
      "--seed", "7", "--metric", "makespan_us", "--outputs", "report", "--quiet", "--out", "seeds");
    await browser.goto(join(work, "seeds/sweep.html"));
    const table = await browser.value(`[...document.querySelectorAll("#table thead th")].map(one => one.textContent.trim())`);
    assert(table.includes("seed"), table.join());
    const commands = await browser.value("rows.map(commandOf)");
    assert.deepEqual(commands.map(one => one.match(/--seed (\d+)/)[1]), ["7", "8", "7", "8"]);
    const again = told(...commands[1].split(" ").slice(1), "--out", "again_seed").match(/^makespan +([\d.]+) us$/m)[1];
    const makespan = await browser.value("rows[1].metrics[0]");
    assert(Math.abs(Number(again) - makespan) < 0.001, `${again} us, in the sweep ${makespan}`);
    assert.match(await browser.value("data.limit_us = 1500, commandOf(rows[0])"), / --limit-us 1500$/);
  },

  async "many values: colours in order, and no texts over one another"(browser) {
    const clocks = Array.from({length: 30}, (_, i) => 500 + 50 * i).join(",");
    told("sweep", join(workloads, "multi_engine.json"), "--vary", `/engines/3d/clock_mhz=${clocks}`, "--vary",
      "/shader_array/graphics_sms=4,8", "--metric", "makespan_us", "--quiet", "--out", "many");
    await browser.goto(join(work, "many/sweep.html"));
    await browser.value(choose("by", "1"));
    const colours = await browser.value("data.axes[0].values.map((value, i) => colour(0, i))");
    assert.equal(new Set(colours).size, 30);
    const over = await browser.value(`(() => {
      const texts = [...document.querySelectorAll("#heat-card text.value, #heat-card text:not(.title)")];
      const boxes = texts.map(one => one.getBoundingClientRect());
      let count = 0;
      boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) ++count;
      }));
      return count;
    })()`);
    assert.equal(over, 0);
  },
};

process.exit(await failures(tests) === 0 ? 0 : 1);

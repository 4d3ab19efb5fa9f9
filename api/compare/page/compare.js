"use strict";
// SPDX-License-Identifier: Apache-2.0
// Two runs on one axis: what one picture is zoomed to the other one shows, too.

function follow(line, from, to) {
  const {view} = line;
  const little = (to - from) * 1e-6; // what rounding makes of it
  if (Math.abs(view.from - from) > little || Math.abs(view.to - to) > little) view.show(from, to);
}

function align(lines) {
  const end = Math.max(...lines.map(line => line.model.end));
  for (const line of lines) line.stretch(end);
  lines.forEach((line, i) => { line.moved = (from, to) => follow(lines[1 - i], from, to); });
}

function alignWhenReady() {
  const lines = ["a", "b"].map(id => document.getElementById(id).contentWindow.fenceline);
  if (lines.some(line => !line)) {
    setTimeout(alignWhenReady, 20);
    return;
  }
  align(lines);
  document.documentElement.dataset.ready = "true";
}

alignWhenReady();

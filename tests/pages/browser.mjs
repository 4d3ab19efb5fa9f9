// SPDX-License-Identifier: Apache-2.0
// A headless Chromium, spoken to through its debugging pipe: no port, no package besides the browser.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const places = [process.env.FENCELINE_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// The browser's program, or undefined.
export const chromium = places.find(place => place && existsSync(place));

export class Browser {
  /// `dark`: what the system prefers; width and height of the window.
  static async open({width = 1280, height = 800, dark = false} = {}) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "fenceline-pages-"));
    browser.process = spawn(chromium, ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
      "--disable-dev-shm-usage", "--disable-background-networking", "--remote-debugging-pipe",
      `--user-data-dir=${browser.profile}`, "about:blank"], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    browser.waiting = new Map();
    browser.number = 0;
    browser.problems = []; // what the page complained of, and what it asked a network for
    let text = "";
    browser.process.stdio[4].on("data", data => {
      text += data;
      for (let end = text.indexOf("\0"); end >= 0; end = text.indexOf("\0")) {
        browser.receive(JSON.parse(text.slice(0, end)));
        text = text.slice(end + 1);
      }
    });
    const {targetInfos} = await browser.send("Target.getTargets");
    const page = targetInfos.find(one => one.type === "page");
    browser.session = (await browser.send("Target.attachToTarget", {targetId: page.targetId, flatten: true})).sessionId;
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await browser.send(`${domain}.enable`);
    await browser.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false});
    await browser.send("Emulation.setEmulatedMedia",
      {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});
    return browser;
  }

  receive(message) {
    if (message.id && this.waiting.has(message.id)) {
      const {resolve, reject} = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message)); else resolve(message.result);
      return;
    }
    const {method, params} = message;
    if (method === "Runtime.exceptionThrown") {
      this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.problems.push(params.entry.text);
    } else if (method === "Network.requestWillBeSent" && !/^(file|data|blob):/.test(params.request.url)) {
      this.problems.push(`asked for ${params.request.url}`);
    }
  }

  send(method, params = {}) {
    const id = ++this.number;
    const message = {id, method, params};
    if (this.session) message.sessionId = this.session;
    this.process.stdio[3].write(JSON.stringify(message) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  /// Opens a file and waits until it says that it is ready and has been painted.
  async goto(file) {
    await this.send("Page.navigate", {url: pathToFileURL(file).href});
    await this.until("document.documentElement.dataset.ready === 'true'");
    await this.painted();
  }

  /// The value of an expression in the page.
  async value(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate",
      {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(expression) {
    for (;;) {
      if (await this.value(expression).catch(() => false)) return;
      if (this.problems.length > 0) throw new Error(this.problems.join("\n"));
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  /// Two frames later all that was asked for has been painted.
  painted() {
    return this.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
  }

  async mouse(type, x, y, more = {}) {
    await this.send("Input.dispatchMouseEvent", {type, x, y, ...more});
    await this.painted();
  }
  async click(x, y, modifiers = 0) {
    const button = {button: "left", clickCount: 1, modifiers};
    await this.mouse("mouseMoved", x, y, {modifiers});
    await this.mouse("mousePressed", x, y, {...button, buttons: 1});
    await this.mouse("mouseReleased", x, y, button);
  }
  async drag(x, y, toX, toY, modifiers = 0) {
    await this.mouse("mouseMoved", x, y, {modifiers});
    await this.mouse("mousePressed", x, y, {button: "left", buttons: 1, clickCount: 1, modifiers});
    await this.mouse("mouseMoved", (x + toX) / 2, (y + toY) / 2, {button: "left", buttons: 1, modifiers});
    await this.mouse("mouseMoved", toX, toY, {button: "left", buttons: 1, modifiers});
    await this.mouse("mouseReleased", toX, toY, {button: "left", clickCount: 1, modifiers});
  }
  async wheel(x, y, deltaY) {
    await this.mouse("mouseWheel", x, y, {deltaX: 0, deltaY});
  }
  async key(key) {
    const text = key.length === 1 ? {text: key} : {};
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", key, ...text});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", key});
    await this.painted();
  }

  /// A PNG as bytes.
  async screenshot() {
    await this.painted();
    return Buffer.from((await this.send("Page.captureScreenshot", {format: "png"})).data, "base64");
  }

  async close() {
    const ended = new Promise(resolve => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
    // Its children end after it, and write into the profile until then: also while that is being removed.
    for (let tries = 1;; ++tries) {
      try {
        return rmSync(this.profile, {recursive: true, force: true});
      } catch (error) {
        if (tries === 50) throw error;
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }
  }
}

/// Gives each of `tests`, functions by name, the same browser; says how many failed.
export async function failures(tests) {
  let failed = 0;
  const browser = await Browser.open({width: 1280, height: 800});
  for (const [name, test] of Object.entries(tests)) {
    browser.problems.length = 0;
    try {
      await test(browser);
      assert.deepEqual(browser.problems, [], "errors, or something asked of a network");
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n${error.message}`);
    }
  }
  await browser.close();
  return failed;
}

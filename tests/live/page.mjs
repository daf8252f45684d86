// SPDX-License-Identifier: MIT
// What a person does on the page, in a real browser: node page.mjs WEB SCENE ADDRESS [FOLDER FOR PICTURES]
// Nothing here waits for a time; a scene waits until the page shows what it should, and fails if it never does.
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [, , web, scene, address, folder] = process.argv;
const require = createRequire(web + "/package.json");
const { chromium } = require("playwright-core");
const TIMEOUT_MS = 60000; // of what hangs

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const said = []; // by the consoles

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on("console", (m) => m.type() === "error" && said.push(m.text()));
  page.on("pageerror", (e) => said.push(e.message));
  await page.goto(address);
  await page.waitForSelector(".row");
  return page;
}

const time = async (page) => Number(await page.textContent("#time"));
const state = (page, wanted) => page.waitForFunction((w) => document.querySelector("#state")?.textContent.startsWith(w), wanted);
const later = (page, t) => page.waitForFunction((x) => Number(document.querySelector("#time").textContent) > x, t);
const row = (name) => `.row[data-name="${name}"]`;
const points = (page, more) =>
  page.waitForFunction((n) => Number(document.querySelector("hk-plot")?.dataset.points ?? 0) > n, more);
// The number of a row of the tree is as wanted, but for what is rounded.
const value = (page, name, wanted) =>
  page.waitForFunction(
    ([selector, w]) => Math.abs(Number(document.querySelector(selector)?.textContent) - w) < 1e-4,
    [`${row(name)} .value`, wanted],
  );
const picture = async (page, name) => folder && page.screenshot({ path: `${folder}/${name}.png` });

async function noViolations(page) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run());
  const grave = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  assert.deepEqual(grave.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ").slice(0, 300)}`), []);
  assert.ok(passes.length > 15);
}

const scenes = {
  // The quarter truck: play, a curve that moves, drag and drop, pause, step, the graph, two at once.
  async truck() {
    const page = await open();
    const other = await open({ colorScheme: "dark" });
    await page.selectOption("#speed", "0.5");
    await page.dragAndDrop(row("chassis.z"), "hk-plot .chart");
    await page.waitForSelector(".chip >> text=chassis.z");
    await page.focus(row("chassis.v"));
    await page.keyboard.press("Shift+Enter");
    await page.waitForFunction(() => document.querySelectorAll("hk-plot").length === 2);
    await page.dragAndDrop(row("chassis.p.e"), "hk-plot .chart");
    await page.click("#play");
    await state(page, "running");
    await points(page, 5);
    const seen = await page.evaluate(() => Number(document.querySelector("hk-plot").dataset.points));
    await points(page, seen + 5);
    await later(other, 0.1);
    await state(other, "running");
    await picture(page, "running");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Space");
    await state(page, "paused");
    await state(other, "paused");
    const before = await time(page);
    assert.equal(await time(other), before);
    await page.keyboard.press(".");
    await later(page, before);
    assert.ok(Math.abs((await time(page)) - before - 0.001) < 1e-9);
    await page.fill("#when", "chassis.z > 1.05");
    await page.press("#when", "Enter");
    await page.waitForSelector(".when.on");
    await page.selectOption("#speed", "0");
    await other.click("#play");
    await state(page, "paused: chassis.z > 1.05");
    await page.fill("#when", "nobody > 1");
    await page.press("#when", "Enter");
    await page.waitForSelector(".notice.on >> text=nobody");
    await noViolations(page);
    await page.click("#tab-graph");
    await page.focus("g.box >> nth=1");
    await page.waitForSelector(".popover >> text=p1.f");
    await page.waitForFunction(() => /\d/.test(document.querySelector(".popover td.value")?.textContent ?? ""));
    await picture(page, "graph");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    await noViolations(page);
    await page.keyboard.press("Escape");
    await other.dblclick(row("chassis.z"));
    await picture(other, "dark");
    await noViolations(other);
    await page.reload(); // the layout stays
    await page.waitForSelector("g.box");
    await page.keyboard.press("g");
    await page.waitForFunction(() => document.querySelectorAll("hk-plot").length === 2);
  },

  // A parameter that is set has a mark and an effect; another client sees it; reset takes both back.
  async tank() {
    const page = await open();
    const other = await open();
    const field = '[data-parameter="gain.gain"]';
    await page.click("#step");
    await later(page, 0);
    await page.click("#step");
    await value(page, "gain.y", 0.2); // of the step before
    assert.equal(await page.locator('[data-parameter="gain.u"]').count(), 0); // something is connected to it
    await page.fill(field, "20");
    await page.press(field, "Enter");
    await page.waitForSelector(".parameter.changed");
    await other.waitForSelector(".parameter.changed");
    await page.click("#step");
    await value(page, "gain.y", 4); // twice the ramp, ten times the gain
    await noViolations(page);
    await picture(page, "changed");
    await page.fill(field, "many");
    await page.press(field, "Enter");
    await page.waitForSelector(".notice.on >> text=is not a number");
    await page.reload(); // it is known all the same what the start value was
    await page.click("#reset-all");
    await page.waitForFunction(() => !document.querySelector(".parameter.changed"));
    await other.waitForFunction((f) => document.querySelector(f).value === "2", field);
    await page.click("#step");
    await value(page, "gain.y", 0.6);
    await page.fill("#search", "gain what is added"); // descriptions count
    await page.waitForFunction(() => document.querySelectorAll(".row").length === 2);
  },

  // A record: its whole curve is there, time goes where the slider is, and back.
  async record() {
    const page = await open();
    await page.dblclick(row("a.x"));
    await points(page, 50);
    await page.fill("#seek", "3.25");
    await value(page, "a.x", 32);
    await page.keyboard.press(".");
    await value(page, "a.x", 33);
    await page.click("#back");
    await value(page, "a.x", 32);
    await page.selectOption("#speed", "100");
    await page.focus("#play");
    await page.keyboard.press("Space");
    await state(page, "ended");
    await noViolations(page);
    await picture(page, "record");
  },

  async readonly() {
    const page = await open();
    await page.waitForSelector("text=read only");
    assert.ok(await page.isDisabled("#play"));
    await page.keyboard.press("Space");
    await page.waitForSelector(".notice.on >> text=--read-only");
    assert.equal(await time(page), 0);
    await noViolations(page);
  },

  // The server goes away and comes back: page_test.py does so when it is asked to.
  async restart() {
    const page = await open();
    await page.click("#step");
    await later(page, 0);
    process.stdout.write("now\n");
    await page.waitForSelector(".banner >> text=connection to hocket is lost");
    await page.waitForSelector(".notice.on >> text=started again");
    await page.waitForFunction(() => Number(document.querySelector("#time").textContent) === 0);
    await page.click("#step");
    await later(page, 0);
    said.length = 0; // that it could not be reached was said, and is right
  },
};

try {
  await scenes[scene]();
  assert.deepEqual(said, []);
} finally {
  await browser.close();
}

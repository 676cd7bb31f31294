// What the scripts here share: a browser, a person who is signed in, and the
// checks that hold on every screen.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const patience = 120_000;

export const found = { screens: 0, rules: 0, serious: [], moderate: [] };

export async function launch() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("no Chromium found: make deps installs one");
  // Containers lack what the sandbox is made of; only our own pages are seen.
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

/** Someone at a browser. What the console says as an error fails the journey, but for what was announced with expect. */
export class Person {
  constructor(base, name, password) {
    Object.assign(this, { base, name, password, errors: [], expected: [] });
  }

  async open(browser, options = {}) {
    this.context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      acceptDownloads: true,
      ...options,
    });
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(patience);
    const tell = (text) => {
      if (!this.expected.some((pattern) => pattern.test(text))) this.errors.push(`${this.name}: ${text} (${this.page.url()})`);
    };
    this.page.on("console", (message) => message.type() === "error" && tell(message.text()));
    this.page.on("pageerror", (error) => tell(`page error: ${error.message}`));
    this.page.on("dialog", (dialog) => {
      tell(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return this.page;
  }

  /** Says that the browser will report failures of this kind from now on, as it does for every answer above 399. */
  expect(pattern) {
    this.expected.push(pattern);
  }

  /** Signs in on the provider's page, from wherever the browser was sent there. */
  async enter() {
    await this.page.fill("#username", this.name);
    await this.page.fill("#password", this.password);
    await this.page.press("#password", "Enter");
    await this.page.waitForSelector(".shell");
  }

  async signIn() {
    await this.go("/");
    await this.page.click("main >> text=Sign in");
    await this.page.waitForSelector("#password");
    await this.enter();
  }

  go(path) {
    return this.page.goto(this.base + path, { waitUntil: "load" });
  }

  /** Goes to another screen as a link of the page does, without loading it again. */
  async visit(path) {
    await this.page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await this.page.waitForFunction((to) => location.pathname === to, path);
  }

  /** Waits until nothing is being loaded any more. */
  async settle() {
    await this.page.waitForFunction(() => !document.querySelector(".boot, .skeleton, .spinner, .working"));
  }

  /** Waits until nothing moves or changes its colour any more, except what turns for ever. */
  async still() {
    await this.page.waitForFunction(() =>
      document.getAnimations().every((one) => one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity),
    );
  }

  /** Runs axe on what is shown, once it stands still: a colour half-way is nobody's choice. Serious findings fail the journey. */
  async check(screen) {
    await this.still();
    // Evaluated by the debugger, which the page's policy does not bind.
    await this.page.evaluate(axe);
    const { violations, passes } = await this.page.evaluate(() =>
      globalThis.axe.run(document, {
        preload: false,
        resultTypes: ["violations", "passes"],
      }),
    );
    found.screens++;
    found.rules += passes.length;
    for (const one of violations) {
      const nodes = one.nodes
        .slice(0, 3)
        .map((node) => node.target.join(" "))
        .join(", ");
      const grave = one.impact === "serious" || one.impact === "critical";
      found[grave ? "serious" : "moderate"].push(`${screen}: ${one.id} (${one.impact}): ${one.help}: ${nodes}`);
    }
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) found.serious.push(`${screen}: the page is ${wide} pixels wider than the window`);
  }
}

export function assert(holds, what) {
  if (!holds) throw new Error(what);
}

/** Runs the steps of a journey one after the other and says how long each took. */
export async function walk(steps) {
  for (const [name, step] of steps) {
    const began = Date.now();
    try {
      await step();
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
    console.log(`ok ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
}

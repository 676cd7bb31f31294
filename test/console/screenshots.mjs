// Makes the pictures of the README and of the landing page: starts a server with
// the sample data in a folder of its own, asks a question and looks.
//
//   node screenshots.mjs ../../bin/quern [--all FOLDER]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { launch, Person } from "./page.mjs";
import { screens } from "./screens.mjs";

const [binary, all, folder] = process.argv.slice(2);
const root = resolve(import.meta.dirname, "../..");
const data = mkdtempSync(join(tmpdir(), "quern-pictures-"));

const server = spawn(resolve(binary), ["serve", "--first-user", "ada"], {
  env: { ...process.env, QUERN_DATA: data, QUERN_LISTEN: "127.0.0.1:0" },
});
let printed = "";
const login = await new Promise((found, lost) => {
  server.on("exit", () => lost(new Error(`the server did not start: ${printed}`)));
  const read = (chunk) => {
    printed += chunk;
    const [address, password] = [/Address\s+(\S+)/, /Password\s+(\S+)/].map((pattern) => pattern.exec(printed)?.[1]);
    if (address && password && /Data /.test(printed)) found({ address, password });
  };
  server.stdout.on("data", read);
  server.stderr.on("data", read);
});

/** A page of the server's own look that may hold what it is given: pictures that are no file yet. */
async function blank(width, height) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: "light",
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(`${login.address}/docs`);
  return page;
}

/** The picture that stands for the landing page where somebody links to it. */
async function card(file, shown) {
  const page = await blank(1200, 630);
  await page.evaluate(async (picture) => {
    document.documentElement.style.overflow = "hidden";
    document.body.className = "";
    document.body.innerHTML = `<div class="text"><span class="brand">Quern</span><p class="title">Files in,<br>answers out.</p>
      <p class="lead">Data that people and agents question in plain words.</p></div><img alt="">`;
    document.querySelector("img").src = `data:image/png;base64,${picture}`;
    const sheet = document.createElement("style");
    sheet.textContent = `
      body { display: grid; grid-template: 630px / 560px 1fr; overflow: hidden; min-height: 0; background: var(--paper); }
      .text { display: grid; gap: 26px; padding-left: 72px; align-self: center; }
      .brand { font-size: 38px; }
      .title { font-size: 82px; font-weight: 660; letter-spacing: -0.045em; line-height: 1.02; margin: 0; white-space: nowrap; }
      .lead { font-size: 29px; line-height: 1.35; color: var(--ink-2); margin: 0; max-width: 440px; }
      img { width: 700px; margin: 64px 0 0 46px; border: 1px solid var(--line-2); border-radius: 14px; box-shadow: var(--shadow-3); }`;
    document.head.append(sheet);
    await document.fonts.ready;
    await document.querySelector("img").decode();
  }, shown.toString("base64"));
  await page.screenshot({ path: file });
  await page.context().close();
}

/** The icon where an SVG does not do. */
async function icon(file) {
  const page = await blank(180, 180);
  await page.evaluate(async () => {
    document.body.className = "";
    document.body.innerHTML = '<img alt="" src="/assets/favicon.svg" width="132" height="132">';
    Object.assign(document.body.style, {
      display: "grid",
      placeItems: "center",
      height: "180px",
      background: "var(--paper)",
    });
    await document.querySelector("img").decode();
  });
  await page.screenshot({ path: file });
  await page.context().close();
}

const browser = await launch();
try {
  const ada = new Person(login.address, "ada", login.password);
  const page = await ada.open(browser, {
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
  });
  await ada.signIn();
  const question = "How many arrivals are there per cargo?";
  await ada.go("/ask/ada/harbour");
  await page.fill(".ask-text", question);
  await page.press(".ask-text", "Enter");
  await page.waitForSelector(".chart svg[role=img]");
  await page.waitForSelector(`.nav-link:has-text(${JSON.stringify(question.slice(0, 12))})`);
  const asked = new URL(page.url()).pathname;
  const look = async (path, theme, file) => {
    await page.evaluate((name) => localStorage.setItem("quern.theme", name), theme);
    await ada.go(path);
    await page.waitForSelector(".page, .chart svg[role=img]");
    await ada.settle();
    await page.evaluate(() => document.activeElement?.blur());
    await page.waitForTimeout(300);
    return page.screenshot({ path: file });
  };
  if (all === "--all") {
    mkdirSync(folder, { recursive: true });
    for (const theme of ["light", "dark"]) {
      for (const width of [360, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const [name, path] of [["ask", asked], ["upload", "/upload"], ["tokens", "/settings/tokens"], ...screens]) {
          await look(path, theme, join(folder, `${name.replaceAll(" ", "-")}-${width}-${theme}.png`));
        }
      }
    }
  } else {
    await look(asked, "light", join(root, "web/assets/console.png"));
    await look(asked, "dark", join(root, "web/assets/console-dark.png"));
    await look("/data/ada/harbour/arrivals/columns", "light", join(root, "docs/console-columns.png"));
    await page.setViewportSize({ width: 700, height: 700 });
    await card(join(root, "web/assets/card.png"), await look(asked, "light"));
    await icon(join(root, "web/assets/icon.png"));
  }
} finally {
  await browser.close();
  server.removeAllListeners("exit");
  server.kill("SIGTERM");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(data, { recursive: true, force: true });
}

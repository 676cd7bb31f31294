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

const server = spawn(resolve(binary), ["serve", "--first-user", "ada"], { env: { ...process.env, QUERN_DATA: data, QUERN_LISTEN: "127.0.0.1:0" } });
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

/** The picture that stands for the landing page where somebody links to it. */
async function card(file) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, colorScheme: "light" });
  await page.goto(`${login.address}/docs`);
  await page.evaluate(() => {
    document.body.className = "card-page";
    const title = Object.assign(document.createElement("p"), { textContent: "Files in, answers out." });
    const name = Object.assign(document.createElement("span"), { className: "brand", textContent: "Quern" });
    const text = Object.assign(document.createElement("p"), { textContent: "Data that people and agents question in plain words." });
    for (const [element, style] of [
      [document.body, { display: "grid", alignContent: "center", gap: "28px", padding: "0 90px", height: "630px", background: "var(--paper)" }],
      [name, { fontSize: "44px" }], [title, { fontSize: "92px", fontWeight: 660, letterSpacing: "-0.045em", lineHeight: 1, margin: 0 }],
      [text, { fontSize: "34px", color: "var(--ink-2)", margin: 0 }],
    ]) Object.assign(element.style, style);
    document.body.replaceChildren(name, title, text);
  });
  await page.waitForTimeout(300);
  await page.screenshot({ path: file });
  await page.close();
}

const browser = await launch();
try {
  const ada = new Person(login.address, "ada", login.password);
  const page = await ada.open(browser, { viewport: { width: 1280, height: 800 }, colorScheme: "light" });
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
    await page.screenshot({ path: file });
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
    await card(join(root, "web/assets/card.png"));
  }
} finally {
  await browser.close();
  server.removeAllListeners("exit");
  server.kill("SIGTERM");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(data, { recursive: true, force: true });
}

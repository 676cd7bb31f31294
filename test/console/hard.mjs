// Data that is hard to show: very wide, very long, very many, written from right to left.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "./page.mjs";

const headers = (person) => ({
  Origin: person.base,
  "Content-Type": "application/json",
});

async function store(person, path, data) {
  const answer = await person.page.request.post(`${person.base}/api/v1${path}`, {
    headers: headers(person),
    data: JSON.stringify({ data }),
    timeout: 60_000,
  });
  assert(answer.ok(), `POST ${path} = ${answer.status()} ${(await answer.text()).slice(0, 300)}`);
}

/** 300 columns: only those that are seen are drawn, and the last is a key away. */
export async function wide(person) {
  const { page } = person;
  const row = (r) => Object.fromEntries(Array.from({ length: 300 }, (_, c) => [`column_${c + 1}`, r * 1000 + c]));
  await store(
    person,
    "/ingest/hard/wide",
    Array.from({ length: 120 }, (_, r) => row(r)),
  );
  await person.go("/data/ada/hard/wide");
  const grid = page.locator("[role=grid]");
  await grid.waitFor();
  assert((await grid.getAttribute("aria-colcount")) === "300", "the grid counts its 300 columns");
  assert((await page.locator("[role=columnheader]").count()) < 30, "only the columns that are seen are drawn");
  await page.focus("[role=grid]");
  await page.keyboard.press("Control+End");
  await page.waitForSelector("[role=gridcell][aria-colindex='300']:has-text('119299')");
  await page.keyboard.press("Enter");
  await page.waitForSelector("role=dialog >> text=column_300");
  await page.keyboard.press("Escape");
  await person.visit("/data/ada/hard/wide/columns");
  await page.waitForSelector("article:has-text('column_1')");
  await page.getByLabel("Find a column").fill("column_299");
  await page.waitForFunction(
    () => document.querySelectorAll(".column").length === 1 && document.querySelector(".column svg, .column .top-values"),
  );
}

/** A value of 50 MB is refused with what is wrong; of one that is as long as may be its beginning is shown, and nothing hangs. */
export async function long(person, folder) {
  const { page } = person;
  const bring = async (megabytes) => {
    const file = join(folder, "long.csv");
    writeFileSync(file, `id,text\n1,<b>begin</b> ${"lorem ipsum ".repeat((megabytes * 2 ** 20) / 12)}\n2,short\n`);
    await person.go("/upload?to=ada/hard/");
    await page.setInputFiles("input[type=file]", file);
  };
  person.expect(/422/);
  await bring(50);
  await page.waitForSelector("text=long.csv: line 2 is longer than 16 MiB");
  await page.click("text=Choose other files");
  await page.waitForSelector("text=Drop files here");
  await bring(15);
  await page.waitForSelector(".preview-table");
  await page.click("button:has-text('Store the rows')");
  await page.waitForSelector("text=2 rows in long");
  await page.click("text=See the rows");
  await page.waitForSelector("[role=gridcell]:has-text('<b>begin</b>')");
  await page.dblclick(".grid-row >> nth=0");
  await page.waitForSelector("role=dialog >> text=/the first 20,000 of 15,[0-9,]+ characters/");
  await page.keyboard.press("Escape");
  for (const tab of ["columns", "definition"]) {
    await person.visit(`/data/ada/hard/long/${tab}`);
    await page.waitForSelector(tab === "columns" ? ".column >> text=Different" : "text=Questions are read with this");
    const letters = await page.evaluate(() => document.body.textContent.length);
    assert(letters < 50_000, `${tab} of a value of 15 MB has ${letters} letters on the page`);
  }
}

/** 2,000 datasets: found by name, cut with a count, and the page stays quick. */
export async function many(person) {
  const { page } = person;
  await page.route("**/suggestions", (route) => route.fulfill({ json: { questions: [], definitions: [], entries: [] } }));
  await page.route("**/permissions/**", (route) => route.fulfill({ json: [] }));
  await page.route("**/api/v1/data?*", (route) =>
    route.fulfill({
      json: Array.from({ length: 2000 }, (_, i) => ({
        name: `set_${i + 1}`,
        owner: "ada",
        namespace: `space_${i % 20}`,
        role: "owner",
        rid: `ri.ada.space_${i % 20}.set_${i + 1}`,
      })),
    }),
  );
  await person.go("/");
  await page.waitForSelector("text=more namespaces under");
  await person.check("2,000 datasets, home");
  await person.visit("/data");
  await page.waitForSelector("text=200 of 2,000 datasets");
  await page.fill("input[type=search]", "set_1999");
  await page.waitForFunction(() => document.querySelectorAll("a.list-row").length === 1);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("set_1777");
  await page.waitForSelector("role=option >> text=set_1777");
  await page.keyboard.press("Escape");
  await person.visit("/data/ada/space_3");
  await page.waitForSelector("text=50 of 100 datasets");
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

/** Text from right to left keeps its direction; HTML and formulas are text everywhere that data is shown. */
export async function foreign(person) {
  const { page } = person;
  const words = [
    "שלום עולם",
    "مرحبا بالعالم",
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x")',
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
  ];
  await store(
    person,
    "/ingest/hard/foreign",
    words.flatMap((word, i) => [
      { phrase: word, amount: i + 1 },
      { phrase: word, amount: i + 2 },
    ]),
  );
  await person.go("/data/ada/hard/foreign");
  const arabic = page.locator("[role=gridcell]:has-text('مرحبا')").first();
  await arabic.waitFor();
  assert((await arabic.evaluate((cell) => getComputedStyle(cell).direction)) === "rtl", "Arabic runs from right to left");
  await person.visit("/data/ada/hard/foreign/columns");
  await page.waitForSelector(".top-values >> text=<script>alert(1)</script>");
  await person.go("/ask/ada/hard");
  await page.fill(".ask-text", "total amount per phrase in foreign");
  await page.press(".ask-text", "Enter");
  await page.waitForSelector(".turn .rate");
  await page.waitForSelector(".chart svg[role=img]");
  await person.check("an answer with HTML and right-to-left text in it");
  assert((await page.locator(".turn img, .turn script").count()) === 0, "HTML in an answer is not drawn");
}

/** From the address to a page that can be used. The budget is for a machine that does nothing else. */
export async function speed(person, budget) {
  const { page } = person;
  const times = [];
  for (let i = 0; i < 5; i++) {
    await person.go("/");
    await page.waitForSelector(".ask-text");
    times.push(await page.evaluate(() => performance.now()));
  }
  const median = times.sort((a, b) => a - b)[2];
  console.log(`interactive: ${median.toFixed(0)} ms, the median of five`);
  assert(median < budget, `the page took ${median.toFixed(0)} ms to be usable, want at most ${budget}`);
}

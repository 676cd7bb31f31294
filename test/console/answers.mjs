// How answers are shown, from a conversation that is made up here, and where the
// page stands in it; and what stands on the way to an answer.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "./page.mjs";

const id = "0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a22";
const doubt =
  'I am not sure that this is what you mean. It may also be: "Counts ships, per berth" or "Lists ships whose name is \\"Ada\\" or \\"Bo\\"".';

const months = Array.from({ length: 11 }, (_, i) => ({ month: `2030-${String(i + 1).padStart(2, "0")}`, count: i + 5 }));

/** A stored turn of one step. */
function turn(n, question, step, result) {
  const about = { index: 0, instruction: question, query: "select 1", totalCount: step.data.length, words: [], ...step };
  return {
    runId: `0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6b0${n}`,
    question,
    status: "completed",
    createdAt: "2030-12-01T10:00:00Z",
    result: { plan: { steps: [question], reasoning: "" }, steps: [about], ...result },
  };
}

const turns = [
  turn(
    1,
    "How many ships came in 2030?",
    {
      reasoning: "Counts ships, per month of arrived",
      data: months,
      chart: { kind: "line", x: "month", y: ["count"], reason: "A value over time." },
    },
    { response: "The number of ships, per month of arrived:" },
  ),
  turn(
    2,
    "ships per thing",
    {
      reasoning: "Lists ships without a berth",
      data: [{ count: 45 }],
      notes: [doubt],
      doubt: true,
      words: [
        {
          start: 10,
          end: 15,
          text: "thing",
          state: "guessed",
          means: "the dataset ships",
          instead: ["customer_id", "customer_id", "berth"].map((name, i) => ({
            means: `the column ${name}`,
            question: `ships per ${name} ${i}`,
          })),
        },
      ],
      chart: { kind: "numbers", y: ["count"], reason: "One row: its values say it all." },
    },
    { response: "There are 45 of them.", notes: [doubt], doubt: true },
  ),
];

/** Where the last turn stands between the head and the composer. */
const standing = (page) =>
  page.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const last = document.querySelector(".turn:last-child");
    return {
      below: last.getBoundingClientRect().top - box(".thread-head").bottom,
      above: box(".thread-foot").top - last.querySelector(".rate").getBoundingClientRect().bottom,
    };
  });

/** Opens the made-up conversation: a chart and its words, a doubt that can be asked about. */
export async function answers(person) {
  const { page } = person;
  let asked = "";
  await page.route(`**/api/v1/query/conversations/${id}`, (route) =>
    route.fulfill({ json: { id, title: "Ships", username: "ada", namespace: "harbour", turns } }),
  );
  await page.route("**/api/v1/query/runs/0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6b*", (route) => route.fulfill({ json: {} }));
  await page.route("**/api/v1/query/ask", (route) => {
    asked = route.request().postDataJSON().query;
    void route.fulfill({ status: 409, json: { error_code: "CONFLICT", message: "not now" } });
  });
  person.expect(/409/);
  await person.go(`/ask/${id}`);
  await page.waitForSelector(".chart svg[role=img]");
  await page.waitForSelector(".turn:last-child .rate");
  await page.waitForTimeout(300);
  const { below, above } = await standing(page);
  assert(below >= 0 && below < 40 && above > 0, `a conversation opens ${below} px below the head of its last turn, ${above} px are left`);

  const labels = await page.locator(".chart-svg text").allTextContents();
  assert(labels.includes("Jan") && !labels.includes("2030"), `the months of one year are ${labels}, want Jan first`);
  const told = await page.textContent(".turn:first-child figcaption");
  assert(
    told === "Lines: How many ships came in 2030? 11 values of count, from 5 (2030-01) to 15 (2030-11).",
    `the chart is told as ${told}`,
  );
  assert((await page.locator(".turn:first-child .reading").count()) === 0, "a reading that the answer says is not said again");
  assert((await page.textContent(".turn:last-child .reading")) === "Lists ships without a berth", "another reading is");
  assert((await page.locator(".turn:last-child .chart").count()) === 0, "one row is no chart");
  await page.waitForSelector(".turn:last-child [role=gridcell]:has-text('45')");

  await page.click(".word:has-text('thing')");
  await page.waitForSelector("text=Did you mean");
  const others = await page.locator(".popover .choice").allTextContents();
  assert(others.join() === "the column customer_id,the column berth", `what else a word means is ${others}, want each once`);
  await page.keyboard.press("Escape");

  await person.check("an answer in doubt");
  await page.click("button:has-text('Counts ships, per berth')");
  await page.waitForSelector("text=Your question is kept below");
  assert(asked === "Counts ships, per berth", `the alternative asked ${asked}`);
  await page.click(`button:has-text('Lists ships whose name is "Ada" or "Bo"')`);
  await page.waitForFunction(() => document.querySelector(".ask-text").value.includes('"Bo"'));

  await page.setViewportSize({ width: 360, height: 740 });
  const [title, card] = await page.evaluate(() =>
    [".turn:last-child .step-about", ".turn:last-child .step"].map((one) => document.querySelector(one).clientWidth),
  );
  assert(title > card - 40, `in a narrow window the title has ${title} of ${card} px, want its own line`);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.evaluate((name) => localStorage.removeItem(name), `quern.draft.ask.${id}`);
}

/** Asks on: each new turn comes into view and stays, unless the reader scrolls away. */
export async function newest(person, ask) {
  const { page } = person;
  await person.go("/ask/ada/harbour");
  await page.waitForSelector(".thread-start .chip");
  for (const question of ["How many arrivals are there per ship?", "How many ships are there?", "How many berths are there?"]) {
    await ask(question);
    await person.settle();
    const { below } = await standing(page);
    assert(below >= 0 && below < 40, `“${question}” stands ${below} px below the head`);
  }
  const { above } = await standing(page);
  assert(above > 0, `the answer ends ${above} px above the composer`);

  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, -500);
  await page.waitForFunction(() => document.querySelector(".turn:last-child").getBoundingClientRect().top > 300);
  const before = await page.evaluate(() => scrollY);
  await page.locator(".turn:last-child .fold").evaluate((fold) => fold.click());
  await page.waitForSelector(".turn:last-child .query-text");
  await page.waitForTimeout(300);
  const after = await page.evaluate(() => scrollY);
  assert(Math.abs(after - before) < 2, `who scrolled to ${before} is at ${after} when the turn grows, want left alone`);
}

/** Home asks about what was used last; what does not exist cannot be asked about. */
export async function where(person) {
  const { page } = person;
  await page.evaluate(() => localStorage.removeItem("quern.space"));
  await person.go("/");
  await page.waitForSelector("[placeholder='Ask about shop, in your own words']");
  await page.click(".ask-space button");
  await page.click("role=option[name='harbour']");
  await page.reload();
  await page.waitForSelector("[placeholder='Ask about harbour, in your own words']");
  await page.evaluate(() => localStorage.removeItem("quern.space"));
  person.expect(/404/);
  await person.go("/ask/ada/nothere");
  await page.waitForSelector("text=It does not exist, or it is not shared with you");
  assert((await page.locator(".ask-text").count()) === 0, "nothing can be asked there");
  await person.check("a namespace that does not exist");
  await page.click("main >> text=Go home");
  await page.waitForSelector("text=What do you want to know?");
}

/** Files: their types by one name each, headers that can be read in a narrow window, and none where nothing was read. */
export async function files(person, sheet, folder) {
  const { page } = person;
  await person.go("/upload");
  await page.setInputFiles("input[type=file]", sheet);
  await page.waitForSelector(".preview-table");
  await person.settle();
  for (const column of ["code", "city"]) {
    await page.click(`role=button[name=/Type of ${column}/]`);
    const names = await page.locator("[role=option]").allTextContents();
    assert(new Set(names).size === names.length && names.includes("whole number"), `the types are ${names}, want each once, in words`);
    assert(!names.includes("integer") && !names.includes("double"), `the types are ${names}, want words that people know`);
    await page.keyboard.press("Escape");
    await page.waitForSelector("[role=option]", { state: "detached" });
  }
  await page.setViewportSize({ width: 360, height: 740 });
  const height = await page.locator(".section-head .segments").evaluate((one) => one.clientHeight);
  assert(height < 40, `the choice of a header is ${height} px high, want one line`);
  await page.setViewportSize({ width: 1280, height: 900 });

  const empty = join(folder, "empty.csv");
  writeFileSync(empty, "");
  person.expect(/400|422/);
  await person.go("/upload");
  await page.setInputFiles("input[type=file]", empty);
  await page.waitForSelector("text=That did not work");
  assert((await page.locator("text=What it becomes").count()) === 0, "what could not be read becomes nothing");

  await page.setViewportSize({ width: 360, height: 740 });
  await person.go("/data/ada/shop/orders");
  await page.waitForSelector("[role=gridcell]");
  const cut = await page
    .locator(".grid-th .ellipsis")
    .evaluateAll((names) => names.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  assert(cut.length === 0, `the names ${cut} are cut`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

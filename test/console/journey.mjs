// The journey through the console: everything that a newcomer does, in a real
// browser, with what may go wrong on the way.
//
//   node journey.mjs '{"base": "http://…", "people": {"ada": "…", "bob": "…"}, "sheet": "orders.xlsx", "folder": "/tmp/…"}'
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, found, launch, Person, walk } from "./page.mjs";
import { answers, files, newest, where } from "./answers.mjs";
import { foreign, long, many, speed, wide } from "./hard.mjs";
import { keyboard, looks } from "./screens.mjs";

const config = JSON.parse(process.argv[2]);
const browser = await launch();
const ada = new Person(config.base, "ada", config.people.ada);
const bob = new Person(config.base, "bob", config.people.bob);
const page = await ada.open(browser, { colorScheme: "light" });
let answerLink = "";

const ask = async (question) => {
  await page.fill(".ask-text", question);
  await page.press(".ask-text", "Enter");
  await page.waitForSelector(`.turn:last-of-type .question:has-text(${JSON.stringify(question)})`);
  await page.waitForSelector(".turn:last-of-type .rate");
};

async function signIn() {
  await ada.go("/");
  await ada.check("landing page");
  await page.click("main >> text=Sign in");
  await page.waitForSelector("#password");
  await ada.check("login");
  await ada.enter();
  await page.waitForSelector("text=What do you want to know?");
}

async function upload() {
  await ada.go("/upload");
  await ada.check("upload");
  await page.setInputFiles("input[type=file]", config.sheet);
  await page.waitForSelector(".preview-table");
  await ada.settle();
  await page.getByLabel("Dataset", { exact: true }).fill("orders");
  await page.click("role=button[name=/Namespace/]");
  await page.click("role=option[name='A new one…']");
  await page.getByLabel("Namespace").fill("shop");
  await page.click("role=button[name=/Type of code/]");
  await page.click("role=option[name='text']");
  await page.waitForSelector("td:has-text('101')");
  await ada.settle();
  await ada.check("upload preview");
  await page.click("button:has-text('Store the rows')");
  await page.waitForSelector("text=6 rows in orders");
  await ada.check("upload done");
}

async function rows() {
  await page.click("text=See the rows");
  const grid = page.locator("[role=grid]");
  await grid.waitFor();
  assert((await grid.getAttribute("aria-rowcount")) === "7", "the grid counts its 6 rows and the head");
  // What is in the data is text: HTML is not drawn, a formula not run, Arabic keeps its direction.
  await page.waitForSelector("[role=gridcell]:has-text('<img src=x onerror=alert(1)>')");
  assert((await page.locator(".grid img").count()) === 0, "HTML in a cell is not drawn");
  await page.waitForSelector("[role=gridcell]:has-text('=1+1')");
  await ada.check("rows");
  await page.hover("role=columnheader >> text=price");
  await page.click("role=button[name='Sort by price']");
  await page.click("role=menuitem[name='Greatest first']");
  await page.waitForFunction(() => document.querySelector(".grid-row .grid-td.right")?.textContent !== "");
  await page.waitForURL(/sort=/);
  await page.click("button:has-text('Filter')");
  await page.click("role=button[name=/Column/]");
  await page.click("role=option[name=/^city/]");
  await page.getByLabel("Value").fill("Oslo");
  await page.click("button:has-text('Add the condition')");
  await page.waitForSelector("text=3 of 6 rows");
  await page.dblclick(".grid-row >> nth=0");
  await page.waitForSelector("role=dialog >> text=orders.xlsx");
  await ada.check("a row with its source");
  await page.keyboard.press("Escape");
}

async function question() {
  await ada.go("/ask/ada/shop");
  await ada.settle();
  await ada.check("new conversation");
  await ask("How many orders are there per city?");
  await page.waitForSelector(".chart svg[role=img]");
  assert((await page.locator(".word.matched").count()) > 0, "matched words are underlined");
  await ada.check("answer with a chart");
  await page.click(".segment:has-text('Table')");
  await page.waitForSelector(".step [role=grid]");
  await page.click(".fold");
  await page.fill(".query-text", "select city from orders where city = 'Oslo'");
  await page.click(".query-body >> text=Run");
  await page.waitForSelector(".step-foot >> text=3 rows");
}

async function correct() {
  await ask("How many orders are there per burg?");
  const word = page.locator(".turn:last-of-type .word:has-text('burg')");
  await word.click();
  await page.click("text=Teach what it means");
  await page.click("role=button[name=/Column/]");
  await page.click("role=option[name='city']");
  await ada.check("teaching a word");
  await page.click(".teach >> role=button[name='Teach']");
  await page.waitForSelector("text=is taught");
  await ask("How many orders are there per burg?");
  await page.waitForSelector(".turn:last-of-type .word.matched:has-text('burg')");
}

async function rate() {
  const turn = page.locator(".turn").last();
  await turn.getByRole("button", { name: "This is what I meant" }).click();
  await turn.locator("text=This is what I meant").waitFor();
  await turn.getByRole("button", { name: "This is not what I meant" }).click();
  await page.getByLabel("What I meant, in other words").fill("the number of orders in each city");
  await ada.check("what was meant");
  await page.click("role=dialog >> text=Send");
  await turn.locator("text=This is not what I meant").waitFor();
}

async function share() {
  const turn = page.locator(".turn").last();
  await turn.getByRole("button", { name: "Share" }).click();
  await page.click("text=Make a link");
  answerLink = await page.getByLabel("Link", { exact: true }).inputValue();
  await ada.check("sharing an answer");
  await page.keyboard.press("Escape");

  const his = await bob.open(browser, { colorScheme: "dark" });
  bob.expect(/404|403/);
  await bob.signIn();
  await his.goto(answerLink);
  await his.waitForSelector("text=There is nothing here");

  await ada.go("/data/ada/shop");
  await page.fill("input[placeholder=username]", "bob");
  await page.click("role=button[name='Share']");
  await page.waitForSelector("text=Shared with bob");
  await ada.check("namespace");

  await his.goto(answerLink);
  await his.waitForSelector(".turn .question");
  await his.waitForSelector(".chart svg[role=img]");
  await bob.check("shared answer, dark");
  await bob.go("/");
  await his.waitForSelector("text=Shared with you");
  await bob.go("/data/ada/shop/orders");
  await his.waitForSelector("[role=grid]");
}

async function revoke() {
  await page.click("role=button[name='Take the access of bob away']");
  await page.waitForSelector("text=bob no longer sees it");
  const his = bob.page;
  await his.click("role=link[name='Columns']");
  await his.waitForTimeout(300);
  await his.reload();
  await his.waitForSelector("text=There is nothing here");
  await his.goto(answerLink);
  await his.waitForSelector("text=There is nothing here");
  await bob.check("nothing here, dark");
}

async function token() {
  await ada.go("/settings/tokens");
  await page.click("text=New token");
  await page.getByLabel("What is it for?").fill("journey");
  await page.getByText("Read-only", { exact: true }).click();
  await ada.check("new token");
  await page.click("text=Make the token");
  const secret = await page.locator("[data-secret]").textContent();
  const answer = await fetch(`${config.base}/api/v1/user/me`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  const whose = await answer.json();
  assert(answer.status === 200 && whose.username === "ada" && whose.readOnly, "the new token is ada's, and read-only");
  await page.click("text=I have it");
  await page.click("role=button[name='Revoke journey']");
  await page.click("role=dialog >> role=button[name='Revoke']");
  await page.waitForSelector("text=journey is worthless now");
  const after = await fetch(`${config.base}/api/v1/user/me`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  assert(after.status === 401, "a revoked token is refused");
}

async function interrupted() {
  const big = join(config.folder, "readings.csv");
  const line = "2030-01-31,north mast,12.5,an ordinary reading of an ordinary day\n";
  writeFileSync(big, "day,place,value,note\n" + line.repeat(Math.ceil((18 * 2 ** 20) / line.length)));
  let through = 0;
  const isPart = (url) => !url.pathname.startsWith("/api/v1") && !url.pathname.startsWith("/assets");
  await ada.go("/upload");
  await page.route(isPart, async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    if (through >= 1) return; // held until the page is gone
    through++;
    await route.continue();
  });
  await page.setInputFiles("input[type=file]", big);
  await page.waitForURL(/session=/);
  await page.waitForFunction(() => /[1-9]\d* %/.test(document.querySelector(".upload h2")?.textContent ?? ""));
  await page.click("text=Pause");
  await page.waitForSelector("text=Paused");
  await ada.check("upload paused");
  await page.click("text=Go on");
  await page.waitForSelector("text=Sending");
  await page.click("text=Pause");
  await page.waitForSelector("text=Paused");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  await page.waitForSelector("text=What has arrived is not sent a second time");
  let again = 0;
  page.on("request", (request) => {
    if (request.method() === "PUT") again++;
  });
  await page.setInputFiles("input[type=file]", big);
  await page.waitForSelector(".preview-table");
  assert(again > 0 && again < 3, `after the reload ${again} parts were sent, want those that were missing`);
}

async function cutStream() {
  // The stream breaks off after its first events: the page goes on with the run's own.
  await page.route("**/api/v1/query/ask", async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    await route.fulfill({
      response: answer,
      body: text.split("\n\n").slice(0, 2).join("\n\n") + "\n\n",
    });
  });
  await ada.go("/ask/ada/harbour");
  await ask("How many ships are there?");
  await page.waitForSelector(".turn .answer");
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

async function million() {
  // A dataset of a million rows, of which only what is seen is asked for.
  let asked = 0;
  await page.route("**/api/v1/data/ada/harbour/arrivals/rows?*", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
    asked++;
    const data = Array.from({ length: Math.min(limit, 1_000_000 - offset) }, (_, i) => ({
      arrival: offset + i + 1,
      ship: `Ship ${offset + i + 1}`,
    }));
    await route.fulfill({ json: { data, totalCount: 1_000_000 } });
  });
  await ada.go("/data/ada/harbour/arrivals");
  await page.waitForSelector("[role=gridcell]:has-text('Ship 1')");
  assert((await page.locator("[role=grid]").getAttribute("aria-rowcount")) === "1000001", "the grid counts a million rows and the head");
  await page.focus("[role=grid]");
  await page.keyboard.press("Control+End");
  await page.waitForSelector("[role=gridcell]:has-text('Ship 1000000')");
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -320);
  await page.waitForSelector("[role=row][aria-rowindex='999970']");
  const drawn = await page.locator("[role=row]").count();
  assert(drawn < 80 && asked < 12, `${drawn} rows are drawn and ${asked} pages were asked for, want what is seen`);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

async function newerBuild() {
  await page.route("**/api/v1/data?*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), "quern-build": "another" },
    });
  });
  await ada.go("/");
  await page.waitForSelector("text=newer version of this page");
  await ada.check("a newer build");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.fill(".ask-text", "half a question");
  await page.click("role=button[name='Reload']");
  await page.waitForFunction(() => document.querySelector(".ask-text")?.value === "half a question" && !document.querySelector(".banner"));
  await page.fill(".ask-text", "");
}

async function remove() {
  await ada.go("/data/ada/shop/orders/manage");
  await page.click("role=button[name='Delete']");
  const confirm = page.getByRole("button", { name: "Delete for good" });
  assert(await confirm.isDisabled(), "deleting waits for the name");
  await page.getByLabel("Type orders to confirm").fill("orders");
  await ada.check("deleting");
  await confirm.click();
  await page.waitForSelector("text=orders is deleted");
}

async function sessionEnded() {
  ada.expect(/401/);
  await ada.go("/ask/ada/harbour");
  await page.fill(".ask-text", "How many berths are there?");
  await page.request.delete(`${config.base}/api/v1/user/sessions`, {
    headers: { Origin: config.base },
  });
  await page.press(".ask-text", "Enter");
  await page.waitForSelector("text=You are signed out");
  await ada.check("signed out in mid-work");
  const [beside] = await Promise.all([page.waitForEvent("popup"), page.click("text=Sign in again")]);
  await beside.fill("#username", "ada");
  await beside.fill("#password", config.people.ada);
  await Promise.all([beside.waitForEvent("close"), beside.press("#password", "Enter")]);
  await page.waitForSelector("text=You are signed out", { state: "detached" });
  assert((await page.inputValue(".ask-text")) === "How many berths are there?", "the question survived the sign-in");
  await page.press(".ask-text", "Enter");
  await page.waitForSelector(".turn .rate");
}

let failed = "";
try {
  await walk([
    ["sign in", signIn],
    ["upload a spreadsheet and correct a type", upload],
    ["rows, sorted and filtered", rows],
    ["ask", question],
    ["teach a word and ask again", correct],
    ["rate", rate],
    ["share with bob", share],
    ["revoke", revoke],
    ["where to ask", () => where(ada)],
    ["the page of an answer", () => answers(ada)],
    ["types in words, and what cannot be read", () => files(ada, config.sheet, config.folder)],
    ["token", token],
    ["resume an interrupted upload", interrupted],
    ["a stream that is cut", cutStream],
    ["the newest answer is in view", () => newest(ada, ask)],
    ["a million rows", million],
    ["300 columns", () => wide(ada)],
    ["a value of 50 MB", () => long(ada, config.folder)],
    ["2,000 datasets", () => many(ada)],
    ["HTML, formulas, right to left", () => foreign(ada)],
    ["interactive", () => speed(ada, 5000)],
    ["a newer build, and a draft that survives it", newerBuild],
    ["delete for good", remove],
    ["by keyboard alone", () => keyboard(ada, config.sheet)],
    ["every screen, both themes", () => looks(ada)],
    ["session ended in mid-work", sessionEnded],
  ]);
} catch (error) {
  failed = error.message;
  await page.screenshot({ path: join(config.folder, "failed.png") }).catch(() => undefined);
}
await browser.close();
console.log(
  `axe: ${found.screens} screens, ${found.rules} rules passed, ${found.serious.length} serious, ${found.moderate.length} moderate`,
);
for (const one of found.moderate) console.log(`moderate: ${one}`);
const problems = [...(failed ? [failed] : []), ...ada.errors, ...bob.errors, ...found.serious];
for (const one of problems) console.error(`FAIL ${one}`);
process.exit(problems.length > 0 ? 1 : 0);

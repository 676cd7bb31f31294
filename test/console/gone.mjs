// A page whose server is killed while it follows a question, and started again: it
// shows the answer, and nothing that was typed meanwhile is lost.
import { Person, assert, launch } from "./page.mjs";

const config = JSON.parse(process.argv[2]);
const browser = await launch();
const ada = new Person(config.base, "ada", config.password);
const page = await ada.open(browser);
let failed = "";
try {
  await ada.signIn();
  await ada.go("/ask/ada/harbour");
  // The browser itself says that a server is gone.
  ada.expect(/net::ERR_|Failed to load resource/);
  await page.fill(".ask-text", "How many arrivals are there per cargo?");
  const begun = page.waitForResponse("**/api/v1/query/ask");
  await page.press(".ask-text", "Enter");
  await begun;
  console.log("asked"); // whoever started this kills the server now
  await page.fill(".ask-text", "and in 2024?");
  await page.waitForSelector(".turn .answer");
  assert((await page.inputValue(".ask-text")) === "and in 2024?", "what was typed meanwhile is still there");
  await page.press(".ask-text", "Enter");
  await page.waitForFunction(() => document.querySelectorAll(".turn .answer").length === 2);
} catch (error) {
  failed = error.message;
}
await browser.close();
const problems = [...(failed ? [failed] : []), ...ada.errors];
for (const one of problems) console.error(`FAIL ${one}`);
process.exit(problems.length > 0 ? 1 : 0);

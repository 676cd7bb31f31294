// Somebody signs in to the console at a provider that is not the server's own, asks
// about data that are there already, signs out, and is asked for the password again.
//
//   node provider.mjs '{"base", "issuer", "name", "password", "namespace", "question", "answer"}'
import { Person, assert, launch, walk } from "./page.mjs";

const config = JSON.parse(process.argv[2]);
const browser = await launch();
const person = new Person(config.base, config.name, config.password);
const page = await person.open(browser);
let failed = "";
try {
  await walk([
    [
      "the provider's page",
      async () => {
        await person.go("/");
        await page.click("main >> text=Sign in");
        await page.waitForSelector("#password");
        assert(page.url().startsWith(config.issuer), `the password is typed at ${page.url()}, want the provider`);
      },
    ],
    [
      "a wrong password",
      async () => {
        person.expect(/status of 400|status of 401/);
        await page.fill("#username", config.name);
        await page.fill("#password", "wrong");
        await page.press("#password", "Enter");
        await page.waitForSelector("#input-error, #input-error-username, [id^=input-error]");
      },
    ],
    ["sign in", () => person.enter()],
    [
      "whose it is",
      async () => {
        const me = await page.evaluate(async () => (await fetch("/api/v1/user/me")).json());
        assert(me.username === config.name, `the console is ${JSON.stringify(me)}'s, want ${config.name}`);
        const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
        assert(!/eyJ/.test(kept), `scripts of the page see no token: ${kept}`);
      },
    ],
    [
      "ask",
      async () => {
        await person.go(`/ask/${config.name}/${config.namespace}`);
        await page.fill(".ask-text", config.question);
        await page.press(".ask-text", "Enter");
        await page.waitForSelector(".turn .answer");
        const said = await page.textContent(".turn .answer");
        assert(said.includes(config.answer), `the answer is ${said}, want ${config.answer}`);
      },
    ],
    [
      "sign out",
      async () => {
        person.expect(/status of 401/);
        await person.go("/");
        await page.waitForSelector(".shell");
        await page.keyboard.press("Control+k");
        await page.keyboard.type("Sign out");
        await page.waitForSelector("role=option >> text=Sign out");
        await page.keyboard.press("Enter");
        await page.waitForSelector("main >> text=Sign in");
        await page.click("main >> text=Sign in");
        await page.waitForSelector("#password");
      },
    ],
  ]);
} catch (error) {
  failed = `${error.message} (${page.url()})`;
}
await browser.close();
const problems = [...(failed ? [failed] : []), ...person.errors];
for (const one of problems) console.error(`FAIL ${one}`);
process.exit(problems.length > 0 ? 1 : 0);

// Every screen in both themes and at three widths, and the journey without a mouse.
import { assert } from "./page.mjs";

export const screens = [
  ["home", "/"],
  ["all data", "/data"],
  ["columns", "/data/ada/harbour/arrivals/columns"],
  ["definition", "/data/ada/harbour/arrivals/definition"],
  ["ingestions", "/data/ada/harbour/arrivals/ingestions"],
  ["links", "/data/ada/harbour/arrivals/links"],
  ["shares", "/data/ada/harbour/arrivals/shares"],
  ["manage", "/data/ada/harbour/arrivals/manage"],
  ["rows of arrivals", "/data/ada/harbour/arrivals"],
  ["sessions", "/settings/sessions"],
  ["usage", "/settings/usage"],
  ["models", "/settings/models"],
  ["appearance", "/settings/appearance"],
  ["no such page", "/settings/nothing"],
];

/** Looks at every screen: the light one at the width of a desk, the dark one at that of a hand. */
export async function looks(person) {
  const { page } = person;
  await person.go("/settings/appearance");
  await page.click(".segment:has-text('Dark')");
  assert((await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)) === "dark", "the dark theme is used");
  for (const [theme, width] of [
    ["dark", 360],
    ["light", 1280],
  ]) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
      localStorage.setItem("quern.theme", name);
    }, theme);
    await page.setViewportSize({ width, height: 800 });
    await person.go("/");
    for (const [name, path] of screens) {
      await person.visit(path);
      await page.waitForSelector(".page");
      await person.settle();
      await person.check(`${name}, ${theme}, ${width} px`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** The whole journey without a mouse: from the first Tab over a file and its preview to an answer that is shared. */
export async function keyboard(person, sheet) {
  const { page } = person;
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  /** Presses a key until what has the focus is called so. */
  const tabTo = async (name, key = "Tab") => {
    for (let i = 0; i < 120; i++) {
      await press(key);
      const here = await page.evaluate(() => {
        const at = document.activeElement;
        if (!at || at.tabIndex < 0) return ""; // the page itself, which holds every name
        return `${at.getAttribute("aria-label") ?? ""} ${(at.getAttribute("aria-labelledby") ?? "")
          .split(" ")
          .map((id) => document.getElementById(id)?.textContent ?? "")
          .join(" ")} ${at.textContent ?? ""}`;
      });
      if (here.includes(name)) return;
    }
    throw new Error(`no ${key} leads to ${name}`);
  };
  /** Opens the system's choice of files. Browsers open none for a key whose turn comes too late, so it may be pressed again. */
  const choose = async (tries = 3) => {
    await tabTo("Choose files");
    const opened = page.waitForEvent("filechooser", { timeout: 20_000 }).catch(() => undefined);
    await press("Enter");
    const chooser = await opened;
    if (!chooser && tries === 1) throw new Error("no choice of files opens by the keyboard");
    return chooser ?? choose(tries - 1);
  };
  await person.go("/data");
  await page.waitForSelector("text=Find a dataset");
  await press("Tab");
  assert((await page.evaluate(() => document.activeElement?.className)) === "skip", "the first Tab leads to the way past the menu");
  await press("Enter", "Control+k");
  await page.waitForSelector("role=combobox");
  await person.check("palette");
  await page.keyboard.type("arrivals");
  await press("Enter");
  await page.waitForSelector("[role=grid] [role=gridcell]");
  await tabTo("Rows of arrivals");
  await press("ArrowDown", "ArrowRight", "Enter");
  await page.waitForSelector("role=dialog >> text=Row 2");
  await press("Escape", "Control+k");
  await page.waitForSelector("role=combobox");
  await page.keyboard.type("add data");
  await press("Enter");
  await page.waitForURL(/upload/);
  await page.waitForSelector("role=combobox", { state: "detached" }); // it gives the focus back when it goes
  await person.settle();
  await (await choose()).setFiles(sheet);
  await page.waitForSelector(".preview-table");
  await tabTo("Choose one");
  await press("Enter");
  await page.waitForSelector("role=option");
  await page.keyboard.type("harbour");
  await press("Enter");
  await tabTo("Type of code");
  await press("Enter");
  await page.waitForSelector("role=option");
  await page.keyboard.type("text");
  await press("Enter");
  await tabTo("Store the rows");
  await press("Enter");
  await page.waitForSelector("text=6 rows in orders");
  await tabTo("Ask about it");
  await press("Enter");
  await page.waitForURL(/\/ask\/ada\/harbour/);
  await page.waitForFunction(() => document.activeElement?.classList.contains("ask-text"));
  await page.keyboard.type("Which ship had the most arrivals?");
  await press("Enter");
  await page.waitForSelector(".turn .rate");
  await tabTo("Share", "Shift+Tab");
  await press("Enter");
  await page.waitForSelector("role=dialog >> text=Make a link");
  await tabTo("Make a link");
  await press("Enter");
  await page.waitForSelector("role=dialog >> text=The link works until you take it back");
  await tabTo("Take it back");
  await press("Enter");
  await page.waitForSelector("role=dialog >> text=Make a link");
  await press("Escape");
}

// Every screen in both themes and at three widths, and the journey without a mouse.
import { assert } from "./page.mjs";

export const screens = [
  ["home", "/"], ["all data", "/data"], ["columns", "/data/ada/harbour/arrivals/columns"], ["definition", "/data/ada/harbour/arrivals/definition"],
  ["ingestions", "/data/ada/harbour/arrivals/ingestions"], ["links", "/data/ada/harbour/arrivals/links"], ["shares", "/data/ada/harbour/arrivals/shares"],
  ["manage", "/data/ada/harbour/arrivals/manage"], ["rows of arrivals", "/data/ada/harbour/arrivals"], ["sessions", "/settings/sessions"],
  ["usage", "/settings/usage"], ["models", "/settings/models"], ["appearance", "/settings/appearance"], ["no such page", "/settings/nothing"],
];

/** Looks at every screen: the light one at the width of a desk, the dark one at that of a hand. */
export async function looks(person) {
  const { page } = person;
  await person.go("/settings/appearance");
  await page.click(".segment:has-text('Dark')");
  assert((await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)) === "dark", "the dark theme is used");
  for (const [theme, width] of [["dark", 360], ["light", 1280]]) {
    await page.evaluate((name) => { document.documentElement.dataset.theme = name; localStorage.setItem("quern.theme", name); }, theme);
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

/** From the first Tab to an answer, without a mouse. */
export async function keyboard(person) {
  const { page } = person;
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
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
  await page.focus("[role=grid]");
  await press("ArrowDown", "ArrowRight", "Enter");
  await page.waitForSelector("role=dialog >> text=Row 2");
  await press("Escape", "Control+k");
  await page.waitForSelector("role=combobox");
  await page.keyboard.type("ask harbour");
  await press("Enter");
  await page.waitForURL(/\/ask\/ada\/harbour/);
  await page.waitForFunction(() => document.activeElement?.classList.contains("ask-text"));
  await page.keyboard.type("Which ship had the most arrivals?");
  await press("Enter");
  await page.waitForSelector(".turn .rate");
}

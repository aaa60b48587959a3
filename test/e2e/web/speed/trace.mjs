// Measures the page of a trace, and prints one line of JSON with times in
// milliseconds: opens the trace WEB_OPENED, and scrolls WEB_SCROLLED. `make bench`
// runs it.
import { launch, signIn } from "../browser.mjs";
import { addFilled, measureScrolling, viewport } from "./measure.mjs";

const { WEB_ADDRESS, WEB_OPENED, WEB_SCROLLED } = process.env;
const list = `${WEB_ADDRESS}/app/1/traces`;

/** A span in the tree with its bar in the timeline. */
const row = "[role=treeitem]:has(> [aria-hidden] > div)";
/** The box in which the rows scroll. */
const box = ":has(> [role=tree])";

const browser = await launch();
const context = await newContext();
await signIn(context);
const state = await context.storageState();

const clicks = [], links = [];
for (let round = 0; round < 7; round++) {
  clicks.push(await openFromList());
  links.push(await openLink());
}
const page = await context.newPage();
const rows = [];
for (const trace of [WEB_OPENED, WEB_SCROLLED]) {
  await page.goto(`${list}/${trace}`);
  await shown(page);
  rows.push(await countRows(page));
}
const scrolled = await measureScrolling(page, box, row);
await browser.close();
console.log(JSON.stringify({ clicks, links, rows, ...scrolled }));

async function newContext(storageState) {
  const context = await browser.newContext({ viewport, storageState });
  await addFilled(context);
  await context.addInitScript(([box, row]) => {
    document.addEventListener("click", ({ timeStamp }) => { window.clicked = timeStamp; }, true);
    const look = () => {
      const found = document.querySelector(box);
      // By the next frame, this one is on the screen.
      requestAnimationFrame(found && window.filled(found, row) ? () => { window.shown = performance.now(); } : look);
    };
    requestAnimationFrame(look);
  }, [box, row]);
  return context;
}

/** Waits until the rows are on the screen, and returns when they were, in ms since the page was opened. */
async function shown(page) {
  return (await page.waitForFunction(() => window.shown)).jsonValue();
}

/** The time from a click in the list of traces, with the app loaded. */
async function openFromList() {
  const page = await context.newPage();
  await page.goto(`${list}?range=all&sort=trace_span_count`);
  const link = page.locator(`a[href$="/traces/${WEB_OPENED}"]`);
  await link.waitFor();
  await page.waitForLoadState("networkidle");
  await link.click();
  const time = (await shown(page)) - (await page.evaluate(() => window.clicked));
  await page.close();
  return time;
}

/** The time from the navigation to the URL of the trace, with an empty cache. */
async function openLink() {
  const fresh = await newContext(state);
  const page = await fresh.newPage();
  await page.goto(`${list}/${WEB_OPENED}`);
  const time = await shown(page);
  await fresh.close();
  return time;
}

/** The number of rows of the tree, of which few are rendered. */
async function countRows(page) {
  return page.evaluate((row) => Math.round(document.querySelector("[role=tree]").offsetHeight / document.querySelector(row).offsetHeight), row);
}

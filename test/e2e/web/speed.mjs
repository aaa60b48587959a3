// Measures the request log with the logs of the server, and prints one
// line of JSON: times in milliseconds, sizes in bytes. `make bench` runs it.
import { launch } from "./browser.mjs";
import { addFilled, measureScrolling, middle, viewport } from "./speed/measure.mjs";

const { WEB_ADDRESS, WEB_TOKEN, WEB_PASSWORD } = process.env;
const path = `${WEB_ADDRESS}/app/1/requests?range=all`;

/** Common queries. */
const queries = [
  "model:gpt-4o", "status:error", "provider:anthropic", "tag:beta", "metadata.env:prod", "latency>2s", "cost>0.01", "model:gpt-4o status:error",
  "tool:get_order", "refund", "refudn", "invoice total", "cost>0.01 model:claude-opus-4", "-status:success", "model:claude-sonnet-4 refund", "output_tokens>500",
];

const browser = await launch();
const context = await browser.newContext({ viewport });
await addFilled(context);
const answer = await context.request.post(`${WEB_ADDRESS}/api/admin/session`, { data: { token: WEB_TOKEN, password: WEB_PASSWORD } });
if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}`);
const state = await context.storageState();

const paints = [], rowsShown = [];
let scripts = 0;
for (let round = 0; round < 7; round++) {
  // A new context has an empty cache.
  const fresh = await browser.newContext({ viewport, storageState: state });
  const page = await fresh.newPage();
  await page.goto(path);
  await page.locator("tr[data-request]").first().waitFor();
  const load = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    rows: performance.now(),
    scripts: performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  }));
  paints.push(load.paint);
  rowsShown.push(load.rows);
  scripts = load.scripts;
  await fresh.close();
}

const page = await context.newPage();
await page.goto(path);
await page.locator("tr[data-request]").first().waitFor();
const filters = await measureFilters(page);
await page.goto(path);
await page.locator("tr[data-request]").first().waitFor();
const scrolled = await measureScrolling(page, "[role=region][aria-label=Requests]", "tr[data-request], thead");
await browser.close();
console.log(JSON.stringify({ paint: middle(paints), rows: middle(rowsShown), scripts, filters, ...scrolled }));

/** The times from Enter to the rows of the response. */
async function measureFilters(page) {
  await page.evaluate(() => {
    window.seen = [];
    const note = () => {
      const row = document.querySelector("tr[data-request]");
      window.seen.push([performance.now(), row?.dataset.request ?? "", document.querySelector("[role=status] strong")?.textContent ?? ""]);
    };
    new MutationObserver(note).observe(document.querySelector("#main"), { childList: true, subtree: true, characterData: true, attributes: true });
    window.addEventListener("keydown", (event) => { if (event.key === "Enter") { window.entered = performance.now(); window.seen = []; } }, true);
  });
  const times = [];
  const all = await page.locator("[role=status] strong").first().textContent();
  const bar = page.getByRole("combobox", { name: "Query" });
  for (const query of [...queries, ...queries.toReversed()]) {
    await bar.fill(query);
    const found = page.waitForResponse((response) => response.url().endsWith("/requests/search") && JSON.parse(response.request().postData() ?? "{}").page === 1);
    await bar.press("Enter");
    const { items, total } = await (await found).json();
    const want = [String(items[0]?.id ?? ""), total.toLocaleString("en-US")];
    const time = await page.evaluate(async ([id, total]) => {
      for (;;) {
        const hit = window.seen.find((entry) => entry[1] === id && entry[2] === total);
        if (hit) return hit[0] - window.entered;
        await new Promise(requestAnimationFrame);
      }
    }, want);
    if (items.length === 0) throw new Error(`nothing is found by ${query}, so it says nothing`);
    times.push(time);
    await page.getByRole("button", { name: "Clear query" }).click();
    await page.waitForFunction((total) => document.querySelector("[role=status] strong")?.textContent === total, all);
    // Prefetching must not slow down the next query.
    await page.waitForLoadState("networkidle");
  }
  return times;
}

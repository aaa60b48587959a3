// The request log: queries by form, by text and by URL, live updates, columns,
// sorting and views.
import { drive, equal, logRequest, until } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const area = `requests-${Date.now().toString(36)}`;
const began = new Date();
// Demo data only, without requests logged in the meantime.
const before = { from: new Date(began - 30 * 86_400_000).toISOString(), to: new Date(began - 600_000).toISOString() };

await drive(async ({ page, context, step, open, accessible, inDark, shot, api, expect }) => {
  const search = (filters) => api.post("/api/public/v2/requests/search", { filter_group: { logic: "AND", filters }, page: 1, per_page: 25 });
  const mine = { field: "tags", operator: "contains", value: area };
  const inBefore = { field: "request_start_time", operator: "between", value: [before.from, before.to] };
  const query = (state) => `1/requests?${new URLSearchParams(state)}`;
  const held = (name) => new URL(page.url()).searchParams.get(name);
  const status = page.getByRole("status").filter({ hasText: /requests?( match)? ·/ });
  const table = page.getByRole("table", { name: "Requests" });
  const rows = table.getByRole("row").filter({ has: page.getByRole("cell") });
  const bar = page.getByRole("combobox", { name: "Query" });
  const pill = (words) => page.getByRole("button", { name: `Edit filter ${words}`, exact: true });
  const panel = page.getByRole("dialog", { name: /^Request \d+/ });
  const suggestions = page.getByRole("listbox", { name: "Suggestions" });
  const focused = (read) => page.evaluate(read);
  const shows = (total) => until(`${total} requests are counted`, async () => (await status.innerText()).startsWith(`${total.toLocaleString("en-US")} request`));

  const at = (minutes, ms) => ({ request_start_time: new Date(began - minutes * 60_000).toISOString(), request_end_time: new Date(began - minutes * 60_000 + ms).toISOString() });
  await logRequest({ ...at(3, 900), tags: [area], user: "Third question", metadata: { shelf: "lower" } });
  await logRequest({ ...at(2, 4200), tags: [area], user: "Second question", status: "ERROR", error_type: "PROVIDER_TIMEOUT", error_message: "The provider did not answer in time" });
  await logRequest({ ...at(1, 1500), tags: [area], user: "First question", metadata: { shelf: "upper" } });
  await until("the requests are in the log", async () => (await search([mine])).total === 3);

  await step("the list shows the exact count", async () => {
    await open(query(before));
    await shows((await search([inBefore])).total);
    await rows.first().waitFor();
    await accessible();
    await shot("requests");
    await inDark(accessible);
  });
  await step("a link contains the whole query", async () => {
    await open(query({ ...before, q: "model:gpt-4o status:error" }));
    await pill("model: gpt-4o").waitFor();
    await pill("status: error").waitFor();
    const { total } = await search([inBefore, { field: "engine", operator: "is", value: "gpt-4o" }, { field: "status", operator: "is", value: "ERROR" }]);
    if (total === 0) throw new Error("the demo data has no such request");
    await shows(total);
    for (const row of await rows.all()) equal("the status of a row", (await row.getByRole("cell").nth(2).innerText()).trim().toLowerCase(), "error");
  });
  await step("the builder suggests values", async () => {
    await open(query(before));
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const builder = page.getByRole("dialog", { name: "Query builder" });
    await builder.getByLabel("Field").selectOption("provider");
    await builder.getByRole("combobox", { name: "Value", exact: true }).fill("anth");
    await builder.getByRole("option", { name: "anthropic", exact: true }).click();
    await builder.getByRole("button", { name: "Add filter", exact: true }).click();
    await builder.getByLabel("Field").nth(1).selectOption("latency");
    await builder.getByLabel("Comparison").nth(1).selectOption(">");
    await builder.getByLabel("Value", { exact: true }).nth(1).fill("2s");
    await accessible();
    await builder.getByRole("button", { name: "Apply" }).click();
    await pill("provider: anthropic").waitFor();
    await pill("latency > 2s").waitFor();
    await shows((await search([inBefore, { field: "provider_type", operator: "is", value: "anthropic" }, { field: "latency_ms", operator: "gt", value: 2000 }])).total);
  });
  await step("the builder offers every field of the API", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const offered = await page.getByRole("dialog", { name: "Query builder" }).getByLabel("Field").first().getByRole("option").evaluateAll((options) => options.map(({ value }) => value));
    const wanted = ["pl_id", "prompt_id", "engine", "provider_type", "input_text", "output_text", "prompt", "prompt_version_number", "cost", "latency_ms", "input_tokens", "output_tokens", "total_tokens", "cached_tokens", "thinking_tokens", "turn_count", "tool_call_count", "request_start_time", "request_end_time", "status", "error_type", "is_json", "is_tool_call", "is_plain_text", "has_trace", "trace_id", "tags", "metadata_keys", "score_names", "tool_names", "output_keys", "input_variable_keys", "metadata", "scores", "output", "input_variables", "user_id", "thinking_text", "user_intent", "agent_intent"];
    equal("missing fields", wanted.filter((field) => !offered.includes(field)), []);
    await page.keyboard.press("Escape");
  });
  await step("pills and text are the same query", async () => {
    await page.getByRole("button", { name: "Edit as text" }).click();
    equal("the text", await bar.inputValue(), "provider:anthropic latency>2s");
    await bar.fill("provider:anthropic (status:error OR status:warning)");
    await bar.press("Enter");
    await pill("status: error or status: warning").waitFor();
    equal("the address", held("q"), "provider:anthropic (status:error OR status:warning)");
    await suggestions.waitFor({ state: "hidden" });
    equal("the bar keeps the focus", await bar.evaluate((input) => input === document.activeElement), true);
    await bar.press("ArrowDown");
    await suggestions.waitFor();
    await bar.press("Escape");
    await bar.click();
    await suggestions.waitFor();
    await bar.press("Escape");
    await suggestions.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Remove filter provider: anthropic" }).click();
    await until("the URL follows", () => held("q") === "(status:error OR status:warning)");
    await page.goBack();
    await pill("provider: anthropic").waitFor();
  });
  await step("a pill can be edited in place", async () => {
    await pill("provider: anthropic").click();
    const editor = page.getByRole("dialog", { name: "Edit filter" });
    await editor.getByLabel("Comparison").selectOption("is not");
    await editor.getByRole("button", { name: "Apply" }).click();
    await pill("provider is not anthropic").waitFor();
    await until("the URL follows", () => held("q").startsWith("-provider:anthropic"));
  });
  await step("typed text is completed", async () => {
    await open(query(before));
    await rows.first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("prov");
    await page.getByRole("listbox", { name: "Suggestions" }).getByRole("option", { name: /provider/ }).first().waitFor();
    await page.keyboard.press("Tab");
    await until("the field is written out", async () => (await bar.inputValue()) === "provider:");
    await page.getByRole("option", { name: /^openai/ }).first().click();
    await pill("provider: openai").waitFor();
    await suggestions.waitFor({ state: "hidden" });
    await page.keyboard.type("mod");
    await suggestions.waitFor();
    await bar.fill("");
  });
  await step("an invalid query shows the error", async () => {
    await bar.fill("latency>fast");
    await bar.press("Enter");
    await page.getByRole("alert").filter({ hasText: /latency|number/i }).waitFor();
    equal("the typed text stays", await bar.inputValue(), "latency>fast");
    await bar.press("Escape");
  });
  await step("a time range is chosen from a list", async () => {
    await open("1/requests?range=all");
    await page.getByRole("button", { name: /^Time range: All time/ }).click();
    await accessible();
    await page.getByRole("button", { name: "Last 3 days" }).click();
    await page.getByRole("button", { name: /^Time range: Last 3 days/ }).waitFor();
    equal("the address", held("range"), "3d");
  });
  await step("dragging over the histogram narrows the time range", async () => {
    await open(query(before));
    const strip = page.getByRole("img", { name: /^Requests over time/ });
    const all = Number((await status.innerText()).replaceAll(",", "").match(/^\d+/)[0]);
    const box = await strip.boundingBox();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20, { steps: 5 });
    await page.mouse.up();
    await until("the time range is narrower", () => held("from") > before.from && held("to") < before.to);
    const { total } = await search([{ ...inBefore, value: [held("from"), held("to")] }]);
    await shows(total);
    if (total >= all) throw new Error(`${total} of ${all} are left`);
  });
  await step("columns are chosen, including metadata", async () => {
    await open(query({ range: "24h", q: `tag:${area}` }));
    await shows(3);
    await page.getByRole("button", { name: "Columns" }).click();
    const menu = page.getByRole("dialog", { name: "Columns" });
    await menu.getByRole("button", { name: "Provider", exact: true }).click();
    await menu.getByRole("button", { name: "Hide Cost" }).click();
    await menu.getByRole("combobox", { name: "Metadata key" }).fill("shelf");
    await menu.getByRole("button", { name: "Add column of metadata key" }).click();
    await accessible();
    await page.keyboard.press("Escape");
    await table.getByRole("columnheader", { name: "Provider" }).waitFor();
    await table.getByRole("cell", { name: "upper", exact: true }).waitFor();
    await until("columns of the cost: 0", async () => (await table.getByRole("columnheader", { name: "Cost" }).count()) === 0);
    await until("the URL contains them", () => /provider.*metadata\.shelf/.test(held("columns") ?? ""));
  });
  await step("a click on a header sorts the list", async () => {
    await table.getByRole("button", { name: "Latency" }).click();
    await until("the slowest comes first", async () => /Second question/.test(await rows.first().innerText()));
    equal("the order", await table.getByRole("columnheader", { name: "Latency" }).getAttribute("aria-sort"), "descending");
    await table.getByRole("button", { name: "Latency" }).click();
    await until("the fastest comes first", async () => /Third question/.test(await rows.first().innerText()));
  });
  await step("scores are filtered, shown and sorted by name", async () => {
    for (const [words, score] of [["First question", 80], ["Second question", 30], ["Third question", 55]]) {
      const { items: [{ id }] } = await search([mine, { field: "input_text", operator: "contains", value: words }]);
      await api.post("/rest/track-score", { request_id: id, name: area, score });
    }
    await open(query({ range: "24h", q: `tag:${area}` }));
    await shows(3);
    await bar.click();
    await page.keyboard.type(`score.${area.slice(0, -1)}`);
    await suggestions.getByRole("option", { name: area, exact: true }).click();
    await until("the name is written out", async () => (await bar.inputValue()) === `score.${area}>`);
    await page.keyboard.type("50");
    await bar.press("Enter");
    await pill(`score.${area} > 50`).waitFor();
    await shows(2);
    await page.getByRole("button", { name: "Columns" }).click();
    const menu = page.getByRole("dialog", { name: "Columns" });
    await menu.getByRole("combobox", { name: "Score name" }).fill(area);
    await menu.getByRole("button", { name: "Add column of score name" }).click();
    await accessible();
    await page.keyboard.press("Escape");
    await table.getByRole("cell", { name: "80", exact: true }).waitFor();
    await table.getByRole("button", { name: area }).click();
    await until("the highest comes first", async () => /First question/.test(await rows.first().innerText()));
    await table.getByRole("button", { name: area }).click();
    await until("the lowest comes first", async () => /Third question/.test(await rows.first().innerText()));
    equal("the address", held("sort"), `score.${area}`);
  });
  await step("distant rows load on scrolling", async () => {
    await open(query(before));
    const { total } = await search([inBefore]);
    await shows(total);
    await page.getByRole("region", { name: "Requests" }).evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await until("the last row", async () => (await rows.last().getAttribute("aria-rowindex")) === String(total + 1) && /\d/.test(await rows.last().innerText()));
  });
  await step("a new request appears live", async () => {
    await open(query({ range: "24h", q: `tag:${area}` }));
    await page.getByRole("button", { name: "Live" }).click();
    await shows(3);
    await page.evaluate(() => { window.sameDocument = true; });
    await logRequest({ tags: [area, "live"], user: "A question that arrives" });
    await rows.first().filter({ hasText: "A question that arrives" }).waitFor();
    await shows(4);
    equal("the page was not loaded again", await page.evaluate(() => window.sameDocument), true);
  });
  await step("live updates report interruptions, back off and recover", async () => {
    const failures = [];
    await page.route("**/api/public/v2/requests/search", (route) => { failures.push(Date.now()); return route.abort(); });
    expect(/request failed: POST .*\/requests\/search/);
    const words = /Live updates interrupted: Cannot reach the server/;
    await page.getByRole("button", { name: words }).waitFor();
    await page.getByRole("status").filter({ hasText: words }).waitFor({ state: "attached" });
    await accessible();
    await until("it was tried three times", () => failures.length >= 3);
    const [first, second, third] = failures;
    // It polls every second while all is well. A slow machine only makes it longer.
    if (second - first < 1900 || third - second < 3800) throw new Error(`tried again after ${second - first} and ${third - second} ms`);
    await page.unroute("**/api/public/v2/requests/search");
    await logRequest({ tags: [area, "live"], user: "A question after the break" });
    await rows.first().filter({ hasText: "A question after the break" }).waitFor();
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
  });
  await step("the rows are a single tab stop", async () => {
    await open(query({ range: "24h", q: `tag:${area}` }));
    await rows.first().filter({ hasText: "question" }).waitFor();
    await table.getByRole("columnheader").getByRole("button").last().focus();
    const at = () => focused(() => document.activeElement.getAttribute("aria-rowindex"));
    await page.keyboard.press("Tab");
    equal("the row after the headings", await at(), "2");
    await page.keyboard.press("Tab");
    equal("Tab leaves the rows", await focused(() => document.activeElement.closest("table")), null);
    await page.keyboard.press("Shift+Tab");
    equal("the row when tabbing back", await at(), "2");
    await page.keyboard.press("j");
    await until("the row below", async () => (await at()) === "3");
    await page.keyboard.press("Enter");
    await panel.waitFor();
    await until("the panel has the focus", () => focused(() => document.activeElement.getAttribute("role") === "dialog"));
    const opened = held("request");
    await page.keyboard.press("ArrowDown");
    await until("the next one is open", () => held("request") !== opened);
    await page.keyboard.press("Tab");
    equal("Tab reaches the buttons of the panel", await focused(() => document.activeElement.closest("[role=dialog]") !== null && document.activeElement.matches("a, button")), true);
    await panel.getByRole("button", { name: "Previous request (k)" }).press("Enter");
    await until("the first one is open again", () => held("request") === opened);
    equal("the button keeps the focus", await focused(() => document.activeElement.getAttribute("aria-label")), "Previous request (k)");
    await accessible();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await until("its row has the focus", async () => (await focused(() => document.activeElement.getAttribute("data-request"))) === opened);
  });
  await step("a link shows the same to others", async () => {
    const { items: [{ id }] } = await search([mine, { field: "status", operator: "is", value: "ERROR" }]);
    await open(query({ range: "24h", q: `tag:${area} status:error`, columns: "time,status,model,metadata.shelf", request: id, tab: "details" }));
    await panel.getByRole("heading", { name: "Properties" }).waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole("dialog", { name: `Request ${id}` }).getByRole("heading", { name: "Properties" }).waitFor();
    await other.getByRole("columnheader", { name: "shelf" }).waitFor();
    await until("the same rows", async () => (await other.getByRole("table", { name: "Requests" }).innerText()) === (await table.innerText()));
    await other.close();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    equal("no request is open", held("request"), null);
  });
  await step("the state is saved as a view and restored", async () => {
    await open(query({ range: "24h", q: `tag:${area} status:error`, columns: "time,model,latency" }));
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save as new view…" }).click();
    await page.getByRole("dialog", { name: "Save view" }).getByLabel("Name").fill(`${area} errors`);
    await page.keyboard.press("Enter");
    await until("the URL contains the view", () => held("view") !== null);
    const view = held("view");
    await open(`1/requests?view=${view}`);
    await pill(`tag: ${area}`).waitFor();
    await shows(1);
    equal("its columns", await table.getByRole("columnheader").allInnerTexts().then((all) => all.map((one) => one.trim()).filter(Boolean)), ["Selected", "Time", "Model", "Latency"]);
    await page.getByRole("button", { name: new RegExp(`^View ${area} errors`) }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByText(`${area} errors`).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await until("it is gone", async () => !(await api.get("/api/public/v2/views")).views.some(({ id }) => String(id) === view));
  });
  await step("an empty result offers next steps", async () => {
    await open(query({ range: "24h", q: "tag:nobody-uses-this" }));
    await page.getByText("No matching requests").waitFor();
    await page.getByRole("button", { name: "Clear query" }).last().click();
    await rows.first().waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("the log and the builder fit on a phone", async () => {
    await open(`1/requests?range=24h&q=tag:${area}`);
    await page.getByRole("table", { name: "Requests" }).getByText("success").first().waitFor();
    await fits();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const builder = page.getByRole("dialog", { name: "Query builder" });
    await builder.getByRole("button", { name: "Add group", exact: true }).click();
    await builder.getByRole("button", { name: "Apply" }).waitFor();
    const [value, remove] = [await builder.getByRole("combobox", { name: "Value" }).last().boundingBox(), await builder.getByRole("button", { name: "Remove filter" }).last().boundingBox()];
    if (remove.y > value.y + value.height || remove.x < value.x) throw new Error(`the button at ${JSON.stringify(remove)} is not next to the value at ${JSON.stringify(value)}`);
    await fits();
    await page.keyboard.press("Escape");
    await accessible();
  });
}, { width: 390, height: 844 });

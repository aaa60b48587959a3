// Traces: the list with its query, and the page of a trace with its tree,
// timeline and spans.
import { drive, equal, until } from "./browser.mjs";

const { WEB_ADDRESS, WEB_API_KEY } = process.env;

const area = `traces-${Date.now().toString(36)}`;
const began = Date.now() - 60_000;
const newId = (digits) => Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join("");

/** A span of a trace, as a client sends it. Times are in ms since the start of the script. */
function span(trace, id, { name, parent = null, from = 0, to = 1000, status = "OK", error = null, attributes = {}, ...rest }) {
  const nanoseconds = (ms) => `${BigInt(began + ms) * 1_000_000n}`;
  return {
    name, parent_id: parent, kind: "SpanKind.INTERNAL", context: { trace_id: trace, span_id: id, trace_state: "" }, start_time: nanoseconds(from), end_time: nanoseconds(to),
    status: { status_code: `StatusCode.${status}`, description: error }, attributes, resource: { attributes: { "service.name": area } }, ...rest,
  };
}

async function send(spans, more = {}) {
  const answer = await fetch(`${WEB_ADDRESS}/spans-bulk`, { method: "POST", headers: { "X-API-KEY": WEB_API_KEY, "Content-Type": "application/json" }, body: JSON.stringify({ spans, ...more }) });
  if (!answer.ok) throw new Error(`storing spans answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const message = (role, text) => ({ role, content: [{ type: "text", text }] });
const call = (question, reply) => ({
  provider: "openai", model: "gpt-4o", input_tokens: 120, output_tokens: 30, price: 0.25, tags: [area],
  input: { type: "chat", messages: [message("user", question)] }, output: { type: "chat", messages: [message("assistant", reply)] },
});

const first = newId(32);
const second = newId(32);
const spans = { root: newId(16), search: newId(16), http: newId(16), chat: newId(16), lost: newId(16) };
// Unique, because an earlier run may have left data.
const session = { "session.id": newId(8), "user.id": "ann" };

const sent = await send([
  span(first, spans.root, { name: "Shelf assistant", to: 5000, attributes: { ...session, "gen_ai.operation.name": "invoke_agent" } }),
  span(first, spans.search, { name: "find shelf", parent: spans.root, from: 100, to: 1200, attributes: { "tool.name": "find_shelf", "input.value": "{\"item\":\"flour\"}", "output.value": "upper shelf" } }),
  span(first, spans.http, { name: "GET shelves", parent: spans.search, from: 200, to: 900, status: "ERROR", error: "The warehouse did not answer", events: [{ name: "exception", attributes: { "exception.type": "TimeoutError", "exception.message": "2 s" } }] }),
  span(first, spans.chat, { name: "chat gpt-4o", parent: spans.root, from: 1300, to: 4800, log_request: call("Where is the flour?", "On the upper shelf.") }),
  span(first, spans.lost, { name: "late callback", parent: newId(16), from: 4000, to: 4400 }),
]);
const request = sent.request_logs[0].id;

// Others of the day, for the picture of the list.
const hour = 3_600_000;
const names = ["Shelf assistant", "Order agent", "Nightly report", "Opening hours"];
await send(Array.from({ length: 40 }, (_, index) => {
  const from = -((index * 37) % 24) * hour + index * 1000;
  return span(newId(32), newId(16), { name: names[index % 4], from, to: from + 300 + ((index * 7919) % 9000), status: index % 9 === 4 ? "ERROR" : "OK", attributes: { "user.id": ["ben", "cleo", "dora"][index % 3], "session.id": newId(8) } });
}));
await send([span(second, newId(16), { name: "Opening hours", from: 20_000, to: 20_500, attributes: session })], { close_after: true });

await drive(async ({ page, step, open, accessible, inDark, shot, api, expect }) => {
  const list = (state) => `1/traces?${new URLSearchParams({ range: "24h", ...state })}`;
  const held = (name) => new URL(page.url()).searchParams.get(name);
  const table = page.getByRole("table", { name: "Traces" });
  const rows = table.getByRole("row").filter({ has: page.getByRole("cell") });
  const bar = page.getByRole("combobox", { name: "Query" });
  const tree = page.getByRole("tree", { name: "Spans" });
  const items = tree.getByRole("treeitem");
  const item = (name) => items.filter({ hasText: name });
  const panel = page.getByRole("region", { name: /^Span / });
  const selected = () => tree.getByRole("treeitem", { selected: true });
  const isSelected = (name) => until(`${name} is selected`, async () => (await selected().innerText()).includes(name));
  const mine = { logic: "AND", filters: [{ field: "trace_session_id", operator: "is", value: session["session.id"] }] };

  await until("the traces are found", async () => (await api.post("/api/public/v2/traces/search", { filter_group: mine })).total === 2);

  await step("the list shows the traces of a session", async () => {
    await open(list({ q: `session:${session["session.id"]}` }));
    await until("two rows", async () => (await rows.count()) === 2);
    await page.getByRole("status").filter({ hasText: /^2 traces/ }).waitFor();
    const cells = await rows.nth(1).getByRole("cell").allInnerTexts();
    equal("the cells", cells.slice(0, 8).map((cell) => cell.trim()), ["Shelf assistant", "error", "5.00 s", "$0.250", "150", "5", session["user.id"], session["session.id"]]);
    await page.getByRole("img", { name: /^Traces over time: 2 in total, 1 failed/ }).waitFor();
    await accessible();
    await inDark(accessible);
    await open(list({}));
    await rows.nth(10).waitFor();
    await page.getByRole("img", { name: /^Traces over time/ }).waitFor();
    await shot("traces");
  });
  await step("the list is sorted by a column", async () => {
    await open(list({ q: `session:${session["session.id"]}` }));
    await table.getByRole("button", { name: "Duration" }).click();
    await until("the longest comes first", async () => (await rows.first().innerText()).includes("Shelf assistant"));
    equal("the address", [held("sort"), held("order")], ["trace_duration_ms", "desc"]);
    await table.getByRole("button", { name: "Duration" }).click();
    await until("the shortest comes first", async () => (await rows.first().innerText()).includes("Opening hours"));
    equal("the order is announced", await table.getByRole("columnheader", { name: "Duration" }).getAttribute("aria-sort"), "ascending");
  });
  await step("a filter on one span is typed", async () => {
    await open(list({ q: `session:${session["session.id"]}` }));
    await rows.first().waitFor();
    await page.keyboard.press("/");
    await bar.fill("span(span_name~shelves span_status:error)");
    await bar.press("Enter");
    await page.getByRole("button", { name: "Edit filter span: span_name contains shelves and span_status: error" }).waitFor();
    await until("one row", async () => (await rows.count()) === 1);
    await bar.fill("latency>2s");
    await bar.press("Enter");
    await page.getByRole("alert").getByText("Unknown field “latency”").waitFor();
  });
  await step("a trace opens from the list", async () => {
    await open(list({ q: `session:${session["session.id"]}` }));
    await table.getByRole("link", { name: "Shelf assistant" }).click();
    await page.getByRole("heading", { name: "Shelf assistant", level: 1 }).waitFor();
    equal("the spans in the tree", await items.evaluateAll((all) => all.map((one) => [one.getAttribute("aria-level"), one.innerText.split(/[,\n]/)[0].trim()])), [
      ["1", "Shelf assistant"], ["2", "find shelf"], ["3", "GET shelves"], ["2", "chat gpt-4o"], ["1", "late callback"],
    ]);
    await accessible();
    await inDark(accessible);
  });
  await step("errors are marked up to the root", async () => {
    for (const [name, mark] of [["GET shelves", "failed"], ["find shelf", "1 failed below"], ["Shelf assistant", "1 failed below"]]) await tree.getByRole("treeitem", { name: new RegExp(`^${name} ?, .*, ${mark}`) }).waitFor();
  });
  await step("a failed span shows its error and events", async () => {
    await item("GET shelves").click();
    await panel.getByText("The warehouse did not answer").waitFor();
    await panel.getByRole("tab", { name: "Events (1)" }).click();
    await panel.getByText("TimeoutError").waitFor();
    await until("the address names the span", () => held("span")?.includes(spans.http));
  });
  await step("the input and output of a tool are messages", async () => {
    await item("find shelf").click();
    await panel.getByRole("tab", { name: "Input and output" }).click();
    await panel.getByText("upper shelf").waitFor();
    await panel.getByRole("tab", { name: "Attributes" }).click();
    await panel.getByText("find_shelf").first().waitFor();
    await panel.getByRole("tab", { name: "Input and output" }).click();
  });
  await step("the arrow keys move, expand and collapse", async () => {
    await item("late callback").click();
    await tree.focus();
    await page.keyboard.press("Home");
    await isSelected("Shelf assistant");
    await page.keyboard.press("ArrowRight");
    await isSelected("find shelf");
    await page.keyboard.press("ArrowLeft");
    await until("it is collapsed", async () => (await items.count()) === 4);
    await page.keyboard.press("ArrowRight");
    await until("it is expanded", async () => (await items.count()) === 5);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await isSelected("Shelf assistant");
    await page.keyboard.press("ArrowLeft");
    await until("the root is collapsed", async () => (await items.count()) === 2);
    await page.getByRole("button", { name: "Expand all" }).click();
    await until("everything is expanded", async () => (await items.count()) === 5);
  });
  await step("Enter goes to the span, and Escape back", async () => {
    await tree.focus();
    await page.keyboard.press("Enter");
    await until("the panel has the focus", () => panel.evaluate((element) => element === document.activeElement));
    await page.keyboard.press("Escape");
    await until("the tree has the focus", () => tree.evaluate((element) => element === document.activeElement));
  });
  await step("the slash searches in the trace", async () => {
    await page.getByRole("button", { name: "Collapse all" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("timeouterror");
    await page.getByRole("status").filter({ hasText: "1 match" }).waitFor();
    await page.keyboard.press("Enter");
    await isSelected("GET shelves");
    await page.getByRole("status").filter({ hasText: "1 of 1" }).waitFor();
    await page.getByRole("searchbox", { name: "Search in this trace" }).fill("");
    await page.keyboard.press("Escape");
  });
  await step("a model call shows its conversation and cost", async () => {
    await item("chat gpt-4o").click();
    await panel.getByRole("article").getByText("On the upper shelf.").waitFor();
    await panel.getByText("$0.250").waitFor();
    await accessible();
    await shot("trace");
  });
  await step("a span links to its request and back", async () => {
    await panel.getByRole("link", { name: "Open request" }).click();
    const dialog = page.getByRole("dialog", { name: `Request ${request}` });
    await dialog.getByText("On the upper shelf.").waitFor();
    await dialog.getByRole("link", { name: "Trace" }).click();
    await isSelected("chat gpt-4o");
  });
  await step("a model call opens in the playground", async () => {
    await panel.getByRole("link", { name: "Playground" }).click();
    await page.getByText(`Started from request ${request}`).waitFor();
    await page.goBack();
    await isSelected("chat gpt-4o");
  });
  await step("a span is added to a dataset", async () => {
    await panel.getByRole("button", { name: "Add to dataset" }).click();
    const dialog = page.getByRole("dialog", { name: "Add to dataset" });
    await dialog.getByLabel("Rows").selectOption("One row for each model call in this span and its children");
    await dialog.getByLabel("Or create a new one").fill(`${area} rows`);
    await accessible();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("link", { name: "Open dataset" }).click();
    await page.getByRole("heading", { name: `${area} rows`, level: 1 }).waitFor();
    await page.getByRole("grid").getByText("On the upper shelf.").first().waitFor();
  });
  await step("the next trace of the session is one click away", async () => {
    await open(`1/traces/${first}`);
    await page.getByRole("link", { name: "Next trace of the session" }).click();
    await page.getByRole("heading", { name: "Opening hours", level: 1 }).waitFor();
    await page.getByRole("status").getByText("closed").waitFor();
    await page.getByRole("link", { name: "Previous trace of the session" }).click();
    await page.getByRole("heading", { name: "Shelf assistant", level: 1 }).waitFor();
  });
  await step("a growing trace shows new spans", async () => {
    await until("five spans", async () => (await items.count()) === 5);
    await send([span(first, newId(16), { name: "a late reply", parent: spans.root, from: 4900, to: 5600 })]);
    await item("a late reply").waitFor();
  });
  await step("a large trace renders only its visible spans", async () => {
    const large = newId(32);
    const root = newId(16);
    const children = Array.from({ length: 9_999 }, (_, index) => span(large, (index + 1).toString(16).padStart(16, "0"), { name: `step ${index + 1}`, parent: root, from: index, to: index + 5 }));
    await send([span(large, root, { name: `${area} large`, to: 11_000 }), ...children], { close_after: true });
    await open(`1/traces/${large}`);
    await items.first().waitFor();
    if ((await items.count()) > 200) throw new Error(`${await items.count()} rows are rendered`);
    await tree.focus();
    await page.keyboard.press("End");
    await isSelected("step 9999");
    equal("the position", [await selected().getAttribute("aria-posinset"), await selected().getAttribute("aria-setsize")], ["9999", "9999"]);
  });
  await step("a missing trace shows an error", async () => {
    expect(/status 404/);
    await open(`1/traces/${newId(32)}`);
    await page.getByText("Trace not found").waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("a trace fits on a phone", async () => {
    await open(`1/traces/${first}`);
    await page.getByRole("treeitem").first().waitFor();
    await fits();
    await accessible();
    await open("1/traces?range=24h");
    await page.getByRole("table", { name: "Traces" }).waitFor();
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

// One request in the panel next to the list: messages, details, annotations and
// actions.
import { drive, equal, logRequest, until } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const area = `request-${Date.now().toString(36)}`;
const began = new Date();
const text = (words) => [{ type: "text", text: words }];

/** Logs the requests of this script, oldest first, so that the list shows them in reverse order. */
async function logThree() {
  const at = (minutes, ms) => ({ request_start_time: new Date(began - minutes * 60_000).toISOString(), request_end_time: new Date(began - minutes * 60_000 + ms).toISOString() });
  await logRequest({ ...at(3, 900), tags: [area, "third"], user: "Third question", assistant: "Third answer", metadata: { shelf: "lower" } });
  await logRequest({ ...at(2, 4200), tags: [area, "second"], user: "Second question", assistant: "Second answer", status: "ERROR", error_type: "PROVIDER_TIMEOUT", error_message: "The provider did not answer in time" });
  await logRequest({
    ...at(1, 1500), tags: [area, "first"], model: "gpt-4o-mini", metadata: { shelf: "upper" }, input_tokens: 120, output_tokens: 40, price: 0.0125,
    input: { type: "chat", messages: [
      { role: "system", content: text("You keep the storehouse.") }, { role: "user", content: text("Where is the flour?") },
      { role: "assistant", content: [], tool_calls: [{ id: "call_1", type: "function", function: { name: "find_shelf", arguments: "{\"what\": \"flour\", \"depth\": 3}" } }] },
      { role: "tool", tool_call_id: "call_1", content: text("{\"shelf\": \"upper left\"}") },
    ] },
    output: { type: "chat", messages: [{ role: "assistant", content: text("The flour is on the upper shelf.") }] },
  });
}

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const search = (filters, more = {}) => api.post("/api/public/v2/requests/search", { filter_group: { logic: "AND", filters }, page: 1, per_page: 25, ...more });
  const mine = (value) => search([{ field: "tags", operator: "contains", value: area }, { field: "tags", operator: "contains", value }]).then(({ items: [item] }) => item);
  const held = (name) => new URL(page.url()).searchParams.get(name);
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row").filter({ has: page.getByRole("cell") });
  const panel = page.getByRole("dialog", { name: /^Request \d+/ });
  const messages = page.getByRole("log", { name: "Messages" });

  await logThree();
  await until("the requests are in the log", async () => (await mine("first")) && (await mine("second")) && (await mine("third")));

  await step("a click opens a request, and arrow keys move between requests", async () => {
    await open(`1/requests?range=24h&q=tag:${area}`);
    await rows.filter({ hasText: "Third question" }).click();
    await panel.getByText("Third answer").waitFor();
    await page.keyboard.press("ArrowUp");
    await panel.getByText("Second answer").waitFor();
    await panel.getByText("The provider did not answer in time").waitFor();
    await page.keyboard.press("ArrowUp");
    await panel.getByText("The flour is on the upper shelf.").waitFor();
    equal("the address", held("request"), String((await mine("first")).id));
    await page.keyboard.press("ArrowDown");
    await panel.getByText("Second answer").waitFor();
    await page.keyboard.press("ArrowUp");
  });
  await step("the conversation is shown by role with collapsed tool calls", async () => {
    const article = (role) => panel.getByRole("article").filter({ has: page.getByRole("heading", { name: role, exact: true }) });
    await article("system").getByText("You keep the storehouse.").waitFor();
    await article("user").getByText("Where is the flour?").waitFor();
    const call = article("assistant").first();
    await call.getByText("find_shelf").waitFor();
    equal("the call is expanded", await call.getByText("Call call_1").isVisible(), false);
    await call.getByText("find_shelf").click();
    await call.getByText("Call call_1").waitFor();
    await article("tool result").getByText("find_shelf").waitFor();
    for (const fact of ["gpt-4o-mini", "120 → 40", "1.50 s"]) await panel.getByText(fact).first().waitFor();
    await accessible();
    await inDark(accessible);
  });
  await step("the request is shown as JSON", async () => {
    await panel.getByRole("tab", { name: "Raw" }).click();
    await panel.getByText("\"prompt_blueprint\"").waitFor();
    await accessible();
    equal("the address", held("tab"), "raw");
  });
  await step("metadata is added and edited", async () => {
    await panel.getByRole("tab", { name: "Details" }).click();
    const section = panel.getByRole("region", { name: "Metadata" });
    await section.getByRole("button", { name: "Add" }).click();
    await section.getByLabel("Key").fill("reviewed");
    await section.getByLabel("Value").fill("yes");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByRole("row", { name: /reviewed yes/ }).hover();
    await section.getByRole("button", { name: "Edit shelf" }).click();
    await section.getByLabel("Value of shelf").fill("middle");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByRole("row", { name: /shelf middle/ }).waitFor();
    await until("the focus is where it was", () => page.evaluate(() => document.activeElement.getAttribute("aria-label") === "Edit shelf"));
    await until("it is stored", async () => { const { metadata } = await mine("first"); const all = Object.assign({}, ...metadata); return all.reviewed === "yes" && all.shelf === "middle"; });
  });
  await step("a score is added", async () => {
    const section = panel.getByRole("region", { name: "Scores" });
    await section.getByRole("button", { name: "Add" }).click();
    await section.getByLabel("Score name").fill("helpful");
    await section.getByLabel("Score from 0 to 100").fill("101");
    equal("more than 100 can be saved", await section.getByRole("button", { name: "Save" }).isEnabled(), false);
    equal("what is wrong", await section.getByLabel("Score from 0 to 100").evaluate((input) => document.getElementById(input.getAttribute("aria-describedby")).innerText), "Enter a whole number from 0 to 100.");
    await section.getByLabel("Score from 0 to 100").fill("80");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByRole("button", { name: "helpful 80" }).waitFor();
    await until("the focus is where it was", () => page.evaluate(() => document.activeElement.innerText.trim() === "Add"));
    await until("it is stored", async () => (await mine("first")).scores.some(({ name, score }) => name === "helpful" && score === 80));
    await accessible();
  });
  await step("the call is copied as curl", async () => {
    await panel.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "Copy as curl" }).click();
    await messages.getByText("curl command copied").waitFor();
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    for (const part of [/^curl /, /chat\/completions/, /"model": ?"gpt-4o-mini"/, /Where is the flour\?/, /find_shelf/]) if (!part.test(curl)) throw new Error(`${part} is not in ${curl}`);
    if (/pl_end_to_end|sk-[a-z0-9]/.test(curl)) throw new Error("a key is in it");
  });
  await step("the request is added to a dataset", async () => {
    await panel.getByRole("button", { name: "Add to dataset" }).click();
    const dialog = page.getByRole("dialog", { name: "Add to dataset" });
    await dialog.getByLabel("Or create a new one").fill(`${area} rows`);
    await accessible();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("link", { name: "Open dataset" }).click();
    await page.getByRole("heading", { name: `${area} rows`, level: 1 }).waitFor();
    await page.getByRole("grid").getByText("The flour is on the upper shelf.").first().waitFor();
    await page.goBack();
  });
  await step("the request opens in the playground", async () => {
    await panel.getByRole("link", { name: "Playground" }).click();
    await page.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
    await page.getByText("Where is the flour?").first().waitFor();
    await page.goBack();
    await panel.waitFor();
  });
  await step("a request links to its prompt version", async () => {
    const { items: [item] } = await search([{ field: "prompt_id", operator: "is_not_null" }, { field: "is_tool_call", operator: "is_true" }], { include_prompt_name: true });
    await open(`1/requests?range=30d&request=${item.id}`);
    await panel.getByRole("article").first().waitFor();
    await shot("request-panel");
    await panel.getByRole("link", { name: `${item.prompt_name} v${item.prompt_version_number}` }).click();
    await page.getByRole("heading", { name: item.prompt_name, level: 1 }).waitFor();
    equal("the version", held("version"), String(item.prompt_version_number));
  });
  await step("a missing request shows an error", async () => {
    await open("1/requests?request=999999999");
    await page.getByText("Request not found").waitFor();
    for (const action of [panel.getByRole("link", { name: "Playground" }), panel.getByRole("button", { name: "Add to dataset" })]) equal("actions on a missing request", await action.count(), 0);
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("a request fits on a phone", async () => {
    await open(`1/requests?range=24h&q=tag:${area}`);
    await page.getByRole("table", { name: "Requests" }).getByRole("link").first().click();
    await page.getByRole("dialog", { name: /^Request \d+/ }).getByRole("tab", { name: "Details" }).click();
    await fits();
    await accessible();
    await page.getByRole("button", { name: "Close (Esc)" }).click();
  });
}, { width: 390, height: 844 });

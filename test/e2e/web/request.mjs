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
  await step("messages are shown as Markdown or raw", async () => {
    const id = await logRequest({ tags: [area], user: "Write **code** <img src=x onerror=alert(1)>", assistant: `# Plan\n\n- one\n- [two](https://elsewhere.test/)\n\n![far](https://elsewhere.test/a.png)\n\n[bad](javascript:alert(1))\n\n\`\`\`python\ndef weigh(sack):\n    return 12\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${"A long line of words. ".repeat(400)}` });
    await open(`1/requests?range=24h&q=tag:${area}&request=${id}`);
    await panel.getByRole("listitem").filter({ hasText: "one" }).waitFor();
    equal("the heading", await panel.getByText("# Plan").count(), 0);
    await panel.locator("strong").getByText("code").waitFor();
    await panel.getByText("<img src=x onerror=alert(1)>").waitFor();
    equal("images of other hosts", await panel.locator("img").count(), 0);
    await panel.getByRole("link", { name: "Image: far" }).waitFor();
    equal("links that run scripts", await panel.getByRole("link", { name: "bad" }).count(), 0);
    await panel.locator("pre .tok-keyword").getByText("def").waitFor();
    await panel.getByRole("button", { name: "Copy code" }).click();
    await until("the code is copied", async () => (await page.evaluate(() => navigator.clipboard.readText())) === "def weigh(sack):\n    return 12");
    await panel.getByRole("table").waitFor();
    await panel.getByRole("button", { name: /^Show all [\d,]+ characters/ }).click();
    await panel.getByRole("button", { name: "Show less" }).waitFor();
    await accessible();
    await inDark(accessible);
    await panel.getByRole("group", { name: "Show messages as" }).getByRole("button", { name: "Raw" }).click();
    await panel.getByText("Write **code**").waitFor();
    await page.reload();
    await panel.getByText("Write **code**").waitFor();
    await accessible();
    await panel.getByRole("group", { name: "Show messages as" }).getByRole("button", { name: "Markdown" }).click();
    await panel.locator("strong").getByText("code").waitFor();
  });
  await step("the call to the provider is shown in several languages", async () => {
    await panel.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "Use in code…" }).click();
    const code = page.getByRole("dialog", { name: /in code$/ });
    for (const [language, part] of [["Python", "os.environ[\"OPENAI_API_KEY\"]"], ["JavaScript", "process.env.OPENAI_API_KEY"], ["Go", "os.Getenv(\"OPENAI_API_KEY\")"], ["curl", "$OPENAI_API_KEY"]]) {
      await code.getByRole("button", { name: language, exact: true }).click();
      await code.getByText(part, { exact: false }).first().waitFor();
    }
    await accessible();
    await page.keyboard.press("Escape");
    await open(`1/requests?range=24h&q=tag:${area}&request=${(await mine("first")).id}`);
    await panel.getByText("The flour is on the upper shelf.").waitFor();
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
  await step("a metadata key and a score are removed", async () => {
    const metadata = panel.getByRole("region", { name: "Metadata" });
    await metadata.getByRole("row", { name: /reviewed yes/ }).hover();
    await metadata.getByRole("button", { name: "Remove reviewed" }).click();
    await until("the key is gone", async () => (await metadata.getByRole("row", { name: /reviewed/ }).count()) === 0);
    await panel.getByRole("button", { name: "Remove score helpful" }).click();
    await until("the score is gone", async () => (await panel.getByRole("button", { name: /helpful/ }).count()) === 0);
    await until("both are gone on the server", async () => { const { metadata: left, scores } = await mine("first"); return !left.some((pair) => "reviewed" in pair) && !scores.some(({ name }) => name === "helpful"); });
  });
  await step("an answer gets a thumb and a comment", async () => {
    const feedback = panel.getByRole("region", { name: "Feedback" });
    const thumb = (name) => feedback.getByRole("button", { name });
    await thumb("Good answer").click();
    await until("the thumb is up", async () => (await thumb("Good answer").getAttribute("aria-pressed")) === "true");
    await thumb("Bad answer").click();
    await until("the thumb is down", async () => (await thumb("Bad answer").getAttribute("aria-pressed")) === "true" && (await thumb("Good answer").getAttribute("aria-pressed")) === "false");
    await until("it is stored", async () => (await mine("first")).scores.some(({ name, score }) => name === "thumbs" && score === 0));
    await feedback.getByRole("button", { name: "Comment" }).click();
    await feedback.getByRole("textbox", { name: "Comment" }).fill("The shelf is wrong");
    await accessible();
    await page.keyboard.press("Enter");
    await feedback.getByRole("button", { name: "The shelf is wrong" }).waitFor();
    await until("the focus is where it was", () => page.evaluate(() => document.activeElement.innerText.trim() === "The shelf is wrong"));
    await until("the comment is stored", async () => Object.assign({}, ...(await mine("first")).metadata).comment === "The shelf is wrong");
    await accessible();
    await shot("request-feedback");
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
    await dialog.getByRole("checkbox", { name: "Metadata" }).uncheck();
    await accessible();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("link", { name: "Open dataset" }).click();
    await page.getByRole("heading", { name: `${area} rows`, level: 1 }).waitFor();
    const grid = page.getByRole("grid");
    await grid.getByText("The flour is on the upper shelf.").first().waitFor();
    for (const column of ["request_url", "status", "error_type", "model", "latency_ms", "cost", "input_tokens", "scores"]) await grid.getByRole("columnheader", { name: column }).waitFor({ state: "attached" });
    equal("columns that were not chosen", await grid.getByRole("columnheader", { name: "metadata" }).count(), 0);
    await grid.getByText(/^Request \d+$/).first().waitFor();
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

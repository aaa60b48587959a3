// The playground: versions and models side by side, streaming answers, errors, and
// saving. It uses its own workspace, whose keys no other script changes.
import { createServer } from "node:http";
import { chatCompletion } from "../openai.mjs";
import { drive, equal, until, write } from "./browser.mjs";

const name = "storehouse-guide";

const said = {
  "gpt-4o": ["The flour stands on the upper shelf, ", "left of the rye. Take the older sack first: its date is on the label."],
  "gpt-4o-mini": ["Upper shelf, ", "left side."],
};

/**
 * A stand-in for OpenAI. While it is slow, it streams the start of an answer and
 * waits until it may continue.
 */
async function startProvider() {
  const waiting = [];
  const received = [];
  let [slow, cut] = [false, 0];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const body = JSON.parse(text);
    received.push(body);
    if (!slow) return chatCompletion(body, response);
    const send = (rest) => response.write(`data: ${JSON.stringify({ id: "chatcmpl-2", object: "chat.completion.chunk", created: 1767225600, model: body.model, ...rest })}\n\n`);
    const piece = (delta, end = null) => send({ choices: [{ index: 0, delta, finish_reason: end }] });
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.on("close", () => { if (!response.writableEnded) cut += 1; });
    piece({ role: "assistant", content: said[body.model][0] });
    waiting.push(() => {
      piece({ content: said[body.model][1] });
      piece({}, "stop");
      send({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 } });
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${server.address().port}/v1`, received,
    slowDown: (on) => { slow = on; }, waiting: () => waiting.length, goOn: () => waiting.splice(0).forEach((finish) => finish()), cut: () => cut,
    stop: () => { server.close(); server.closeAllConnections(); },
  };
}

const provider = await startProvider();
let workspace;
let prompt;
let first;

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  // An earlier run may have left its own.
  const taken = (await api.get("/api/admin/workspaces")).workspaces.some((one) => one.name === "Playground");
  ({ workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: taken ? `Playground ${Date.now()}` : "Playground" }));
  const here = api.inWorkspace(workspace);
  const publish = (text) => here.post("/rest/prompt-templates", {
    prompt_template: { prompt_name: name },
    prompt_version: {
      prompt_template: { type: "chat", messages: [{ role: "system", content: [{ type: "text", text }] }, { role: "user", content: [{ type: "text", text: "Where is the {thing}?" }], input_variables: ["thing"] }] },
      metadata: { model: { provider: "openai", name: "gpt-4o", parameters: { temperature: 0.2 } } },
    },
  });
  ({ id: prompt } = await publish("You know the storehouse."));
  await publish("You know the storehouse and answer briefly.");
  const answer = (position) => page.getByRole("article", { name: `Answer of column ${position}` });
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const choose = async (label, model) => {
    await page.getByRole("combobox", { name: label }).click();
    await page.getByPlaceholder("Search…").fill(model);
    await page.getByRole("option", { name: new RegExp(`^${model}( |$)`) }).first().click();
  };

  await step("without a key, the page says what is missing", async () => {
    await open(`${workspace}/playground?prompt=${prompt}&version=1`);
    await page.getByRole("heading", { name: "Add an API key to run prompts" }).waitFor();
    await page.getByRole("textbox", { name: "system message 1" }).getByText("You know the storehouse.").waitFor();
    await accessible();
  });
  await step("running a prompt shows its answer, tokens and log", async () => {
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_API_KEY", value: "sk-stand-in" });
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_BASE_URL", value: provider.address });
    await page.reload();
    await page.getByLabel("thing", { exact: true }).fill("flour");
    await page.keyboard.press("Control+Enter");
    await answer(1).getByText("echo flour?").waitFor();
    await answer(1).getByText("21 → 7").waitFor();
    equal("the messages to the model", provider.received.at(-1).messages.map(({ content }) => (typeof content === "string" ? content : content[0].text)), ["You know the storehouse.", "Where is the flour?"]);
    equal("the parameters", provider.received.at(-1).temperature, 0.2);
    first = Number((await answer(1).getByRole("link", { name: /^Request \d+/ }).innerText()).split(" ").at(-1));
    await accessible();
  });
  await step("two columns stream at the same time", async () => {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: "Add another model…" }).click();
    await choose("Model to compare with", "openai/gpt-4o-mini");
    await dialog("Compare with another model").getByRole("button", { name: "Add column" }).click();
    provider.slowDown(true);
    await page.getByRole("button", { name: "Run all" }).click();
    await answer(1).getByText(said["gpt-4o"][0].trim()).waitFor();
    await answer(2).getByText(said["gpt-4o-mini"][0].trim()).waitFor();
    equal("both are streaming", [await answer(1).getAttribute("aria-busy"), await answer(2).getAttribute("aria-busy")], ["true", "true"]);
    await accessible();
    await until("both wait", () => provider.waiting() === 2);
    provider.goOn();
    await answer(1).getByText(said["gpt-4o"].join("")).waitFor();
    await answer(2).getByText(said["gpt-4o-mini"].join("")).waitFor();
    await answer(2).getByText("30 → 9").waitFor();
    await page.mouse.move(0, 0);
    await shot("playground");
    await inDark(accessible);
  });
  await step("with several columns, each can be saved", async () => {
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByRole("menuitem", { name: "Column 2 gpt-4o-mini" }).click();
    const form = dialog(`Save version 3 of ${name}`);
    await until("the first field has the focus", () => form.getByLabel("What changed").evaluate((field) => field === document.activeElement));
    await page.keyboard.press("Escape");
  });
  await step("answers are compared", async () => {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: "Compare answers…" }).click();
    await dialog("Compare answers").getByText("left side").first().waitFor();
    await accessible();
    await page.keyboard.press("Escape");
  });
  await step("stopping a run cancels the calls", async () => {
    await page.getByRole("button", { name: "Run all" }).click();
    await until("both wait", () => provider.waiting() === 2);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await answer(1).getByText("stopped").waitFor();
    await answer(2).getByText("stopped").waitFor();
    await answer(2).getByText(said["gpt-4o-mini"][0].trim()).waitFor();
    await until("the calls are cancelled", () => provider.cut() === 2);
    provider.slowDown(false);
    provider.goOn();
  });
  await step("errors of the provider are shown", async () => {
    expect(/status \d+: POST .*playground\/run/);
    await choose("Model of column 2", "openai/broken");
    await page.getByRole("button", { name: "Run column 2" }).click();
    await answer(2).getByRole("alert").getByText("no such model").waitFor();
    await accessible();
    await page.getByRole("button", { name: "Actions for column 2" }).click();
    await page.getByRole("menuitem", { name: "Remove column 2" }).click();
    await answer(2).waitFor({ state: "hidden" });
  });
  await step("two versions run side by side", async () => {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: "Add a prompt version…" }).click();
    await dialog("Compare with a version").getByRole("button", { name: "Add column" }).click();
    await page.getByRole("link", { name: `${name} v2` }).waitFor();
    await page.getByRole("button", { name: "Run all" }).click();
    await answer(1).getByText("echo flour?").waitFor();
    await answer(2).getByText("echo flour?").waitFor();
    equal("distinct system messages", new Set(provider.received.slice(-2).map(({ messages: [{ content }] }) => (typeof content === "string" ? content : content[0].text))).size, 2);
    await page.getByRole("button", { name: "Actions for column 2" }).click();
    await page.getByRole("menuitem", { name: "Remove column 2" }).click();
  });
  await step("the conversation continues", async () => {
    await page.getByLabel("Reply").fill("And the salt");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await answer(1).getByText("echo salt").waitFor();
    await page.getByRole("list", { name: "Conversation" }).getByText("And the salt").waitFor();
    equal("messages that were sent", provider.received.at(-1).messages.length, 4);
  });
  await step("the session survives a reload", async () => {
    await page.reload();
    await page.getByRole("list", { name: "Conversation" }).getByText("And the salt").waitFor();
    equal("the value", await page.getByLabel("thing", { exact: true }).inputValue(), "flour");
  });
  await step("changes are saved as a version", async () => {
    await write(page, page.getByRole("textbox", { name: "system message 1" }), "You know every shelf.");
    await page.getByText("edited", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save…" }).click();
    const form = dialog(`Save version 3 of ${name}`);
    await form.getByText("started from version 1, but the latest is version 2").waitFor();
    await form.getByLabel("What changed").fill("Every shelf");
    await accessible();
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: `${name} v3` }).waitFor();
    const saved = await here.get(`/prompt-templates/${encodeURIComponent(name)}?version=3`);
    equal("what is stored", [saved.prompt_template.messages[0].content[0].text, saved.commit_message, saved.metadata.model.name], ["You know every shelf.", "Every shelf", "gpt-4o"]);
  });
  await step("the calls are logged", async () => {
    await page.getByRole("link", { name: /^Request \d+/ }).click();
    await page.getByRole("dialog", { name: /^Request \d+/ }).getByText("And the salt").waitFor();
  });
  await step("calls of the playground are not in the numbers of production, unless they are wanted", async () => {
    const total = async (...filters) => (await here.post("/api/public/v2/requests/search", { filter_group: { logic: "AND", filters }, page: 1, per_page: 1 })).total;
    const all = await total();
    equal("requests of production", await total({ field: "source", operator: "not_in", value: ["playground", "evaluation"] }), 0);
    const production = page.getByRole("switch", { name: "Production only" });
    await open(`${workspace}/analytics`);
    await page.getByText("No requests in this time range").waitFor();
    await page.getByText("Without the playground and evaluations").waitFor();
    await accessible();
    await production.click();
    await until("all requests count", async () => (await page.getByRole("definition").first().getAttribute("title")) === String(all));
    await open(`${workspace}/analytics`);
    await page.getByText("With the playground and evaluations").waitFor();
    await accessible();
    await production.click();
    await page.getByText("No requests in this time range").waitFor();
    await open(`${workspace}/requests?q=${encodeURIComponent("source:playground")}`);
    await until("the requests of the playground", async () => (await page.getByRole("status").filter({ hasText: "match" }).innerText()).startsWith(`${all} requests`));
  });
  await step("a request opens with its prompt, variables, model and answer", async () => {
    await open(`${workspace}/requests?request=${first}&range=all`);
    await page.getByRole("dialog", { name: `Request ${first}` }).getByRole("link", { name: "Playground" }).click();
    await page.getByText(`Started from request ${first}, with the prompt ${name}, version 1`).waitFor();
    await page.getByRole("textbox", { name: "user message 2" }).getByText("Where is the {thing}?").waitFor();
    equal("the logged value", await page.getByLabel("thing", { exact: true }).inputValue(), "flour");
    await page.getByRole("combobox", { name: "Model of column 1" }).getByText("gpt-4o").waitFor();
    await page.getByRole("article", { name: "Logged answer" }).getByText("echo flour?").waitFor();
    await accessible();
    await inDark(accessible);
  });
  await step("a new answer is compared with the original", async () => {
    await page.getByLabel("thing", { exact: true }).fill("barley");
    await page.keyboard.press("Control+Enter");
    await answer(1).getByText("echo barley?").waitFor();
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: "Compare answers…" }).click();
    await dialog("Compare answers").getByLabel("Left").getByText("Original, gpt-4o").waitFor({ state: "attached" });
    await dialog("Compare answers").getByText("barley").first().waitFor();
    await page.keyboard.press("Escape");
  });
  await step("edits survive, and become a version of the request's prompt", async () => {
    await write(page, page.getByRole("textbox", { name: "system message 1" }), "You know every sack.");
    await page.getByText("edited", { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("textbox", { name: "system message 1" }).getByText("You know every sack.").waitFor();
    await page.getByRole("article", { name: "Logged answer" }).getByText("echo flour?").waitFor();
    await here.post(`/prompts/${prompt}/label`, { name: "prod", prompt_version_number: 1 });
    await here.post("/api/public/v2/ab-tests", { name: "Brief", prompt_id: prompt, release_label: "prod", weights: [{ version_number: 1, weight: 80 }, { version_number: 2, weight: 20 }] });
    await page.getByRole("button", { name: "Save…" }).click();
    const form = dialog(`Save version 4 of ${name}`);
    await form.getByText("A/B test Brief serves 80% version 1 and 20% version 2").waitFor();
    await form.getByRole("radio", { name: `New version of ${name}` }).waitFor();
    await form.getByLabel("What changed").fill("Every sack");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: `${name} v4` }).waitFor();
    equal("what is stored", (await here.get(`/prompt-templates/${prompt}?version=4`)).prompt_template.messages[0].content[0].text, "You know every sack.");
  });
  await step("a request without a prompt becomes a version of a chosen one", async () => {
    const unlinked = await here.post("/log-request", {
      provider: "openai", model: "gpt-4o", request_start_time: new Date().toISOString(), request_end_time: new Date().toISOString(),
      input: { type: "chat", messages: [{ role: "user", content: [{ type: "text", text: "Count the sacks {today}" }] }] },
      output: { type: "chat", messages: [{ role: "assistant", content: [{ type: "text", text: "Twelve" }] }] },
    });
    await open(`${workspace}/playground?request=${unlinked.id}`);
    await page.getByText("with its messages and model").waitFor();
    await page.getByRole("button", { name: "Save…" }).click();
    await dialog("Save as new prompt").getByRole("radio", { name: "New version of an existing prompt" }).check();
    await page.getByRole("combobox", { name: "Prompt", exact: true }).click();
    await page.getByRole("option", { name }).click();
    const form = dialog(`Save version 5 of ${name}`);
    await accessible();
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: `${name} v5` }).waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("a prompt runs on a phone", async () => {
    await open(`${workspace}/playground?prompt=${prompt}&version=2`);
    await page.getByLabel("thing", { exact: true }).fill("rye");
    await fits();
    await page.getByRole("button", { name: /^Run/ }).click();
    await page.getByRole("article", { name: "Answer of column 1" }).getByText("echo rye?").waitFor();
    await fits();
    await accessible();
  });
  await step("a request fits on a phone", async () => {
    await open(`${workspace}/playground?request=${first}`);
    await page.getByRole("article", { name: "Logged answer" }).getByText("echo flour?").waitFor();
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });
provider.stop();

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
    await answer(1).getByRole("link", { name: /^Request \d+/ }).waitFor();
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
}, { width: 390, height: 844 });
provider.stop();

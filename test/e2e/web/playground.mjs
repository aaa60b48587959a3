// The playground: a version and a model beside each other, answers as they are
// written, what goes wrong, and saving what was tried. It has a workspace of its
// own, whose keys no other area changes.
import { createServer } from "node:http";
import { chatCompletion } from "../openai.mjs";
import { drive, equal, until, write } from "./browser.mjs";

const name = "storehouse-guide";

const said = {
  "gpt-4o": ["The flour stands on the upper shelf, ", "left of the rye. Take the older sack first: its date is on the label."],
  "gpt-4o-mini": ["Upper shelf, ", "left side."],
};

/**
 * The stand-in for OpenAI of the other tests. While it is slow it says the
 * beginning of an answer and waits until it may go on.
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
  // An earlier run on the same data has left its own.
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

  await step("without a key it says what is missing", async () => {
    await open(`${workspace}/playground?prompt=${prompt}&version=1`);
    await page.getByRole("heading", { name: "Set a key to run prompts" }).waitFor();
    await page.getByRole("textbox", { name: "system message 1" }).getByText("You know the storehouse.").waitFor();
    await accessible();
  });
  await step("a prompt is run and its answer shown with tokens, time and log", async () => {
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_API_KEY", value: "sk-stand-in" });
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_BASE_URL", value: provider.address });
    await page.reload();
    await page.getByLabel("thing", { exact: true }).fill("flour");
    await page.keyboard.press("Control+Enter");
    await answer(1).getByText("echo flour?").waitFor();
    await answer(1).getByText("21 → 7").waitFor();
    equal("what the model was told", provider.received.at(-1).messages.map(({ content }) => (typeof content === "string" ? content : content[0].text)), ["You know the storehouse.", "Where is the flour?"]);
    equal("with which parameters", provider.received.at(-1).temperature, 0.2);
    await answer(1).getByRole("link", { name: /^Request \d+/ }).waitFor();
    await accessible();
  });
  await step("two columns answer at the same time, as they are written", async () => {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: "With another model…" }).click();
    await choose("The other model", "openai/gpt-4o-mini");
    await dialog("Compare with another model").getByRole("button", { name: "Add column" }).click();
    provider.slowDown(true);
    await page.getByRole("button", { name: "Run all" }).click();
    await answer(1).getByText(said["gpt-4o"][0].trim()).waitFor();
    await answer(2).getByText(said["gpt-4o-mini"][0].trim()).waitFor();
    equal("both go on", [await answer(1).getAttribute("aria-busy"), await answer(2).getAttribute("aria-busy")], ["true", "true"]);
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
  await step("the answers are compared with each other", async () => {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: "The answers with each other…" }).click();
    await dialog("How the answers differ").getByText("left side").first().waitFor();
    await accessible();
    await page.keyboard.press("Escape");
  });
  await step("a run is stopped, and the model is told so", async () => {
    await page.getByRole("button", { name: "Run all" }).click();
    await until("both wait", () => provider.waiting() === 2);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await answer(1).getByText("stopped").waitFor();
    await answer(2).getByText("stopped").waitFor();
    await answer(2).getByText(said["gpt-4o-mini"][0].trim()).waitFor();
    await until("the calls are cut", () => provider.cut() === 2);
    provider.slowDown(false);
    provider.goOn();
  });
  await step("what the provider refuses is told in its words", async () => {
    expect(/status \d+: POST .*playground\/run/);
    await choose("Model of column 2", "openai/broken");
    await page.getByRole("button", { name: "Run column 2" }).click();
    await answer(2).getByRole("alert").getByText("no such model").waitFor();
    await accessible();
    await page.getByRole("button", { name: "More for column 2" }).click();
    await page.getByRole("menuitem", { name: "Remove column 2" }).click();
    await answer(2).waitFor({ state: "hidden" });
  });
  await step("two versions stand beside each other", async () => {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: "With a version of a prompt…" }).click();
    await dialog("Compare with a version").getByRole("button", { name: "Add column" }).click();
    await page.getByRole("link", { name: `${name} v2` }).waitFor();
    await page.getByRole("button", { name: "Run all" }).click();
    await answer(1).getByText("echo flour?").waitFor();
    await answer(2).getByText("echo flour?").waitFor();
    equal("each was told its own", new Set(provider.received.slice(-2).map(({ messages: [{ content }] }) => (typeof content === "string" ? content : content[0].text))).size, 2);
    await page.getByRole("button", { name: "More for column 2" }).click();
    await page.getByRole("menuitem", { name: "Remove column 2" }).click();
  });
  await step("the conversation goes on", async () => {
    await page.getByLabel("Say something back").fill("And the salt");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await answer(1).getByText("echo salt").waitFor();
    await page.getByRole("list", { name: "The conversation so far" }).getByText("And the salt").waitFor();
    equal("messages that were sent", provider.received.at(-1).messages.length, 4);
  });
  await step("what was tried is kept over a reload", async () => {
    await page.reload();
    await page.getByRole("list", { name: "The conversation so far" }).getByText("And the salt").waitFor();
    equal("the value", await page.getByLabel("thing", { exact: true }).inputValue(), "flour");
  });
  await step("what was changed is saved as a version", async () => {
    await write(page, page.getByRole("textbox", { name: "system message 1" }), "You know every shelf.");
    await page.getByText("edited", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save…" }).click();
    const form = dialog(`Save version 3 of ${name}`);
    await form.getByText("began with version 1, and the latest is version 2").waitFor();
    await form.getByLabel("What changed").fill("Every shelf");
    await accessible();
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: `${name} v3` }).waitFor();
    const saved = await here.get(`/prompt-templates/${encodeURIComponent(name)}?version=3`);
    equal("what is stored", [saved.prompt_template.messages[0].content[0].text, saved.commit_message, saved.metadata.model.name], ["You know every shelf.", "Every shelf", "gpt-4o"]);
  });
  await step("the calls are among the requests", async () => {
    await page.getByRole("link", { name: /^Request \d+/ }).click();
    await page.getByRole("dialog", { name: /^Request \d+/ }).getByText("And the salt").waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("on a phone a prompt is run", async () => {
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

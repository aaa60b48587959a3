// Common tasks, done as a new user does them: with the pointer and the keyboard,
// from the list of requests, without typing an address. Each task counts its
// clicks and fails if it takes more than it did, so that a change that makes a
// task longer is noticed. docs/web.md lists the tasks and their clicks.
//
// A list of the browser and a file each take two clicks: one to open, one to choose.
// Text in a field that has the focus takes none.
import { createServer } from "node:http";
import { drive, equal, eventDuring, logRequest, until } from "./browser.mjs";

const prompt = "order-status";
const brief = "You answer customers of a shop. Give the state of the order only.";
const lengthy = "You answer customers of a shop. Explain every step at length.";
const lastWeek = weekBefore(new Date());

/** Wednesday noon of the week before, in the time zone of this machine and its browser. */
function weekBefore(now) {
  const day = (now.getDay() + 6) % 7; // Monday is the first
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - day - 5, 12);
}

/** A stand-in for OpenAI, whose answers are as long as the system message demands. */
async function startModel() {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { model, messages, stream } = JSON.parse(text);
    const long = JSON.stringify(messages[0]).includes("at length");
    const content = long ? "We packed your order, gave it to the carrier, and it is shipped." : "shipped";
    const usage = { prompt_tokens: 30, completion_tokens: long ? 14 : 1, total_tokens: long ? 44 : 31 };
    const head = { id: "chatcmpl-1", created: 1767225600, model };
    if (!stream) return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ ...head, object: "chat.completion", usage, choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] }));
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const rest of [{ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: "stop" }] }, { choices: [], usage }]) response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...rest })}\n\n`);
    return response.end("data: [DONE]\n\n");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { address: `http://127.0.0.1:${server.address().port}/v1`, stop: () => { server.close(); server.closeAllConnections(); } };
}

/** Does what a user does, and counts it. */
class User {
  clicks = 0;
  fields = 0;
  keys = 0;

  constructor(page) {
    this.page = page;
  }

  async click(element) {
    this.clicks += 1;
    await element.click();
  }

  /** Clicks on a field and replaces its text. */
  async type(field, text) {
    await this.click(field);
    await this.#write(text);
  }

  /** Replaces the text of a field that has the focus when it appears. */
  async typeAtOnce(field, text) {
    await until("the field has the focus", () => field.evaluate((element) => element === document.activeElement || element.contains(document.activeElement)));
    await this.#write(text);
  }

  async press(key) {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  /** Chooses from a list of the browser. */
  async choose(list, option) {
    this.clicks += 2;
    await list.selectOption(option);
  }

  /** Chooses a file in the window of the system. */
  async chooseFile(button, file) {
    this.clicks += 2;
    const chooser = await eventDuring(this.page, "filechooser", () => button.click());
    await chooser.setFiles(file);
  }

  // The keyboard, because fill would also work in a field that a user cannot reach.
  async #write(text) {
    this.fields += 1;
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(text);
  }

  toString() {
    return `clicks ${this.clicks}, typed fields ${this.fields}, keys ${this.keys}`;
  }
}

const model = await startModel();

await drive(async ({ page, step, open, accessible, fits, shot, api }) => {
  const { workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `Tasks ${Date.now().toString(36)}` });
  const here = api.inWorkspace(workspace);
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const button = (name, within = page) => within.getByRole("button", { name, exact: true });
  const menu = (name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });
  const idOfPage = () => Number(new URL(page.url()).pathname.split("/").at(-1));
  const requests = page.getByRole("region", { name: "Requests" });
  const counted = (text) => page.getByRole("status").filter({ hasText: text }).waitFor();

  /** A task from the list of requests, with the most clicks it may take. What it leads to is checked with the API. */
  const task = async (name, { picture, clicks }, act, check) => {
    const user = new User(page);
    await step(name, async () => {
      await open(`${workspace}/requests`);
      await counted(/^\d+ requests/);
      await act(user);
      await check();
      if (user.clicks > clicks) throw new Error(`the task takes more clicks than ${clicks}: ${user}`);
    });
    await step(`${name}: ${user}`, async () => {
      await accessible();
      await shot(`task-${picture}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await fits();
      await shot(`task-${picture}-phone`);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  };

  await step("a workspace with a prompt, its versions and their requests", async () => {
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_API_KEY", value: "sk-stand-in" });
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_BASE_URL", value: model.address });
    for (const system of [brief, lengthy]) {
      await here.post("/rest/prompt-templates", {
        prompt_template: { prompt_name: prompt },
        prompt_version: {
          prompt_template: { type: "chat", messages: [{ role: "system", content: [{ type: "text", text: system }] }, { role: "user", content: [{ type: "text", text: "{question}" }], input_variables: ["question"] }] },
          metadata: { model: { provider: "openai", name: "gpt-4o", parameters: {} } },
          commit_message: system === brief ? "First version" : "Explains every step",
        },
        release_labels: system === lengthy ? ["prod"] : [],
      });
    }
    const { api_key: key } = await here.post("/api/admin/keys", { name: "tasks" });
    const log = (start, latency, version, parts) => logRequest({
      key, prompt_name: prompt, prompt_version_number: version, prompt_input_variables: { question: parts.user },
      request_start_time: start.toISOString(), request_end_time: new Date(start.getTime() + latency).toISOString(), ...parts,
    });
    const minutes = (from, count) => new Date(from.getTime() + count * 60_000);
    for (let at = 0; at < 12; at += 1) {
      await log(minutes(lastWeek, at), 900 + 400 * ((at * 5) % 12), 1, at % 3 === 0 ? { user: `Where is order ${at + 1}?` } : {
        user: `Where is order ${at + 1}?`, status: "ERROR", error_type: "PROVIDER_TIMEOUT", error_message: "The provider did not answer in time", output: { type: "chat", messages: [] }, output_tokens: 0,
      });
    }
    for (let at = 0; at < 10; at += 1) {
      const version = 1 + (at % 2);
      await log(minutes(new Date(), at - 60), 700 + 100 * at, version, { user: `When does order ${at + 40} arrive?`, assistant: version === 1 ? "Tomorrow." : "We packed it, and it arrives tomorrow.", input_tokens: 40, output_tokens: version === 1 ? 2 : 300 + 100 * at });
    }
  });

  let made;
  await task("the slowest failures of last week become a dataset", { picture: "dataset", clicks: 9 }, async (user) => {
    await user.type(page.getByRole("combobox", { name: "Query" }), "status:error");
    await user.press("Enter");
    await user.click(page.getByRole("button", { name: /^Time range/ }));
    await user.click(button("Last week"));
    await counted(/^8 requests match/);
    await user.click(page.getByRole("columnheader", { name: "Latency" }).getByRole("button"));
    await user.click(button("More"));
    await user.click(page.getByRole("menuitem", { name: "Create dataset from this search…" }));
    const form = dialog("Create dataset from this search");
    await user.typeAtOnce(form.getByLabel("Or create a new one"), "Slow failures");
    await user.type(form.getByLabel("Rows"), "5");
    await user.click(button("Create", form));
    await user.click(form.getByRole("link", { name: "Open dataset" }));
    await page.getByRole("heading", { name: "Slow failures", level: 1 }).waitFor();
    await page.getByText("PROVIDER_TIMEOUT").first().waitFor();
    made = idOfPage();
  }, async () => {
    const { datasets: [{ id }] } = await here.get(`/api/public/v2/datasets?dataset_group_id=${made}`);
    const { columns, rows } = await here.get(`/api/public/v2/datasets/${id}/rows?per_page=10`);
    const of = (name) => rows.map((row) => row[columns.indexOf(name)].value);
    equal("errors", [...new Set(of("error_type"))], ["PROVIDER_TIMEOUT"]);
    const latencies = of("latency_ms").map(Number);
    equal("the slowest first", latencies, latencies.toSorted((a, b) => b - a));
    equal("rows", latencies.length, 5);
  });

  await task("a request leads to an edited prompt and its release", { picture: "release", clicks: 6 }, async (user) => {
    await user.click(requests.getByText("When does order 49 arrive?"));
    await user.click(dialog(/^Request \d+/).getByRole("link", { name: "Playground" }));
    await page.getByText(`with the prompt ${prompt}, version 2`).waitFor();
    await user.type(page.getByRole("textbox", { name: "system message 1" }), brief);
    await user.press("Control+Enter");
    await page.getByRole("article", { name: "Answer of column 1" }).getByText("shipped").waitFor();
    await user.click(button("Save…"));
    const form = dialog(`Save version 3 of ${prompt}`);
    await user.typeAtOnce(form.getByLabel("What changed"), "Brief again");
    await user.click(form.getByRole("checkbox", { name: /^prod/ }));
    await form.getByText("moves here from version 2").waitFor();
    await user.click(button("Save", form));
    await page.getByRole("link", { name: `${prompt} v3` }).waitFor();
  }, async () => {
    const { version, prompt_template: { messages }, commit_message: message } = await here.get(`/prompt-templates/${prompt}?label=prod`);
    equal("the release", [version, messages[0].content[0].text, messages[1].content[0].text, message], [3, brief, "{question}", "Brief again"]);
  });

  await task("a workflow of three nodes is built and run", { picture: "workflow", clicks: 13 }, async (user) => {
    await user.click(menu("Workflows"));
    await user.click(button("New workflow").first());
    await user.typeAtOnce(dialog("New workflow").getByLabel("Name"), "answer-and-count");
    await user.press("Enter");
    await page.getByRole("heading", { name: "answer-and-count", level: 1 }).waitFor();
    await user.click(button("Add node"));
    await user.typeAtOnce(dialog("Add node").getByLabel("Search node types"), "prompt");
    await user.press("Enter");
    const node = (name) => page.getByRole("complementary", { name: `Node ${name}` });
    await user.click(node("prompt").getByRole("combobox", { name: "Prompt" }));
    await user.click(page.getByRole("option", { name: prompt }));
    await user.choose(node("prompt").getByLabel("Source of question"), "answer");
    await user.click(button("Add node"));
    await user.typeAtOnce(dialog("Add node").getByLabel("Search node types"), "count");
    await user.press("Enter");
    await user.click(node("count").getByRole("switch", { name: /^Output node/ }));
    await user.click(button("Save…"));
    await user.click(button("Save", dialog("Save as new version")));
    await page.getByText("Version 2 saved").first().waitFor();
    await user.click(button("Run"));
    await user.typeAtOnce(dialog("Run answer-and-count").getByLabel("text (string)"), " Where is order 7? ");
    await user.click(button("Run", dialog("Run answer-and-count")));
    await page.getByRole("complementary", { name: "Run" }).getByText("success", { exact: true }).waitFor();
    made = idOfPage();
  }, async () => {
    const { items: [run] } = await here.get(`/workflows/${made}/executions`);
    equal("the run", [run.workflow_version_number, run.status], [2, "SUCCESS"]);
    const results = await here.get(`/workflow-version-execution-results?workflow_version_execution_id=${run.id}&return_all_outputs=true`);
    equal("the values of the nodes", Object.entries(results).map(([node, { status, value }]) => [node, status, value]).toSorted(), [["answer", "SUCCESS", "Where is order 7?"], ["count", "SUCCESS", 1], ["prompt", "SUCCESS", "shipped"]]);
  });

  await task("a CSV file is evaluated with two versions of a prompt, which are compared", { picture: "evaluation", clicks: 25 }, async (user) => {
    await user.click(menu("Datasets"));
    const csv = ["question,expected", ...[1, 2, 3].map((order) => `Where is order ${order}?,shipped`)].join("\n");
    await user.chooseFile(button("Import file").first(), { name: "orders.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await user.click(button("Import", dialog("Import orders.csv")));
    await page.getByText("3 rows · 2 columns").waitFor();
    await user.click(page.getByRole("link", { name: "Evaluate" }));
    await user.typeAtOnce(dialog("New evaluation").getByLabel("Name"), "Order states");
    await user.press("Enter");
    await page.getByRole("heading", { name: "Order states", level: 1 }).waitFor();
    made = idOfPage();
    await user.click(button("Add column"));
    const column = dialog("New column");
    await user.click(column.getByRole("combobox", { name: "Prompt", exact: true }));
    await user.click(page.getByRole("option", { name: prompt }));
    await user.choose(column.getByLabel("Version"), { label: "Version 2: Explains every step" });
    await user.click(button("Add", column).last());
    await column.waitFor({ state: "hidden" });
    await user.click(button("Add column"));
    await user.choose(column.getByLabel("Type", { exact: true }), "Compare");
    equal("the value to compare with", await column.getByLabel("Second value").inputValue(), "expected");
    await user.click(button("Add", column).last());
    await column.waitFor({ state: "hidden" });
    await user.click(button("Run"));
    await user.click(button("Start", dialog("Run Order states")));
    await page.getByText("completed").first().waitFor();
    await user.click(page.getByRole("tab", { name: /^Columns and score/ }));
    await user.click(button("Edit prompt"));
    const edited = dialog("prompt");
    await user.choose(edited.getByLabel("Version"), "Latest");
    await user.click(button("Save", edited));
    await edited.waitFor({ state: "hidden" });
    await user.click(button("Run"));
    await user.click(button("Start", dialog("Run Order states")));
    await user.click(page.getByRole("link", { name: "Compare with previous run" }));
    await page.getByText("+100").first().waitFor();
  }, async () => {
    const { run, compare } = Object.fromEntries(new URL(page.url()).searchParams);
    const scores = await Promise.all([compare, run].map(async (id) => (await here.get(`/reports/${id}/score`)).score.overall_score));
    equal("the scores of the compared runs", scores, [0, 100]);
    equal("the evaluation of the runs", await Promise.all([compare, run].map(async (id) => (await here.get(`/reports/${id}`)).report.parent_report_id)), [made, made]);
  });

  await task("the cost of a version is explained by its requests", { picture: "cost", clicks: 5 }, async (user) => {
    await user.click(menu("Prompts"));
    await user.click(page.getByRole("link", { name: prompt }).first());
    await user.click(page.getByRole("tab", { name: "Usage" }));
    const row = page.getByRole("table", { name: "Usage by version" }).getByRole("row").filter({ hasText: "Version 2" });
    await row.getByText("$0.041").waitFor();
    await shot("task-usage");
    await user.click(row.getByRole("link", { name: "$0.041" }));
    await counted(/^5 requests match/);
    await user.click(requests.getByRole("row").nth(1));
    await dialog(/^Request \d+/).getByText("When does order 49 arrive?").waitFor();
  }, async () => {
    // Of version 2, with its long answers, and not those of the evaluation.
    const found = await here.post("/api/public/v2/requests/search", { filter_group: { logic: "AND", filters: [{ field: "prompt_version_number", operator: "eq", value: 2 }, { field: "source", operator: "not_in", value: ["playground", "evaluation"] }] }, sort_by: "cost", sort_order: "desc", page: 1, per_page: 10 });
    equal("the cost of the version", found.items.reduce((sum, { price }) => sum + price, 0).toFixed(4), "0.0405");
    equal("the open request is the most expensive", Number(new URL(page.url()).searchParams.get("request")), found.items[0].id);
  });
});

model.stop();

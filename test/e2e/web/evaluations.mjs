// Evaluations: choosing columns, watching a run, reading its score, and comparing
// two runs.
import { createServer } from "node:http";
import { json, lastWord, textOf } from "../answer.mjs";
import { chatCompletion } from "../openai.mjs";
import { drive, equal, until, write } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const name = `evaluations-${Date.now().toString(36)}`;
const rows = [["2 + 2", "4"], ["3 + 3", "6"], ["4 + 4", "8"], ["5 + 5", "10"]];
let evaluation;
let firstRun;

/** A server that the evaluation calls. It holds its responses until told to send them. */
async function startAnswerer() {
  const waiting = [];
  let answers = {};
  let held = true;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { question } = JSON.parse(text);
    const answer = () => {
      if (answers[question] === undefined) response.writeHead(503, { "Content-Type": "text/plain" }).end("the shelf is locked");
      else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answers[question]));
    };
    if (held) waiting.push({ question, answer });
    else answer();
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    knows: (next) => { answers = next; },
    hold: () => { held = true; },
    give: (count) => waiting.splice(0, count).forEach(({ answer }) => answer()),
    giveAll() { held = false; this.give(Infinity); },
    waiting: () => waiting.length,
    stop: () => { server.close(); server.closeAllConnections(); },
  };
}

const answerer = await startAnswerer();

/** Judges a number: up to 4 gets five stars, others two. */
function judge(body, response) {
  const number = Number(lastWord(body.messages.at(-1).content));
  const verdict = number <= 4 ? 5 : 2;
  const content = JSON.stringify({ reason: `The sum is ${number}.`, verdict });
  json(response, 200, { id: "chatcmpl-1", created: 1767225600, model: body.model, object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content, refusal: null }, finish_reason: "stop" }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
}

/** A stand-in for OpenAI. */
async function startModel() {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const body = JSON.parse(text);
    if (textOf(body.messages[0].content).includes("verdict")) judge(body, response);
    else chatCompletion(body, response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { address: `http://127.0.0.1:${server.address().port}/v1`, stop: () => { server.close(); server.closeAllConnections(); } };
}

const model = await startModel();

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const scores = page.getByRole("group", { name: "Scores" });
  const cells = (run) => page.getByRole("grid", { name: `Cells of run ${run}` });

  const { dataset_group: { id: group } } = await api.post("/api/public/v2/dataset-groups", { name });
  await api.post("/api/public/v2/dataset-versions/from-file", {
    dataset_group_id: group, file_name: "sums.csv", file_content_base64: Buffer.from(["question,expected", ...rows.map((row) => row.join(","))].join("\n")).toString("base64"),
  });
  await until("the dataset has a version", async () => (await api.get(`/api/public/v2/datasets?dataset_group_id=${group}`)).datasets.some(({ version_number }) => version_number === 1));

  await step("the list shows the latest scores", async () => {
    await open("1/evaluations");
    await page.getByRole("table", { name: "Evaluations" }).getByRole("row").nth(1).waitFor();
    await accessible();
  });
  await step("an evaluation is created for a dataset", async () => {
    await page.getByRole("button", { name: "New evaluation" }).click();
    const form = dialog("New evaluation");
    await form.getByLabel("Name").fill(name);
    await form.getByLabel("Comment").fill("Sums of small numbers");
    await form.getByRole("combobox", { name: "Dataset" }).click();
    await page.getByPlaceholder("Search…").fill(name);
    await page.getByRole("option", { name }).click();
    await form.getByText("Latest (1)").waitFor({ state: "attached" });
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    evaluation = Number(new URL(page.url()).pathname.split("/").at(-1));
    await page.getByText("Sums of small numbers").waitFor();
    await page.getByText("No columns yet").waitFor();
    equal("it can run without a column", await page.getByRole("button", { name: "Run", exact: true }).isEnabled(), false);
  });
  await step("a column sends an HTTP request", async () => {
    await page.getByRole("button", { name: "Add column", exact: true }).click();
    await dialog("New column").getByLabel("Type", { exact: true }).selectOption("HTTP request");
    await dialog("New column").getByLabel("Name").fill("answer");
    await dialog("New column").getByLabel("URL").fill(answerer.address);
    await accessible();
    await dialog("New column").getByRole("button", { name: "Add", exact: true }).last().click();
    await page.getByRole("listitem").filter({ hasText: "answer" }).filter({ hasText: "HTTP request" }).waitFor();
  });
  await step("a column checks the answer and counts for the score", async () => {
    await page.getByRole("button", { name: "Add column", exact: true }).click();
    await dialog("New column").getByLabel("Type", { exact: true }).selectOption("Compare");
    await dialog("New column").getByLabel("Name").fill("right");
    await dialog("New column").getByLabel("First value").selectOption("answer");
    await dialog("New column").getByLabel("Second value").selectOption("expected");
    equal("checks count", await dialog("New column").getByRole("switch", { name: "Part of the score" }).isChecked(), true);
    await dialog("New column").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("The score is that of right").waitFor();
    await accessible();
    const { report_columns: columns } = await api.get(`/reports/${evaluation}`);
    equal("the columns", columns.map((column) => [column.name, column.column_type]), [["question", "DATASET"], ["expected", "DATASET"], ["answer", "ENDPOINT"], ["right", "COMPARE"]]);
  });
  await step("a run shows its progress", async () => {
    answerer.knows({ "2 + 2": "4", "3 + 3": "7", "4 + 4": "8", "5 + 5": "10" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog(`Run ${name}`).getByLabel("Run name").fill("first try");
    equal("the comment of a run", await dialog(`Run ${name}`).getByLabel("Comment").inputValue(), "Sums of small numbers");
    await dialog(`Run ${name}`).getByLabel("Comment").fill("With the old tables");
    await accessible();
    await dialog(`Run ${name}`).getByRole("button", { name: "Start" }).click();
    await page.getByRole("progressbar", { name: "Completed cells" }).waitFor();
    await until("the server is called", () => answerer.waiting() > 0);
    await cells("first try").getByText("running").first().waitFor();
    await page.getByText("0 of 8 cells completed").waitFor();
    await accessible();
    await page.evaluate(() => { window.sameDocument = true; });
    answerer.give(1);
    await until("a cell is completed", async () => /[1-7] of 8 cells completed/.test(await page.locator("body").innerText()));
    answerer.giveAll();
  });
  await step("the score appears at the end without a reload", async () => {
    await scores.getByText("75", { exact: false }).first().waitFor();
    await page.getByText("completed").first().waitFor();
    equal("the page was not loaded again", await page.evaluate(() => window.sameDocument), true);
    await until("cells that are true: 3", async () => (await cells("first try").getByText("true", { exact: true }).count()) === 3);
    await until("cells that are false: 1", async () => (await cells("first try").getByText("false", { exact: true }).count()) === 1);
    firstRun = Number(new URL(page.url()).searchParams.get("run"));
    equal("the score that is stored", (await api.get(`/reports/${firstRun}/score`)).score.overall_score, 75);
    await accessible();
    await inDark(accessible);
  });
  await step("the comment of the run is shown and changed", async () => {
    await page.getByText("With the old tables").waitFor();
    await page.getByRole("button", { name: "Actions for run first try" }).click();
    await page.getByRole("menuitem", { name: "Name, tags and comment" }).click();
    await dialog("Name, tags and comment").getByLabel("Comment").fill("With the new tables");
    await accessible();
    await dialog("Name, tags and comment").getByRole("button", { name: "Save" }).click();
    await page.getByText("Name, tags and comment saved").first().waitFor();
    await page.getByRole("paragraph").filter({ hasText: "With the new tables" }).waitFor();
    equal("the stored comments", [(await api.get(`/reports/${firstRun}`)).report.comment, (await api.get(`/reports/${evaluation}`)).report.comment], ["With the new tables", "Sums of small numbers"]);
  });
  await step("a column is resized with the pointer and the keyboard, and keeps its width", async () => {
    const grid = cells("first try");
    const edge = grid.getByRole("separator", { name: "Width of column answer" });
    const width = async () => Math.round((await grid.getByRole("columnheader", { name: /^answer/ }).boundingBox()).width);
    const before = await width();
    const box = await edge.boundingBox();
    await page.mouse.move(box.x + 4, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 64, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await until("the column is 60 pixels wider", async () => (await width()) === before + 60);
    equal("the width that is announced", Number(await edge.getAttribute("aria-valuenow")), before + 60);
    await edge.focus();
    await page.keyboard.press("ArrowRight");
    await until("the column is 16 pixels wider", async () => (await width()) === before + 76);
    await accessible();
    await shot("evaluation-run-resized");
    await page.reload();
    await until("the width is remembered", async () => (await width()) === before + 76);
    await edge.focus();
    await page.keyboard.press("Enter");
    await until("Enter fits the column to its content", async () => (await width()) === before);
    await page.keyboard.press("End");
    await until("End makes the column as wide as possible", async () => (await width()) === 1200);
    await page.getByRole("button", { name: "Reset column widths" }).click();
    await until("the widths are reset", async () => (await width()) === before);
    equal("the button is left", await page.getByRole("button", { name: "Reset column widths" }).count(), 0);
    await page.reload();
    await until("the reset is remembered", async () => (await width()) === before);
  });
  await step("a row is read in full", async () => {
    await cells("first try").getByRole("gridcell", { name: "3 + 3" }).click();
    const panel = page.getByRole("dialog", { name: "Row 2" });
    await panel.getByRole("heading", { name: "right" }).waitFor();
    await panel.getByText("7", { exact: true }).waitFor();
    await accessible();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("dialog", { name: "Row 3" }).getByText("4 + 4").waitFor();
    await page.keyboard.press("Escape");
  });
  await step("a run that asks a model shows cost, latency and the version that was used", async () => {
    const { workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `${name} with a model` });
    const here = api.inWorkspace(workspace);
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_API_KEY", value: "sk-stand-in" });
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_BASE_URL", value: model.address });
    for (const text of ["Add {question}.", "Add {question}, briefly."]) {
      await here.post("/rest/prompt-templates", {
        prompt_template: { prompt_name: "adder" },
        prompt_version: {
          prompt_template: { type: "chat", messages: [{ role: "user", content: [{ type: "text", text }], input_variables: ["question"] }] },
          metadata: { model: { provider: "openai", name: "gpt-4o", parameters: {} } },
        },
      });
    }
    const { dataset_group: { id: set } } = await here.post("/api/public/v2/dataset-groups", { name });
    await here.post("/api/public/v2/dataset-versions/from-file", {
      dataset_group_id: set, file_name: "sums.csv", file_content_base64: Buffer.from(["question,expected", ...rows.map((row) => row.join(","))].join("\n")).toString("base64"),
    });
    await until("the dataset has a version", async () => (await here.get(`/api/public/v2/datasets?dataset_group_id=${set}`)).datasets.some(({ version_number }) => version_number === 1));
    const { report_id: made } = await here.post("/reports", {
      dataset_group_id: set, name: "sums", columns: [{ column_type: "PROMPT_TEMPLATE", name: "answer", configuration: { template: { prompt_name: "adder" } } }],
    });
    const { report_id: run } = await here.post(`/reports/${made}/run`, { name: "asked" });
    await until("the requests of the run are stored", async () => (await here.get(`/api/public/v2/evaluations/${run}/usage`)).total.requests === rows.length);
    await until("the run ends", async () => (await here.get(`/reports/${run}`)).status === "COMPLETED");
    await open(`${workspace}/evaluations/${made}?run=${run}`);
    const usage = page.getByRole("region", { name: "Time and cost" });
    await usage.getByText(`${rows.length} requests`).waitFor();
    await usage.getByText(/^Cost \$0\.\d+$/).waitFor();
    await cells("asked").getByText(/computed · \$0\.\d+ · .+ · v2$/).waitFor();
    await usage.getByRole("button", { name: "By column" }).click();
    await usage.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "answer" }) }).getByRole("link", { name: "Version 2" }).waitFor();
    await accessible();
    await inDark(accessible);
    await shot("evaluation-run-usage");
    await open(`1/evaluations/${evaluation}?run=${firstRun}`);
  });
  await step("a run with failed cells reports them", async () => {
    answerer.knows({ "2 + 2": "4", "3 + 3": "6", "4 + 4": "9" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog(`Run ${name}`).getByLabel("Run name").fill("second try");
    await dialog(`Run ${name}`).getByRole("button", { name: "Start" }).click();
    await page.getByText(/\d cells? failed/).first().waitFor();
    await cells("second try").getByText(/503|locked/).first().waitFor();
    await accessible();
  });
  await step("two runs are compared", async () => {
    await page.getByRole("link", { name: "Compare with previous run" }).click();
    const table = page.getByRole("region", { name: "Columns" });
    const right = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "right" }) });
    await right.waitFor();
    equal("improved and worsened rows", (await right.getByRole("cell").allInnerTexts()).slice(4, 6), ["1", "1"]);
    await page.getByText("4 rows with the same input").waitFor();
    equal("the earlier run", await page.getByLabel("Earlier run").locator("option:checked").innerText().then((text) => text.includes("first try")), true);
    await accessible();
    await inDark(accessible);
  });
  await step("only changed rows are listed, and one is opened", async () => {
    await page.getByRole("switch", { name: "Only changed rows" }).click();
    await page.getByText("3 rows changed in the first 4 of 4.").waitFor();
    await page.getByRole("grid", { name: "Compared rows" }).getByRole("gridcell", { name: "3 + 3" }).click();
    await page.getByRole("dialog", { name: "Row 2" }).getByText("improved").first().waitFor();
    await accessible();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Row 2" }).waitFor({ state: "hidden" });
    await page.reload();
    await page.getByText("3 rows changed in the first 4 of 4.").waitFor();
  });
  await step("the runs are listed with their scores", async () => {
    await page.getByRole("tab", { name: "Runs", exact: true }).click();
    const list = page.getByRole("table", { name: "Runs" });
    await list.getByRole("row", { name: /second try/ }).waitFor();
    await list.getByRole("checkbox", { name: "Select first try to compare" }).check();
    await list.getByRole("checkbox", { name: "Select second try to compare" }).check();
    await page.getByRole("link", { name: "Compare selected" }).waitFor();
    await accessible();
  });
  await step("a run is cancelled", async () => {
    answerer.hold();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog(`Run ${name}`).getByLabel("Run name").fill("cancelled");
    await dialog(`Run ${name}`).getByRole("button", { name: "Start" }).click();
    await page.getByRole("progressbar", { name: "Completed cells" }).waitFor(); // the dialog also has a button with that name
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("alertdialog").getByText("unfinished cells will fail").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("progressbar", { name: "Completed cells" }).waitFor({ state: "hidden" });
    answerer.giveAll();
  });
  await step("code computes the score", async () => {
    await open(`1/evaluations/${evaluation}?tab=columns`);
    await page.getByRole("switch", { name: "Compute the score with code" }).click();
    await write(page, page.getByRole("textbox", { name: "Score code" }), "return { score: data.length * 10 }");
    await page.getByRole("button", { name: "Save score" }).click();
    await until("the code is stored", async () => (await api.get(`/reports/${evaluation}`)).report.score_configuration?.code === "return { score: data.length * 10 }");
  });
  await step("a column of people is added with a form, and its cells are answered one after the other", async () => {
    const { workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `${name} with people` });
    const here = api.inWorkspace(workspace);
    const { dataset_group: { id: set } } = await here.post("/api/public/v2/dataset-groups", { name });
    await here.post("/api/public/v2/dataset-versions/from-file", {
      dataset_group_id: set, file_name: "sums.csv", file_content_base64: Buffer.from(["question,expected", ...rows.map((row) => row.join(","))].join("\n")).toString("base64"),
    });
    await until("the dataset has a version", async () => (await here.get(`/api/public/v2/datasets?dataset_group_id=${set}`)).datasets.some(({ version_number }) => version_number === 1));
    const { report_id: made } = await here.post("/reports", { dataset_group_id: set, name: "judged" });
    await open(`${workspace}/evaluations`);
    equal("the link to waiting cells", await page.getByRole("link", { name: /waiting cell/ }).count(), 0);

    await open(`${workspace}/evaluations/${made}?tab=columns`);
    await page.getByRole("button", { name: "Add column", exact: true }).click();
    const column = dialog("New column");
    await column.getByLabel("Type", { exact: true }).selectOption("Human input");
    await column.getByLabel("Name").fill("stars");
    await column.getByLabel("Question").fill("How good is the sum?");
    equal("the column waits", await column.getByRole("switch", { name: "Wait for an answer" }).isChecked(), true);
    equal("the answer", await column.getByLabel("Answer (optional)").inputValue(), "number");
    await column.getByLabel("People (optional)").fill("owner@localhost\n\n someone@example.com ");
    await accessible();
    await shot("evaluation-person-form");
    await column.getByRole("button", { name: "Add", exact: true }).last().click();
    await page.getByRole("listitem").filter({ hasText: "stars" }).filter({ hasText: "Human input" }).waitFor();
    const asked = (await here.get(`/reports/${made}`)).report_columns.find(({ name }) => name === "stars");
    equal("the people who are asked", asked.configuration.people, ["owner@localhost", "someone@example.com"]);
    const { report_id: run } = await here.post(`/reports/${made}/run`, { name: "by hand" });
    await until("the run waits", async () => (await here.get(`/reports/${run}`)).status === "WAITING");

    await open(`${workspace}/evaluations`);
    await page.getByRole("link", { name: `Answer ${rows.length} waiting cells` }).click();
    await page.getByRole("heading", { name: "Waiting for people", level: 1 }).waitFor();
    const form = page.getByRole("form", { name: "Answer stars" });
    await page.getByText(`1 of ${rows.length}`).waitFor();
    await page.getByRole("region", { name: "Values of the row" }).getByText("2 + 2").waitFor();
    await until("the number is focused", () => form.getByLabel("Number").evaluate((input) => input === document.activeElement));
    await accessible();
    await inDark(accessible);
    await shot("evaluation-waiting");
    for (const [at, [question]] of rows.entries()) {
      await page.getByRole("region", { name: "Values of the row" }).getByText(question).waitFor();
      await form.getByLabel("Number").fill(String(at + 1));
      if (at === 0) await form.getByLabel("Comment").fill("too short");
      await form.getByLabel("Number").press("Enter");
    }
    await page.getByText("Nothing to answer").waitFor();
    await until("the run ends", async () => (await here.get(`/reports/${run}`)).status === "COMPLETED");
    await open(`${workspace}/evaluations/${made}?run=${run}&row=1`);
    const panel = page.getByRole("region", { name: "Row values" });
    await panel.getByText("too short").waitFor();
    await panel.getByText(/^Answered by /).waitFor();
    await open(`1/evaluations/${evaluation}?run=${firstRun}`);
  });
  await step("a judge is added from a template, and its verdicts are compared with those of people", async () => {
    const { workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `${name} with a judge` });
    const here = api.inWorkspace(workspace);
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_API_KEY", value: "sk-stand-in" });
    await here.post("/api/public/v2/env-vars", { key: "OPENAI_BASE_URL", value: model.address });
    const { dataset_group: { id: set } } = await here.post("/api/public/v2/dataset-groups", { name });
    await here.post("/api/public/v2/dataset-versions/from-file", {
      dataset_group_id: set, file_name: "sums.csv", file_content_base64: Buffer.from(["question,expected", ...rows.map((row) => row.join(","))].join("\n")).toString("base64"),
    });
    await until("the dataset has a version", async () => (await here.get(`/api/public/v2/datasets?dataset_group_id=${set}`)).datasets.some(({ version_number }) => version_number === 1));
    const { workflow_id: adder } = await here.post("/rest/workflows", { name: "adder", nodes: [{ name: "sum", node_type: "VARIABLE", configuration: { value: "1" }, is_output_node: true }] });
    const { report_id: made } = await here.post("/reports", { dataset_group_id: set, name: "judged" });
    await here.post("/report-columns", { report_id: made, column_type: "WORKFLOW", name: "added", configuration: { workflow_name: "adder" } });
    await here.post("/report-columns", { report_id: made, column_type: "HUMAN", name: "stars", configuration: { wait: true, input_type: "number", min: 1, max: 5 } });

    await open(`${workspace}/evaluations/${made}?tab=columns`);
    await page.getByRole("button", { name: "Add column", exact: true }).click();
    const column = dialog("New column");
    await column.getByLabel("Start from a template").selectOption("Correctness");
    const example = column.getByRole("region", { name: "Example of Correctness" });
    await example.getByText("partly correct").waitFor();
    equal("the name", await column.getByLabel("Name", { exact: true }).inputValue(), "correctness");
    equal("the expected answer", await column.getByLabel("Source of expected").inputValue(), "expected");
    equal("the scale", await column.getByLabel("Scale", { exact: true }).inputValue(), "choices");
    equal("the first choice", await column.getByLabel("Choice 1", { exact: true }).inputValue(), "correct");
    await accessible();
    await column.getByLabel("Start from a template").selectOption("Tone");
    await column.getByRole("region", { name: "Example of Tone" }).getByText("impatient").waitFor();
    equal("the maximum", await column.getByLabel("Maximum").inputValue(), "5");
    equal("a reason is asked for", await column.getByRole("switch", { name: "Ask for a reason" }).isChecked(), true);
    await column.getByLabel("Value of", { exact: true }).selectOption("expected");
    await column.getByLabel("Name", { exact: true }).fill("judge");
    await column.getByRole("combobox", { name: "Model" }).click();
    await page.getByPlaceholder("Search…").fill("openai/gpt-4o");
    await page.getByRole("option", { name: "openai/gpt-4o", exact: true }).click();
    await accessible();
    await inDark(accessible);
    await shot("evaluation-judge-form");
    await column.getByRole("button", { name: "Add", exact: true }).last().click();
    await page.getByRole("listitem").filter({ hasText: "judge" }).filter({ hasText: "LLM assertion" }).waitFor();
    const stored = (await here.get(`/reports/${made}`)).report_columns.find((one) => one.name === "judge").configuration;
    equal("the stored judge", [stored.source, stored.scale.type, stored.scale.max, stored.reason, stored.model.name], ["expected", "range", 5, true, "gpt-4o"]);

    const { report_id: run } = await here.post(`/reports/${made}/run`, { name: "judged run" });
    await until("the run waits", async () => (await here.get(`/reports/${run}`)).status === "WAITING");
    const stars = (await here.get(`/reports/${run}`)).report_columns.find((one) => one.name === "stars").id;
    await open(`${workspace}/evaluations`);
    await page.getByRole("link", { name: `Answer ${rows.length} waiting cells` }).click();
    const values = page.getByRole("region", { name: "Values of the row" });
    await values.getByText("2 + 2").waitFor();
    equal("the verdict of the judge is hidden", await values.getByText("judge", { exact: true }).count(), 0);
    equal("other values are shown", await values.getByText("added", { exact: true }).count(), 1);
    for (const [position, value] of [5, 3, 2].entries()) await here.post(`/api/public/v2/evaluations/${run}/answers`, { position, column_id: stars, value });
    await open(`${workspace}/evaluations/${made}?run=${run}`);
    const agreement = page.getByRole("region", { name: "Agreement with people" });
    await agreement.getByText("judge and stars").waitFor();
    await agreement.getByText(/The judge agrees with people on 2 of 3 rows \(67 %\)/).waitFor();
    await cells("judged run").getByText("The sum is 4.").waitFor();
    await accessible();
    await agreement.getByRole("button", { name: "Show 1 row where they disagree" }).click();
    await cells("judged run").getByRole("gridcell", { name: "2 + 2" }).waitFor({ state: "hidden" });
    await shot("evaluation-agreement");
    await cells("judged run").getByRole("gridcell", { name: "3 + 3" }).click();
    const panel = page.getByRole("dialog", { name: "Row 2" });
    await panel.getByText("Reason:").waitFor();
    await panel.getByText("The sum is 6.").waitFor();
    await accessible();
    await inDark(accessible);
    await shot("evaluation-judge-row");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await agreement.getByRole("button", { name: "Show all rows" }).click();
    await cells("judged run").getByRole("gridcell", { name: "2 + 2" }).waitFor();

    await page.getByRole("button", { name: "By column" }).click();
    const link = page.getByRole("group", { name: "Cost and latency by column" }).getByRole("row", { name: /^added/ }).getByRole("link", { name: "Version 1" });
    equal("the version of the workflow", await link.getAttribute("href"), `/app/${workspace}/workflows/${adder}?version=1`);
    await accessible();
    await open(`1/evaluations/${evaluation}?run=${firstRun}`);
  });
  await step("an evaluation with many rows is read", async () => {
    await open("1/evaluations?q=Ticket classifier");
    await page.getByRole("link", { name: "Ticket classifier" }).click();
    await page.getByRole("table", { name: "Runs" }).getByRole("link").first().click();
    await page.getByRole("grid").getByRole("gridcell").first().waitFor();
    await accessible();
    await shot("evaluation-run");
  });
  await step("two runs are compared row by row", async () => {
    await open("1/evaluations?q=Support answers");
    await page.getByRole("link", { name: "Support answers" }).click();
    await page.getByRole("table", { name: "Runs" }).getByRole("link").first().click();
    await page.getByRole("link", { name: "Compare with previous run" }).click();
    await page.getByRole("grid", { name: "Compared rows" }).getByRole("gridcell").first().waitFor();
    await accessible();
    await shot("evaluation-compare");
    await open(`1/evaluations/${evaluation}?tab=columns`);
  });
  await step("rows with different input are marked and counted", async () => {
    await open("1/evaluations?q=Ticket classifier");
    await page.getByRole("link", { name: "Ticket classifier" }).click();
    await page.getByRole("tab", { name: /^Compare/ }).click();
    await page.getByLabel("Scores").getByText(/^\d+ different input$/).waitFor();
    const cell = page.getByRole("grid", { name: "Compared rows" }).getByRole("gridcell").filter({ hasText: "different input" }).first();
    await cell.waitFor();
    equal("change indicators", await cell.getByLabel("changed to").count(), 0);
    await accessible();
    await open(`1/evaluations/${evaluation}?tab=columns`);
  });
  await step("archiving asks for confirmation with the name of the evaluation", async () => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Archive…" }).click();
    await page.getByRole("alertdialog").getByText(name).first().waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
    await page.getByRole("heading", { name: "Evaluations", level: 1 }).waitFor();
    await page.getByLabel("Status").selectOption("Archived");
    await page.getByRole("link", { name }).waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("a run fits on a phone", async () => {
    await open(`1/evaluations/${evaluation}?run=${firstRun}`);
    await page.getByRole("grid", { name: "Cells of run first try" }).waitFor();
    await fits();
    await accessible();
    await page.getByRole("gridcell", { name: "2 + 2" }).click();
    await page.getByRole("dialog", { name: "Row 1" }).getByText("true").waitFor();
    await fits();
  });
  await step("on a phone, the compared runs are stacked", async () => {
    await open(`1/evaluations/${evaluation}?tab=compare`);
    await page.getByLabel("Later run").waitFor();
    const [earlier, later] = [await page.getByLabel("Earlier run").boundingBox(), await page.getByLabel("Later run").boundingBox()];
    if (earlier.width < 300 || later.y < earlier.y + earlier.height) throw new Error(`they are at ${JSON.stringify([earlier, later])}`);
    await fits();
  });
}, { width: 390, height: 844 });
answerer.stop();
model.stop();

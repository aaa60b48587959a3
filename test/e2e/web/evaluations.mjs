// Evaluations: columns are chosen, a run is watched cell by cell, its score is
// read, and two runs are compared.
import { createServer } from "node:http";
import { drive, equal, until, write } from "./browser.mjs";

// Unlike that of an earlier run on the same data.
const name = `evaluations-${Date.now().toString(36)}`;
const rows = [["2 + 2", "4"], ["3 + 3", "6"], ["4 + 4", "8"], ["5 + 5", "10"]];
let evaluation;
let firstRun;

/** A program that the evaluation asks: it holds back its answers until it is told to give them. */
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

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const scores = page.getByRole("group", { name: "Scores" });
  const cells = (run) => page.getByRole("grid", { name: `Cells of the run ${run}` });

  const { dataset_group: { id: group } } = await api.post("/api/public/v2/dataset-groups", { name });
  await api.post("/api/public/v2/dataset-versions/from-file", {
    dataset_group_id: group, file_name: "sums.csv", file_content_base64: Buffer.from(["question,expected", ...rows.map((row) => row.join(","))].join("\n")).toString("base64"),
  });
  await until("the dataset has a version", async () => (await api.get(`/api/public/v2/datasets?dataset_group_id=${group}`)).datasets.some(({ version_number }) => version_number === 1));

  await step("the list shows the last score of each", async () => {
    await open("1/evaluations");
    await page.getByRole("table", { name: "Evaluations" }).getByRole("row").nth(1).waitFor();
    await accessible();
  });
  await step("an evaluation is made over a dataset", async () => {
    await page.getByRole("button", { name: "New evaluation" }).click();
    const form = dialog("New evaluation");
    await form.getByLabel("Name").fill(name);
    await form.getByRole("combobox", { name: "Dataset" }).click();
    await page.getByPlaceholder("Search…").fill(name);
    await page.getByRole("option", { name }).click();
    await form.getByText("Latest, which is 1").waitFor({ state: "attached" });
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    evaluation = Number(new URL(page.url()).pathname.split("/").at(-1));
    await page.getByText("No columns yet").waitFor();
    equal("it can run without a column", await page.getByRole("button", { name: "Run", exact: true }).isEnabled(), false);
  });
  await step("a column asks a program", async () => {
    await page.getByRole("button", { name: "Column", exact: true }).click();
    await dialog("New column").getByLabel("Computes").selectOption("HTTP call");
    await dialog("New column").getByLabel("Name").fill("answer");
    await dialog("New column").getByLabel("Address").fill(answerer.address);
    await accessible();
    await dialog("New column").getByRole("button", { name: "Add", exact: true }).last().click();
    await page.getByRole("listitem").filter({ hasText: "answer" }).filter({ hasText: "HTTP call" }).waitFor();
  });
  await step("a column checks the answer and makes the score", async () => {
    await page.getByRole("button", { name: "Column", exact: true }).click();
    await dialog("New column").getByLabel("Computes").selectOption("Compare");
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
  await step("a run is watched while it goes on", async () => {
    answerer.knows({ "2 + 2": "4", "3 + 3": "7", "4 + 4": "8", "5 + 5": "10" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog(`Run ${name}`).getByLabel("Name of the run").fill("first try");
    await accessible();
    await dialog(`Run ${name}`).getByRole("button", { name: "Start" }).click();
    await page.getByRole("progressbar", { name: "Cells that are done" }).waitFor();
    await until("the program is asked", () => answerer.waiting() > 0);
    await cells("first try").getByText("running").first().waitFor();
    await page.getByText("0 of 8 cells done").waitFor();
    await accessible();
    await page.evaluate(() => { window.sameDocument = true; });
    answerer.give(1);
    await until("a cell is done", async () => /[1-7] of 8 cells done/.test(await page.locator("body").innerText()));
    answerer.giveAll();
  });
  await step("the score comes at the end without a reload", async () => {
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
  await step("a second run with a cell that fails says so", async () => {
    answerer.knows({ "2 + 2": "4", "3 + 3": "6", "4 + 4": "9" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog(`Run ${name}`).getByLabel("Name of the run").fill("second try");
    await dialog(`Run ${name}`).getByRole("button", { name: "Start" }).click();
    await page.getByText(/\d cells? failed/).first().waitFor();
    await cells("second try").getByText(/503|locked/).first().waitFor();
    await accessible();
  });
  await step("two runs are compared", async () => {
    await page.getByRole("link", { name: "Compare with the one before" }).click();
    const table = page.getByRole("region", { name: "Columns" });
    const right = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "right" }) });
    await right.waitFor();
    equal("improved and worsened rows", (await right.getByRole("cell").allInnerTexts()).slice(4, 6), ["1", "1"]);
    await page.getByText("4 rows with the same input compared").waitFor();
    equal("the earlier run", await page.getByLabel("Earlier run").locator("option:checked").innerText().then((text) => text.includes("first try")), true);
    await accessible();
    await inDark(accessible);
  });
  await step("only the rows that changed are listed, and one is read", async () => {
    await page.getByRole("switch", { name: "Only rows that changed" }).click();
    await page.getByText("3 rows changed among the first 4 of 4.").waitFor();
    await page.getByRole("grid", { name: "Compared rows" }).getByRole("gridcell", { name: "3 + 3" }).click();
    await page.getByRole("dialog", { name: "Row 2" }).getByText("improved").first().waitFor();
    await accessible();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Row 2" }).waitFor({ state: "hidden" });
    await page.reload();
    await page.getByText("3 rows changed among the first 4 of 4.").waitFor();
  });
  await step("the runs stand in a list with their scores", async () => {
    await page.getByRole("tab", { name: "Runs", exact: true }).click();
    const list = page.getByRole("table", { name: "Runs" });
    await list.getByRole("row", { name: /second try/ }).waitFor();
    await list.getByRole("checkbox", { name: "Choose first try to compare" }).check();
    await list.getByRole("checkbox", { name: "Choose second try to compare" }).check();
    await page.getByRole("link", { name: "Compare the two" }).waitFor();
    await accessible();
  });
  await step("a run is ended before its time", async () => {
    answerer.hold();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog(`Run ${name}`).getByLabel("Name of the run").fill("given up");
    await dialog(`Run ${name}`).getByRole("button", { name: "Start" }).click();
    await page.getByRole("progressbar", { name: "Cells that are done" }).waitFor(); // the window has a button of that name, too
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("alertdialog").getByText("cells that have no value yet fail").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the run" }).click();
    await page.getByRole("progressbar", { name: "Cells that are done" }).waitFor({ state: "hidden" });
    answerer.giveAll();
  });
  await step("code makes a score of its own", async () => {
    await open(`1/evaluations/${evaluation}?tab=columns`);
    await page.getByRole("switch", { name: "Compute the score by code" }).click();
    await write(page, page.getByRole("textbox", { name: "Code of the score" }), "return { score: data.length * 10 }");
    await page.getByRole("button", { name: "Save the score" }).click();
    await until("the code is stored", async () => (await api.get(`/reports/${evaluation}`)).report.score_configuration?.code === "return { score: data.length * 10 }");
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
    await page.getByRole("link", { name: "Compare with the one before" }).click();
    await page.getByRole("grid", { name: "Compared rows" }).getByRole("gridcell").first().waitFor();
    await accessible();
    await shot("evaluation-compare");
    await open(`1/evaluations/${evaluation}?tab=columns`);
  });
  await step("rows that asked something else are marked so, and counted", async () => {
    await open("1/evaluations?q=Ticket classifier");
    await page.getByRole("link", { name: "Ticket classifier" }).click();
    await page.getByRole("tab", { name: /^Compare/ }).click();
    await page.getByLabel("Scores").getByText(/^\d+ other input$/).waitFor();
    const cell = page.getByRole("grid", { name: "Compared rows" }).getByRole("gridcell").filter({ hasText: "other input" }).first();
    await cell.waitFor();
    equal("words that sound like a change", await cell.getByLabel("became").count(), 0);
    await accessible();
    await open(`1/evaluations/${evaluation}?tab=columns`);
  });
  await step("archiving asks and names the evaluation", async () => {
    await page.getByRole("button", { name: `What else to do with ${name}` }).click();
    await page.getByRole("menuitem", { name: "Archive…" }).click();
    await page.getByRole("alertdialog").getByText(name).first().waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
    await page.getByRole("heading", { name: "Evaluations", level: 1 }).waitFor();
    await page.getByLabel("Which ones").selectOption("Archived");
    await page.getByRole("link", { name }).waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("on a phone a run is read", async () => {
    await open(`1/evaluations/${evaluation}?run=${firstRun}`);
    await page.getByRole("grid", { name: "Cells of the run first try" }).waitFor();
    await fits();
    await accessible();
    await page.getByRole("gridcell", { name: "2 + 2" }).click();
    await page.getByRole("dialog", { name: "Row 1" }).getByText("true").waitFor();
    await fits();
  });
  await step("on a phone the compared runs stand one below the other", async () => {
    await open(`1/evaluations/${evaluation}?tab=compare`);
    await page.getByLabel("Later run").waitFor();
    const [earlier, later] = [await page.getByLabel("Earlier run").boundingBox(), await page.getByLabel("Later run").boundingBox()];
    if (earlier.width < 300 || later.y < earlier.y + earlier.height) throw new Error(`they are at ${JSON.stringify([earlier, later])}`);
    await fits();
  });
}, { width: 390, height: 844 });
answerer.stop();

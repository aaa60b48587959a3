// Workflows: the graph and its nodes, edits that become versions, errors of the
// server, comparing versions, and following runs.
import { createServer } from "node:http";
import { drive, equal, moveLabel, until } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const name = `workflows ${Date.now().toString(36)}`;
const made = `${name} from the app`;

/** A server that holds its responses until released, so that nodes can be seen while they run. */
async function holdingServer() {
  const held = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => held.push(response));
    // A cancelled run no longer waits.
    response.on("close", () => held.splice(0, held.length, ...held.filter((one) => one !== response)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async letGo(body, status = 200) {
      await until("the node calls", () => held.length > 0);
      const response = held.shift();
      response.statusCode = status;
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(body));
    },
    close() {
      held.forEach((response) => response.destroy());
      server.close();
    },
  };
}

const other = await holdingServer();

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const question = (title) => page.getByRole("alertdialog", { name: title });
  const node = (title) => page.getByRole("button", { name: new RegExp(`^${title}\\b`) });
  const panel = (title) => page.getByRole("complementary", { name: title });
  const tab = (title) => page.getByRole("tab", { name: title }).click();
  const startRun = async (text) => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const form = dialog(/^Run /);
    await form.getByLabel("text (string)").fill(text);
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await until("the URL contains the run", () => /run=\d+/.test(page.url()));
  };
  let id;
  const stored = () => api.get(`/workflows/${id}`);

  await step("the list is searched, and the search is in the URL", async () => {
    await open("1/workflows");
    const list = page.getByRole("table", { name: "Workflows" });
    await list.getByRole("link", { name: "ticket-routing" }).waitFor();
    await accessible();
    await page.getByLabel("Search workflows").fill("reply");
    await until("only those that match are left", async () => (await list.getByRole("link", { name: "ticket-routing" }).count()) === 0);
    await until("the URL contains it", () => page.url().includes("q=reply"));
  });
  await step("the graph is drawn, and a node opens", async () => {
    await open("1/workflows?q=ticket-routing");
    await page.getByRole("link", { name: "ticket-routing" }).click();
    await page.getByRole("heading", { name: "ticket-routing", level: 1 }).waitFor();
    const { nodes } = await api.get("/workflows/ticket-routing");
    for (const { name: title } of nodes) await node(title).first().waitFor();
    await accessible();
    await shot("workflow-graph");
    await node(nodes[0].name).first().click();
    await panel(`Node ${nodes[0].name}`).waitFor();
    await until("the URL contains the node", () => page.url().includes(`node=${encodeURIComponent(nodes[0].name)}`));
    await accessible();
    await page.keyboard.press("Escape");
    await until("Escape closes the panel", () => !page.url().includes("node="));
  });
  await step("a run shows the result of every node", async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const form = dialog("Run ticket-routing");
    const inputs = { "subject (string)": "Charged twice", "body (string)": "I want my money back for order #4711!", "amount (number)": "40", "plan (string)": "pro" };
    for (const [label, value] of Object.entries(inputs)) await form.getByLabel(label).fill(value);
    await accessible();
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await panel("Run").getByText("success", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^refund_now.*success/ }).waitFor();
    await page.getByRole("button", { name: /^ask_manager.*skipped/ }).waitFor();
    await panel("Run").getByText("refund at once").waitFor();
    await accessible();
    await shot("workflow-run");
    await inDark(accessible);
    await open(new URL(page.url()).pathname.replace("/app/", ""));
  });
  await step("nodes are shown as a list", async () => {
    await page.getByRole("button", { name: "List" }).or(page.getByRole("radio", { name: "List" })).first().click();
    const { nodes } = await api.get("/workflows/ticket-routing");
    for (const { name: title } of nodes) await page.getByRole("table", { name: "Nodes" }).getByRole("link", { name: title, exact: true }).waitFor();
    await accessible();
  });

  await step("a workflow is created from a starter", async () => {
    await open("1/workflows");
    await page.getByRole("button", { name: "New workflow" }).click();
    const form = dialog("New workflow");
    await form.getByLabel("Name").fill(made);
    await form.getByRole("radio", { name: /Two branches/ }).check();
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: made, level: 1 }).waitFor();
    await node("is_question").waitFor();
    id = Number(new URL(page.url()).pathname.split("/").at(-1));
    equal("its nodes", (await stored()).nodes.map((one) => one.name).sort(), ["answer", "is_question", "note", "reply"]);
  });
  await step("it runs with an input, and its output is shown", async () => {
    await startRun("Where is my parcel?");
    const run = panel("Run");
    await run.getByText("success", { exact: true }).waitFor();
    await run.getByText("This is a question.").waitFor();
    await page.getByRole("button", { name: /^reply.*success/ }).waitFor();
    await page.getByRole("button", { name: /^note.*skipped/ }).waitFor();
    await accessible();
    const { items } = await api.get(`/workflows/${id}/executions`);
    equal("the stored input", items[0].input_variables, { text: "Where is my parcel?" });
  });

  await step("a node is edited, and unsaved changes are shown", async () => {
    await open(`1/workflows/${id}`);
    await node("note").click();
    const inspector = panel("Node note");
    await inspector.getByLabel("Value").last().fill("Nothing to answer.");
    await page.getByRole("button", { name: "Save…" }).waitFor();
    await page.getByRole("tab", { name: "Graph •" }).waitFor();
  });
  await step("an edit is undone", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await until("the old value is restored", async () => (await panel("Node note").getByLabel("Value").last().inputValue()) === "This is not a question.");
    await panel("Node note").getByLabel("Value").last().fill("Nothing to answer.");
  });
  await step("leaving with edits asks for confirmation", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tools" }).click();
    await question("Leave without saving?").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Save…" }).waitFor();
  });
  await step("errors of the server are shown at the node", async () => {
    await node("is_question").click();
    const inspector = panel("Node is_question");
    const pattern = inspector.getByLabel(/pattern|expression/i).first();
    const before = await pattern.inputValue();
    expect(/status 4\d\d: (PATCH|POST) .*\/rest\/workflows/);
    await pattern.fill("(");
    await page.getByRole("button", { name: "Save…" }).click();
    await dialog("Save as new version").getByRole("button", { name: "Save", exact: true }).click();
    await inspector.getByRole("alert").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "is_question" }).waitFor();
    await accessible();
    equal("the versions that are stored", (await stored()).version_number, 1);
    await pattern.fill(before);
    await until("the error disappears with the edit", async () => (await page.getByRole("alert").count()) === 0);
  });
  await step("a node is added", async () => {
    await page.getByRole("button", { name: "Add node" }).click();
    const types = dialog("Add node");
    equal("types that cannot run", await types.getByRole("button", { name: /^(Coding agent|Human input)/ }).count(), 0);
    await types.getByLabel("Search node types").fill("count");
    await accessible();
    await types.getByRole("button", { name: /^Count/ }).click();
    await until("the new node is open", () => page.url().includes("node="));
    equal("it is an output", await page.getByRole("switch", { name: /^Output node/ }).isChecked(), false);
  });
  await step("it is saved with a message and a label after showing the changes", async () => {
    await page.getByRole("button", { name: "Save…" }).click();
    const form = dialog("Save as new version");
    await form.getByText("note", { exact: true }).waitFor();
    await form.getByLabel("What changed").fill("Counts, and says less");
    await form.getByLabel("New label").fill("prod");
    await form.getByRole("button", { name: "Add" }).click();
    await accessible();
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Version 2 saved").first().waitFor();
    const { version_number, commit_message, release_labels, nodes } = await stored();
    equal("stored", [version_number, commit_message, release_labels, nodes.length], [2, "Counts, and says less", ["prod"], 5]);
    equal("the value of the node", nodes.find((one) => one.name === "note").configuration.value.value, "Nothing to answer.");
  });
  await step("versions are listed and compared", async () => {
    await tab("Versions");
    const versions = page.getByRole("table", { name: "Versions" });
    await versions.getByRole("row").filter({ hasText: "Counts, and says less" }).getByText("prod").waitFor();
    await accessible();
    await versions.getByRole("link", { name: "Compare version 2 with the previous one" }).click();
    await page.getByRole("textbox", { name: "Before" }).getByText("This is not a question.").first().waitFor();
    await page.getByRole("textbox", { name: "After" }).getByText("Nothing to answer.").first().waitFor();
    await page.getByText("added", { exact: true }).first().waitFor();
    await accessible();
    await inDark(accessible);
  });
  await step("a label moves to an old version", async () => {
    await tab("Versions");
    await moveLabel(page, "prod", 2, 1);
    await accessible();
    equal("the version of prod", (await api.get(`/workflows/${id}?label=prod`)).version_number, 1);
    await page.getByRole("button", { name: "Add label to version 2" }).click();
    await dialog("Add label to version 2").getByLabel("Label").fill("qa/next");
    await dialog("Add label to version 2").getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: "Label qa/next on version 2: move or delete" }).click();
    await page.getByRole("menuitem", { name: "Delete label…" }).click();
    await question("Delete label qa/next?").getByRole("button", { name: "Delete label" }).click();
    await until("it is gone", async () => (await page.getByText("qa/next", { exact: true }).count()) === 0);
    equal("the labels that are stored", (await api.get(`/workflows/${id}/labels`)).release_labels.map((one) => [one.release_label, one.workflow_version_number]), [["prod", 1]]);
  });
  await step("choosing another version asks before losing edits", async () => {
    await open(`1/workflows/${id}?version=1&node=note`);
    await panel("Node note").getByLabel("Value").last().fill("An edit of version 1.");
    await page.getByRole("combobox", { name: "Version" }).click();
    await page.getByRole("option", { name: /Version 2/ }).click();
    await question("Leave without saving?").getByRole("button", { name: "Leave" }).click();
    await until("the latest version is shown", async () => (await page.getByRole("combobox", { name: "Version" }).innerText()).includes("Version 2"));
    await until("no edits are left", async () => (await page.getByRole("button", { name: "Save…" }).count()) === 0);
  });

  await step("a run is followed live", async () => {
    const ask = { name: "ask", node_type: "ENDPOINT", configuration: { url: other.url }, dependencies: ["text"], is_output_node: false };
    const answer = { name: "answer", node_type: "CODE_EXECUTION", configuration: { language: "JAVASCRIPT", code: "return data.ask.said + ' to ' + data.text" }, dependencies: ["ask", "text"], is_output_node: true };
    const { workflow_id } = await api.post("/rest/workflows", { name, required_input_variables: { text: "string" }, nodes: [ask, answer], edges: [] });
    await open(`1/workflows/${workflow_id}`);
    await node("ask").waitFor();
    await startRun("Ada");
    await page.getByRole("button", { name: /^ask.*running/ }).waitFor();
    await page.getByRole("button", { name: /^answer.*queued/ }).waitFor();
    await panel("Run").getByRole("progressbar", { name: "Completed nodes" }).waitFor();
    await accessible();
    await other.letGo({ said: "Hello" });
    await page.getByRole("button", { name: /^answer.*success/ }).waitFor();
    await panel("Run").getByText("Hello to Ada").waitFor();
    await page.getByRole("button", { name: /^ask.*success/ }).click();
    await panel("Node ask").getByText("In this run").waitFor();
    await panel("Node ask").getByText(/^Time \d/).waitFor();
    await panel("Node ask").getByText("Hello").first().waitFor();
  });
  await step("a link to the run shows the same", async () => {
    const address = page.url();
    const second = await page.context().newPage();
    await second.goto(address);
    await second.getByRole("button", { name: /^answer.*success/ }).waitFor();
    await second.close();
  });
  await step("a run is repeated with its inputs and cancelled", async () => {
    await page.keyboard.press("Escape");
    await panel("Run").getByRole("button", { name: "Run again" }).click();
    const form = dialog(/^Run /);
    equal("the input", await form.getByLabel("text (string)").inputValue(), "Ada");
    const before = page.url();
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await until("another run", () => page.url() !== before);
    await page.getByRole("button", { name: /^ask.*running/ }).waitFor();
    await panel("Run").getByRole("button", { name: "Cancel" }).click();
    await panel("Run").getByText(/cancell?ed/).first().waitFor();
  });
  await step("a failed node shows its error", async () => {
    await startRun("Bob");
    await other.letGo(null);
    await until("the run ends", async () => (await panel("Run").getByRole("button", { name: "Run again" }).count()) === 1);
    await panel("Run").getByText(/failed:/).first().waitFor();
    await accessible();
  });
  await step("a node that fails is retried", async () => {
    await page.getByRole("button", { name: /^ask\b/ }).click();
    await panel("Node ask").getByLabel("If it fails").selectOption("2");
    await panel("Node ask").getByText(/may happen again/).waitFor();
    await page.getByRole("button", { name: "Dry run", exact: true }).click();
    await dialog(/^Run /).getByLabel("text (string)").fill("Eve");
    await dialog(/^Run /).getByRole("button", { name: "Dry run", exact: true }).click();
    await other.letGo({ said: "Not now" }, 503);
    await page.getByRole("button", { name: /^ask.*retry 1/ }).waitFor();
    await other.letGo({ said: "Now" });
    await panel("Run").getByText("Now to Eve").waitFor();
    await page.getByRole("button", { name: /^ask.*success/ }).click();
    await panel("Node ask").getByText("Succeeded after 1 retry.").waitFor();
    await accessible();
    await shot("workflow-retries");
    await page.getByRole("button", { name: "Discard" }).click();
    await question("Discard changes?").getByRole("button", { name: "Discard" }).click();
  });
  await step("runs are filtered by status", async () => {
    await tab("Runs");
    const runs = page.getByRole("table", { name: "Runs" });
    await until("all are listed", async () => (await runs.getByRole("row").count()) >= 4);
    await accessible();
    await page.getByLabel("Status").selectOption("SUCCESS");
    await until("the URL contains it", () => page.url().includes("status=SUCCESS"));
    await until("only those are left", async () => (await runs.getByRole("row").count()) === 2);
    await runs.getByRole("link").first().click();
    await panel("Run").getByText("Hello to Ada").waitFor();
  });
  let dryRun;
  await step("unsaved edits are run without a version", async () => {
    await open(`1/workflows/${id}?node=note`);
    await panel("Node note").getByLabel("Value").last().fill("Only in a dry run.");
    await page.getByRole("button", { name: "Dry run", exact: true }).click();
    const form = dialog(/^Run /);
    await form.getByText("A dry run makes no version.").waitFor();
    await accessible();
    await shot("workflow-dry-run-dialog");
    await form.getByLabel("text (string)").fill("No.");
    await form.getByRole("button", { name: "Dry run", exact: true }).click();
    await until("the URL contains the run", () => /run=\d+/.test(page.url()));
    dryRun = Number(new URL(page.url()).searchParams.get("run"));
    await panel("Run").getByText("Only in a dry run.").waitFor();
    await panel("Run").getByText("Dry run of changes to version 2").waitFor();
    await page.getByRole("button", { name: /^note.*success/ }).waitFor();
    await page.getByRole("button", { name: "Save…" }).waitFor(); // the edits are still there
    await accessible();
    await shot("workflow-dry-run");
    equal("the versions that are stored", (await stored()).version_number, 2);
    const stillRuns = (await api.get(`/workflows/${id}/executions`)).items.map((one) => one.id);
    equal("listed as a run", stillRuns.includes(dryRun), false);
  });
  await step("edits that the server refuses are not run", async () => {
    await page.getByRole("button", { name: /^is_question/ }).click();
    const pattern = panel("Node is_question").getByLabel(/pattern|expression/i).first();
    const before = await pattern.inputValue();
    expect(/status 4\d\d: POST .*\/dry-run/);
    await pattern.fill("(");
    await page.getByRole("button", { name: "Dry run", exact: true }).click();
    await dialog(/^Run /).getByRole("button", { name: "Dry run", exact: true }).click();
    await panel("Node is_question").getByRole("alert").waitFor();
    await pattern.fill(before);
    await page.getByRole("button", { name: "Discard" }).click();
    await question("Discard changes?").getByRole("button", { name: "Discard" }).click();
  });
  await step("a dry run is found in the list, and its edits are continued", async () => {
    await tab("Runs");
    await page.getByLabel("Dry runs").selectOption("only");
    const runs = page.getByRole("table", { name: "Runs" });
    await runs.getByText("dry run", { exact: true }).waitFor();
    await accessible();
    await shot("workflow-dry-runs");
    await runs.getByRole("link", { name: String(dryRun) }).click();
    await panel("Run").getByText("Only in a dry run.").waitFor();
    equal("unsaved edits", await page.getByRole("button", { name: "Save…" }).count(), 0);
    await panel("Run").getByRole("button", { name: "Edit changes" }).click();
    await page.getByRole("button", { name: "Save…" }).waitFor();
    await page.getByRole("button", { name: /^note/ }).click();
    equal("the edit", await panel("Node note").getByLabel("Value").last().inputValue(), "Only in a dry run.");
    await page.getByRole("button", { name: "Discard" }).click();
    await question("Discard changes?").getByRole("button", { name: "Discard" }).click();
  });
  await step("a workflow is renamed, and its former name leads to it", async () => {
    await open(`1/workflows/${id}`);
    const rename = async (from, to) => {
      await page.getByRole("button", { name: "More actions", exact: true }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      const form = page.getByRole("dialog", { name: `Rename ${from}` });
      await form.getByLabel("Name").fill(to);
      await form.getByRole("button", { name: "Rename" }).click();
      await page.getByRole("heading", { name: to, level: 1 }).waitFor();
    };
    await rename(made, `${made} renamed`);
    equal("by its former name", (await api.get(`/workflows/${encodeURIComponent(made)}`)).workflow_id, id);
    await rename(`${made} renamed`, made);
  });
  await step("a workflow is deleted", async () => {
    await open(`1/workflows/${id}`);
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete workflow" }).click();
    await question(`Delete ${made}?`).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("table", { name: "Workflows" }).waitFor();
    await until("it is listed: 0", async () => (await page.getByRole("link", { name: made }).count()) === 0);
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, the list, a workflow and its node fit", async () => {
    await open("1/workflows");
    await page.getByRole("button", { name: "New workflow" }).waitFor();
    await page.getByRole("link", { name: "order-numbers" }).click();
    await page.getByRole("heading", { name: "order-numbers", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    await page.getByRole("table", { name: "Nodes" }).getByRole("link").first().click();
    await page.getByRole("complementary").filter({ has: page.getByRole("button", { name: "Close panel" }) }).waitFor();
    await fits();
    await accessible();
  });
  for (const title of ["Versions", "Compare", "Runs"]) {
    await step(`on a phone, ${title} fits`, async () => {
      await page.getByRole("tab", { name: title }).click();
      await until("loading has finished", async () => (await page.getByRole("status").filter({ hasText: "Loading" }).count()) === 0);
      await fits();
    });
  }
}, { width: 390, height: 844 });

other.close();

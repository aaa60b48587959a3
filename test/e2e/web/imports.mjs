// Settings → Imports: files are uploaded, mapped, checked and imported, and what they
// brought is deleted again. Prompts and requests are imported from a server, which is
// another workspace of the same one. It has its own workspaces, whose requests are counted.
import { readFile } from "node:fs/promises";
import { drive, equal, eventDuring, until } from "./browser.mjs";

let workspace;
let receiver;

/** A table with columns that have to be mapped. Each fourth row has no time. */
function table(rows) {
  const lines = ["Question,Reply,Which,When,Customer"];
  for (let row = 1; row <= rows; row++) lines.push(`Where is order ${row}?,It arrives tomorrow.,gpt-4o,${row % 4 === 0 ? "" : `2026-03-10T08:00:${String(row % 60).padStart(2, "0")}Z`},c${row}`);
  return lines.join("\n");
}

const logs = (rows) => Array.from({ length: rows }, (_, row) => JSON.stringify({
  provider: "openai", model: "gpt-4o", request_start_time: "2026-03-11T08:00:00Z", request_end_time: "2026-03-11T08:00:01Z",
  input: { type: "chat", messages: [{ role: "user", content: [{ type: "text", text: `Question ${row}` }] }] },
  output: { type: "chat", messages: [{ role: "assistant", content: [{ type: "text", text: "Answer" }] }] },
})).join("\n");

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api, address }) => {
  ({ workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `Imports ${Date.now()}` }));
  const here = api.inWorkspace(workspace);
  const dialog = page.getByRole("dialog", { name: /^Import/ });
  const rowOf = (text) => page.getByRole("table", { name: "Imports" }).getByRole("row").filter({ hasText: text });
  const found = async () => (await here.post("/api/public/v2/requests/search", {})).total;
  const choose = async (name, content) => {
    const chooser = await eventDuring(page, "filechooser", () => page.getByRole("button", { name: "Import file" }).click());
    await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  };

  await step("an empty workspace says what can be imported", async () => {
    await open(`${workspace}/settings/imports`);
    await page.getByText("No imports").waitFor();
    await accessible();
  });
  await step("columns of a table are mapped", async () => {
    await choose("orders.csv", table(40));
    await dialog.getByRole("alert").filter({ hasText: "No column is the model" }).waitFor();
    equal("a file without a model can be checked", await dialog.getByRole("button", { name: "Check all rows" }).isEnabled(), false);
    equal("recognised", await dialog.getByLabel("Field of Question").inputValue(), "input");
    await dialog.getByLabel("Field of Which").selectOption("model");
    await dialog.getByRole("table", { name: "First rows" }).getByText("Where is order 1?").waitFor();
    await dialog.getByLabel("Field of Reply").selectOption("output");
    await dialog.getByLabel("Field of When").selectOption("request_start_time");
    await dialog.getByLabel("Field of Customer").selectOption("metadata.Customer");
    await dialog.getByLabel("Provider").fill("openai");
    await dialog.getByLabel("Provider").press("Tab");
    const [{ id }] = (await here.get("/api/public/v2/imports")).items;
    await until("the server has the mapping", async () => {
      const { columns, defaults } = (await here.get(`/api/public/v2/imports/${id}`)).import;
      return columns["metadata.Customer"] === "Customer" && columns.output === "Reply" && columns.model === "Which" && defaults.provider === "openai";
    });
    await dialog.getByRole("table", { name: "First rows" }).getByText("valid").first().waitFor();
    await accessible();
    await shot("settings-import-columns");
  });
  await step("the check lists refused rows, and nothing is written", async () => {
    await dialog.getByRole("button", { name: "Check all rows" }).click();
    await dialog.getByText("10 rows refused: not valid").waitFor();
    await dialog.getByRole("table", { name: "Rows with a remark" }).getByText("refused").first().waitFor();
    equal("import without skipping", await dialog.getByRole("button", { name: "Import 30 requests" }).isEnabled(), false);
    equal("requests", await found(), 0);
    await accessible();
    await inDark(accessible);
    await shot("settings-import-check");
    const file = await eventDuring(page, "download", () => dialog.getByRole("link", { name: "Report as CSV" }).click());
    const report = (await readFile(await file.path(), "utf8")).trim().split("\n");
    equal("lines of the report", report.length, 11);
  });
  await step("the other rows are imported", async () => {
    await dialog.getByLabel("Skip rows that are refused").check();
    await dialog.getByRole("button", { name: "Import 30 requests" }).click();
    await dialog.getByText("30 requests imported").waitFor();
    await until("they are found", async () => (await found()) === 30);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await rowOf("orders.csv").getByText("done").waitFor();
    await shot("settings-imports");
    await accessible();
  });
  await step("the same file is not imported twice by mistake", async () => {
    expect(/status 409/);
    await choose("again.csv", table(40));
    const newest = async () => (await here.get("/api/public/v2/imports")).items[0];
    await until("the upload has begun", async () => (await newest()).file_name === "again.csv");
    const { id } = await newest();
    // A reload before that would end the upload and leave no window open.
    await dialog.getByRole("button", { name: "Check all rows" }).waitFor();
    await here.patch(`/api/public/v2/imports/${id}`, { columns: { input: "Question", model: "Which", request_start_time: "When" }, defaults: { provider: "openai" } });
    await page.reload();
    // Another browser does not know whether the whole file was uploaded.
    const chooser = await eventDuring(page, "filechooser", () => dialog.getByRole("button", { name: "Choose again.csv" }).click());
    await chooser.setFiles({ name: "again.csv", mimeType: "text/plain", buffer: Buffer.from(table(40)) });
    await dialog.getByRole("button", { name: "Check all rows" }).click();
    await dialog.getByLabel("Skip rows that are refused").check();
    await dialog.getByRole("button", { name: "Import 30 requests" }).click();
    await dialog.getByRole("alert").filter({ hasText: "was imported before" }).waitFor();
    await dialog.getByLabel("Import it again").waitFor();
    equal("requests", await found(), 30);
    await dialog.getByRole("button", { name: "Close" }).first().click();
  });
  await step("an import is deleted from the list", async () => {
    await page.getByRole("button", { name: /^Actions for import/ }).first().click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await until("it is gone", async () => (await rowOf("again.csv").count()) === 0);
  });
  await step("a dropped file is recognised, and its requests are shown", async () => {
    const transfer = await page.evaluateHandle((text) => {
      const made = new DataTransfer();
      made.items.add(new File([text], "logs.jsonl"));
      return made;
    }, logs(25));
    await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await dialog.getByText("Recognised: Promptuary").waitFor({ state: "attached" });
    await dialog.getByRole("button", { name: "Check all rows" }).click();
    await dialog.getByRole("button", { name: "Import 25 requests" }).click();
    await dialog.getByText("25 requests imported").waitFor();
    await dialog.getByRole("link", { name: "Show requests" }).click();
    await page.getByText("Question 24").first().waitFor();
  });
  await step("what an import has brought is deleted", async () => {
    await open(`${workspace}/settings/imports`);
    await page.getByRole("button", { name: /^orders\.csv/ }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Delete imported requests" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete 30 requests?" });
    await question.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("30 of 30 requests deleted").waitFor();
    await until("only the others are left", async () => (await found()) === 25);
  });
  const { workspace: { id: source } } = await api.post("/api/admin/workspaces", { name: `Source ${Date.now()}` });
  ({ workspace: { id: receiver } } = await api.post("/api/admin/workspaces", { name: `Receiver ${Date.now()}` }));
  const there = api.inWorkspace(source);
  const { api_key: key } = await there.post("/api/admin/keys", { name: "imports" });
  const message = (text) => ({ role: "user", content: [{ type: "text", text }] });
  for (const [text, labels] of [["Hello", ["prod"]], ["Good morning", []]]) {
    await there.post("/rest/prompt-templates", { prompt_template: { prompt_name: "greet" }, prompt_version: { prompt_template: { type: "chat", messages: [message(text)] } }, release_labels: labels });
  }
  for (const row of logs(2).split("\n")) await there.post("/log-request", JSON.parse(row));
  const prompts = async () => (await api.inWorkspace(receiver).get("/prompt-templates")).items;
  const connect = async (apiKey) => {
    await page.getByRole("button", { name: "Import from server" }).click();
    equal("a server without a key can be checked", await dialog.getByRole("button", { name: "Check" }).isEnabled(), false);
    await dialog.getByLabel("Address").fill(address);
    await dialog.getByLabel("API key").fill(apiKey);
  };
  await step("a server that cannot be read is said to", async () => {
    await open(`${receiver}/settings/imports`);
    await connect("pl_wrong");
    await accessible();
    await inDark(accessible);
    await shot("settings-import-server");
    await dialog.getByRole("button", { name: "Check" }).click();
    await dialog.getByRole("alert").filter({ hasText: "The server refuses the API key" }).waitFor();
    await accessible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: /^Actions for import/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No imports").waitFor();
  });
  await step("the check of a server lists what would come, and nothing is written", async () => {
    await connect(key);
    await dialog.getByLabel("API key").press("Enter");
    await dialog.getByText("3 of 3 items can be imported").waitFor();
    equal("prompts", (await prompts()).length, 0);
    await accessible();
    await shot("settings-import-server-check");
  });
  await step("prompts and requests of a server are imported", async () => {
    await dialog.getByRole("button", { name: "Import 3 items" }).click();
    await dialog.getByText("3 of 3 items imported").waitFor();
    equal("prompts", (await prompts()).map(({ prompt_name: name, version }) => `${name} ${version}`), ["greet 2"]);
    await dialog.getByRole("link", { name: "Show requests" }).click();
    await page.getByText("Question 1").first().waitFor();
  });
  await step("what exists is left out", async () => {
    await open(`${receiver}/settings/imports`);
    await connect(key);
    await dialog.getByLabel("Requests", { exact: true }).uncheck();
    await dialog.getByRole("button", { name: "Check" }).click();
    await dialog.getByText("1 item left out: already in this workspace").waitFor();
    await dialog.getByRole("table", { name: "Items with a remark" }).getByText("greet").waitFor();
    equal("nothing can be imported", await dialog.getByRole("button", { name: "Nothing to import" }).isEnabled(), false);
    await accessible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await shot("settings-imports-server");
  });
  await step("an import that does not exist is said to", async () => {
    expect(/status 404/);
    await open(`${workspace}/settings/imports?entry=999999`);
    await dialog.getByText("Import not found").waitFor();
  });
  await step("a list that cannot be loaded can be tried again", async () => {
    expect(/status 503/);
    await page.route("**/api/public/v2/imports?*", (route) => route.fulfill({ status: 503, contentType: "application/json", body: '{"message": "The server is busy"}' }));
    await open(`${workspace}/settings/imports`);
    await page.getByText("The server is busy").waitFor();
    await page.unroute("**/api/public/v2/imports?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await rowOf("orders.csv").waitFor();
  });
  await step("without the permission, the page says what is missing", async () => {
    await page.route("**/api/admin/session", async (route) => {
      const answer = await route.fetch();
      const session = await answer.json();
      session.permissions = ["READ"];
      session.user.owner = false;
      await route.fulfill({ response: answer, json: session });
    });
    await open(`${workspace}/settings/imports`);
    await page.getByText("Access denied").waitFor();
    await page.getByText("MANAGE_DATA").waitFor();
    equal("buttons", await page.getByRole("button", { name: "Import file" }).count(), 0);
  });
});

await drive(async ({ page, step, open, fits, accessible, shot }) => {
  await step("on a phone, the list and the dialog fit", async () => {
    await open(`${workspace}/settings/imports`);
    await page.getByRole("button", { name: /^orders\.csv/ }).click();
    await page.getByRole("dialog", { name: /^Import/ }).getByText("30 requests imported").waitFor();
    await fits();
    await accessible();
    await shot("settings-import-phone");
  });
  await step("on a phone, a server can be chosen", async () => {
    await open(`${receiver}/settings/imports`);
    await page.getByRole("button", { name: "Import from server" }).click();
    await page.getByRole("dialog", { name: "Import from a server" }).getByLabel("Address").waitFor();
    await fits();
    await accessible();
    await shot("settings-import-server-phone");
  });
}, { width: 390, height: 844 });

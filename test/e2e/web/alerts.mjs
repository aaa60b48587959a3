// Alerts: an alert is made with a live preview, fires and tells a webhook, is edited,
// disabled and deleted; a budget shows its share and forecast; both have a history.
// It has its own workspace, and a receiver of its own on the loopback interface.
import { createServer } from "node:http";
import { drive, equal, logRequest, until } from "./browser.mjs";

const received = [];
const receiver = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    received.push(JSON.parse(Buffer.concat(parts).toString()));
    response.writeHead(204).end();
  });
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
let workspace;

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  const dialog = (name) => page.getByRole("dialog", { name });
  const rowOf = (text) => page.getByRole("table", { name: "Alerts" }).getByRole("row").filter({ hasText: text });
  const choose = async (name, item) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  ({ workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `Alerts ${Date.now()}` }));
  const here = api.inWorkspace(workspace);
  const { api_key: key } = await here.post("/api/admin/keys", { name: "alerts" });
  const stored = async () => (await here.get("/api/public/v2/alerts")).alerts;
  const notices = () => received.map(({ details }) => [details.alert_name, details.notice]);
  await here.post("/api/public/v2/webhooks", { name: "Chat", url: `http://127.0.0.1:${receiver.address().port}/`, events: ["alert"] });
  await logRequest({ key, price: 0.75 });
  await logRequest({ key, price: 0.75, status: "ERROR", error_type: "PROVIDER_ERROR", error_message: "no" });

  await step("an empty page says what alerts are for", async () => {
    await open(`${workspace}/alerts`);
    await page.getByText("An alert watches the error rate").waitFor();
    await accessible();
  });
  await step("the preview shows what an alert would find", async () => {
    await page.getByRole("button", { name: "New alert" }).first().click();
    const form = dialog("New alert");
    equal("an alert without a threshold can be created", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    await form.getByLabel("Name").fill("Errors");
    await form.getByLabel("Threshold (%)").fill("x");
    await form.getByText("Enter a number").waitFor();
    await form.getByLabel("Threshold (%)").fill("10");
    const preview = form.getByRole("region", { name: "Preview" });
    await preview.getByText("50%").waitFor();
    await preview.getByText("firing").waitFor();
    await preview.getByText("1 of the last 12 would have fired").first().waitFor();
    await accessible();
    await shot("alert-new");
  });
  await step("a new alert fires and tells the webhook", async () => {
    await dialog("New alert").getByRole("button", { name: "Create" }).click();
    await rowOf("Errors").getByText("firing").waitFor();
    await rowOf("Errors").getByText("Error rate above 10% in 15 minutes").waitFor();
    await until("the message arrives", () => notices().length === 1);
    equal("messages", notices(), [["Errors", "firing"]]);
  });
  await step("a name that is taken is refused", async () => {
    expect(/status 409/);
    await page.getByRole("button", { name: "New alert" }).click();
    const form = dialog("New alert");
    await form.getByLabel("Name").fill("Errors");
    await form.getByLabel("Threshold (%)").fill("10");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByText("already exists").waitFor();
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });
  await step("editing an alert resolves it", async () => {
    await choose("Errors", "Edit");
    const form = dialog("Errors");
    equal("the threshold", await form.getByLabel("Threshold (%)").inputValue(), "10");
    await form.getByLabel("Threshold (%)").fill("60");
    await form.getByRole("region", { name: "Preview" }).getByText("ok").waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await rowOf("Errors").getByText("ok", { exact: true }).waitFor();
    await until("the message arrives", () => notices().length === 2);
    equal("messages", notices().at(-1), ["Errors", "resolved"]);
  });
  await step("the history has both states, also by URL", async () => {
    await page.getByRole("button", { name: "Errors", exact: true }).focus();
    await page.keyboard.press("Enter");
    const history = dialog("History of Errors");
    await until("both changes", async () => (await history.getByRole("table", { name: "Changes" }).getByRole("row").count()) === 3);
    await history.getByText("50%").first().waitFor();
    await accessible();
    await page.reload();
    await dialog("History of Errors").getByText("firing").waitFor();
    await page.keyboard.press("Escape");
    await until("the URL has no alert", () => !page.url().includes("alert="));
  });
  await step("a budget shows its share of the amount", async () => {
    await page.getByRole("button", { name: "New budget" }).click();
    const form = dialog("New budget");
    await form.getByLabel("Name").fill("Daily budget");
    await form.getByLabel("Amount ($)").fill("2");
    await form.getByLabel("Per calendar").selectOption("day");
    await form.getByLabel("Messages at (%)").fill("80, 50");
    await form.getByText("ascending").waitFor();
    await form.getByLabel("Messages at (%)").fill("50, 80");
    await form.getByLabel("API key").selectOption("alerts");
    await form.getByRole("region", { name: "Preview" }).getByText("50% reached").waitFor();
    await accessible();
    await shot("alert-budget");
    await form.getByRole("button", { name: "Create" }).click();
    await rowOf("Daily budget").getByText("50% reached").waitFor();
    await rowOf("Daily budget").getByText("$1.50").waitFor();
    await until("the message arrives", () => notices().length === 3);
    equal("the level", received.at(-1).details.level_percent, 50);
    if (!JSON.stringify(await stored()).includes('"api_key"')) throw new Error("the budget is not for one key");
    await shot("alerts");
    await accessible();
    await inDark(accessible);
  });
  await step("an alert begins with the query of the requests", async () => {
    await open(`${workspace}/requests?q=status%3Aerror`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Create alert" }).click();
    const form = dialog("New alert");
    await form.getByText("error").first().waitFor();
    await form.getByLabel("Name").fill("Failed requests");
    await form.getByLabel("Measure").selectOption({ label: "Number of requests" });
    await form.getByLabel("Threshold").fill("5");
    await form.getByRole("region", { name: "Preview" }).getByText("1 requests").waitFor();
    await form.getByRole("button", { name: "Create" }).click();
    await rowOf("Failed requests").waitFor();
    const { query } = (await stored()).find(({ name }) => name === "Failed requests");
    equal("the query", query.filter_group.filters.map(({ field }) => field), ["status"]);
    await choose("Failed requests", "Edit");
    await dialog("Failed requests").getByRole("button", { name: /status/ }).first().waitFor();
    await page.keyboard.press("Escape");
  });
  await step("alerts are disabled and deleted, and the audit log has all of it", async () => {
    await choose("Failed requests", "Disable");
    await rowOf("Failed requests").getByText("disabled").waitFor();
    await choose("Failed requests", "Enable");
    await rowOf("Failed requests").getByText("ok", { exact: true }).waitFor();
    await choose("Failed requests", "Delete");
    await page.getByRole("alertdialog", { name: "Delete Failed requests?" }).getByRole("button", { name: "Delete" }).click();
    await until("it has left the list", async () => (await rowOf("Failed requests").count()) === 0);
    await open(`${workspace}/settings/audit?kind=ALERT`);
    for (const action of ["create", "change", "delete"]) await page.getByRole("table", { name: "Audit log" }).getByRole("row").filter({ hasText: action }).first().waitFor();
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, the list, the dialog and the history fit", async () => {
    await open(`${workspace}/alerts`);
    await page.getByRole("button", { name: "Actions for Errors" }).waitFor();
    await fits();
    await accessible();
    await page.getByRole("button", { name: "New alert" }).click();
    await page.getByRole("dialog", { name: "New alert" }).waitFor();
    await fits();
    await accessible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Errors", exact: true }).click();
    await page.getByRole("dialog", { name: "History of Errors" }).getByText("firing").waitFor();
    await fits();
  });
}, { width: 390, height: 844 });

receiver.close();

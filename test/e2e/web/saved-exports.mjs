// Settings → Exports: an export of a search is scheduled from the page of requests,
// runs, shows its history, and is changed and deleted. Its target is a folder that the
// server allows.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { drive, equal, logRequest, until } from "./browser.mjs";

const area = `saved-${Date.now().toString(36)}`;
const folder = join(process.env.WEB_EXPORT_FOLDER, area);

await drive(async ({ page, step, open, accessible, inDark, fits, shot, expect, api }) => {
  const form = page.getByRole("dialog", { name: "New export" });
  const row = page.getByRole("table", { name: "Exports" }).getByRole("row").filter({ hasText: area });
  const choose = async (item) => {
    await page.getByRole("button", { name: `Actions for ${area}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const stored = async () => (await api.get("/api/public/v2/exports")).exports.find(({ name }) => name === area);
  const isDone = (rows) => until(`a run with ${rows} rows is done`, async () => { const { last_run: run } = await stored(); return run?.state === "done" && run.rows === rows; });

  for (const name of ["first", "second"]) await logRequest({ tags: [area], function_name: name });

  await step("the export of a search can be scheduled", async () => {
    await open(`1/requests?${new URLSearchParams({ q: `tag:${area}`, range: "all" })}`);
    await page.getByRole("status").filter({ hasText: /^2 requests/ }).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Export…" }).click();
    await page.getByRole("link", { name: "Schedule this export…" }).click();
    await form.waitFor();
    await form.getByLabel("Name", { exact: true }).fill(area);
    await accessible();
    await inDark(accessible);
  });
  await step("a folder that is not allowed is refused", async () => {
    expect(/status 422/);
    await form.getByLabel("Target", { exact: true }).fill("/etc/exports");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByRole("alert").waitFor();
    equal("it is stored", await stored(), undefined);
  });
  await step("a daily export of what is new is created", async () => {
    await form.getByLabel("Target", { exact: true }).fill(folder);
    await form.getByRole("button", { name: "Daily", exact: true }).click();
    await form.getByLabel("Hour", { exact: true }).fill("25");
    equal("an hour that is none can be saved", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    await form.getByLabel("Hour", { exact: true }).fill("3");
    await form.getByLabel("Minute", { exact: true }).fill("30");
    await form.getByRole("checkbox", { name: /Only what is new/ }).check();
    await shot("settings-export");
    await form.getByRole("button", { name: "Create" }).click();
    await form.waitFor({ state: "detached" });
    await row.waitFor();
    const { schedule, incremental } = await stored();
    equal("the schedule", [schedule.every, schedule.hour, schedule.minute], ["daily", 3, 30]);
    equal("it is incremental", incremental, true);
  });
  await step("a run writes what the search finds", async () => {
    await choose("Run now");
    await isDone(2);
    await row.getByText("2 rows").waitFor();
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
    equal("the number of files", files.length, 1);
    const lines = (await readFile(join(folder, files[0]), "utf8")).trim().split("\n").map((line) => JSON.parse(line).function_name);
    equal("the requests", lines, ["first", "second"]);
    await accessible();
    await shot("settings-exports");
  });
  await step("the next run has only what is new", async () => {
    await logRequest({ tags: [area], function_name: "third" });
    await choose("Run now");
    await isDone(1);
  });
  await step("the history shows both runs", async () => {
    await choose("Show history");
    const history = page.getByRole("dialog", { name: `Runs of ${area}` });
    await until("two runs are done", async () => (await history.getByText("done", { exact: true }).count()) === 2);
    await accessible();
    await page.keyboard.press("Escape");
    await history.waitFor({ state: "detached" });
  });
  await step("it can be disabled and renamed", async () => {
    await choose("Disable");
    await until("it is disabled", async () => !(await stored()).enabled);
    await row.getByText("disabled", { exact: true }).waitFor();
    await choose("Edit");
    const edit = page.getByRole("dialog", { name: `Export ${area}` });
    await edit.getByLabel("Name", { exact: true }).fill(`${area} archive`);
    await edit.getByRole("button", { name: "Save" }).click();
    await row.getByText(`${area} archive`).waitFor();
  });
  await step("the export of the audit log can be scheduled, too", async () => {
    const name = `${area} audit`;
    await open("1/settings/audit?action=export");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("link", { name: "Schedule this export…" }).click();
    await form.waitFor();
    equal("what", await form.getByLabel("What", { exact: true }).inputValue(), "audit");
    await form.getByText("1 filter").waitFor();
    await form.getByLabel("Name", { exact: true }).fill(name);
    await form.getByLabel("Target", { exact: true }).fill(join(folder, "audit"));
    await form.getByRole("button", { name: "Once", exact: true }).click();
    await form.getByRole("checkbox", { name: /Only what is new/ }).check();
    await accessible();
    await shot("settings-export-audit");
    await form.getByRole("button", { name: "Create" }).click();
    const saved = async () => (await api.get("/api/public/v2/exports")).exports.find((one) => one.name === name);
    await until("the run is done", async () => (await saved())?.last_run?.state === "done");
    const files = (await readdir(join(folder, "audit"))).filter((file) => file.startsWith("audit-"));
    const lines = (await readFile(join(folder, "audit", files[0]), "utf8")).trim().split("\n").map((line) => JSON.parse(line).action);
    equal("the actions", [...new Set(lines)], ["export"]);
  });
  await step("it fits on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await fits();
    await accessible();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await step("it is deleted", async () => {
    await page.getByRole("button", { name: `Actions for ${area} archive` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await row.filter({ hasNotText: "audit" }).waitFor({ state: "detached" });
  });
});

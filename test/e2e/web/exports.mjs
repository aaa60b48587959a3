// Exports: the dialog on requests, traces, datasets and the audit log, and the files
// that the browser saves.
import { readFile } from "node:fs/promises";
import { drive, equal, eventDuring, logRequest, until } from "./browser.mjs";

const area = `exports-${Date.now().toString(36)}`;

await drive(async ({ page, step, open, accessible, inDark, fits, shot, api }) => {
  const dialog = page.getByRole("dialog", { name: /^Export / });
  const chooseFormat = (name) => dialog.getByRole("button", { name, exact: true }).click();
  /** Saves the file of the dialog, and returns its name and text. */
  const save = async () => {
    const file = await eventDuring(page, "download", () => dialog.getByRole("link", { name: "Export", exact: true }).click());
    equal("the failure of the download", await file.failure(), null);
    await dialog.waitFor({ state: "detached" });
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const openDialog = async () => {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Export…" }).click();
    await dialog.waitFor();
  };
  const search = () => api.post("/api/public/v2/requests/search", { filters: [{ field: "tags", operator: "contains", value: area }], page: 1, per_page: 1 });

  for (const name of ["=first()", "second", "third"]) await logRequest({ tags: [area], function_name: name });
  await until("the requests are in the log", async () => (await search()).total === 3);

  await step("the dialog says how many requests it exports", async () => {
    await open(`1/requests?${new URLSearchParams({ q: `tag:${area}`, range: "all" })}`);
    await page.getByRole("status").filter({ hasText: /^3 requests/ }).waitFor();
    await openDialog();
    await dialog.getByText("Exports 3 requests that match the filters.").waitFor();
    await accessible();
    await inDark(accessible);
    await shot("export");
  });
  await step("JSON lines have every request with its bodies", async () => {
    const { name, text } = await save();
    equal("the name of the file", name, "request-logs.jsonl");
    const lines = text.trim().split("\n").map((line) => JSON.parse(line));
    equal("the requests", lines.map((line) => line.function_name), ["=first()", "second", "third"]);
    equal("an input", lines[0].input.messages[0].content[0].text, "Where is my order?");
  });
  await step("chosen columns are written as CSV, without formulas", async () => {
    await openDialog();
    await chooseFormat("CSV");
    await dialog.getByRole("button", { name: "Clear", exact: true }).click();
    await dialog.getByText("Choose at least one column.").waitFor();
    if (!(await dialog.getByRole("button", { name: "Export", exact: true }).isDisabled())) throw new Error("an export without columns is possible");
    for (const column of ["status", "function_name"]) await dialog.getByRole("checkbox", { name: column, exact: true }).check();
    const { name, text } = await save();
    equal("the name of the file", name, "request-logs.csv");
    equal("the table", text, "function_name,status\n'=first(),SUCCESS\nsecond,SUCCESS\nthird,SUCCESS\n");
  });
  await step("the names of all columns are those of the server", async () => {
    await openDialog();
    await chooseFormat("CSV");
    const names = await dialog.getByRole("listitem").allInnerTexts();
    const { text } = await save();
    equal("the columns", text.split("\n")[0].split(","), names.map((name) => name.trim()));
  });
  await step("traces are exported as spans", async () => {
    const at = Date.now() * 1e6;
    const span = (id) => ({ name: `span ${id}`, context: { trace_id: area, span_id: id }, kind: "SpanKind.INTERNAL", start_time: at, end_time: at + 1e6, status: { status_code: "StatusCode.OK" }, attributes: {}, resource: { attributes: {} } });
    await api.post("/spans-bulk", { spans: [span("a"), span("b")] });
    await open(`1/traces?${new URLSearchParams({ q: `trace_id:${area}`, range: "all" })}`);
    await page.getByRole("status").filter({ hasText: /^1 trace/ }).waitFor();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByText("Exports 1 trace that matches the filters.").waitFor();
    await accessible();
    await chooseFormat("CSV");
    const names = await dialog.getByRole("listitem").allInnerTexts();
    const { text } = await save();
    equal("the columns of spans", text.split("\n")[0].split(","), names.map((name) => name.trim()));
    equal("the number of spans", text.trim().split("\n").length, 3);
  });
  await step("a dataset is exported", async () => {
    const { dataset_group: group } = await api.post("/api/public/v2/dataset-groups", { name: area });
    await api.post("/api/public/v2/dataset-versions/from-file", { dataset_group_id: group.id, file_name: "a.csv", file_content_base64: Buffer.from("question,answer\n1+1,2\n").toString("base64") });
    await open(`1/datasets/${group.id}`);
    await page.getByRole("button", { name: `Actions for ${area}` }).click();
    await page.getByRole("menuitem", { name: "Export…" }).click();
    await dialog.getByText("Exports all rows.").waitFor();
    await chooseFormat("CSV");
    const { name, text } = await save();
    equal("the name of the file", name, `${area}.csv`);
    equal("the rows", text, "question,answer\n1+1,2\n");
  });
  await step("on a phone, the dialog fits", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`1/requests?${new URLSearchParams({ q: `tag:${area}`, range: "all" })}`);
    await page.getByRole("status").filter({ hasText: /^3 requests/ }).waitFor();
    await openDialog();
    await fits();
    await accessible();
    await shot("export-phone");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
});

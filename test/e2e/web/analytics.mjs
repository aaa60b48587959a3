// Analytics: totals, charts and rankings of the query; filtering by dragging and
// clicking; custom charts on a dashboard.
import { drive, equal, until } from "./browser.mjs";

const name = "Analytics of the team";
const began = Date.now();
// Demo data only, without requests logged in the meantime.
const time = { from: new Date(began - 20 * 86_400_000).toISOString(), to: new Date(began - 600_000).toISOString() };
let dashboard;

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const address = (state) => `1/analytics?${new URLSearchParams(state)}`;
  const held = (member) => new URL(page.url()).searchParams.get(member);
  const pill = (words) => page.getByRole("button", { name: `Edit filter ${words}`, exact: true });
  const card = (title) => page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  const chart = (title) => page.getByRole("img", { name: new RegExp(`^${title}, over time`) });
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const total = async (...filters) => (await api.post("/api/public/v2/requests/search", {
    filter_group: { logic: "AND", filters: [{ field: "request_start_time", operator: "between", value: [held("from") ?? time.from, held("to") ?? time.to] }, ...filters] }, page: 1, per_page: 1,
  })).total;
  const requests = () => page.getByRole("definition").first().getAttribute("title");
  const shows = (wanted) => until(`${wanted} requests`, async () => (await requests()) === wanted.toLocaleString("en-US"));
  const drag = async (box, from, to) => {
    await page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 8 });
    await page.mouse.up();
  };

  // An earlier run may have left its own.
  for (const left of (await api.get("/api/public/v2/dashboards")).dashboards) if (left.name === name) await api.delete(`/api/public/v2/dashboards/${left.id}`);

  await step("totals, charts and rankings are shown", async () => {
    await open(address(time));
    await shows(await total());
    for (const title of ["Requests", "Cost by model", "Latency", "Tokens", "Errors by type", "Tool calls"]) await chart(title).waitFor();
    for (const title of ["Models", "Providers", "Prompts", "Tags", "Error types", "Tools", "Metadata keys", "Metadata values"]) await card(title).waitFor();
    await page.getByRole("img", { name: /^Latency, over time: p50, p90, p95, p99/ }).waitFor();
    await accessible();
    await shot("analytics");
    await inDark(accessible);
  });
  await step("the charts share the crosshair", async () => {
    const box = await chart("Requests").boundingBox();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
    await until("several charts show the values at the crosshair", async () => (await page.getByText("Total").count()) >= 2);
    await page.mouse.move(0, 0);
  });
  await step("a chart is shown as a table", async () => {
    await card("Requests").getByRole("button", { name: "Show as table" }).click();
    await card("Requests").getByRole("table").waitFor();
    await accessible();
    await card("Requests").getByRole("button", { name: "Show as chart" }).click();
  });
  /** The headers of a chart as a table, and the sums of its columns. */
  const columns = async (title) => {
    await card(title).getByRole("button", { name: "Show as table" }).click();
    const cells = await card(title).getByRole("row").evaluateAll((rows) => rows.map((row) => [...row.cells].map(({ innerText }) => innerText)));
    await card(title).getByRole("button", { name: "Show as chart" }).click();
    const [heads, ...rest] = cells;
    return heads.slice(1).map((head, at) => [head, rest.reduce((sum, row) => sum + Number(row[at + 1]), 0)]);
  };
  const added = (all) => all.reduce((sum, [, value]) => sum + value, 0);
  await step("the parts of a stack add up to the total", async () => {
    for (const days of [6, 20]) {
      await open(address({ ...time, from: new Date(began - days * 86_400_000).toISOString(), by: "prompt_id" }));
      await shows(await total());
      await chart("Requests").waitFor();
      const parts = await columns("Requests");
      if (!parts.some(([head]) => /^others \(\d+\)$/.test(head))) throw new Error(`no others among ${parts.map(([head]) => head)}`);
      equal("the requests of all parts", added(parts), await total());
    }
    await page.getByText(/^5 of \d+ shown\.$/).waitFor();
  });
  await step("the error types add up to the errors", async () => {
    await open(address(time));
    const errors = await total({ field: "status", operator: "is", value: "ERROR" });
    await page.getByRole("definition").filter({ hasText: new RegExp(`(^|\\D)${errors} requests$`) }).waitFor();
    await chart("Errors by type").waitFor();
    equal("the errors of all types over time", added(await columns("Errors by type")), errors);
    const listed = await card("Error types").getByRole("listitem").allInnerTexts();
    equal("the errors of all types", listed.reduce((sum, text) => sum + Number(text.trim().split(/\s+/).at(-1)), 0), errors);
  });
  await step("dragging zooms in, and a button zooms out", async () => {
    await chart("Requests").scrollIntoViewIfNeeded();
    await drag(await chart("Requests").boundingBox(), 0.4, 0.6);
    await until("the time is narrower", () => held("from") > time.from && held("to") < time.to);
    await shows(await total());
    await page.getByRole("button", { name: "Zoom out" }).click();
    await until("the time is as before", () => held("from") === time.from && held("to") === time.to);
  });
  await step("clicking a part adds it to the query", async () => {
    await card("Providers").getByRole("button", { name: /^openai / }).click();
    await pill("provider: openai").waitFor();
    await shows(await total({ field: "provider_type", operator: "is", value: "openai" }));
    await card("Error types").getByRole("button").filter({ hasText: "PROVIDER" }).first().click();
    await until("both are in the address", () => /provider:openai error:/.test(held("q") ?? ""));
    await page.goBack();
    await pill("provider: openai").waitFor();
    equal("the address", held("q"), "provider:openai");
  });
  await step("the link shows the requests of the query", async () => {
    await page.getByRole("link", { name: "View requests" }).click();
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await pill("provider: openai").waitFor();
    equal("the time", held("from"), time.from);
    await page.goBack();
    await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  });
  await step("charts are split by a chosen field", async () => {
    await page.getByLabel("Split by").selectOption("Provider");
    await page.getByRole("img", { name: /^Requests, over time: .*openai/ }).waitFor();
    equal("the address", held("by"), "provider_type");
    await page.getByRole("button", { name: "Cost", exact: true }).click();
    await until("the rankings are by cost", async () => /\$/.test(await card("Models").getByRole("listitem").first().innerText()));
    equal("the address", held("rank"), "cost");
    await accessible();
  });
  await step("a custom chart is added to a new dashboard", async () => {
    await open(address(time));
    await page.getByRole("button", { name: "New chart" }).click();
    const editor = dialog("New chart");
    await editor.getByLabel("Title").fill("Requests by provider");
    await editor.getByLabel("Chart type").selectOption("Donut");
    await editor.getByLabel("Split by").selectOption("Provider");
    await editor.getByRole("img", { name: "Requests by provider" }).waitFor();
    await accessible();
    await editor.getByLabel("Dashboard", { exact: true }).selectOption("New dashboard");
    await editor.getByLabel("Dashboard name").fill(name);
    await editor.getByRole("button", { name: "Add to dashboard" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    dashboard = Number(new URL(page.url()).pathname.split("/").at(-1));
    const { charts } = await api.get(`/api/public/v2/dashboards/${dashboard}`).then((answer) => answer.dashboard ?? answer);
    equal("what is stored", charts.map(({ title, chartType, groupByField }) => [title, chartType, groupByField]), [["Requests by provider", "donut", "provider_type"]]);
  });
  await step("charts of the overview are added to a dashboard and stored", async () => {
    for (const title of ["Cost by model", "Latency", "Errors by type"]) {
      await open(address(time));
      await page.getByRole("button", { name: `Add “${title}” to a dashboard` }).click();
      await dialog("New chart").getByLabel("Dashboard", { exact: true }).selectOption(name);
      await dialog("New chart").getByRole("button", { name: "Add to dashboard" }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await chart(title).waitFor();
    }
    await page.reload();
    await chart("Cost by model").waitFor();
    await page.getByRole("img", { name: "Requests by provider" }).waitFor();
    await accessible();
    await shot("dashboard");
    await inDark(accessible);
  });
  await step("clicking a slice filters the whole dashboard", async () => {
    await card("Requests by provider").getByRole("button", { name: /^anthropic/ }).click();
    await pill("provider: anthropic").waitFor();
    await page.getByRole("button", { name: "Save query" }).click();
    await open(`1/dashboards/${dashboard}`);
    await pill("provider: anthropic").waitFor();
  });
  await step("a chart is edited and removed", async () => {
    await page.getByRole("button", { name: "Actions for Requests by provider" }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await dialog("Edit chart").getByLabel("Title").fill(`${name} renamed`);
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").getByText("Your changes to this chart will be lost.").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await dialog("Edit chart").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: `Actions for ${name} renamed` }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByRole("alertdialog").getByText(`${name} renamed`).first().waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await card(`${name} renamed`).waitFor({ state: "hidden" });
  });
  await step("the dashboard is listed in the menu and deleted", async () => {
    await open("1/analytics");
    await page.getByRole("button", { name: "Dashboards" }).click();
    await page.getByRole("navigation", { name: "Dashboards" }).getByRole("link", { name }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByRole("button", { name: "Dashboard actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByText(name).first().waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  });
  await step("an empty result is reported", async () => {
    await open("1/analytics?q=tag:nobody-uses-this");
    await page.getByText(/no matching request/i).first().waitFor();
    await accessible();
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("analytics fits on a phone", async () => {
    await open("1/analytics?range=7d");
    await page.getByRole("img", { name: /^Requests, over time/ }).waitFor();
    await fits();
    await accessible();
    await page.getByRole("button", { name: "New chart" }).click();
    await page.getByRole("dialog", { name: "New chart" }).getByRole("button", { name: "Add to dashboard" }).waitFor();
    await fits();
  });
}, { width: 390, height: 844 });

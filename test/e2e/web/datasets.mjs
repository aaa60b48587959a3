// Datasets: importing dropped files, reading rows in the grid, editing a draft and
// saving it as a version.
import { drive, equal, eventDuring, until } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const name = `datasets-${Date.now().toString(36)}`;
const rowCount = 1500;
const csv = ["question,expected,shelf", "\"Where is the \"\"rye\"\", please?\",\"upper, left\",3", ...Array.from({ length: rowCount - 1 }, (_, at) => `Where is jar ${at + 2}?,shelf ${at + 2},${at + 2}`)].join("\n");
let group;

/** Drags a file over the page. The returned function drops it. */
async function dragFile(page, fileName, type, content) {
  const transfer = await page.evaluateHandle(([label, kind, text]) => {
    const files = new DataTransfer();
    files.items.add(new File([text], label, { type: kind }));
    return files;
  }, [fileName, type, content]);
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  return () => page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const grid = page.getByRole("grid", { name: `Rows of ${name}` });
  const cell = (text) => grid.getByRole("gridcell", { name: text, exact: true });
  const bar = (words) => until(`“${words}”`, () => page.getByText(words).first().isVisible());
  const versions = async () => (await api.get(`/api/public/v2/datasets?dataset_group_id=${group}&per_page=100`)).datasets;
  const version = async (number) => (await versions()).find(({ version_number }) => version_number === number);
  const rowsOf = async (number) => {
    const answer = await api.get(`/api/public/v2/datasets/${(await version(number)).id}/rows?per_page=5`);
    return { ...answer, rows: answer.rows.map((row) => row.map(({ value }) => value)) };
  };
  const confirmed = async (words, action) => {
    const question = page.getByRole("alertdialog");
    await question.getByText(words).first().waitFor();
    await question.getByRole("button", { name: action, exact: true }).click();
  };

  await step("an unsupported file shows an error", async () => {
    await open("1/datasets");
    await page.getByRole("table", { name: "Datasets" }).waitFor();
    await accessible();
    await page.getByRole("link", { name: "Regression set" }).click();
    await page.getByRole("grid").getByRole("gridcell").first().waitFor();
    await accessible();
    await shot("dataset");
    await page.goBack();
    await page.getByRole("table", { name: "Datasets" }).waitFor();
    await (await dragFile(page, `${name}.pdf`, "application/pdf", "no table"))();
    await page.getByRole("alert").getByText("is not a CSV or JSON file").waitFor();
    equal("it can be imported", await dialog(`Import ${name}.pdf`).getByRole("button", { name: "Import" }).isEnabled(), false);
    await accessible();
    await page.keyboard.press("Escape");
  });
  await step("a dropped CSV file is imported with progress", async () => {
    const drop = await dragFile(page, `${name}.csv`, "text/csv", csv);
    await page.getByText("Drop a CSV or JSON file to import it").waitFor();
    await drop();
    const form = dialog(`Import ${name}.csv`);
    equal("the proposed name", await form.getByLabel("Name").inputValue(), name.replace("-", " "));
    await form.getByLabel("Name").fill(name);
    // Held until the bar was seen, because the file is small and the server fast.
    let letGo;
    const seen = new Promise((resolve) => { letGo = resolve; });
    await page.route("**/dataset-versions/from-file", async (route) => { await seen; await route.continue(); });
    await form.getByRole("button", { name: "Import" }).click();
    const share = (words) => form.getByRole("progressbar", { name: words }).getAttribute("aria-valuenow");
    await until("the file is read", async () => (await share("Reading file")) === "100");
    if ((await share("Creating version")) !== "0") throw new Error("the version is created before the upload");
    await accessible();
    letGo();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.unroute("**/dataset-versions/from-file");
    group = Number(new URL(page.url()).pathname.split("/").at(-1));
    await bar("1,500 rows · 3 columns");
    equal("rows that are stored", (await rowsOf(1)).total, rowCount);
  });
  await step("the grid shows the values", async () => {
    await cell("Where is the \"rye\", please?").waitFor();
    await cell("upper, left").waitFor();
    equal("the headings", (await grid.getByRole("columnheader").allInnerTexts()).slice(1), ["question", "expected", "shelf"]);
    await accessible();
    await inDark(accessible);
  });
  await step("the keyboard reaches the last row of the grid", async () => {
    await cell("upper, left").click();
    await page.getByRole("dialog", { name: "Row 1" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Row 1" }).waitFor({ state: "hidden" });
    await until("the focus is back in the grid", () => page.evaluate(() => document.activeElement?.getAttribute("role") === "gridcell"));
    await page.keyboard.press("Control+End");
    await cell("Where is jar 1500?").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Row 1500" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Previous row" }).click();
    await page.getByRole("dialog", { name: "Row 1499" }).getByText("Where is jar 1499?").waitFor();
    await accessible();
    await until("the URL contains the row", () => new URL(page.url()).searchParams.get("row") === "1499");
    await page.keyboard.press("Escape");
  });
  await step("values are searched", async () => {
    await page.getByLabel("Search values").fill("jar 77?");
    await bar("1 matching row · 3 columns");
    await cell("Where is jar 77?").waitFor();
    await page.getByLabel("Search values").fill("nothing has this");
    await page.getByText("No matching rows").waitFor();
    await page.getByLabel("Search values").fill("");
    await bar("1,500 rows · 3 columns");
  });
  await step("a draft is created from a version", async () => {
    await page.getByRole("button", { name: "New draft" }).click();
    await page.getByRole("menuitem", { name: "From version 1" }).click();
    await page.getByRole("button", { name: "Save as version" }).waitFor();
    await cell("upper, left").waitFor();
    await accessible();
  });
  await step("a cell of the draft is edited in place", async () => {
    await cell("upper, left").dblclick();
    await grid.getByLabel("expected of row 1").fill("lower, right");
    await page.keyboard.press("Enter");
    await cell("lower, right").waitFor();
    await cell("Where is jar 2?").dblclick();
    await grid.getByLabel("question of row 2").fill("never kept");
    await page.keyboard.press("Escape");
    await cell("Where is jar 2?").waitFor();
  });
  await step("columns and rows are added, a row is deleted", async () => {
    await page.getByRole("button", { name: "Add column", exact: true }).click();
    await page.getByLabel("Column name").fill("expected");
    await page.getByRole("alert").getByText("A column with this name already exists.").waitFor();
    await page.getByLabel("Column name").fill("note");
    await page.keyboard.press("Enter");
    await grid.getByRole("columnheader", { name: "note" }).waitFor();
    await page.getByRole("button", { name: "Add row", exact: true }).click();
    await grid.getByLabel("question of row 1501").fill("Where is the last jar?");
    await page.keyboard.press("Enter");
    await bar("1,501 rows · 4 columns");
    await page.keyboard.press("Control+Home");
    await grid.getByRole("checkbox", { name: "Select row 2", exact: true }).check();
    await page.getByRole("button", { name: "Delete 1 row" }).click();
    await confirmed("This deletes 1 row from the draft", "Delete");
    await bar("1,500 rows · 4 columns");
  });
  await step("the draft survives a reload and the version is unchanged", async () => {
    // The URL follows the visible rows with a delay.
    await until("the URL is at the first rows", () => !new URL(page.url()).searchParams.has("page"));
    await page.reload();
    await cell("lower, right").waitFor();
    await until("the second row is gone: 0", async () => (await cell("Where is jar 2?").count()) === 0);
    const kept = await rowsOf(1);
    equal("the first row of version 1", kept.rows[0], ["Where is the \"rye\", please?", "upper, left", "3"]);
    equal("columns of version 1", kept.columns, ["question", "expected", "shelf"]);
  });
  await step("the draft becomes version 2", async () => {
    await page.getByRole("button", { name: "Save as version" }).click();
    await confirmed("The draft with 1,500 rows becomes a version", "Save as version");
    await until("version 2 is shown", async () => (await page.getByLabel("Version").locator("option:checked").innerText()).startsWith("Version 2"));
    const saved = await rowsOf(2);
    equal("columns of version 2", saved.columns, ["question", "expected", "shelf", "note"]);
    equal("the changed cell", saved.rows[0][1], "lower, right");
    await page.getByLabel("Version").selectOption("Version 1");
    await cell("upper, left").waitFor();
  });
  await step("a JSON file becomes the next version", async () => {
    const chooser = await eventDuring(page, "filechooser", () => page.getByRole("button", { name: "Import file" }).click());
    await chooser.setFiles({ name: "jars.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify([{ question: "Where is the salt?", facts: { shelf: 4, dry: true } }, { question: "And the oil?" }])) });
    await dialog("Import jars.json").getByText("Creates version 3.").waitFor();
    await dialog("Import jars.json").getByRole("button", { name: "Import" }).click();
    await bar("2 rows · 2 columns");
    await cell("Where is the salt?").click();
    await page.getByRole("dialog", { name: "Row 1" }).getByText("dry").waitFor();
    equal("JSON stays JSON", (await rowsOf(3)).rows[0].find((value) => typeof value === "object"), { shelf: 4, dry: true });
    await page.keyboard.press("Escape");
  });
  await step("an invalid file shows the server's error", async () => {
    expect(/status 4(00|22): POST .*from-file/);
    await (await dragFile(page, "broken.json", "application/json", "[{\"question\": "))();
    await dialog("Import broken.json").getByRole("button", { name: "Import" }).click();
    await dialog("Import broken.json").getByRole("alert").waitFor();
    equal("no further version", (await versions()).filter(({ version_number }) => version_number > 3).length, 0);
    await page.keyboard.press("Escape");
  });
  await step("a refused file leaves no empty dataset", async () => {
    expect(/status 4(00|22): POST .*from-file/);
    await open("1/datasets");
    await page.getByRole("button", { name: "New dataset" }).waitFor();
    await (await dragFile(page, `${name}-broken.json`, "application/json", "[{\"question\": "))();
    const broken = dialog(`Import ${name}-broken.json`);
    await broken.getByRole("button", { name: "Import" }).click();
    await broken.getByRole("alert").waitFor();
    const { entities } = await api.get("/api/public/v2/folders/entities?filter_type=DATASET&flatten=true");
    equal("datasets of the file", entities.filter((one) => one.name.endsWith("broken")).length, 0);
    await page.keyboard.press("Escape");
  });
  await step("the list finds the dataset", async () => {
    await open(`1/datasets?q=${name}`);
    await page.getByRole("table", { name: "Datasets" }).getByRole("row", { name: new RegExp(`${name} 3 2`) }).waitFor();
  });
  await step("deleting asks for confirmation with the name of the dataset", async () => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await accessible();
    await confirmed(name, "Delete");
    await page.getByText("No results").waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits, api }) => {
  await step("on a phone, a dataset is created and edited", async () => {
    await open("1/datasets");
    await page.getByRole("button", { name: "New dataset" }).click();
    await page.getByRole("dialog", { name: "New dataset" }).getByLabel("Name").fill(`${name} phone`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `${name} phone`, level: 1 }).waitFor();
    await page.getByText("This draft has no rows").waitFor();
    await fits();
    await accessible();
    await page.getByRole("button", { name: "Add column", exact: true }).click();
    await page.getByLabel("Column name").fill("question");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Add row", exact: true }).click();
    await page.getByLabel("question of row 1").fill("Where is the rye?");
    await page.keyboard.press("Enter");
    await page.getByRole("gridcell", { name: "Where is the rye?" }).waitFor();
    await fits();
    const { datasets } = await api.get(`/api/public/v2/datasets?name=${encodeURIComponent(`${name} phone`)}`);
    if (datasets.length === 0) throw new Error("the dataset was not stored");
  });
  await step("on a phone, the actions of a dataset are in one line", async () => {
    await open("1/datasets?q=Support questions");
    await page.getByRole("link", { name: "Support questions" }).first().click();
    const more = page.getByRole("button", { name: "Actions for Support questions" });
    await more.waitFor();
    const [menu, first] = [await more.boundingBox(), await page.getByRole("button", { name: "Import file" }).boundingBox()];
    if (Math.abs(menu.y - first.y) > 4) throw new Error(`the menu is at ${menu.y}, the first button at ${first.y}`);
    await more.click();
    await page.getByRole("menuitem", { name: "Evaluate" }).waitFor();
    await page.keyboard.press("Escape");
  });
}, { width: 390, height: 844 });

// Tools: the definition in fields and as JSON, code, test runs, versions with
// labels, comparing versions, and variables of the tool.
import { drive, equal, moveLabel, nowhere, until, write } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const name = `tools ${Date.now().toString(36)}`;
const definition = {
  type: "function",
  function: {
    name: "parcel_status", description: "Returns where a parcel is.", strict: false,
    parameters: {
      type: "object", required: ["number"],
      properties: { number: { type: "integer", description: "The number of the parcel." }, speed: { type: "string", enum: ["slow", "fast"] }, tags: { type: "array", items: { type: "string" } } },
    },
  },
};
const code = "console.log('looking for', args.number)\nif (args.number < 0) throw new Error('no parcel has this number')\nreturn { place: 'depot ' + args.number, speed: args.speed ?? 'none', token: process.env.TOOLS_TOKEN ?? 'no token' }\n";

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const question = (title) => page.getByRole("alertdialog", { name: title });
  const editor = (label) => page.getByRole("textbox", { name: label });
  const more = async (item) => {
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const tab = (title) => page.getByRole("tab", { name: title }).click();
  const save = page.getByRole("button", { name: "Save version" });
  const result = page.getByRole("group", { name: "Result" });
  let id;
  const stored = async () => (await api.get(`/api/public/v2/tool-registry/${id}`)).tool_registry;

  await step("the list is searched, and the search is in the URL", async () => {
    await open("1/tools");
    const list = page.getByRole("table", { name: "Tools" });
    await list.getByRole("link", { name: "order_status" }).waitFor();
    await accessible();
    await page.getByLabel("Search tools").fill("shipping");
    await until("only one is left", async () => (await list.getByRole("row").count()) === 2);
    await until("the URL contains it", () => page.url().includes("q=shipping"));
    await page.getByLabel("Search tools").fill("");
    await list.getByRole("link", { name: "order_status" }).waitFor();
  });
  await step("a tool is created", async () => {
    await page.getByRole("button", { name: "New tool" }).click();
    const form = dialog("New tool");
    equal("a tool without a name can be created", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    await form.getByLabel("Name").fill(name);
    await form.getByText(name.replaceAll(" ", "_")).waitFor();
    await form.getByLabel("Description").fill("Returns where a parcel is.");
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    id = Number(new URL(page.url()).pathname.split("/").at(-1));
    equal("the stored name", (await stored()).name, name);
    await accessible();
  });
  await step("a duplicate name shows an error", async () => {
    expect(/status 4\d\d: POST .*\/tool-registry$/);
    await open("1/tools");
    await page.getByRole("button", { name: "New tool" }).click();
    await dialog("New tool").getByLabel("Name").fill(name);
    await dialog("New tool").getByRole("button", { name: "Create" }).click();
    await until("the name is invalid", async () => (await dialog("New tool").getByLabel("Name").getAttribute("aria-invalid")) === "true");
    await dialog("New tool").getByText(/already|taken|exists/).waitFor();
    await open(`1/tools/${id}`);
  });
  await step("the definition is edited as JSON with errors shown", async () => {
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await write(page, editor("Definition as JSON"), "{ not json");
    await page.getByRole("alert").filter({ hasText: /JSON|line|expected/i }).waitFor();
    equal("invalid JSON can be saved", await save.isEnabled(), false);
    await write(page, editor("Definition as JSON"), JSON.stringify(definition, null, 2));
    await page.getByRole("button", { name: "Show fields" }).click();
    const parameters = page.getByRole("table", { name: "Parameters" });
    await parameters.getByRole("row").filter({ hasText: "number" }).getByText("required").waitFor();
    await parameters.getByText("The number of the parcel.").waitFor();
    await parameters.getByText("fast").waitFor();
  });
  await step("fields and JSON are the same definition", async () => {
    await page.getByLabel("Function name").fill("not a name");
    await page.getByText("only letters, digits").waitFor();
    await page.getByLabel("Function name").fill("parcel_place");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await editor("Definition as JSON").getByText("parcel_place").waitFor();
    await page.getByRole("button", { name: "Show fields" }).click();
  });
  await step("unsaved code can be run", async () => {
    await write(page, editor("Tool code"), code);
    await page.getByText("Unsaved changes").waitFor();
    await accessible();
    await tab("Test");
    await page.getByText("Runs the unsaved code").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await until("a missing argument is invalid", async () => (await page.getByLabel("number").getAttribute("aria-invalid")) === "true");
    await page.getByLabel("number").fill("7");
    await page.getByLabel("speed (optional)").selectOption("fast");
    await page.getByRole("button", { name: "Run" }).click();
    await result.getByText("depot 7").waitFor();
    await result.getByText("fast").waitFor();
    await page.getByText("looking for 7").waitFor();
    await accessible();
  });
  await step("errors thrown by the code are shown", async () => {
    await page.getByLabel("number").fill("-1");
    await page.getByLabel("number").press("Control+Enter");
    await page.getByText("no parcel has this number").waitFor();
    await page.getByText("failed", { exact: true }).waitFor();
    await accessible();
  });
  await step("arguments can be written as JSON", async () => {
    await page.getByRole("button", { name: "Use JSON" }).click();
    await write(page, editor("Arguments as JSON"), "{\"number\": 8, \"tags\": [\"x\"]}");
    await page.getByRole("button", { name: "Run" }).click();
    await result.getByText("depot 8").waitFor();
  });
  await step("leaving with edits asks for confirmation", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Skills" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
  });
  await step("it is saved as a version with a message and a label", async () => {
    await tab(/Definition/);
    await save.click();
    const form = dialog("Save as new version");
    await form.getByLabel("What changed").fill("Finds parcels");
    await form.getByLabel("New label").fill("prod");
    await form.getByRole("button", { name: "Add" }).click();
    await accessible();
    await form.getByRole("button", { name: "Save version 2" }).click();
    await page.getByText("Unsaved changes").waitFor({ state: "detached" });
    const { version } = await stored();
    equal("the stored version", [version.number, version.commit_message, version.tool_definition.function.name, version.execution.code], [2, "Finds parcels", "parcel_place", code]);
    await editor("Tool code").getByText("depot").waitFor();
  });
  await step("the label moves to the next version", async () => {
    await page.getByLabel("Description").fill("Returns where a parcel is now.");
    await save.click();
    const form = dialog("Save as new version");
    await form.getByLabel("What changed").fill("A better description");
    await form.getByRole("checkbox", { name: /prod/ }).check();
    await form.getByText("moves here from version 2").waitFor();
    await form.getByRole("button", { name: "Save version 3" }).click();
    await page.getByText("Unsaved changes").waitFor({ state: "detached" });
    const { items } = await api.get(`/api/public/v2/tool-registry/${id}/versions`);
    equal("the labels of the versions", items.map(({ number, release_labels }) => [number, release_labels.map((label) => label.name)]), [[3, ["prod"]], [2, []], [1, []]]);
  });
  await step("versions are listed, a label moves there and back, and an old version opens", async () => {
    await tab("Versions");
    const versions = page.getByRole("table", { name: "Versions" });
    await versions.getByRole("row").filter({ hasText: "A better description" }).getByText("prod").waitFor();
    await moveLabel(page, "prod", 3, 1);
    equal("the version of prod", (await api.get(`/api/public/v2/tool-registry/${id}?label=prod`)).tool_registry.version.number, 1);
    await moveLabel(page, "prod", 1, 3);
    await accessible();
    await versions.getByRole("link", { name: "2", exact: true }).click();
    await until("the URL contains it", () => page.url().includes("version=2"));
    await page.getByRole("button", { name: "Restore this version" }).waitFor();
    equal("the description", await page.getByLabel("Description").inputValue(), "Returns where a parcel is.");
  });
  await step("two versions are compared", async () => {
    await page.getByRole("link", { name: "Compare with latest" }).click();
    await page.getByRole("textbox", { name: "Before" }).getByText("where a parcel is.").waitFor();
    await page.getByRole("textbox", { name: "After" }).getByText("where a parcel is now.").waitFor();
    await page.getByText("unchanged").first().waitFor();
    await page.getByRole("combobox", { name: "Before" }).selectOption({ value: "1" });
    await until("the URL contains both", () => page.url().includes("compare=1"));
    await accessible();
    await inDark(accessible);
  });
  await step("a variable is available to the code and never shown", async () => {
    await tab("Environment");
    await page.getByRole("button", { name: "New variable" }).click();
    await dialog("New variable").getByLabel("Name").fill("TOOLS-TOKEN");
    await dialog("New variable").getByText("Use letters, digits and underscores").waitFor();
    await dialog("New variable").getByLabel("Name").fill("TOOLS_TOKEN");
    await dialog("New variable").getByLabel("Value").fill("secret-of-the-tool-9999");
    await dialog("New variable").getByRole("button", { name: "Add" }).click();
    await page.getByRole("table", { name: "Environment variables" }).getByText("9999").waitFor();
    await nowhere(page, "secret-of-the-tool");
    await accessible();
    await tab("Test");
    await page.getByLabel("number").fill("9");
    await page.getByRole("button", { name: "Run" }).click();
    await result.getByText("secret-of-the-tool-9999").waitFor();
    await tab("Environment");
    await page.getByRole("button", { name: "Actions for TOOLS_TOKEN" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No variables yet").waitFor();
  });
  await step("an external ID is attached", async () => {
    await more("External IDs");
    const ids = dialog("External IDs");
    await ids.getByLabel("Source").fill("tools");
    await ids.getByLabel("ID", { exact: true }).fill(name);
    await ids.getByRole("button", { name: "Attach" }).click();
    await ids.getByRole("button", { name: `Detach ${name}` }).waitFor();
    equal("stored", (await stored()).external_ids, [{ source: "tools", external_id: name }]);
    await page.keyboard.press("Escape");
  });
  await step("the demo tool is shown", async () => {
    await open("1/tools");
    await page.getByRole("link", { name: "shipping_cost" }).click();
    await page.getByRole("heading", { name: "shipping_cost", level: 1 }).waitFor();
    await editor("Tool code").waitFor();
    await accessible();
    await shot("tool");
  });
  await step("a tool is renamed, and its former name leads to it", async () => {
    await open(`1/tools/${id}`);
    const rename = async (from, to) => {
      await more("Rename");
      const form = page.getByRole("dialog", { name: `Rename ${from}` });
      await form.getByLabel("Name").fill(to);
      await form.getByRole("button", { name: "Rename" }).click();
      await page.getByRole("heading", { name: to, level: 1 }).waitFor();
    };
    await rename(name, `${name}_renamed`);
    equal("by its former name", (await api.get(`/api/public/v2/tool-registry/${name}`)).tool_registry.id, id);
    await rename(`${name}_renamed`, name);
  });
  await step("a tool is deleted", async () => {
    await open(`1/tools/${id}`);
    await more("Delete tool");
    await question(`Delete ${name}?`).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("table", { name: "Tools" }).waitFor();
    await until("it is listed: 0", async () => (await page.getByRole("link", { name }).count()) === 0);
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, the list and a tool fit", async () => {
    await open("1/tools");
    await page.getByRole("button", { name: "New tool" }).waitFor();
    await page.getByRole("link", { name: "shipping_cost" }).waitFor();
    await fits();
    await page.getByRole("link", { name: "shipping_cost" }).click();
    await page.getByRole("textbox", { name: "Tool code" }).waitFor();
    await fits();
    await accessible();
  });
  for (const title of ["Test", "Versions", "Compare", "Environment"]) {
    await step(`on a phone, ${title} fits`, async () => {
      await page.getByRole("tab", { name: title }).click();
      await until("loading has finished", async () => (await page.getByRole("status").filter({ hasText: "Loading" }).count()) === 0);
      await fits();
    });
  }
}, { width: 390, height: 844 });

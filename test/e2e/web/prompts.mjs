// Prompts: folders, editing and saving versions, comparing, moving labels, usage,
// and A/B tests.
import { execFile } from "node:child_process";
import { drive, equal, logRequest, until, withinSight, write } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const area = `prompts-${Date.now().toString(36)}`;
const name = `${area}-welcome`;
let prompt;

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const field = (label) => page.getByRole("textbox", { name: label, exact: true });
  const tab = (title) => page.getByRole("tab", { name: title });
  const versionRow = (number) => page.getByRole("table", { name: "Versions" }).getByRole("row").filter({ has: page.getByRole("link", { name: `Version ${number}`, exact: true }) });
  const stored = (query = "") => api.get(`/prompt-templates/${encodeURIComponent(name)}${query}`);
  const confirmed = async (words, action) => {
    const question = page.getByRole("alertdialog");
    for (const one of words) await question.getByText(one).first().waitFor();
    await question.getByRole("button", { name: action, exact: true }).click();
  };
  const save = async (number, message) => {
    await page.keyboard.press("Control+s");
    const form = dialog(`Save version ${number} of ${name}`);
    await form.getByLabel("What changed").fill(message);
    return form;
  };

  await api.post("/rest/prompt-templates", {
    prompt_template: { prompt_name: `${area}-tone`, is_snippet: true }, prompt_version: { prompt_template: { type: "completion", content: [{ type: "text", text: "Be kind." }] } },
  });

  await step("the list shows folders, labels and versions", async () => {
    await open("1/prompts");
    const table = page.getByRole("table", { name: "Prompts" });
    await table.getByRole("link", { name: "Customer support" }).click();
    await table.getByRole("row").filter({ hasText: "order-agent" }).getByText("staging").last().waitFor();
    await accessible();
    await inDark(accessible);
    await page.goBack();
  });
  await step("a folder is created and opened", async () => {
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByRole("menuitem", { name: "Folder" }).click();
    await dialog("New folder").getByLabel("Name").fill(area);
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: area }).click();
    await page.getByText("This folder is empty").waitFor();
    await accessible();
  });
  await step("a prompt is created in it", async () => {
    await page.getByRole("button", { name: "New prompt here" }).click();
    const form = dialog("New prompt");
    await form.getByLabel("Name", { exact: true }).fill(name);
    equal("the folder", await form.getByRole("combobox", { name: "Folder" }).innerText(), area);
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    prompt = Number(new URL(page.url()).pathname.split("/").at(-1));
  });
  await step("a duplicate name is refused", async () => {
    await open("1/prompts");
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByRole("menuitem", { name: "Prompt" }).click();
    await dialog("New prompt").getByLabel("Name", { exact: true }).fill(name);
    await dialog("New prompt").getByRole("button", { name: "Create" }).click();
    await dialog("New prompt").getByText(`A prompt named ${name} already exists.`).waitFor();
    await page.keyboard.press("Escape");
  });
  await step("variables are found in messages", async () => {
    await open(`1/prompts/${prompt}`);
    await field("system message 1").waitFor();
    const top = (await field("system message 1").boundingBox()).y;
    await write(page, field("system message 1"), "You greet guests of {house}. ");
    await write(page, field("user message 2"), "Welcome {guest} to {house}.");
    const variables = page.locator("section").filter({ has: page.getByRole("heading", { name: "Variables" }) });
    await variables.getByLabel("guest").fill("Ada");
    await variables.getByLabel("house").fill("the storehouse");
    await page.getByText("unsaved", { exact: true }).waitFor();
    equal("how far the first keystroke moves the text", (await field("system message 1").boundingBox()).y - top, 0);
    await variables.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("list", { name: "Rendered messages" }).getByText("Welcome Ada to the storehouse.").waitFor();
    await page.getByRole("button", { name: "Back to editing" }).click();
  });
  await step("snippets are completed while typing", async () => {
    await field("system message 1").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(`@@@${area}`);
    // The editor ignores clicks in the first moments of its list.
    const option = page.getByRole("option", { name: `${area}-tone` });
    await option.waitFor();
    await until("the tag is written", async () => {
      if (await option.isVisible()) await option.click({ timeout: 1000 });
      return (await field("system message 1").innerText()).includes(`@@@${area}-tone@@@`);
    });
    await page.getByText("Snippets:").waitFor();
  });
  await step("model, parameters and a tool are set", async () => {
    await page.getByLabel("Provider").fill("openai");
    await page.getByRole("combobox", { name: "Model", exact: true }).fill("gpt-4o");
    await page.getByRole("button", { name: "Add parameter" }).click();
    await page.getByRole("menuitem", { name: /^temperature/ }).click();
    await page.getByLabel("temperature", { exact: true }).fill("0.3");
    await page.getByRole("button", { name: "Add tool" }).click();
    await page.getByRole("menuitem", { name: "Function", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("find_guest");
    await accessible();
  });
  await step("leaving with unsaved changes asks for confirmation", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Datasets" }).click();
    await page.getByRole("alertdialog").getByText("will be lost").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await field("user message 2").getByText("Welcome {guest}").waitFor();
  });
  await step("it is saved as version 2 with a message and a label", async () => {
    const form = await save(2, "First words");
    await form.getByLabel("New label").fill("prod");
    await page.keyboard.press("Enter");
    await accessible();
    await form.getByRole("button", { name: "Save version 2" }).click();
    await form.waitFor({ state: "hidden" });
    const { version, prompt_template: template, metadata, commit_message: message } = await stored("?label=prod&resolve_snippets=false");
    equal("what is stored", [version, message, metadata.model.name, metadata.model.parameters.temperature, template.tools[0].function.name], [2, "First words", "gpt-4o", 0.3, "find_guest"]);
    equal("the text", template.messages.map(({ content }) => content[0].text), [`You greet guests of {house}. @@@${area}-tone@@@`, "Welcome {guest} to {house}."]);
  });
  await step("an edit becomes version 3", async () => {
    await write(page, field("user message 2"), "Good evening {guest}. Welcome to {house}.");
    await page.getByRole("button", { name: "View changes" }).click();
    await dialog("Changes since version 2").getByText("Good evening").first().waitFor();
    await accessible();
    await page.keyboard.press("Escape");
    const form = await save(3, "More polite");
    await form.getByRole("button", { name: "Save version 3" }).click();
    await form.waitFor({ state: "hidden" });
    equal("the latest version", (await stored()).version, 3);
    await inDark(accessible);
  });
  await step("two versions are compared", async () => {
    await tab("Versions").click();
    await page.getByRole("button", { name: "Actions for version 3" }).click();
    await page.getByRole("menuitem", { name: "Compare with version 2" }).click();
    await page.getByText("Good evening").first().waitFor();
    await until("the URL contains both", () => new URL(page.url()).search.includes("compare=2") && new URL(page.url()).search.includes("version=3"));
    await page.getByText("More polite").first().waitFor();
    await accessible();
    await inDark(accessible);
  });
  await step("moving a label asks for confirmation", async () => {
    await tab("Versions").click();
    await versionRow(2).getByText("prod").first().waitFor();
    await accessible();
    await page.getByRole("button", { name: "Label prod on version 2: move or delete" }).click();
    await page.getByRole("menuitem", { name: /^Version 3/ }).click();
    await confirmed(["Move prod to version 3?", "prod currently points to version 2"], "Move to version 3");
    await versionRow(3).getByText("prod").first().waitFor();
    await until("the label serves version 3", async () => (await stored("?label=prod")).version === 3);
  });
  await step("a label is dragged to another version", async () => {
    await versionRow(3).getByTitle("Drag prod to another version").dragTo(versionRow(1));
    await confirmed(["prod currently points to version 3"], "Cancel");
    equal("it stays when cancelled", (await stored("?label=prod")).version, 3);
    await versionRow(3).getByTitle("Drag prod to another version").dragTo(versionRow(2));
    await confirmed(["Move prod to version 2?"], "Move to version 2");
    await until("the label serves version 2", async () => (await stored("?label=prod")).version === 2);
  });
  await step("an A/B test splits the requests for a label", async () => {
    await tab("A/B tests").click();
    await page.getByRole("button", { name: "New A/B test" }).click();
    const form = dialog("New A/B test");
    await form.getByLabel("Name", { exact: true }).fill(`${area} politeness`);
    await form.getByLabel("Share of version 2 in percent").fill("60");
    await form.getByText("70% of 100%").waitFor();
    equal("shares that do not add up can be saved", await form.getByRole("button", { name: "Start test" }).isEnabled(), false);
    await form.getByLabel("Share of version 3 in percent").fill("40");
    await accessible();
    await form.getByRole("button", { name: "Start test" }).click();
    await page.getByRole("list", { name: `Traffic split of ${area} politeness` }).getByText("40%").waitFor();
    const { ab_tests: tests } = await api.get(`/api/public/v2/ab-tests?prompt_id=${prompt}`);
    equal("the shares that are stored", tests[0].weights.map(({ version_number, weight }) => [version_number, weight]), [[2, 60], [3, 40]]);
  });
  await step("a release guard is part of an A/B test", async () => {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const form = dialog(`Edit ${area} politeness`);
    await form.getByLabel("More errors, percentage points").fill("300");
    await form.getByText("from 0 to 100").waitFor();
    await form.getByLabel("More errors, percentage points").fill("2");
    await form.getByLabel("Lower score, points").fill("5");
    await accessible();
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("its error rate is more than 2 percentage points higher, or its score default is more than 5 points lower").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await form.getByLabel("More errors, percentage points").fill("");
    await form.getByLabel("Lower score, points").fill("");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Release guard: the test stops").waitFor({ state: "detached" });
  });
  await step("an A/B test shows how its versions compare", async () => {
    await page.getByText("No requests since").waitFor();
    const now = Date.now();
    const time = (seconds) => new Date(now + seconds * 1000).toISOString();
    const logged = (version, index) => ({
      provider: "openai", model: "gpt-4o", prompt_name: name, prompt_version_number: version, price: 0.002,
      input: { type: "chat", messages: [] }, output: { type: "chat", messages: [] }, request_start_time: time(0), request_end_time: time(version + index / 100),
      ...(version === 3 && index % 2 === 0 ? { status: "ERROR", error_type: "UNKNOWN_ERROR", error_message: "down" } : {}), score: version === 3 ? 90 : 70,
    });
    await api.post("/log-requests", { requests: [2, 3].flatMap((version) => Array.from({ length: 40 }, (_, index) => logged(version, index))) });
    await page.reload();
    const table = page.getByRole("table", { name: `Results of ${area} politeness` });
    await table.getByRole("row").filter({ hasText: "Version 3" }).getByText("50% (").waitFor();
    await table.getByRole("row").filter({ hasText: "Version 2" }).getByText("baseline").waitFor();
    const findings = page.getByRole("list", { name: `Findings of ${area} politeness` }).getByRole("listitem");
    await findings.filter({ hasText: "Version 3 fails more often than version 2 (50% against 0%)" }).getByText("Worse").waitFor();
    await findings.filter({ hasText: "Version 3 is slower than version 2" }).waitFor();
    await findings.filter({ hasText: "No clear difference in cost" }).waitFor();
    await accessible();
    await inDark(accessible);
    await shot("ab-test-results");
  });
  await step("moving a label with an A/B test says what is served", async () => {
    await tab("Versions").click();
    await page.getByRole("button", { name: "Label prod on version 2: move or delete" }).click();
    await page.getByRole("menuitem", { name: /^Version 3/ }).click();
    await confirmed([`The A/B test ${area} politeness decides`, "60% version 2 and 40% version 3", "Version 3 is served when the test ends"], "Cancel");
    await tab("Editor").click();
    await write(page, field("user message 2"), "Good morning {guest}.");
    await page.getByRole("button", { name: "Save…" }).click();
    const form = dialog(`Save version 4 of ${name}`);
    await form.getByText(`A/B test ${area} politeness serves 60% version 2 and 40% version 3`).waitFor();
    await form.getByRole("checkbox", { name: /^prod/ }).check();
    await form.getByText("the new version is served when the test ends").waitFor();
    await accessible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await confirmed(["will be lost"], "Discard");
  });
  await step("an A/B test ends", async () => {
    await tab("A/B tests").click();
    await page.getByRole("button", { name: "End", exact: true }).click();
    await confirmed(["All requests for prod will get version 2"], "End test");
    await page.getByText("No A/B tests").waitFor();
  });
  await step("code to use the prompt works as it is shown", async () => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Use in code…" }).click();
    const form = dialog(`Use ${name} in code`);
    equal("the preselected version", await form.getByLabel("Version").inputValue(), "lprod");
    const run = (program, ...parts) => new Promise((done, failed) => execFile(program, parts, { env: { ...process.env, PROMPTUARY_API_KEY: process.env.WEB_API_KEY } }, (error, out) => (error ? failed(error) : done(out))));
    const shown = async (language) => {
      await form.getByRole("button", { name: language, exact: true }).click();
      return form.locator("pre").innerText();
    };
    for (const answer of [await run("bash", "-c", await shown("curl")), await run("node", "--input-type=module", "-e", await shown("JavaScript"))]) {
      if (!answer.includes("Value of guest")) throw new Error(`the answer is ${answer}`);
    }
    if (!(await shown("Python")).includes("urllib.request")) throw new Error("no Python");
    if (!(await shown("Go")).includes("http.NewRequest")) throw new Error("no Go");
    await accessible();
    await page.keyboard.press("Escape");
  });
  await step("usage is shown by version", async () => {
    for (const version of [2, 2, 3]) await logRequest({ prompt_name: name, prompt_version_number: version, price: 0.01, tags: [area] });
    await tab("Usage").click();
    const table = page.getByRole("table", { name: "Usage by version" });
    await table.waitFor();
    equal("requests of version 2", await table.getByRole("row").filter({ hasText: "Version 2" }).getByRole("cell").nth(1).innerText(), "42"); // 40 of the A/B test
    await table.getByRole("row").filter({ hasText: "Version 2" }).getByText("gpt-4o").waitFor();
    await page.getByRole("img", { name: /^Requests by version over time/ }).or(page.getByLabel(/^Requests by version over time/)).first().waitFor();
    await accessible();
    await table.getByRole("row").filter({ hasText: "Version 2" }).getByRole("link", { name: "42", exact: true }).click();
    await until("the requests of version 2", async () => (await page.getByRole("status").filter({ hasText: "match" }).innerText()).startsWith("42 requests"));
  });
  await step("a prompt with a history is shown", async () => {
    const { id } = await api.get("/prompt-templates/support-reply");
    await open(`1/prompts/${id}`);
    await page.getByRole("textbox", { name: "system message 1" }).waitFor();
    await shot("prompt-editor");
    await tab("Versions").click();
    await page.getByRole("table", { name: "Versions" }).waitFor();
    await accessible();
    await shot("prompt-versions");
    await tab("Compare").click();
    await page.getByLabel("Before").waitFor();
    await accessible();
    await shot("prompt-compare");
    await tab("Usage").click();
    await page.getByRole("table", { name: "Usage by version" }).waitFor();
    await shot("prompt-usage");
  });
  await step("a prompt is renamed, and its former name leads to it", async () => {
    await open(`1/prompts/${prompt}`);
    const rename = async (from, to) => {
      await page.getByRole("button", { name: `Actions for ${from}` }).click();
      await page.getByRole("menuitem", { name: "Rename…" }).click();
      const form = page.getByRole("dialog", { name: `Rename ${from}` });
      await form.getByLabel("Name").fill(to);
      await form.getByRole("button", { name: "Rename" }).click();
      await page.getByRole("heading", { name: to, level: 1 }).waitFor();
    };
    await rename(name, `${name} renamed`);
    equal("by its former name", (await stored()).id, prompt);
    await accessible();
    await rename(`${name} renamed`, name);
  });
  await step("deleting asks for confirmation with the name of the prompt", async () => {
    await open(`1/prompts/${prompt}`);
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByText(name).first().waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    equal("it still exists", (await stored()).id, prompt);
  });
});

await drive(async ({ page, step, open, accessible, fits }) => {
  await step("prompts fit on a phone", async () => {
    await open(`1/prompts?q=${area}`);
    await page.getByRole("link", { name, exact: false }).first().waitFor();
    await fits();
    await page.getByRole("link", { name, exact: false }).first().click();
    await page.getByRole("textbox", { name: "user message 2" }).waitFor();
    await fits();
    await accessible();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("More polite").waitFor();
    await fits();
    await page.getByRole("button", { name: "Save…" }).waitFor();
    const label = await page.getByRole("button", { name: /^Add label to version/ }).first().boundingBox();
    if (label.height > 24) throw new Error(`the height of the button is ${label.height} pixels`);
  });
  await step("A/B tests fit on a phone", async () => {
    await page.getByRole("tab", { name: "A/B tests" }).click();
    await page.setViewportSize({ width: 330, height: 844 });
    await page.reload();
    await page.getByRole("tab", { name: "A/B tests" }).waitFor();
    // Browsers scroll by whole pixels.
    await until("the tab is visible", () => page.getByRole("tab", { name: "A/B tests" }).evaluate((tab) => tab.getBoundingClientRect().right < window.innerWidth + 1));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "New A/B test" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Version 1 of the split").waitFor();
    const wider = await form.evaluate((element) => Math.max(...[element, ...element.querySelectorAll("*")].map((one) => (getComputedStyle(one).overflowX === "visible" || one.clientWidth === 0 ? 0 : one.scrollWidth - one.clientWidth))));
    equal("how much the dialog overflows", wider, 0);
    await withinSight(page, form.getByRole("button", { name: /^Remove version/ }).first());
    await accessible();
  });
}, { width: 390, height: 844 });

// Skills: creating a collection from dropped files, the file tree and viewer,
// saving versions, labels, comparing versions, and deleting.
import { readFile } from "node:fs/promises";
import { drive, equal, eventDuring, moveLabel, until, write } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const name = `skills-${Date.now().toString(36)}`;
const script = "import sys\n\n\ndef answer(question):\n    return 42\n\n\nprint(answer(sys.argv[1]))\n";
const guide = "# Guide\n\nAsk **politely**, then run [the script](scripts/answer.py).\n\n- one\n- two\n\n<script>window.ran = true</script>\n";
// One red pixel.
const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Drops files on the page. */
function drop(page, files) {
  return page.evaluate((dropped) => {
    const transfer = new DataTransfer();
    for (const { path, text } of dropped) transfer.items.add(new File([text], path, { type: "text/plain" }));
    for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, files);
}

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const dialog = (title) => page.getByRole("dialog", { name: title });
  const question = (title) => page.getByRole("alertdialog", { name: title });
  const tree = page.getByRole("navigation", { name: "Files", exact: true });
  const file = (path) => page.getByRole("region", { name: path, exact: true });
  const more = async (item) => {
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const editor = (path) => page.getByRole("textbox", { name: `Content of ${path}` });
  let id;
  const stored = () => api.get(`/api/public/v2/skill-collections/${id}`);

  await step("the list is searched, and the search is in the URL", async () => {
    await open("1/skills");
    const list = page.getByRole("table", { name: "Skill collections" });
    await list.getByRole("link", { name: "refund-desk" }).waitFor();
    await accessible();
    await page.getByLabel("Search skills").fill("release");
    await until("only one is left", async () => (await list.getByRole("link").allInnerTexts()).join() === "release-notes");
    await until("the URL contains it", () => page.url().includes("q=release"));
    await page.getByLabel("Search skills").fill("nothing like this");
    await page.getByText("No matching collections").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await list.getByRole("link", { name: "refund-desk" }).waitFor();
  });
  await step("dropped files create a collection", async () => {
    await drop(page, [{ path: "SKILL.md", text: guide }, { path: "notes.txt", text: "nothing yet\n" }]);
    const form = dialog("New skill collection");
    await form.getByText("SKILL.md").waitFor();
    await form.getByLabel("Name").fill(name);
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    id = new URL(page.url()).pathname.split("/").at(-1);
    equal("the stored files", Object.keys((await stored()).files).sort(), ["SKILL.md", "notes.txt"]);
  });
  await step("Markdown is rendered, and HTML in it stays text", async () => {
    await file("SKILL.md").getByRole("heading", { name: "Guide" }).waitFor();
    await file("SKILL.md").getByRole("listitem").filter({ hasText: "two" }).waitFor();
    equal("a script of the file ran", await page.evaluate(() => window.ran === true), false);
    await file("SKILL.md").getByRole("button", { name: "Source" }).click();
    await editor("SKILL.md").getByText("politely").waitFor();
    await accessible();
  });

  await step("a new file is added to the draft", async () => {
    await tree.getByRole("button", { name: "New file" }).click();
    await dialog("New file").getByLabel("Path").fill("../outside");
    await dialog("New file").getByRole("button", { name: "Add" }).click();
    await until("a path outside the collection is refused", async () => (await dialog("New file").getByLabel("Path").getAttribute("aria-invalid")) === "true");
    await dialog("New file").getByLabel("Path").fill("scripts/answer.py");
    await dialog("New file").getByRole("button", { name: "Add" }).click();
    await file("scripts/answer.py").getByRole("button", { name: "Edit" }).click();
    await until("the editor has the focus", () => editor("scripts/answer.py").evaluate((element) => element === document.activeElement));
    await write(page, editor("scripts/answer.py"), script);
    await page.getByText("Unsaved changes:").waitFor();
    await accessible();
  });
  await step("files are deleted, restored and moved", async () => {
    await tree.getByRole("link", { name: "notes.txt" }).click();
    await until("the URL contains the file", () => page.url().includes("notes.txt"));
    await page.getByRole("button", { name: "Actions for notes.txt" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Restore notes.txt" }).click();
    await tree.getByRole("link", { name: "notes.txt" }).click();
    await page.getByRole("button", { name: "Actions for notes.txt" }).click();
    await page.getByRole("menuitem", { name: "Rename or move" }).click();
    await dialog("Rename or move notes.txt").getByLabel("Path").fill("docs/notes.txt");
    await dialog("Rename or move notes.txt").getByRole("button", { name: "Move" }).click();
    await tree.getByRole("button", { name: "docs", exact: true }).waitFor();
    await file("docs/notes.txt").waitFor();
  });
  await step("an image and a binary file are added", async () => {
    const chooser = await eventDuring(page, "filechooser", () => tree.getByRole("button", { name: "Add files or a zip archive" }).click());
    await chooser.setFiles([
      { name: "pixel.png", mimeType: "image/png", buffer: Buffer.from(image, "base64") },
      { name: "data.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 255, 254, 1, 2, 3]) },
    ]);
    await tree.getByRole("link", { name: /pixel\.png/ }).click();
    const shown = file("pixel.png").getByRole("img", { name: "pixel.png" });
    await until("the image is drawn", () => shown.evaluate((element) => element.naturalWidth === 1));
    await tree.getByRole("link", { name: /data\.bin/ }).click();
    await file("data.bin").getByText("Binary file").waitFor();
    const download = await eventDuring(page, "download", () => file("data.bin").getByRole("button", { name: "Download" }).click());
    equal("the downloaded bytes", [...await readFile(await download.path())], [0, 255, 254, 1, 2, 3]);
  });
  await step("leaving with a draft asks for confirmation", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tools" }).click();
    await question("Leave without saving?").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Unsaved changes:").waitFor();
  });
  await step("the draft is saved with a message and a label", async () => {
    await page.getByRole("button", { name: "Save version" }).click();
    const form = dialog("Save as new version");
    await form.getByText("scripts/answer.py").waitFor();
    await form.getByLabel("What changed").fill("A script that answers");
    await form.getByLabel("Release label").fill("prod");
    await accessible();
    await form.getByRole("button", { name: "Save version 2" }).click();
    await page.getByText("Unsaved changes:").waitFor({ state: "detached" });
    const { files, version } = await stored();
    equal("the latest version", version.number, 2);
    equal("its files", Object.keys(files).sort(), ["SKILL.md", "data.bin", "docs/notes.txt", "pixel.png", "scripts/answer.py"]);
    equal("the script", files["scripts/answer.py"], script);
  });
  await step("links between files work, and code is highlighted", async () => {
    await tree.getByRole("link", { name: "SKILL.md" }).click();
    await file("SKILL.md").getByRole("link", { name: "the script" }).click();
    await editor("scripts/answer.py").waitFor();
    await until("tokens have colours", async () => new Set(await editor("scripts/answer.py").locator("span").evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color))).size > 1);
    await page.goBack();
    await file("SKILL.md").getByRole("heading", { name: "Guide" }).waitFor();
  });

  await step("a file is saved again, and the label moves", async () => {
    await open(`1/skills/${id}?file=scripts/answer.py`);
    await file("scripts/answer.py").getByRole("button", { name: "Edit" }).click();
    await write(page, editor("scripts/answer.py"), script.replace("42", "43"));
    await page.getByRole("button", { name: "Save version" }).click();
    const form = dialog("Save as new version");
    await form.getByLabel("What changed").fill("One more");
    await form.getByLabel("Release label").fill("prod");
    await form.getByText("This label moves here from version 2.").waitFor();
    await form.getByRole("button", { name: "Save version 3" }).click();
    await page.getByText("Unsaved changes:").waitFor({ state: "detached" });
    await editor("scripts/answer.py").getByText("return 43").waitFor();
    const { items } = await api.get(`/api/public/v2/skill-collections/${id}/versions`);
    equal("the labels of the versions", items.map(({ number, release_labels }) => [number, release_labels.map((label) => label.name)]), [[3, ["prod"]], [2, []], [1, []]]);
  });
  await step("versions are listed, and a label moves there and back", async () => {
    await page.getByRole("tab", { name: "Versions" }).click();
    const versions = page.getByRole("table", { name: "Versions" });
    await versions.getByRole("row").filter({ hasText: "One more" }).getByText("prod").waitFor();
    await versions.getByRole("row").filter({ hasText: "A script that answers" }).waitFor();
    await moveLabel(page, "prod", 3, 2);
    equal("the version of prod", (await api.get(`/api/public/v2/skill-collections/${id}?label=prod`)).version.number, 2);
    await moveLabel(page, "prod", 2, 3);
    await accessible();
  });
  await step("two versions are compared by file", async () => {
    await page.getByRole("table", { name: "Versions" }).getByRole("row").filter({ hasText: "One more" }).getByRole("link", { name: /Compare/ }).click();
    await page.getByRole("textbox", { name: "Before" }).getByText("return 42").waitFor();
    await page.getByRole("textbox", { name: "After" }).getByText("return 43").waitFor();
    await page.getByRole("combobox", { name: "Before" }).selectOption({ value: "1" });
    const changed = page.getByRole("navigation", { name: "Changed files" });
    await changed.getByRole("link", { name: /answer\.py/ }).getByText("added").waitFor();
    await until("the URL contains both versions", () => page.url().includes("compare=1"));
    await accessible();
    await inDark(accessible);
  });
  await step("an old version is opened and restored", async () => {
    await open(`1/skills/${id}?version=1`);
    await tree.getByRole("link", { name: "notes.txt" }).waitFor();
    await until("no edit buttons in an old version", async () => (await page.getByRole("button", { name: "Edit" }).count()) === 0);
    await page.getByRole("button", { name: "Restore these files" }).click();
    await page.getByText("Unsaved changes:").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await question("Discard changes?").getByRole("button", { name: "Discard" }).click();
    await page.getByText("Unsaved changes:").waitFor({ state: "detached" });
  });
  await step("a version is downloaded as a zip archive", async () => {
    const archive = await eventDuring(page, "download", () => more("Download as zip"));
    equal("its name", archive.suggestedFilename(), `${name}.zip`);
    equal("its beginning", (await readFile(await archive.path())).subarray(0, 2).toString(), "PK");
  });
  await step("an external ID is attached and detached", async () => {
    await more("External IDs");
    const ids = dialog("External IDs");
    await ids.getByLabel("Source").fill("skills");
    await ids.getByLabel("ID", { exact: true }).fill(name);
    await ids.getByRole("button", { name: "Attach" }).click();
    await ids.getByRole("button", { name: `Detach ${name}` }).waitFor();
    equal("stored", (await stored()).skill_collection.external_ids, [{ source: "skills", external_id: name }]);
    await accessible();
    await ids.getByRole("button", { name: `Detach ${name}` }).click();
    await ids.getByText("No external IDs yet.").waitFor();
    await page.keyboard.press("Escape");
  });
  await step("the demo collection is shown", async () => {
    await open("1/skills");
    await page.getByRole("link", { name: "refund-desk" }).click();
    await page.getByRole("heading", { name: "refund-desk", level: 1 }).waitFor();
    await tree.getByRole("link").first().waitFor();
    await accessible();
    await shot("skill");
  });
  await step("a collection is renamed and deleted", async () => {
    await open(`1/skills/${id}`);
    await more("Rename");
    await dialog(`Rename ${name}`).getByLabel("Name").fill(`${name}-renamed`);
    await dialog(`Rename ${name}`).getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { name: `${name}-renamed`, level: 1 }).waitFor();
    equal("the stored name", (await stored()).skill_collection.name, `${name}-renamed`);
    await more("Delete collection");
    await question(`Delete ${name}-renamed?`).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("table", { name: "Skill collections" }).waitFor();
    await until("it is listed: 0", async () => (await page.getByRole("link", { name: `${name}-renamed` }).count()) === 0);
    const { skill_collections: left } = await api.get("/api/public/v2/skill-collections");
    equal("it is stored", left.some((one) => one.id === id), false);
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, the list and a collection fit", async () => {
    await open("1/skills");
    await page.getByRole("button", { name: "New collection" }).waitFor();
    await page.getByRole("link", { name: "release-notes" }).waitFor();
    await fits();
    await page.getByRole("link", { name: "release-notes" }).click();
    await page.getByRole("region", { name: "SKILL.md" }).getByRole("heading", { name: "Release notes" }).waitFor();
    await fits();
    await accessible();
  });
  await step("on a phone, versions and differences fit", async () => {
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByRole("table", { name: "Versions" }).waitFor();
    await fits();
    await page.getByRole("tab", { name: "Compare" }).click();
    await page.getByRole("navigation", { name: "Changed files" }).waitFor();
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

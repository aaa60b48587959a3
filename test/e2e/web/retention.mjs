// Deletion and retention: requests of a query, selected requests and everything
// of a user are deleted after a preview and a confirmation; rules are edited,
// previewed and saved; deletions are listed with their certificates.
// It has its own workspace: what it deletes would be missing in other scripts.
import { readFile } from "node:fs/promises";
import { drive, equal, eventDuring, logRequest, until } from "./browser.mjs";

let workspace;
const old = { request_start_time: "2026-01-01T00:00:00Z", request_end_time: "2026-01-01T00:00:01Z" };

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  ({ workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `Retention ${Date.now()}` }));
  const here = api.inWorkspace(workspace);
  const { api_key: key } = await here.post("/api/admin/keys", { name: "retention" });
  const dialog = (name) => page.getByRole("dialog", { name });
  const log = (parts) => logRequest({ key, ...parts });
  const left = async () => (await here.post("/api/public/v2/requests/search", { per_page: 25 })).items.map(({ id }) => id).sort((a, b) => a - b);
  const rules = async () => { const { rules, days, text_days } = await here.get("/api/public/v2/retention"); return { rules, days, text_days }; };
  const deletions = async () => (await here.get("/api/public/v2/deletions")).items;
  /** Confirms the open dialog, and waits for the certificate. */
  const confirm = async (form, typed) => {
    await form.getByRole("textbox", { name: `Type ${typed} to confirm` }).fill(typed);
    await form.getByRole("button", { name: "Delete", exact: true }).click();
    await form.getByText("The certificate of what was deleted.").waitFor();
  };
  const ids = [];
  for (let i = 0; i < 4; i++) ids.push(await log({ tags: i < 2 ? ["old"] : ["new"], user: `question ${i}` }));
  const ofAnn = [await log({ metadata: { user_id: "ann" } }), await log({ metadata: { user_id: "ann" } })];
  const aged = [await log({ ...old, status: "ERROR", error_message: "broken" }), await log({ ...old, tags: ["keep"] }), await log(old)];

  await step("the requests of a query are deleted after a preview and a confirmation", async () => {
    await open(`${workspace}/requests?q=tag:old&range=all`);
    await page.getByText("2 requests match").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const form = dialog("Delete requests");
    await form.getByText("2 requests will be deleted").waitFor();
    equal("it can be deleted without confirming", await form.getByRole("button", { name: "Delete", exact: true }).isEnabled(), false);
    await form.getByRole("textbox").fill("3");
    equal("another number confirms", await form.getByRole("button", { name: "Delete", exact: true }).isEnabled(), false);
    equal("the preview deletes", (await left()).length, 9);
    await accessible();
    await shot("delete-requests");
    await confirm(form, "2");
    await form.getByText(`2, with IDs from ${ids[0]} to ${ids[1]}`).waitFor();
    await form.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("No matching requests").waitFor();
    equal("left", await left(), [...ids.slice(2), ...ofAnn, ...aged]);
  });
  await step("selected requests lose their texts", async () => {
    await open(`${workspace}/requests?q=tag:new&range=all`);
    await page.getByRole("checkbox", { name: `Select request ${ids[2]}` }).check();
    await page.getByText("1 request selected").waitFor();
    // The keyboard selects, too: the first row is the newest request.
    await page.getByRole("region", { name: "Requests" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("x");
    await page.getByText("2 requests selected").waitFor();
    await page.keyboard.press("x");
    await page.getByText("1 request selected").waitFor();
    await accessible();
    await shot("requests-selected");
    await page.getByRole("button", { name: "Delete…" }).click();
    const form = dialog("Delete requests");
    await form.getByText("1 request will be deleted").waitFor();
    await form.getByRole("radio", { name: "Only their texts" }).check();
    await confirm(form, "1");
    await form.getByText("Texts: input, output").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("1 request selected").waitFor({ state: "detached" });
    const gone = await here.get(`/api/public/v2/requests/${ids[2]}`);
    equal("its messages", gone.prompt_blueprint.prompt_template.messages, []);
    equal("its tokens", gone.input_tokens, 12);
  });
  await step("everything of a user is deleted from the user's page", async () => {
    await open(`${workspace}/users/ann`);
    expect(/status 409/);
    await page.getByRole("button", { name: "Delete everything of this user…" }).click();
    const form = dialog("Delete everything of ann");
    await form.getByText("2 requests will be deleted").waitFor();
    ofAnn.push(await log({ metadata: { user_id: "ann" } }));
    await form.getByRole("textbox", { name: "Type ann to confirm" }).fill("ann");
    await form.getByRole("button", { name: "Delete", exact: true }).click();
    await form.getByText("3 request logs match now").waitFor();
    await form.getByRole("button", { name: "Count again" }).click();
    await form.getByText("3 requests will be deleted").waitFor();
    await confirm(form, "ann");
    await form.getByText("Everything of user ann").waitFor();
    await form.getByRole("link", { name: "All deletions" }).click();
    await page.getByRole("table", { name: "Deletions" }).waitFor();
    equal("left", await left(), [...ids.slice(2), ...aged]);
  });
  await step("a metadata key is deleted from all requests after a preview", async () => {
    const keyed = [await log({ metadata: { plan: "pro", customer: { mail: "ann@example.com", id: 7 } } }), await log({ metadata: { customer: { mail: "bob@example.com" } } })];
    const metadata = async () => (await here.post("/api/public/v2/requests/search", { per_page: 25 })).items.filter(({ id }) => keyed.includes(id)).sort((a, b) => a.id - b.id).map((one) => one.metadata);
    await page.getByRole("button", { name: "Delete a metadata key or score…" }).click();
    const form = dialog("Delete a metadata key or score");
    equal("it can be deleted without a name", await form.getByRole("button", { name: "Delete", exact: true }).isEnabled(), false);
    const name = form.getByRole("combobox", { name: "Metadata key" });
    await name.fill("unknown");
    await form.getByText("There is nothing to delete.").waitFor();
    await name.fill("customer.m");
    await form.getByRole("option", { name: "customer.mail" }).click();
    await form.getByText("The metadata key customer.mail of 2 requests will be deleted.").waitFor();
    await accessible();
    await inDark(accessible);
    await shot("delete-metadata-key");
    equal("the preview deletes", await metadata(), [[{ plan: "pro" }, { customer: { mail: "ann@example.com", id: 7 } }], [{ customer: { mail: "bob@example.com" } }]]);
    await confirm(form, "2");
    await form.getByText("The metadata key customer.mail with all keys below it").waitFor();
    await form.getByRole("button", { name: "Close" }).last().click();
    equal("left", await metadata(), [[{ plan: "pro" }, { customer: { id: 7 } }], [{ customer: {} }]]);
    await page.getByRole("table", { name: "Deletions" }).getByText("metadata key customer.mail only").waitFor();
    // The keyboard chooses a score of the requests that match a query.
    await here.post("/rest/track-score", { request_id: keyed[0], score: 80, name: "tone" });
    await open(`${workspace}/requests?q=id:${keyed[0]}&range=all`);
    await page.getByText("1 request match").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const scores = dialog("Delete requests");
    await scores.getByText("1 request will be deleted").waitFor();
    await scores.getByRole("radio").first().focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    await scores.getByRole("combobox", { name: "Score name" }).fill("tone");
    await page.keyboard.press("Tab"); // closes the suggestions
    await scores.getByRole("checkbox", { name: "Delete their traces, too" }).check();
    await scores.getByText("The score tone of 1 request and their traces will be deleted.").waitFor();
    await confirm(scores, "1");
    await scores.getByRole("link", { name: "All deletions" }).click();
    await page.getByRole("table", { name: "Deletions" }).getByText("score tone only").waitFor();
    for (const id of keyed) await here.post("/api/public/v2/deletions", { request_ids: [id] });
    await until("the end of the requests", async () => (await left()).every((id) => !keyed.includes(id)));
    await until("the end of the deletions", async () => (await deletions()).every(({ ended_at }) => ended_at !== null));
    await open(`${workspace}/settings/retention?tab=deletions`);
    await page.getByRole("table", { name: "Deletions" }).getByText("score tone only").waitFor();
  });
  await step("deletions are listed with their certificates", async () => {
    const rows = page.getByRole("table", { name: "Deletions" }).getByRole("row");
    equal("rows", await rows.count(), 8);
    await accessible();
    await inDark(accessible);
    await shot("settings-deletions");
    const [one] = await deletions();
    await page.getByRole("button", { name: `Certificate of deletion ${one.id}` }).click();
    const certificate = dialog(`Deletion ${one.id}`);
    await certificate.getByText(one.ids_sha256).waitFor();
    await accessible();
    await shot("settings-certificate");
    const file = await eventDuring(page, "download", () => certificate.getByRole("button", { name: "Download as JSON" }).click());
    equal("the name of the file", file.suggestedFilename(), `deletion-${one.id}.json`);
    equal("its content", JSON.parse(await readFile(await file.path(), "utf8")), one);
    await page.keyboard.press("Escape");
    await certificate.waitFor({ state: "detached" });
  });
  await step("rules are previewed and saved after a confirmation", async () => {
    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByText("There are no rules: everything is kept.").waitFor();
    await page.getByRole("button", { name: "Add rule" }).click();
    const first = page.getByRole("listitem", { name: "Rule 1" });
    await first.getByLabel("Status").selectOption("Any status");
    await first.getByText("Choose a status or a tag").waitFor();
    equal("it can be saved", await page.getByRole("button", { name: "Save" }).isEnabled(), false);
    await first.getByLabel("Tag").fill("keep");
    await first.getByLabel("Keep for").fill("0");
    await first.getByText("From 1 to 36,500, or empty").waitFor();
    await first.getByLabel("Keep for").fill("");
    await page.getByLabel("Keep all other requests for").fill("30");
    await page.getByLabel("Keep texts for").fill("7");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("These rules would delete 2 requests and the texts of 3 now.").waitFor();
    await accessible();
    await inDark(accessible);
    await shot("settings-retention");
    await page.getByRole("button", { name: "Save" }).click();
    const question = page.getByRole("alertdialog", { name: "Save the rules?" });
    await question.getByText("2 requests and the texts of 3").waitFor();
    equal("stored before the confirmation", (await rules()).days, 0);
    await question.getByRole("button", { name: "Save" }).click();
    await page.getByText(/Next applied/).waitFor();
    equal("stored", await rules(), { rules: [{ tag: "keep", days: 0 }], days: 30, text_days: 7 });
  });
  await step("rules are ordered and removed, and leaving asks about changes", async () => {
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByRole("button", { name: "Move rule 2 up" }).click();
    equal("the first rule", await page.getByRole("listitem", { name: "Rule 1" }).getByLabel("Status").inputValue(), "ERROR");
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alertdialog", { name: "Save the rules?" }).getByRole("button", { name: "Save" }).click();
    await until("they are stored", async () => (await rules()).rules.length === 2);
    equal("stored", (await rules()).rules, [{ status: "ERROR", days: 90 }, { tag: "keep", days: 0 }]);
    await page.getByRole("button", { name: "Remove rule 2" }).click();
    await page.getByRole("button", { name: "Remove rule 1" }).click();
    await page.getByLabel("Keep requests for").fill("");
    await page.getByLabel("Keep texts for").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("There are no rules: everything is kept.").waitFor();
    equal("stored", await rules(), { rules: [], days: 0, text_days: 0 });
  });
  await step("the changes are in the audit log", async () => {
    for (const [kind, action, wanted] of [["DELETION", "delete", 7], ["RETENTION", "change", 3]]) {
      const { entries } = await here.get(`/api/admin/audit?subject_kind=${kind}&limit=50`);
      equal(`entries about ${kind}`, entries.filter((one) => one.action === action).length, wanted);
    }
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, the pages and the dialogs fit", async () => {
    await open(`${workspace}/settings/retention`);
    await page.getByRole("button", { name: "Add rule" }).click();
    await fits();
    await accessible();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("tab", { name: "Deletions" }).click();
    await page.getByRole("table", { name: "Deletions" }).waitFor();
    await fits();
    await page.getByRole("button", { name: /^Certificate of deletion/ }).first().click();
    await page.getByText("SHA-256 of the IDs").waitFor();
    await fits();
    await accessible();
    await open(`${workspace}/users/ann`);
    await page.getByRole("button", { name: "Delete everything of this user…" }).click();
    await page.getByText("There is nothing to delete.").waitFor();
    await fits();
  });
}, { width: 390, height: 844 });

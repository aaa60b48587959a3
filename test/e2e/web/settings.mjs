// The settings: every section, keys from their making to their end, secrets
// that are never shown, workspaces, the audit log, health. People are in
// members.mjs.
import { readFile } from "node:fs/promises";
import { drive, equal, nowhere, until, withinSight } from "./browser.mjs";

const { WEB_ADDRESS } = process.env;
const sections = [
  ["account", "Account"], ["workspaces", "Workspaces"], ["members", "Members"], ["roles", "Roles"], ["keys", "API keys"], ["providers", "Providers"],
  ["environment", "Environment variables"], ["audit", "Audit log"], ["health", "Health"],
];
// Unlike those of an earlier run on the same data.
const run = Date.now().toString(36);
const keyName = `settings ${run}`;
const variable = `SETTINGS_${run.toUpperCase()}`;

/** What a program would send with a key: the status of the answer. */
async function logWith(key) {
  const said = (role, text) => ({ type: "chat", messages: [{ role, content: [{ type: "text", text }] }] });
  const answer = await fetch(`${WEB_ADDRESS}/log-request`, {
    method: "POST",
    headers: { "X-API-KEY": key, "Content-Type": "application/json" },
    body: JSON.stringify({
      provider: "openai", model: "gpt-4o", input: said("user", "Where is my order 4711?"), output: said("assistant", "It leaves our warehouse today."), input_tokens: 84, output_tokens: 12, price: 0.0004,
      request_start_time: new Date(Date.now() - 1000).toISOString(), request_end_time: new Date().toISOString(), tags: ["storefront"],
    }),
  });
  return answer.status;
}

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const rowOf = (table, text) => page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });
  const keyRow = () => rowOf("API keys", keyName);
  const chooseFromMenu = async (button, item) => {
    await button.click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const dialog = (name) => page.getByRole("dialog", { name });
  const question = (name) => page.getByRole("alertdialog", { name });
  let key;
  let rotated;

  await step("the menu leads to the settings", async () => {
    await open("1/requests");
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
  });
  for (const [id, title] of sections) {
    await step(`the section ${title} opens`, async () => {
      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: title }).click();
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await until("the address names it", () => page.url().endsWith(`/app/1/settings/${id}`));
      await until("nothing loads any more", async () => (await page.getByRole("status").filter({ hasText: "Loading" }).count()) === 0);
      await accessible();
    });
  }
  await step("a section that does not exist says so", async () => {
    await open("1/settings/nothing");
    await page.getByText("Nothing is here").waitFor();
  });

  await step("the keys of the workspace are listed, without the keys themselves", async () => {
    await open("1/settings/keys");
    await rowOf("API keys", "storefront").getByText("Logger").waitFor();
    await shot("settings-keys");
    await inDark(accessible);
  });
  await step("a key is made and shown once", async () => {
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialog("New key");
    equal("a key without a name can be made", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    await form.getByLabel("Name").fill(keyName);
    await form.getByLabel("Ends").selectOption({ label: "In 30 days" });
    equal("the role of a new key", await form.getByRole("checkbox", { name: /Logger/ }).isChecked(), true);
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    const shown = dialog(`New key: ${keyName}`);
    key = await shown.getByLabel("The key").inputValue();
    if (!/^pl_\w{20,}$/.test(key)) throw new Error("what is shown is no key");
    await shown.getByText(`X-API-KEY: ${key}`).waitFor();
    const [command, copy] = [await shown.locator("pre").boundingBox(), await shown.getByRole("button", { name: "Copy", exact: true }).last().boundingBox()];
    if (copy.x < command.x + command.width) throw new Error("the button covers the command");
    await accessible();
  });
  await step("who did not copy the key is asked before it is gone", async () => {
    await page.keyboard.press("Escape");
    await question(/Close without copying/).getByRole("button", { name: "Cancel" }).click();
    const shown = dialog(`New key: ${keyName}`);
    await shown.getByRole("button", { name: "Copy", exact: true }).first().click();
    await until("the key is in the clipboard", async () => (await page.evaluate(() => navigator.clipboard.readText())) === key);
    await shown.getByRole("button", { name: "Done" }).click();
    await shown.waitFor({ state: "detached" });
    await keyRow().getByText("never", { exact: true }).waitFor();
    await nowhere(page, key);
    await page.reload();
    await keyRow().waitFor();
    await nowhere(page, key);
  });
  await step("the key is stored with its role and its end", async () => {
    const stored = (await api.get("/api/admin/keys")).keys.find(({ name }) => name === keyName);
    equal("the roles", stored.roles, ["Logger"]);
    const days = (new Date(stored.expires_at) - Date.now()) / 86_400_000;
    if (!(days > 29 && days < 31)) throw new Error(`it ends in ${days} days`);
    if (JSON.stringify(stored).includes(key)) throw new Error("the list of keys holds the key itself");
  });
  await step("a request is logged with it", async () => {
    equal("logging answered", await logWith(key), 201);
  });
  await step("a rotated key takes the place of the old one, which is refused", async () => {
    await chooseFromMenu(keyRow().getByRole("button", { name: /Change the key/ }), "Rotate");
    const form = dialog(`Rotate ${keyName}`);
    await form.getByLabel("The old key stops working").selectOption({ label: "At once" });
    await form.getByText("refused right away").waitFor();
    await form.getByRole("button", { name: "Rotate" }).click();
    const shown = dialog(`New key: ${keyName}`);
    rotated = await shown.getByLabel("The key").inputValue();
    await shown.getByRole("button", { name: "Copy", exact: true }).first().click();
    await shown.getByRole("button", { name: "Done" }).click();
    equal("the old key is answered", await logWith(key), 401);
    equal("the new key is answered", await logWith(rotated), 201);
    await until("one key of the name is left", async () => (await keyRow().count()) === 1);
  });
  await step("a revoked key is refused", async () => {
    await chooseFromMenu(keyRow().getByRole("button", { name: /Change the key/ }), "Revoke");
    const asked = question(`Revoke the key ${keyName}?`);
    await asked.getByText(rotated.slice(-4)).waitFor();
    await asked.getByRole("button", { name: "Cancel" }).click();
    equal("after Cancel the key is answered", await logWith(rotated), 201);
    await chooseFromMenu(keyRow().getByRole("button", { name: /Change the key/ }), "Revoke");
    await asked.getByRole("button", { name: "Revoke" }).click();
    await page.getByText(`The key ${keyName} was revoked.`).first().waitFor();
    await until("the key is refused", async () => (await logWith(rotated)) === 401);
    await until("it has left the list", async () => (await keyRow().count()) === 0);
  });
  await step("keys that have ended are shown when asked for, also by the address", async () => {
    await page.getByRole("switch", { name: /ended/ }).click();
    await until("both are listed", async () => (await keyRow().count()) === 2);
    await keyRow().filter({ hasText: "revoked" }).first().waitFor();
    await page.reload();
    await until("both are listed again", async () => (await keyRow().count()) === 2);
  });

  await step("a provider is ready once its key is set, and no longer when it is deleted", async () => {
    await open("1/settings/providers");
    const provider = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: /Mistral/ }) });
    await provider.getByText("not set").waitFor();
    await provider.getByRole("button", { name: "Set MISTRAL_API_KEY" }).click();
    const form = dialog("Set MISTRAL_API_KEY");
    await form.getByLabel("API key of Mistral").fill("mistral-secret-of-settings");
    await form.getByRole("button", { name: "Set" }).click();
    await provider.getByText("ready").waitFor();
    await nowhere(page, "mistral-secret-of-settings");
    const configured = async () => (await api.get("/api/public/v2/providers")).providers.find(({ name }) => name === "mistral").configured;
    equal("the provider is configured", await configured(), true);
    await accessible();
    await provider.getByRole("button", { name: "Delete MISTRAL_API_KEY" }).click();
    await question("Delete MISTRAL_API_KEY?").getByRole("button", { name: "Delete" }).click();
    await provider.getByText("not set").waitFor();
    equal("the provider is configured", await configured(), false);
  });
  await step("a variable is added, replaced and deleted, and its value never shown", async () => {
    const stored = async () => (await api.get("/api/public/v2/env-vars")).workspace_env_vars.find((one) => one.key === variable);
    await open("1/settings/environment");
    await page.getByRole("button", { name: "New variable" }).first().click();
    const form = dialog("New variable");
    await form.getByLabel("Name").fill(variable);
    await form.getByLabel("Value").fill("first-secret-value-1111");
    await form.getByRole("button", { name: "Add" }).click();
    await rowOf("Environment variables", variable).getByText("1111").waitFor();
    await nowhere(page, "first-secret-value");
    await chooseFromMenu(page.getByRole("button", { name: `Change ${variable}` }), "Replace the value");
    await dialog(`Replace ${variable}`).getByLabel("New value").fill("second-secret-value-2222");
    await dialog(`Replace ${variable}`).getByRole("button", { name: "Replace" }).click();
    await rowOf("Environment variables", variable).getByText("2222").waitFor();
    equal("the stored value ends in", (await stored()).value_suffix, "2222");
    await page.getByRole("button", { name: "New variable" }).first().click();
    await form.getByLabel("Name").fill(variable);
    await form.getByText("has this variable already").waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
    await chooseFromMenu(page.getByRole("button", { name: `Change ${variable}` }), "Delete");
    await question(`Delete ${variable}?`).getByRole("button", { name: "Delete" }).click();
    await until("it has left the list", async () => (await rowOf("Environment variables", variable).count()) === 0);
    equal("the variable is stored", await stored(), undefined);
  });
  await step("a name that no variable can have is refused in words", async () => {
    await page.getByRole("button", { name: "New variable" }).first().click();
    await dialog("New variable").getByLabel("Name").fill("not-a-name");
    await dialog("New variable").getByText("Only letters, digits and _").waitFor();
    equal("it can be added", await dialog("New variable").getByRole("button", { name: "Add" }).isEnabled(), false);
    await dialog("New variable").getByRole("button", { name: "Cancel" }).click();
  });
  await step("a workspace is made, renamed, bound to roles and disabled", async () => {
    const name = `Settings ${run}`;
    const stored = async () => (await api.get("/api/admin/workspaces")).workspaces.find((one) => one.name === `${name} renamed`);
    await open("1/settings/workspaces");
    await page.getByRole("button", { name: "New workspace" }).click();
    await dialog("New workspace").getByLabel("Name").fill(name);
    await dialog("New workspace").getByRole("button", { name: "Create" }).click();
    await chooseFromMenu(page.getByRole("button", { name: `Change ${name}` }), "Rename");
    await dialog(`Rename ${name}`).getByLabel("Name").fill(`${name} renamed`);
    await dialog(`Rename ${name}`).getByRole("button", { name: "Rename" }).click();
    const change = page.getByRole("button", { name: `Change ${name} renamed` });
    await chooseFromMenu(change, "Require roles");
    await question(/Require roles in/).getByRole("button", { name: "Require roles" }).click();
    await rowOf("Workspaces", `${name} renamed`).getByText("may only read").waitFor();
    await chooseFromMenu(change, "Disable");
    await question(/Disable Settings/).getByRole("button", { name: "Disable" }).click();
    await rowOf("Workspaces", `${name} renamed`).getByText("disabled").waitFor();
    const { roles_required, disabled_at } = await stored();
    equal("stored", [roles_required, disabled_at !== null], [true, true]);
  });

  await step("the audit log tells of the key, whose filters stand in the address", async () => {
    await open("1/settings/audit");
    await page.getByLabel("Kind").selectOption({ label: "API key" });
    await page.getByLabel("Action", { exact: true }).selectOption("revoke");
    await until("the address holds both", () => page.url().includes("kind=KEY") && page.url().includes("action=revoke"));
    await rowOf("Audit log", keyName).first().getByRole("button", { name: /\d\d:\d\d:\d\d$/ }).waitFor();
    await page.getByLabel("Action", { exact: true }).selectOption("create");
    await rowOf("Audit log", keyName).first().waitFor();
    await page.goBack();
    await until("back leads to what was revoked", async () => (await page.getByLabel("Action", { exact: true }).inputValue()) === "revoke");
    await page.getByLabel("Who").fill("nobody@example.com");
    await page.getByLabel("Who").press("Enter");
    await page.getByText("Nothing matches").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await rowOf("Audit log", keyName).first().waitFor();
    await accessible();
  });
  await step("the audit log tells what commands did", async () => {
    await page.getByLabel("Through").selectOption("command");
    await until("no entries by people", async () => (await rowOf("Audit log", "command line").count()) > 0 && (await rowOf("Audit log", "owner@localhost").count()) === 0);
    await shot("settings-audit");
    await page.getByRole("button", { name: "Clear" }).click();
    await rowOf("Audit log", keyName).first().waitFor();
  });
  await step("an entry opens, and never holds a secret", async () => {
    await rowOf("Audit log", keyName).first().getByRole("button").click();
    await until("the address names the entry", () => /entry=\d+/.test(page.url()));
    const entry = page.getByRole("dialog");
    await entry.getByText("owner@localhost").first().waitFor();
    await accessible();
    await nowhere(page, rotated);
    await page.keyboard.press("Escape");
    await entry.waitFor({ state: "detached" });
  });
  await step("the audit log is downloaded as it is narrowed", async () => {
    await page.getByLabel("Kind").selectOption({ label: "environment variable" });
    await rowOf("Audit log", variable).first().waitFor();
    for (const [format, name] of [["As CSV", "csv"], ["As lines of JSON", "ndjson"]]) {
      const waiting = page.waitForEvent("download");
      await chooseFromMenu(page.getByRole("button", { name: "Export" }), format);
      const file = await waiting;
      if (!file.suggestedFilename().endsWith(`.${name}`)) throw new Error(`the file is called ${file.suggestedFilename()}`);
      const text = await readFile(await file.path(), "utf8");
      if (!text.includes(variable) || text.includes(keyName) || text.includes("secret-value")) throw new Error(`the file holds ${text.slice(0, 500)}`);
    }
  });
  await step("health shows the readings of the server", async () => {
    await open("1/settings/health");
    const { version } = await api.get("/api/admin/health");
    await page.getByText(version, { exact: true }).waitFor();
    await page.getByRole("meter", { name: "Used part of the disk" }).waitFor();
    await accessible();
    await shot("settings-health");
  });
  await step("the list says that the keys were used", async () => {
    // It is written every half a minute, of which most has gone by.
    await until("the keys count as used", async () => (await api.get("/api/admin/keys")).keys.filter((one) => one.name === keyName).every((one) => one.last_used_at !== null));
    await open("1/settings/keys?ended=true");
    await keyRow().first().waitFor();
    await until("keys that were never used: 0", async () => (await keyRow().getByText("never", { exact: true }).count()) === 0);
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  for (const [id, title] of sections) {
    await step(`on a phone, ${title} fits`, async () => {
      await open(`1/settings/${id}`);
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await until("nothing loads any more", async () => (await page.getByRole("status").filter({ hasText: "Loading" }).count()) === 0);
      await fits();
    });
  }
  await step("on a phone, another section is chosen and a key can be made", async () => {
    await page.getByLabel("Section", { exact: true }).selectOption({ label: "API keys" });
    await withinSight(page, page.getByRole("button", { name: /Change the key nightly/ }));
    await page.getByRole("button", { name: "New key" }).click();
    const create = page.getByRole("dialog", { name: "New key" }).getByRole("button", { name: "Create" });
    await withinSight(page, create);
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

// The settings: every section, the life of a key, secrets that are never shown,
// workspaces, the audit log and health. Members are in members.mjs.
import { readFile } from "node:fs/promises";
import { drive, equal, eventDuring, nowhere, until, withinSight } from "./browser.mjs";

const { WEB_ADDRESS } = process.env;
const sections = [
  ["account", "Account"], ["workspaces", "Workspaces"], ["members", "Members"], ["roles", "Roles"], ["keys", "API keys"], ["providers", "Providers"],
  ["environment", "Environment variables"], ["prices", "Prices"], ["redaction", "Redaction"], ["retention", "Data retention"], ["imports", "Imports"], ["exports", "Exports"], ["webhooks", "Webhooks"], ["audit", "Audit log"], ["health", "Health"],
];
// Unique, because an earlier run may have left data.
const run = Date.now().toString(36);
const keyName = `settings ${run}`;
const variable = `SETTINGS_${run.toUpperCase()}`;

/** Logs a request with a key, and returns the status of the response. */
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

  await step("the menu opens the settings", async () => {
    await open("1/requests");
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
  });
  for (const [id, title] of sections) {
    await step(`the section ${title} opens`, async () => {
      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: title }).click();
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await until("the URL contains it", () => page.url().endsWith(`/app/1/settings/${id}`));
      await until("loading has finished", async () => (await page.getByRole("status").filter({ hasText: "Loading" }).count()) === 0);
      await accessible();
    });
  }
  await step("an unknown section shows an error", async () => {
    await open("1/settings/nothing");
    await page.getByText("Page not found").waitFor();
  });

  await step("keys are listed without their secrets", async () => {
    await open("1/settings/keys");
    await rowOf("API keys", "storefront").getByText("Logger").waitFor();
    await shot("settings-keys");
    await inDark(accessible);
  });
  await step("a key is created and shown once", async () => {
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialog("New key");
    equal("a key without a name can be created", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    await form.getByLabel("Name").fill(keyName);
    await form.getByLabel("Expires").selectOption({ label: "In 30 days" });
    equal("the role of a new key", await form.getByRole("checkbox", { name: /Logger/ }).isChecked(), true);
    await accessible();
    await form.getByRole("button", { name: "Create" }).click();
    const shown = dialog(`New key: ${keyName}`);
    key = await shown.getByLabel("New key").inputValue();
    if (!/^pl_\w{20,}$/.test(key)) throw new Error("the shown value is not a key");
    await shown.getByText(`X-API-KEY: ${key}`).waitFor();
    const [command, copy] = [await shown.locator("pre").boundingBox(), await shown.getByRole("button", { name: "Copy", exact: true }).last().boundingBox()];
    if (copy.x < command.x + command.width) throw new Error("the button covers the command");
    await accessible();
  });
  await step("closing without copying the key asks for confirmation", async () => {
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
  await step("the key is stored with its role and expiry", async () => {
    const stored = (await api.get("/api/admin/keys")).keys.find(({ name }) => name === keyName);
    equal("the roles", stored.roles, ["Logger"]);
    const days = (new Date(stored.expires_at) - Date.now()) / 86_400_000;
    if (!(days > 29 && days < 31)) throw new Error(`it expires in ${days} days`);
    if (JSON.stringify(stored).includes(key)) throw new Error("the list of keys contains the secret");
  });
  await step("a request is logged with it", async () => {
    equal("logging answered", await logWith(key), 201);
  });
  await step("rotating a key replaces the old one, which is refused", async () => {
    await chooseFromMenu(keyRow().getByRole("button", { name: /Actions for key/ }), "Rotate");
    const form = dialog(`Rotate ${keyName}`);
    await form.getByLabel("The old key stops working").selectOption({ label: "Immediately" });
    await form.getByText("refused immediately").waitFor();
    await form.getByRole("button", { name: "Rotate" }).click();
    const shown = dialog(`New key: ${keyName}`);
    rotated = await shown.getByLabel("New key").inputValue();
    await shown.getByRole("button", { name: "Copy", exact: true }).first().click();
    await shown.getByRole("button", { name: "Done" }).click();
    equal("the status with the old key", await logWith(key), 401);
    equal("the status with the new key", await logWith(rotated), 201);
    await until("one key with the name is left", async () => (await keyRow().count()) === 1);
  });
  await step("a revoked key is refused", async () => {
    await chooseFromMenu(keyRow().getByRole("button", { name: /Actions for key/ }), "Revoke");
    const asked = question(`Revoke key ${keyName}?`);
    await asked.getByText(rotated.slice(-4)).waitFor();
    await asked.getByRole("button", { name: "Cancel" }).click();
    equal("the status after Cancel", await logWith(rotated), 201);
    await chooseFromMenu(keyRow().getByRole("button", { name: /Actions for key/ }), "Revoke");
    await asked.getByRole("button", { name: "Revoke" }).click();
    await page.getByText(`Key ${keyName} revoked`).first().waitFor();
    await until("the key is refused", async () => (await logWith(rotated)) === 401);
    await until("it has left the list", async () => (await keyRow().count()) === 0);
  });
  await step("inactive keys can be shown, also by URL", async () => {
    await page.getByRole("switch", { name: /inactive/ }).click();
    await until("both are listed", async () => (await keyRow().count()) === 2);
    await keyRow().filter({ hasText: "revoked" }).first().waitFor();
    await page.reload();
    await until("both are listed again", async () => (await keyRow().count()) === 2);
  });

  await step("setting and deleting a key configures a provider", async () => {
    await open("1/settings/providers");
    const provider = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: /Mistral/ }) });
    await provider.getByText("not configured").waitFor();
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
    await provider.getByText("not configured").waitFor();
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
    await chooseFromMenu(page.getByRole("button", { name: `Actions for ${variable}` }), "Replace value");
    await dialog(`Replace ${variable}`).getByLabel("New value").fill("second-secret-value-2222");
    await dialog(`Replace ${variable}`).getByRole("button", { name: "Replace" }).click();
    await rowOf("Environment variables", variable).getByText("2222").waitFor();
    equal("the stored value ends in", (await stored()).value_suffix, "2222");
    await page.getByRole("button", { name: "New variable" }).first().click();
    await form.getByLabel("Name").fill(variable);
    await form.getByText("This variable already exists").waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
    await chooseFromMenu(page.getByRole("button", { name: `Actions for ${variable}` }), "Delete");
    await question(`Delete ${variable}?`).getByRole("button", { name: "Delete" }).click();
    await until("it has left the list", async () => (await rowOf("Environment variables", variable).count()) === 0);
    equal("the variable is stored", await stored(), undefined);
  });
  await step("an invalid variable name shows an error", async () => {
    await page.getByRole("button", { name: "New variable" }).first().click();
    await dialog("New variable").getByLabel("Name").fill("not-a-name");
    await dialog("New variable").getByText("Use letters, digits and underscores").waitFor();
    equal("it can be added", await dialog("New variable").getByRole("button", { name: "Add" }).isEnabled(), false);
    await dialog("New variable").getByRole("button", { name: "Cancel" }).click();
  });
  await step("a workspace is created, renamed, requires roles and is disabled", async () => {
    const name = `Settings ${run}`;
    const stored = async () => (await api.get("/api/admin/workspaces")).workspaces.find((one) => one.name === `${name} renamed`);
    await open("1/settings/workspaces");
    await page.getByRole("button", { name: "New workspace" }).click();
    await dialog("New workspace").getByLabel("Name").fill(name);
    await dialog("New workspace").getByRole("button", { name: "Create" }).click();
    await chooseFromMenu(page.getByRole("button", { name: `Actions for ${name}` }), "Rename");
    await dialog(`Rename ${name}`).getByLabel("Name").fill(`${name} renamed`);
    await dialog(`Rename ${name}`).getByRole("button", { name: "Rename" }).click();
    const change = page.getByRole("button", { name: `Actions for ${name} renamed` });
    await chooseFromMenu(change, "Require roles");
    await question(/Require roles in/).getByRole("button", { name: "Require roles" }).click();
    await rowOf("Workspaces", `${name} renamed`).getByText("read-only").waitFor();
    await chooseFromMenu(change, "Disable");
    await question(/Disable Settings/).getByRole("button", { name: "Disable" }).click();
    await rowOf("Workspaces", `${name} renamed`).getByText("disabled").waitFor();
    const { roles_required, disabled_at } = await stored();
    equal("stored", [roles_required, disabled_at !== null], [true, true]);
  });

  await step("the audit log contains the key, and its filters are in the URL", async () => {
    await open("1/settings/audit");
    await page.getByLabel("Kind").selectOption({ label: "API key" });
    await page.getByLabel("Action", { exact: true }).selectOption("revoke");
    await until("the URL contains both", () => page.url().includes("kind=KEY") && page.url().includes("action=revoke"));
    await rowOf("Audit log", keyName).first().getByRole("button", { name: /\d\d:\d\d:\d\d$/ }).waitFor();
    await page.getByLabel("Action", { exact: true }).selectOption("create");
    await rowOf("Audit log", keyName).first().waitFor();
    await page.goBack();
    await until("going back restores the filter", async () => (await page.getByLabel("Action", { exact: true }).inputValue()) === "revoke");
    await page.getByLabel("Who").fill("nobody@example.com");
    await page.getByLabel("Who").press("Enter");
    await page.getByText("No matching entries").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await rowOf("Audit log", keyName).first().waitFor();
    await accessible();
  });
  await step("the audit log contains commands", async () => {
    await page.getByLabel("Via").selectOption("command");
    await until("no entries by users", async () => (await rowOf("Audit log", "command line").count()) > 0 && (await rowOf("Audit log", "owner@localhost").count()) === 0);
    await shot("settings-audit");
    await page.getByRole("button", { name: "Clear" }).click();
    await rowOf("Audit log", keyName).first().waitFor();
  });
  await step("an entry opens and contains no secret", async () => {
    await rowOf("Audit log", keyName).first().getByRole("button").click();
    await until("the URL contains the entry", () => /entry=\d+/.test(page.url()));
    const entry = page.getByRole("dialog");
    await entry.getByText("owner@localhost").first().waitFor();
    await accessible();
    await nowhere(page, rotated);
    await page.keyboard.press("Escape");
    await entry.waitFor({ state: "detached" });
  });
  await step("the filtered audit log is downloaded", async () => {
    await page.getByLabel("Kind").selectOption({ label: "environment variable" });
    await rowOf("Audit log", variable).first().waitFor();
    for (const [format, name] of [["CSV", "csv"], ["JSON lines", "jsonl"]]) {
      await page.getByRole("button", { name: "Export", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Export entries" });
      await dialog.getByRole("button", { name: format, exact: true }).click();
      const file = await eventDuring(page, "download", () => dialog.getByRole("link", { name: "Export", exact: true }).click());
      if (!file.suggestedFilename().endsWith(`.${name}`)) throw new Error(`the file name is ${file.suggestedFilename()}`);
      const text = await readFile(await file.path(), "utf8");
      if (!text.includes(variable) || text.includes(keyName) || text.includes("secret-value")) throw new Error(`the file contains ${text.slice(0, 500)}`);
    }
  });
  await step("health shows the state of the server", async () => {
    await open("1/settings/health");
    const { version } = await api.get("/api/admin/health");
    await page.getByText(version, { exact: true }).waitFor();
    await page.getByRole("meter", { name: "Disk usage" }).waitFor();
    await accessible();
    await shot("settings-health");
  });
  await step("the list shows when keys were used", async () => {
    // Updated every 30 seconds, most of which have passed.
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
      await until("loading has finished", async () => (await page.getByRole("status").filter({ hasText: "Loading" }).count()) === 0);
      await fits();
    });
  }
  await step("on a phone, another section is chosen and a key can be created", async () => {
    await page.getByLabel("Section", { exact: true }).selectOption({ label: "API keys" });
    await withinSight(page, page.getByRole("button", { name: /Actions for key nightly/ }));
    await page.getByRole("button", { name: "New key" }).click();
    const create = page.getByRole("dialog", { name: "New key" }).getByRole("button", { name: "Create" });
    await withinSight(page, create);
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

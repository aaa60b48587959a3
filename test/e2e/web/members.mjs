// Members: inviting, signing in through the link, what is hidden without a
// permission, how roles change permissions, and removal.
import { drive, equal, nowhere, until, withinSight } from "./browser.mjs";

const { WEB_ADDRESS } = process.env;
// Unique, because an earlier run may have left data.
const email = `members-${Date.now().toString(36)}@example.com`;
const password = "a member of the storehouse";
let signInLink;

/** Signs in as the member over the API, and returns the status and the session. */
async function memberSession(secret) {
  const answer = await fetch(`${WEB_ADDRESS}/api/admin/session`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ email, password: secret }) });
  return { status: answer.status, ...(answer.ok ? await answer.json() : {}) };
}

await drive(async ({ page, step, open, accessible, inDark, api }) => {
  const dialog = (name) => page.getByRole("dialog", { name });
  const row = () => page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: email });

  await step("the members are listed with their roles", async () => {
    await open("1/settings/members");
    await page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: "ada@example.com" }).getByText("Editor").waitFor();
    await inDark(accessible);
  });
  await step("an invalid email is not invited", async () => {
    await page.getByRole("button", { name: "Invite" }).click();
    await dialog("Invite member").getByLabel("Email").fill("no address");
    await dialog("Invite member").getByRole("button", { name: "Invite" }).click();
    equal("the field is valid", await dialog("Invite member").getByLabel("Email").evaluate((field) => field.validity.valid), false);
  });
  await step("inviting a member shows a sign-in link", async () => {
    const form = dialog("Invite member");
    await form.getByLabel("Email").fill(email);
    await form.getByRole("checkbox", { name: /^Editor/ }).uncheck();
    await form.getByText(/No role selected/).waitFor();
    await form.getByRole("checkbox", { name: /^Viewer/ }).check();
    await accessible();
    await form.getByRole("button", { name: "Invite" }).click();
    const shown = dialog(`Sign-in link for ${email}`);
    signInLink = await shown.getByLabel("New link").inputValue();
    equal("the origin of the link", new URL(signInLink).origin, WEB_ADDRESS);
    await accessible();
  });
  await step("the link is shown once", async () => {
    const shown = dialog(`Sign-in link for ${email}`);
    await shown.getByRole("button", { name: "Copy", exact: true }).click();
    await until("the link is in the clipboard", async () => (await page.evaluate(() => navigator.clipboard.readText())) === signInLink);
    await shown.getByRole("button", { name: "Done" }).click();
    await row().getByText("Viewer").waitFor();
    await row().getByText("not yet").waitFor();
    await nowhere(page, signInLink);
  });
  await step("the invitation is stored with its role", async () => {
    const stored = (await api.get("/api/admin/users")).users.find((user) => user.email === email);
    equal("stored", [stored.roles, stored.owner, stored.has_password], [["Viewer"], false, false]);
  });
  await step("the permissions of each role are listed", async () => {
    await open("1/settings/roles");
    const table = page.getByRole("region", { name: "Role permissions" });
    for (const role of ["Viewer", "Logger", "Publisher", "Admin"]) await table.getByRole("columnheader", { name: role }).waitFor();
    const keys = table.getByRole("row", { name: /API keys/i });
    await keys.getByRole("img", { name: "yes" }).first().waitFor();
  });
});

await drive(async ({ page, context, step, open, accessible, expect, address }) => {
  await step("the link asks for a password", async () => {
    expect(/status 401: GET .*\/api\/admin\/session/);
    await page.goto(signInLink);
    await page.getByText("Choose a password").waitFor();
    await accessible();
  });
  await step("a short password shows an error", async () => {
    expect(/status 4\d\d: POST .*\/api\/admin\/session/);
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Set password and sign in" }).click();
    await page.getByText(/10 characters/).first().waitFor();
    await until("the field is invalid", async () => (await page.getByLabel("New password").getAttribute("aria-invalid")) === "true");
  });
  await step("setting a password signs the member in", async () => {
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Set password and sign in" }).click();
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await page.getByRole("button", { name: email }).waitFor();
    if (page.url().includes("token")) throw new Error("the URL still contains the token");
  });
  await step("the link works only once", async () => {
    const other = await context.browser().newContext();
    const again = await other.newPage();
    await again.goto(signInLink);
    await again.getByLabel("New password").fill("another password of somebody");
    await again.getByRole("button", { name: "Set password and sign in" }).click();
    await again.getByText(/link|token/i).first().waitFor();
    await until("it is refused", async () => (await again.getByLabel("New password").getAttribute("aria-invalid")) === "true");
    await other.close();
  });
  await step("a viewer can read prompts", async () => {
    await open("1/prompts?q=refund-helper");
    await page.getByRole("link", { name: "refund-helper" }).first().waitFor();
  });
  await step("a viewer cannot create a prompt", async () => {
    const make = page.getByRole("button", { name: "New prompt" });
    if ((await make.count()) > 0 && (await make.first().isEnabled())) throw new Error("the button is enabled");
  });
  for (const [section, title, permission] of [["members", "Members", "ADMIN"], ["keys", "API keys", "MANAGE_API_KEYS"], ["audit", "Audit log", "ADMIN"], ["health", "Health", "ADMIN"]]) {
    await step(`a viewer sees why access to ${title} is denied`, async () => {
      await open(`1/settings/${section}`);
      await page.getByText("Access denied").waitFor();
      await page.getByText(permission, { exact: true }).waitFor();
      await accessible();
    });
  }
  await step("a viewer cannot change variables or workspaces", async () => {
    await open("1/settings/environment");
    await page.getByRole("heading", { name: "Environment variables" }).waitFor();
    equal("New variable is enabled", await page.getByRole("button", { name: "New variable" }).first().isEnabled(), false);
    await open("1/settings/providers");
    await page.getByRole("heading", { name: /OpenAI/ }).first().waitFor();
    equal("Set is enabled", await page.getByRole("button", { name: /^(Set|Replace) [A-Z]/ }).first().isEnabled(), false);
    await open("1/settings/workspaces");
    await page.getByRole("table", { name: "Workspaces" }).waitFor();
    equal("New workspace is enabled", await page.getByRole("button", { name: "New workspace" }).isEnabled(), false);
  });
  await step("the server refuses a viewer too", async () => {
    for (const path of ["keys", "users", "audit", "health"]) {
      const answer = await context.request.get(`${address}/api/admin/${path}`, { headers: { "X-Workspace-Id": "1" } });
      equal(`${path} answered`, answer.status(), 403);
    }
  });
  await step("the account page shows roles and rejects a wrong password", async () => {
    expect(/status 4\d\d: PUT .*\/api\/admin\/session\/password/);
    await open("1/settings/account");
    await page.getByText("Viewer").first().waitFor();
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password", { exact: true }).fill("the next password");
    await page.getByLabel("Confirm new password").fill("the next passwort");
    await page.getByText("Passwords do not match").waitFor();
    const change = page.getByRole("button", { name: "Change password" });
    equal("it can be changed", await change.isEnabled(), false);
    await page.getByLabel("Confirm new password").fill("the next password");
    await change.click();
    await until("the current password is invalid", async () => (await page.getByLabel("Current password").getAttribute("aria-invalid")) === "true");
    await accessible();
    equal("signing in with the old password answered", (await memberSession(password)).status, 200);
  });
  await step("the password is changed", async () => {
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").first().waitFor();
    equal("signing in with the old password answered", (await memberSession(password)).status, 401);
    equal("signing in with the new password answered", (await memberSession("the next password")).status, 200);
  });
  await step("signing out redirects to the sign-in page and locks all pages", async () => {
    await page.getByRole("button", { name: email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await open("1/requests");
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });
}, { signedIn: false });

await drive(async ({ page, step, open, accessible, api }) => {
  const row = () => page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: email });
  const choose = async (item) => {
    await page.getByRole("button", { name: `Actions for ${email}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const question = (name) => page.getByRole("alertdialog", { name });

  await step("more roles give more permissions", async () => {
    await open("1/settings/members");
    await choose("Change roles");
    const form = page.getByRole("dialog", { name: `Roles of ${email}` });
    await form.getByRole("checkbox", { name: /^Developer/ }).check();
    await accessible();
    await form.getByRole("button", { name: "Save" }).click();
    await row().getByText("Developer").waitFor();
    const session = await memberSession("the next password");
    equal("the member can manage keys", session.permissions.includes("MANAGE_API_KEYS"), true);
    equal("the member is an administrator", session.permissions.includes("ADMIN"), false);
  });
  await step("a member becomes an owner and is removed as owner", async () => {
    await choose("Make owner");
    await question(`Make ${email} an owner?`).getByRole("button", { name: "Make owner" }).click();
    await row().getByText("owner", { exact: true }).waitFor();
    await choose("Remove as owner");
    await question(`Remove ${email} as owner?`).getByRole("button", { name: "Remove as owner" }).click();
    await until("no longer an owner", async () => (await row().getByText("owner", { exact: true }).count()) === 0);
  });
  await step("a new sign-in link is created", async () => {
    await choose("New sign-in link");
    await question(/Create a sign-in link/).getByRole("button", { name: "Create link" }).click();
    const shown = page.getByRole("dialog", { name: `Sign-in link for ${email}` });
    if ((await shown.getByLabel("New link").inputValue()) === signInLink) throw new Error("it is the old link");
    await shown.getByRole("button", { name: "Copy", exact: true }).click();
    await shown.getByRole("button", { name: "Done" }).click();
  });
  await step("the audit log contains the changes to the user", async () => {
    const { entries } = await api.get("/api/admin/audit?subject_kind=USER&limit=50");
    const mine = entries.filter(({ subject_name }) => subject_name === email).map(({ action }) => action);
    if (!mine.includes("invite")) throw new Error(`the entries are ${mine}`);
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Audit log" }).click();
    await page.getByLabel("Kind").selectOption({ label: "user" });
    await page.getByRole("table", { name: "Audit log" }).getByRole("row").filter({ hasText: email }).first().waitFor();
  });
  await step("a removed member loses access", async () => {
    await open("1/settings/members");
    await choose("Remove from workspace");
    await question(/^Remove /).getByRole("button", { name: "Remove" }).click();
    await until("the member is no longer listed", async () => (await row().count()) === 0);
    equal("their workspaces", (await memberSession("the next password")).workspaces?.length ?? 0, 0);
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, a member can be invited", async () => {
    await open("1/settings/members");
    await page.getByRole("table", { name: "Members" }).waitFor();
    await withinSight(page, page.getByRole("button", { name: "Actions for ben@example.com" }));
    await page.getByRole("button", { name: "Invite" }).click();
    await withinSight(page, page.getByRole("dialog", { name: "Invite member" }).getByRole("button", { name: "Invite" }));
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

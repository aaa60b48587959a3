// Custom roles: creating, giving, changing and deleting them.
import { drive, equal, until, withinSight } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const run = Date.now().toString(36);
const role = `Author ${run}`;
const email = `roles-${run}@example.com`;

await drive(async ({ page, step, open, accessible, inDark, expect, api }) => {
  const dialog = (name) => page.getByRole("dialog", { name });
  const question = (name) => page.getByRole("alertdialog", { name });
  const row = () => page.getByRole("table", { name: "Roles" }).getByRole("row").filter({ hasText: role });
  const stored = async () => (await api.get("/api/admin/roles")).roles.find(({ name }) => name === role);
  const choose = async (item) => {
    await page.getByRole("button", { name: `Actions for role ${role}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };

  await step("a role is created with its permissions", async () => {
    await open("1/settings/roles");
    await page.getByRole("button", { name: "New role" }).click();
    const form = dialog("New role");
    equal("a role without a name can be created", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    equal("a role can be created that cannot read", await form.getByRole("checkbox", { name: "Read", exact: true }).isEnabled(), false);
    await form.getByLabel("Name").fill(role);
    await form.getByRole("group", { name: "Prompts" }).getByRole("checkbox", { name: "Edit" }).check();
    await form.getByRole("group", { name: "Datasets" }).getByRole("checkbox", { name: "Edit" }).check();
    await inDark(accessible);
    await form.getByRole("button", { name: "Create" }).click();
    await row().getByText("PROMPT_EDIT").waitFor();
    equal("the permissions", (await stored()).permissions, ["READ", "PROMPT_EDIT", "DATASET_EDIT"]);
    await page.getByRole("region", { name: "Role permissions" }).getByRole("columnheader", { name: role }).waitFor();
    await accessible();
  });
  await step("a taken name shows an error", async () => {
    expect(/status 409: POST .*\/api\/admin\/roles/);
    await page.getByRole("button", { name: "New role" }).click();
    const form = dialog("New role");
    await form.getByLabel("Name").fill(role.toUpperCase());
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByText(/already exists/).waitFor();
    await accessible();
    await form.getByRole("button", { name: "Cancel" }).click();
  });
  await step("a member is invited with the role", async () => {
    await open("1/settings/members");
    await page.getByRole("button", { name: "Invite" }).click();
    const form = dialog("Invite member");
    await form.getByLabel("Email").fill(email);
    await form.getByRole("checkbox", { name: /^Editor/ }).uncheck();
    await form.getByRole("checkbox", { name: role }).check();
    await form.getByRole("button", { name: "Invite" }).click();
    const shown = dialog(`Sign-in link for ${email}`);
    await shown.getByRole("button", { name: "Copy", exact: true }).click();
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: email }).getByText(role).waitFor();
  });
  await step("the member keeps the role when others are added", async () => {
    await page.getByRole("button", { name: `Actions for ${email}` }).click();
    await page.getByRole("menuitem", { name: "Change roles" }).click();
    const form = dialog(`Roles of ${email}`);
    equal("the role is selected", await form.getByRole("checkbox", { name: role }).isChecked(), true);
    await form.getByRole("checkbox", { name: /^Developer/ }).check();
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText(`Roles of ${email} updated`).first().waitFor();
    equal("the roles", (await api.get("/api/admin/users")).users.find((user) => user.email === email).roles, ["Developer", role]);
  });
  await step("a new key can have the role", async () => {
    await open("1/settings/keys");
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialog("New key");
    await form.getByRole("checkbox", { name: role }).waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
  });
  await step("the permissions of the role are changed, but not its name", async () => {
    await open("1/settings/roles");
    await choose("Edit");
    const form = dialog(`Edit role ${role}`);
    equal("the name can be changed", await form.getByLabel("Name").isEnabled(), false);
    await form.getByRole("group", { name: "Datasets" }).getByRole("checkbox", { name: "Edit" }).uncheck();
    await form.getByRole("group", { name: "Tools" }).getByRole("checkbox", { name: "Edit" }).check();
    await form.getByRole("button", { name: "Save" }).click();
    await row().getByText("TOOL_EDIT").waitFor();
    equal("the permissions", (await stored()).permissions, ["READ", "PROMPT_EDIT", "TOOL_EDIT"]);
  });
  await step("a role that a member has is not deleted", async () => {
    expect(/status 409: DELETE .*\/api\/admin\/roles/);
    await choose("Delete");
    await question(`Delete role ${role}?`).getByRole("button", { name: "Delete" }).click();
    await page.getByText(/is in use by 1 member/).first().waitFor();
    await row().waitFor();
  });
  await step("a role that nobody has is deleted", async () => {
    const { id } = (await api.get("/api/admin/users")).users.find((user) => user.email === email);
    await api.delete(`/api/admin/users/${id}`);
    await choose("Delete");
    await question(`Delete role ${role}?`).getByRole("button", { name: "Delete" }).click();
    await until("it has left the list", async () => (await row().count()) === 0);
    equal("it is stored", await stored(), undefined);
  });
  await step("the audit log contains the changes to the role", async () => {
    const { entries } = await api.get("/api/admin/audit?subject_kind=ROLE&limit=50");
    equal("the changes", entries.filter(({ subject_name }) => subject_name === role).map(({ action }) => action), ["delete", "change", "create"]);
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, a role can be created", async () => {
    await open("1/settings/roles");
    await page.getByRole("table", { name: "Roles" }).waitFor();
    await page.getByRole("button", { name: "New role" }).click();
    await withinSight(page, page.getByRole("dialog", { name: "New role" }).getByRole("button", { name: "Create" }));
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

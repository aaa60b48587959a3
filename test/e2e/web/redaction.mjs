// Settings → Redaction: rules are added with a preview, changed, ordered, turned
// off and deleted, and requests are stored without what they find.
// It has its own workspace: the rules would change what other scripts log.
import { drive, equal, logRequest, until } from "./browser.mjs";

let workspace;

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  const dialog = (name) => page.getByRole("dialog", { name });
  const rowOf = (text) => page.getByRole("table", { name: "Redaction rules" }).getByRole("row").filter({ hasText: text });
  ({ workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `Redaction ${Date.now()}` }));
  const here = api.inWorkspace(workspace);
  const { api_key: key } = await here.post("/api/admin/keys", { name: "redaction" });
  const stored = async () => (await here.get("/api/public/v2/redaction")).rules;
  const choose = async (rule, item) => {
    await page.getByRole("button", { name: `Actions for ${rule}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await logRequest({ user: "Write to ann@example.com about REF-123.", key });

  await step("a rule is added after a preview", async () => {
    await open(`${workspace}/settings/redaction`);
    await page.getByText("Everything that clients send is stored").waitFor();
    await page.getByRole("button", { name: "New rule" }).first().click();
    const form = dialog("New rule");
    await form.getByRole("button", { name: "Preview" }).click();
    await form.getByRole("table", { name: "Examples" }).getByText("ann@example.com").first().waitFor();
    await form.getByRole("table", { name: "Examples" }).getByText("[email]").first().waitFor();
    await accessible();
    await shot("settings-redaction-rule");
    await form.getByRole("button", { name: "Save" }).click();
    await rowOf("E-mail addresses").waitFor();
    equal("stored", (await stored()).map(({ name, detector, action }) => [name, detector, action]), [["email", "email", "mask"]]);
  });
  await step("a broken expression shows the error of the server", async () => {
    expect(/status 422/);
    await page.getByRole("button", { name: "New rule" }).first().click();
    const form = dialog("New rule");
    await form.getByLabel("Find").selectOption("Regular expression");
    equal("a rule without a name can be saved", await form.getByRole("button", { name: "Save" }).isEnabled(), false);
    await form.getByLabel("Name").fill("reference");
    await form.getByLabel("Regular expression", { exact: true }).fill("REF-(");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Not a valid regular expression").waitFor();
    await form.getByLabel("Regular expression", { exact: true }).fill("REF-[0-9]+");
    await form.getByLabel("Action").selectOption("Drop");
    await form.getByRole("button", { name: "Save" }).click();
    await rowOf("REF-[0-9]+").waitFor();
  });
  await step("requests are stored without what rules find", async () => {
    const id = await logRequest({ user: "Write to ann@example.com about REF-123.", assistant: "Done.", key });
    const log = await here.get(`/api/public/v2/requests/${id}`);
    equal("the text", log.prompt_blueprint.prompt_template.messages[0].content[0].text, "Write to [email] about .");
    await open(`${workspace}/settings/redaction`);
    await until("the count is shown", async () => (await rowOf("E-mail addresses").getByText("1", { exact: true }).count()) > 0);
    await shot("settings-redaction");
    await accessible();
    await inDark(accessible);
  });
  await step("rules are ordered, turned off and deleted", async () => {
    await choose("reference", "Move up");
    await until("it is the first", async () => (await stored())[0].name === "reference");
    await page.getByRole("checkbox", { name: "Apply email" }).click();
    await until("it is off", async () => !(await stored()).find(({ name }) => name === "email").enabled);
    await choose("email", "Edit");
    await dialog("Rule email").getByLabel("Action").selectOption("Hash");
    await dialog("Rule email").getByRole("button", { name: "Save" }).click();
    await until("it is changed", async () => (await stored()).find(({ name }) => name === "email").action === "hash");
    for (const name of ["reference", "email"]) {
      await choose(name, "Delete");
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
      await until("it is deleted", async () => !(await stored()).some((one) => one.name === name));
    }
    await page.getByText("Everything that clients send is stored").waitFor();
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, the page and the dialog fit", async () => {
    await open(`${workspace}/settings/redaction`);
    await page.getByRole("button", { name: "New rule" }).first().click();
    await page.getByRole("dialog", { name: "New rule" }).waitFor();
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

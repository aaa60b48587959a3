// Who is where nothing is, or no longer signed in: every page says so, and leads on.
import { drive, equal, until } from "./browser.mjs";

const { WEB_EMAIL, WEB_PASSWORD } = process.env;
const nobody = "00000000-0000-4000-8000-000000000000";

async function fillIn(page) {
  await page.getByLabel("Email").fill(WEB_EMAIL);
  await page.getByLabel("Password").fill(WEB_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

// endSession takes the cookie away while the page asks for nothing: the next request is the one of the step.
async function endSession(page, context) {
  await page.waitForLoadState("networkidle");
  await context.clearCookies();
}

await drive(async ({ page, context, step, open, accessible, expect, api }) => {
  const title = (name) => page.getByRole("heading", { name, level: 1 });
  // Unlike that of an earlier run on the same data.
  const name = `astray-${Date.now().toString(36)}`;
  const message = { role: "system", content: [{ type: "text", text: "Show the way." }] };
  await api.post("/rest/prompt-templates", { prompt_template: { prompt_name: name }, prompt_version: { prompt_template: { type: "chat", messages: [message] } } });
  const { id: prompt } = await api.get(`/prompt-templates/${name}`);
  const first = async (type) => (await api.get(`/api/public/v2/folders/entities?flatten=true&filter_type=${type}`)).entities[0].id;
  const [workflow, tool, skill] = [await first("WORKFLOW"), await first("TOOL"), await first("SKILL_COLLECTION")];

  await step("a session that ends leads to the sign-in page and back", async () => {
    await open("1/prompts");
    await title("Prompts").waitFor();
    expect(/status 401/);
    await endSession(page, context);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tools" }).click();
    await page.getByText("Sign in to go on").waitFor();
    await fillIn(page);
    await title("Tools").waitFor();
    await until("the page that was wanted", () => page.url().endsWith("/app/1/tools"));
  });
  await step("edits are not left: somebody signs in in another tab, and saves", async () => {
    await open(`1/prompts/${prompt}`);
    const text = page.getByRole("textbox", { name: "system message 1" });
    await text.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("Stay here. ");
    await endSession(page, context);
    await page.keyboard.press("Control+s");
    const told = page.getByRole("dialog", { name: "You are signed out" });
    await told.getByText("Sign in in another tab, then save again.").waitFor();
    await accessible();
    const opening = context.waitForEvent("page");
    await told.getByRole("link", { name: "Sign in in a new tab" }).click();
    const other = await opening;
    await fillIn(other);
    await other.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await other.close();
    await page.bringToFront();
    // A browser without a screen does not tell a page that it is looked at again.
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await told.waitFor({ state: "detached" });
    await page.getByRole("dialog", { name: /^Save version/ }).getByRole("button", { name: /^Save version/ }).click();
    await page.getByText("Version 2 was saved").waitFor();
    equal("the edit", (await api.get(`/prompt-templates/${prompt}`)).prompt_template.messages[0].content[0].text.startsWith("Stay here. "), true);
  });
  await step("a link to a workspace of others says who one is and where one can go", async () => {
    expect(/status 403: GET .*\/api\/admin\/session/);
    await open("999999/prompts");
    await page.getByRole("main").getByRole("heading", { name: "You are not in this workspace", level: 1 }).waitFor();
    await page.getByText(WEB_EMAIL).waitFor();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await accessible();
    await page.getByRole("navigation", { name: "Your workspaces" }).getByRole("link", { name: "default" }).click();
    await title("Requests").waitFor();
  });
  const missing = [
    ["prompt", "prompts/999999"], ["workflow", "workflows/999999"], ["tool", "tools/999999"], ["skill", `skills/${nobody}`],
    ["evaluation", "evaluations/999999"], ["evaluation", "evaluations/word"], ["dataset", "datasets/999999"],
    ["version", `prompts/${prompt}?version=999`], ["version", `workflows/${workflow}?version=999`], ["version", `tools/${tool}?version=999`], ["version", `skills/${skill}?version=999`],
    ["version", `prompts/${prompt}?tab=compare&compare=1&version=999`], ["version", `workflows/${workflow}?tab=compare&compare=1&version=999`],
  ];
  for (const [what, path] of missing) {
    await step(`${path.replace(/=?\d+/g, "")}: the ${what} is not there`, async () => {
      expect(/status (404|422): GET/);
      await open(`1/${path}`);
      await page.getByRole("heading", { name: `This ${what} is not there` }).waitFor();
      equal("a way to try again", await page.getByRole("button", { name: "Try again" }).count(), 0);
    });
  }
  await step("a version that is not there leads to the latest", async () => {
    await open(`1/prompts/${prompt}?version=999`);
    await page.getByRole("link", { name: "Open the latest version" }).click();
    await page.getByRole("textbox", { name: "system message 1" }).waitFor();
  });
  await step("a run of a workflow that is not there is not said to go on", async () => {
    await open(`1/workflows/${workflow}?run=999999`);
    const panel = page.getByRole("complementary", { name: "Run" });
    await panel.getByRole("heading", { name: "This run is not there" }).waitFor();
    equal("a status", await panel.getByText("running").count(), 0);
  });
});

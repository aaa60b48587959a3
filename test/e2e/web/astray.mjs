// Missing pages and ended sessions: every page shows an error and a way on.
import { drive, equal, eventDuring, until } from "./browser.mjs";

const { WEB_EMAIL, WEB_PASSWORD } = process.env;
const nobody = "00000000-0000-4000-8000-000000000000";

async function fillIn(page) {
  await page.getByLabel("Email").fill(WEB_EMAIL);
  await page.getByLabel("Password").fill(WEB_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

// endSession removes the cookie while no request is in flight, so that the next request is the one of the step.
async function endSession(page, context) {
  await page.waitForLoadState("networkidle");
  await context.clearCookies();
}

await drive(async ({ page, context, step, open, accessible, expect, api }) => {
  const title = (name) => page.getByRole("heading", { name, level: 1 });
  // Unique, because an earlier run may have left data.
  const name = `astray-${Date.now().toString(36)}`;
  const message = { role: "system", content: [{ type: "text", text: "Show the way." }] };
  await api.post("/rest/prompt-templates", { prompt_template: { prompt_name: name }, prompt_version: { prompt_template: { type: "chat", messages: [message] } } });
  const { id: prompt } = await api.get(`/prompt-templates/${name}`);
  const first = async (type) => (await api.get(`/api/public/v2/folders/entities?flatten=true&filter_type=${type}`)).entities[0].id;
  const [workflow, tool, skill] = [await first("WORKFLOW"), await first("TOOL"), await first("SKILL_COLLECTION")];

  await step("an ended session redirects to the sign-in page and back", async () => {
    await open("1/prompts");
    await title("Prompts").waitFor();
    await page.getByRole("table", { name: "Prompts" }).getByRole("row").nth(1).waitFor();
    expect(/status 401/);
    await endSession(page, context);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tools" }).click();
    await page.getByText("Sign in to continue").waitFor();
    await fillIn(page);
    await title("Tools").waitFor();
    await until("the requested page opens", () => page.url().endsWith("/app/1/tools"));
  });
  await step("edits survive an ended session and are saved after signing in in another tab", async () => {
    await open(`1/prompts/${prompt}`);
    const text = page.getByRole("textbox", { name: "system message 1" });
    await text.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("Stay here. ");
    await endSession(page, context);
    await page.keyboard.press("Control+s");
    const notice = page.getByRole("dialog", { name: "You are signed out" });
    await notice.getByText("Sign in in another tab, then save again.").waitFor();
    await accessible();
    const other = await eventDuring(context, "page", () => notice.getByRole("link", { name: "Sign in (new tab)" }).click());
    await fillIn(other);
    await other.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await other.close();
    await page.bringToFront();
    // A headless browser does not fire focus events.
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await notice.waitFor({ state: "detached" });
    await page.getByRole("dialog", { name: /^Save version/ }).getByRole("button", { name: /^Save version/ }).click();
    await page.getByText("Version 2 saved").waitFor();
    equal("the edit", (await api.get(`/prompt-templates/${prompt}`)).prompt_template.messages[0].content[0].text.startsWith("Stay here. "), true);
  });
  await step("another workspace shows the signed-in user and their workspaces", async () => {
    expect(/status 403: GET .*\/api\/admin\/session/);
    await open("999999/prompts");
    await page.getByRole("main").getByRole("heading", { name: "You are not a member of this workspace", level: 1 }).waitFor();
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
    await step(`${path.replace(/=?\d+/g, "")}: ${what} not found`, async () => {
      expect(/status (404|422): GET/);
      await open(`1/${path}`);
      await page.getByRole("heading", { name: `${what[0].toUpperCase()}${what.slice(1)} not found` }).waitFor();
      equal("retry buttons", await page.getByRole("button", { name: "Try again" }).count(), 0);
    });
  }
  await step("a missing version links to the latest", async () => {
    await open(`1/prompts/${prompt}?version=999`);
    await page.getByRole("link", { name: "Open latest version" }).click();
    await page.getByRole("textbox", { name: "system message 1" }).waitFor();
  });
  await step("a missing workflow run has no status", async () => {
    await open(`1/workflows/${workflow}?run=999999`);
    const panel = page.getByRole("complementary", { name: "Run" });
    await panel.getByRole("heading", { name: "Run not found" }).waitFor();
    equal("running badges", await panel.getByText("running").count(), 0);
  });
});

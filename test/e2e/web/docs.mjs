// The API reference: it finds operations, sends their examples as the signed-in
// user or with a key, and follows the theme of the app.
import { drive, equal, until } from "./browser.mjs";

const opened = (page, id) => page.locator(`[id$="-${id}"].opblock`);

/** Opens an operation by its address, as a link from elsewhere does. */
async function openOperation(page, address, tag, id) {
  await page.goto("about:blank"); // a new fragment alone would not load the page
  await page.goto(`${address}/docs#/${encodeURIComponent(tag)}/${id}`);
  await opened(page, id).getByRole("button", { name: "Execute" }).waitFor();
}

/** Sends the example, and returns the status that the page shows. */
async function execute(page, id) {
  const operation = opened(page, id);
  await operation.getByRole("button", { name: "Execute" }).click();
  return (await operation.locator(".live-responses-table .response .response-col_status").first().innerText()).trim().slice(0, 3);
}

await drive(async ({ page, step, address, open, accessible, inDark, fits, shot, expect, context }) => {
  await step("the app links to the reference, and the reference to the app", async () => {
    await open("1/requests");
    await page.getByRole("link", { name: "API reference" }).first().click();
    await page.getByRole("heading", { name: "API reference" }).waitFor();
    await page.getByText("Examples are sent as").waitFor();
    await page.getByRole("link", { name: "Promptuary" }).click();
    await page.waitForURL(/\/app\//);
  });
  await step("its policy is that of the app", async () => {
    const policyOf = async (path) => (await page.request.get(address + path)).headers()["content-security-policy"].replace(/nonce-[\w-]+/, "");
    equal("policy", await policyOf("/docs"), await policyOf("/app/"));
  });
  await step("the filter finds operations by their summary", async () => {
    await page.goto(`${address}/docs`);
    await page.getByLabel("Filter operations").fill("sign out");
    await page.getByText("/api/admin/session", { exact: true }).waitFor();
    await until("nothing else", async () => (await page.locator(".opblock").count()) === 1);
    await accessible();
    await inDark(accessible);
  });
  await step("the example of a search succeeds as it is", async () => {
    await openOperation(page, address, "Request logs", "searchRequests");
    equal("status", await execute(page, "searchRequests"), "200");
    await accessible();
    await inDark(accessible);
    await shot("api-reference");
  });
  await step("the example of a log succeeds as it is", async () => {
    await openOperation(page, address, "Request logs", "logRequest");
    equal("status", await execute(page, "logRequest"), "201");
  });
  await step("the schema of a body can be read", async () => {
    await opened(page, "logRequest").getByRole("tab", { name: "Schema" }).first().click();
    await opened(page, "logRequest").getByText("LogRequest", { exact: true }).first().waitFor();
    await accessible();
    await inDark(accessible);
    await inDark(() => shot("api-reference-dark"));
  });
  await step("a key is used instead of the session", async () => {
    expect(/status 401.*requests\/search/);
    await openOperation(page, address, "Request logs", "searchRequests");
    await page.getByLabel("API key").fill("pl_wrong");
    equal("status", await execute(page, "searchRequests"), "401");
    await page.getByLabel("API key").fill(process.env.WEB_API_KEY);
    await opened(page, "searchRequests").getByRole("button", { name: "Clear" }).click();
    equal("status", await execute(page, "searchRequests"), "200");
  });
  await step("it follows the theme of the app, in another tab too", async () => {
    const other = await context.newPage();
    await other.goto(`${address}/app/1/requests`);
    await other.getByRole("button", { name: "Switch to dark theme" }).click();
    await until("dark", () => page.evaluate(() => document.documentElement.classList.contains("dark-mode")));
    await other.getByRole("button", { name: "Switch to light theme" }).click();
    await until("light", () => page.evaluate(() => !document.documentElement.classList.contains("dark-mode")));
    await other.close();
  });
  await step("on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await openOperation(page, address, "Request logs", "searchRequests");
    await fits();
    await accessible();
    await shot("api-reference-phone");
  });
  await step("without a session, it says how to send examples", async () => {
    expect(/status 401.*\/api\/admin\/session/);
    await context.clearCookies();
    await page.goto(`${address}/docs`);
    await page.getByText("You are not signed in").waitFor();
    await page.getByLabel("Filter operations").waitFor();
  });
});

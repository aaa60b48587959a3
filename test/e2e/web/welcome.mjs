// A workspace without requests: shows how to log the first one, and turns into the
// log when it arrives.
import { execFileSync } from "node:child_process";
import { drive, equal, logRequest, until } from "./browser.mjs";

let name = "Welcome";
let workspace;
let key;

await drive(async ({ page, step, open, accessible, inDark, shot, api, address }) => {
  const waiting = page.getByRole("status").filter({ hasText: "Waiting for the first request" });

  await step("a new workspace shows the first steps", async () => {
    // An earlier run may have left its own.
    if ((await api.get("/api/admin/workspaces")).workspaces.some((one) => one.name === name)) name += ` ${Date.now().toString(36)}`;
    ({ workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name }));
    await open(`${workspace}/requests`);
    await page.getByRole("heading", { name: "Log your first request" }).waitFor();
    await waiting.waitFor();
    await page.getByText("X-API-KEY: YOUR_KEY").waitFor();
    await accessible();
  });
  await step("a key is created and added to the code", async () => {
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Copy key" }).click();
    key = await until("the key is in the clipboard", () => page.evaluate(() => navigator.clipboard.readText()));
    if (key.length < 20) throw new Error(`${key} is not a key`);
    await page.getByText(`X-API-KEY: ${key}`).waitFor();
    await page.getByText("This key is shown only once").waitFor();
    await accessible();
    await shot("welcome");
    await inDark(accessible);
  });
  for (const [language, start] of [["Python", "from promptlayer import PromptLayer"], ["JavaScript", "import { PromptLayer } from"]]) {
    await step(`the first request is shown in ${language}`, async () => {
      await page.getByRole("tab", { name: language }).click();
      const snippet = page.getByRole("tabpanel").getByText(start);
      const code = await snippet.innerText();
      for (const part of [key, address]) if (!code.includes(part)) throw new Error(`${part} is not in ${code}`);
    });
  }
  await step("the copied command works, and the log appears", async () => {
    await page.getByRole("tab", { name: "curl" }).click();
    await page.getByRole("tabpanel").getByRole("button", { name: "Copy" }).click();
    const command = await until("the command is in the clipboard", async () => { const text = await page.evaluate(() => navigator.clipboard.readText()); return text.startsWith("curl ") && text; });
    const answer = execFileSync("sh", ["-c", command], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    if (!/"id": ?\d+/.test(answer)) throw new Error(`the command printed ${answer}`);
    const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
    await rows.filter({ hasText: "Where is my order?" }).waitFor();
    await waiting.waitFor({ state: "hidden" });
    const panel = page.getByRole("dialog", { name: /^Request \d+/ });
    await panel.getByText("It arrives tomorrow.").waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
  });
  await step("the log is live", async () => {
    equal("the live log is on", await page.getByRole("button", { name: "Live" }).getAttribute("aria-pressed"), "true");
    await logRequest({ key, user: "The second question of the workspace" });
    await page.getByRole("table", { name: "Requests" }).getByText("The second question of the workspace").waitFor();
    await accessible();
  });
  await step("the key is listed in the settings", async () => {
    await open(`${workspace}/settings/keys`);
    await page.getByRole("cell", { name: /First key/ }).first().waitFor();
  });
});

await drive(async ({ page, step, open, api }) => {
  await step("a first request from long ago is found", async () => {
    const { workspace: { id } } = await api.post("/api/admin/workspaces", { name: `${name} to old requests` });
    const { api_key: old } = await api.post(`/api/admin/keys?workspace_id=${id}`, { name: "Import" });
    await open(`${id}/requests`);
    await page.getByText("Waiting for the first request").waitFor();
    await logRequest({ key: old, user: "A question of last year", request_start_time: "2025-01-01T12:00:00Z", request_end_time: "2025-01-01T12:00:01Z" });
    await page.getByRole("dialog", { name: /^Request \d+/ }).getByText("A question of last year").first().waitFor();
    await page.getByRole("table", { name: "Requests" }).getByText("A question of last year").waitFor();
    equal("the range", new URL(page.url()).searchParams.get("range"), "all");
  });
  await step("text is shown as it was logged, without ligatures", async () => {
    const styles = await page.evaluate(() => [...new Set([...document.querySelectorAll("body *")].map((element) => getComputedStyle(element).fontVariantLigatures))]);
    equal("ligatures", styles.join(), "none");
  });
});

await drive(async ({ page, step, open, fits, accessible, api }) => {
  await step("the first steps fit on a phone", async () => {
    const { workspace: { id } } = await api.post("/api/admin/workspaces", { name: `${name} on a phone` });
    await open(`${id}/requests`);
    await page.getByRole("button", { name: "Create key" }).waitFor();
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

// Settings → Webhooks: a webhook is created with a secret that is shown once, tested,
// edited and disabled; deliveries that failed are listed and sent again.
// It has its own workspace, and a receiver of its own on the loopback interface.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { drive, equal, nowhere, until } from "./browser.mjs";

const received = [];
let status = 200;
const receiver = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(status).end(status === 200 ? "thanks" : "go away");
  });
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${receiver.address().port}/hooks`;
let workspace;

/** Whether the signature of a message was made with the secret. */
function verifies(secret, { headers, body }) {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return headers["webhook-signature"] === `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  const dialog = (name) => page.getByRole("dialog", { name });
  const question = (name) => page.getByRole("alertdialog", { name });
  const rowOf = (table, text) => page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });
  const choose = async (name, item) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  ({ workspace: { id: workspace } } = await api.post("/api/admin/workspaces", { name: `Webhooks ${Date.now()}` }));
  const here = api.inWorkspace(workspace);
  const stored = async () => (await here.get("/api/public/v2/webhooks")).webhooks;
  let secret;
  const shownSecret = async (name) => {
    const shown = dialog(`Secret of ${name}`);
    const value = await shown.getByLabel("New secret").inputValue();
    if (!/^whsec_[\w+/=]{20,}$/.test(value)) throw new Error("the shown value is not a secret");
    await shown.getByRole("button", { name: "Copy", exact: true }).click();
    await shown.getByRole("button", { name: "Done" }).click();
    await shown.waitFor({ state: "detached" });
    return value;
  };

  await step("an empty list says what webhooks are for", async () => {
    await open(`${workspace}/settings/webhooks`);
    await page.getByText("A webhook tells another program").waitFor();
    await accessible();
  });
  await step("an address that is not allowed is refused", async () => {
    expect(/status 422/);
    await page.getByRole("button", { name: "New webhook" }).first().click();
    const form = dialog("New webhook");
    await form.getByLabel("Name").fill("Releases");
    await form.getByLabel("URL").fill("http://10.0.0.1/hooks");
    equal("a webhook without events can be created", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    await form.getByRole("checkbox", { name: "Release label moved" }).check();
    await form.getByRole("checkbox", { name: "Evaluation score below a limit" }).check();
    equal("it can be created without a limit", await form.getByRole("button", { name: "Create" }).isEnabled(), false);
    await form.getByLabel("Score below", { exact: true }).fill("80");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByRole("alert").waitFor();
    equal("stored", (await stored()).length, 0);
    await accessible();
    await shot("settings-webhook");
  });
  await step("a webhook is created, and its secret shown once", async () => {
    await dialog("New webhook").getByLabel("URL").fill(url);
    await dialog("New webhook").getByRole("button", { name: "Create" }).click();
    await dialog("Secret of Releases").waitFor();
    await accessible();
    secret = await shownSecret("Releases");
    await rowOf("Webhooks", "Releases").getByText("enabled").waitFor();
    await nowhere(page, secret);
    const [{ url: target, events, score_below, format }] = await stored();
    equal("stored", [target, events, score_below, format], [url, ["label_moved", "report_score_below"], 80, "json"]);
  });
  await step("a test event arrives, signed with the secret", async () => {
    await choose("Releases", "Send test");
    const delivery = dialog("Test");
    await delivery.getByText("delivered").waitFor();
    await delivery.getByText("thanks").waitFor();
    equal("received", received.length, 1);
    equal("the signature verifies", verifies(secret, received[0]), true);
    await accessible();
    await shot("settings-webhook-delivery");
    await page.keyboard.press("Escape");
    await delivery.waitFor({ state: "detached" });
    await until("the URL has the webhook", () => /tab=deliveries/.test(page.url()) && /webhook=\d+/.test(page.url()));
    await rowOf("Deliveries", "Test").getByText("Status 200").waitFor();
  });
  await step("a failed delivery tells why and is sent again", async () => {
    status = 503;
    await page.getByRole("tab", { name: "Webhooks" }).click();
    await choose("Releases", "Send test");
    const delivery = dialog("Test");
    await delivery.getByText("Status 503").waitFor();
    await delivery.getByText("go away").waitFor();
    status = 200;
    await page.keyboard.press("Escape");
    await until("the retry arrives", async () => (await here.get("/api/public/v2/webhook-deliveries?state=pending")).total === 0);
    await until("both are delivered", async () => (await rowOf("Deliveries", "Test").getByText("delivered").count()) === 2);
    const before = received.length;
    await rowOf("Deliveries", "Test").first().getByRole("button", { name: /Redeliver Test/ }).click();
    await until("it arrives again, with the same event", () => received.length === before + 1 && received.at(-1).headers["webhook-id"] === received.at(-2).headers["webhook-id"]);
    await page.getByLabel("State").selectOption("dead");
    await page.getByText("No matching deliveries").waitFor();
    await page.reload();
    await page.getByText("No matching deliveries").waitFor();
    await page.getByLabel("State").selectOption({ label: "All" });
    await rowOf("Deliveries", "Test").first().waitFor();
    await accessible();
    await inDark(accessible);
    await shot("settings-webhook-deliveries");
  });
  await step("the secret is rotated after a question", async () => {
    await page.getByRole("tab", { name: "Webhooks" }).click();
    await choose("Releases", "Rotate secret");
    await question("Rotate the secret of Releases?").getByRole("button", { name: "Rotate" }).click();
    const next = await shownSecret("Releases");
    if (next === secret) throw new Error("the secret is the same");
    await choose("Releases", "Send test");
    await dialog("Test").getByText("delivered").waitFor();
    equal("it verifies with the new secret", verifies(next, received.at(-1)), true);
    equal("it verifies with the old secret", verifies(secret, received.at(-1)), false);
    await page.keyboard.press("Escape");
  });
  await step("a webhook is edited by keyboard, disabled and enabled", async () => {
    await page.getByRole("tab", { name: "Webhooks" }).click();
    await page.getByRole("button", { name: "Releases", exact: true }).focus();
    await page.keyboard.press("Enter");
    const form = dialog("Webhook Releases");
    await form.getByLabel("Name").fill("Chat");
    await form.getByLabel("Format").selectOption("Slack message");
    await form.getByRole("checkbox", { name: "Evaluation score below a limit" }).uncheck();
    await page.keyboard.press("Enter");
    await form.waitFor({ state: "detached" });
    await rowOf("Webhooks", "Chat").getByText("Slack").waitFor();
    const [{ format, events, score_below }] = await stored();
    equal("stored", [format, events, score_below], ["slack", ["label_moved"], null]);
    await choose("Chat", "Disable");
    await rowOf("Webhooks", "Chat").getByText("disabled").waitFor();
    await page.getByRole("button", { name: "Actions for Chat" }).click();
    equal("a test of a disabled webhook", await page.getByRole("menuitem", { name: "Send test" }).getAttribute("aria-disabled"), "true");
    await page.getByRole("menuitem", { name: "Enable" }).click();
    await rowOf("Webhooks", "Chat").getByText("enabled").waitFor();
    await shot("settings-webhooks");
    await accessible();
    await inDark(accessible);
  });
  await step("a webhook is deleted after a question, and the audit log has all of it", async () => {
    await choose("Chat", "Delete");
    await question("Delete webhook Chat?").getByRole("button", { name: "Cancel" }).click();
    equal("stored after Cancel", (await stored()).length, 1);
    await choose("Chat", "Delete");
    await question("Delete webhook Chat?").getByRole("button", { name: "Delete" }).click();
    await page.getByText("A webhook tells another program").waitFor();
    equal("stored", (await stored()).length, 0);
    await open(`${workspace}/settings/audit?kind=WEBHOOK`);
    for (const action of ["create", "rotate", "change", "delete"]) await rowOf("Audit log", action).first().waitFor();
    await nowhere(page, "127.0.0.1:" + receiver.address().port);
  });
  await here.post("/api/public/v2/webhooks", { name: "Deployments", url, events: ["version_published"] });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, the list, the dialog and deliveries fit", async () => {
    await open(`${workspace}/settings/webhooks`);
    await page.getByRole("button", { name: "Actions for Deployments" }).click();
    await page.getByRole("menuitem", { name: "Send test" }).click();
    await page.getByRole("dialog", { name: "Test" }).getByText("delivered").waitFor();
    await fits();
    await accessible();
    await page.keyboard.press("Escape");
    await page.getByRole("table", { name: "Deliveries" }).waitFor();
    await fits();
    await page.getByRole("tab", { name: "Webhooks" }).click();
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByRole("dialog", { name: "New webhook" }).waitFor();
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

receiver.close();

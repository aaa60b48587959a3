// The command palette and the keyboard shortcuts.
import { drive, equal, eventDuring, until } from "./browser.mjs";

/** Demo data of each kind: its group, its name, a part of it to type, and its page. */
const entities = [
  ["Prompts", "refund-helper", "refund-h", /\/app\/1\/prompts\/\d+/],
  ["Snippets", "brand-voice", "brand", /\/app\/1\/prompts\/\d+/],
  ["Workflows", "ticket-routing", "ticket rou", /\/app\/1\/workflows\/\d+/],
  ["Datasets", "Support questions", "support que", /\/app\/1\/datasets\/\d+/],
  ["Evaluations", "Ticket classifier", "ticket class", /\/app\/1\/evaluations\/\d+/],
  ["Folders", "Growth", "growth", /\/app\/1\/prompts\?folder=\d+/],
];

await drive(async ({ page, step, open, accessible, inDark, shot, api }) => {
  const window = page.getByRole("dialog", { name: "Search everything" });
  const field = window.getByRole("combobox");
  const chosen = window.getByRole("option", { selected: true });
  const group = (name) => window.getByRole("group", { name });
  const type = async (text) => {
    await page.keyboard.press("Control+k");
    await field.fill(text);
  };

  await step("Ctrl-K opens it with pages and actions", async () => {
    await open("1/requests");
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await until("the field has the focus", () => field.evaluate((element) => element === document.activeElement));
    await group("Pages").getByRole("option", { name: /Evaluations/ }).waitFor();
    await group("Actions").getByRole("option", { name: "New API key" }).waitFor();
    await accessible();
  });
  await step("text typed before it loads is kept and triggers no shortcuts", async () => {
    await page.route(/palette-window/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.continue();
    });
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("gp refund-helpr");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("e");
    await field.waitFor();
    await page.keyboard.type("!");
    equal("the text of the field", await field.inputValue(), "gp refund-helpe!r");
    if (!page.url().includes("/requests")) throw new Error(`the page is ${page.url()}`);
    await page.unroute(/palette-window/);
  });
  await step("Escape and Ctrl-K close it", async () => {
    await page.keyboard.press("Escape");
    await window.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await window.waitFor();
    await page.keyboard.press("Control+k");
    await window.waitFor({ state: "detached" });
  });
  await step("the button in the menu opens it as well", async () => {
    await page.getByRole("button", { name: /^Search/ }).first().click();
    await window.waitFor();
    await page.keyboard.press("Escape");
    await window.waitFor({ state: "detached" });
  });
  for (const [kind, name, typed, address] of entities) {
    await step(`it finds one of the ${kind.toLowerCase()} and opens it by Enter`, async () => {
      await type(typed);
      await group(kind).getByRole("option", { name }).first().waitFor();
      await until("the best match is chosen", async () => (await chosen.innerText()).includes(name));
      await page.keyboard.press("Enter");
      await until("its page", () => address.test(page.url()));
      await window.waitFor({ state: "detached" });
      if (kind !== "Folders") await page.getByRole("heading", { name, level: 1 }).waitFor();
    });
  }
  await step("it finds a skill and a tool", async () => {
    for (const [kind, type] of [["Skills", "SKILL_COLLECTION"], ["Tools", "TOOL"]]) {
      const [entity] = (await api.get(`/api/public/v2/folders/entities?flatten=true&filter_type=${type}`)).entities;
      await page.keyboard.press("Control+k");
      await field.fill(entity.name);
      await group(kind).getByRole("option", { name: entity.name }).first().waitFor();
      await until("the best match is chosen", async () => (await chosen.innerText()).includes(entity.name));
      await page.keyboard.press("Enter");
      await until("its page", () => page.url().includes(`/app/1/${kind.toLowerCase()}/${entity.id}`));
      await page.getByRole("heading", { name: entity.name, level: 1 }).waitFor();
    }
  });
  await step("it finds a dashboard and a saved view", async () => {
    const name = `palette ${Date.now().toString(36)}`;
    await api.post("/api/public/v2/dashboards", { name: `${name} dashboard` });
    await api.post("/api/public/v2/views", { name: `${name} view`, page: "requests", state: {} });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await type(name);
    await group("Dashboards").getByRole("option", { name: `${name} dashboard` }).waitFor();
    await group("Saved views").getByRole("option", { name: `${name} view` }).waitFor();
    await group("Dashboards").getByRole("option", { name: `${name} dashboard` }).click();
    await until("its page", () => /\/app\/1\/dashboards\/\d+/.test(page.url()));
  });
  await step("the number of a request opens it", async () => {
    const { items: [{ id: number }] } = await api.post("/api/public/v2/requests/search", { per_page: 1 });
    await type(String(number));
    await group("Requests").getByRole("option", { name: `Request ${number}` }).waitFor();
    await page.keyboard.press("Enter");
    await until("its address", () => page.url().includes(`request=${number}`));
    // Only pages where the user stays for a moment are remembered.
    await until("it is remembered", () => page.evaluate((title) => localStorage.getItem("promptuary.recent.1")?.includes(title) === true, `Request ${number}`));
  });
  await step("a setting is found by a related word", async () => {
    await type("permissions");
    await group("Settings").getByRole("option", { name: "Roles" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Roles", level: 1 }).waitFor();
  });
  await step("recent pages come first", async () => {
    await open("1/requests");
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await group("Recent").getByRole("option", { name: /^Request \d/ }).waitFor();
    await page.keyboard.press("Escape");
  });
  await step("arrow keys move the selection", async () => {
    await type("support");
    await until("several are found", async () => (await window.getByRole("option").count()) > 3);
    await until("the search is complete", async () => /\d+ results/.test(await window.getByRole("status").last().innerText()));
    const first = await chosen.innerText();
    await page.keyboard.press("ArrowDown");
    await until("the second is chosen", async () => (await chosen.innerText()) !== first);
    await page.keyboard.press("ArrowUp");
    await until("the first is chosen", async () => (await chosen.innerText()) === first);
    await accessible();
    await shot("palette");
    await inDark(accessible);
    await page.keyboard.press("Escape");
  });
  await step("no results are reported", async () => {
    await type("zzz no such thing");
    await window.getByText("No results for “zzz no such thing”").waitFor();
    await page.keyboard.press("Escape");
  });
  await step("an action opens its dialog", async () => {
    await type("new api key");
    await until("the action is chosen", async () => (await chosen.innerText()).includes("New API key"));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New key" }).getByLabel("Name").waitFor();
    await page.keyboard.press("Escape");
  });
  await step("Ctrl-Enter opens another tab", async () => {
    await type("refund-helper");
    await until("the prompt is chosen", async () => (await chosen.innerText()).includes("refund-helper"));
    const other = await eventDuring(page.context(), "page", () => page.keyboard.press("Control+Enter"));
    await other.waitForURL(/\/app\/1\/prompts\/\d+/);
    await other.close();
    await page.keyboard.press("Escape");
    await window.waitFor({ state: "detached" });
  });

  for (const [key, title] of [["c", "Traces"], ["o", "Sessions"], ["u", "Users"], ["a", "Analytics"], ["p", "Prompts"], ["l", "Playground"], ["w", "Workflows"], ["d", "Datasets"], ["e", "Evaluations"], ["k", "Skills"], ["t", "Tools"], ["s", "Account"], ["r", "Requests"]]) {
    await step(`g and ${key} open ${title}`, async () => {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    });
  }
  await step("the question mark shows the shortcuts", async () => {
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Search everything").waitFor();
    for (const section of ["Everywhere", "Requests", "Go to", "Trace", "Editing"]) await list.getByRole("heading", { name: section }).waitFor();
    for (const what of ["Next request", "Focus the query, also in Traces and Analytics", "Save prompt"]) await list.getByText(what).waitFor();
    await accessible();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
  });
  await step("shortcuts are off in fields", async () => {
    await open("1/settings/keys?new=true");
    const name = page.getByRole("dialog", { name: "New key" }).getByLabel("Name");
    await name.click();
    await page.keyboard.type("gp?");
    equal("the text of the field", await name.inputValue(), "gp?");
    if (!page.url().includes("/settings/keys")) throw new Error(`the page is ${page.url()}`);
  });
  await step("the first tab stop skips the menu", async () => {
    await open("1/prompts");
    await page.getByRole("heading", { name: "Prompts", level: 1 }).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).press("Enter");
    await until("the content has the focus", () => page.evaluate(() => document.activeElement?.id === "main"));
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  await step("on a phone, it opens from the header and fits", async () => {
    await open("1/requests");
    await page.getByRole("button", { name: "Search everything" }).click();
    const window = page.getByRole("dialog", { name: "Search everything" });
    await window.getByRole("combobox").fill("refund");
    await window.getByRole("option", { name: "refund-helper" }).first().waitFor();
    await fits();
    await accessible();
    await window.getByRole("option", { name: "refund-helper" }).first().click();
    await page.getByRole("heading", { name: "refund-helper", level: 1 }).waitFor();
  });
  await step("on a phone, the menu opens and navigates", async () => {
    await page.getByRole("button", { name: "Open menu" }).click();
    await accessible();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tools" }).click();
    await page.getByRole("heading", { name: "Tools", level: 1 }).waitFor();
    await fits();
  });
}, { width: 390, height: 844 });

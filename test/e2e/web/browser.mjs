// Drives the web app in a real browser. Each script describes the actions of a
// user in named steps, and reports each step on a line. Console errors, failed
// requests and requests to other hosts are watched at all times.
import { createRequire } from "node:module";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const { WEB_ADDRESS, WEB_EMAIL, WEB_PASSWORD, WEB_SCREENSHOTS, WEB_CHROMIUM } = process.env;

// To reveal flaky steps, slow down one side: the page, with a slower CPU and
// uneven response times, or the user, with a delay in milliseconds before each
// action.
const { WEB_SLOW_PAGE, WEB_SLOW_PERSON } = process.env;

/** The maximum time to wait for anything: much longer than needed, unless the machine is overloaded. */
const patience = 60_000;

const launchArguments = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

// The shell is Chromium without the user interface of a browser, and takes half of the CPU time.
export async function launch() {
  return chromium.launch({ executablePath: WEB_CHROMIUM || "/usr/bin/chromium-headless-shell", args: launchArguments, slowMo: Number(WEB_SLOW_PERSON ?? 0) });
}

async function slowDown(page, times) {
  const debuggerOfPage = await page.context().newCDPSession(page);
  await debuggerOfPage.send("Emulation.setCPUThrottlingRate", { rate: times });
  await page.context().route("**/*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100 * times));
    await route.fallback();
  });
}

/** Signs in over the API, so that the pages of the context belong to the owner. */
export async function signIn(context) {
  const answer = await context.request.post(`${WEB_ADDRESS}/api/admin/session`, { data: { email: WEB_EMAIL, password: WEB_PASSWORD } });
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`);
  return answer.json();
}

/** Collects the problems of a page. */
class Watch {
  problems = [];
  expected = [];

  constructor(page) {
    page.on("console", (message) => {
      // The browser repeats every refused request here; those are checked below.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) this.add(`console error: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.add(`uncaught error: ${error.message}`));
    page.on("requestfailed", (request) => {
      // Navigation cancels pending requests.
      if (request.failure()?.errorText !== "net::ERR_ABORTED") this.add(`request failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.add(`status ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (["http:", "https:", "ws:", "wss:"].includes(url.protocol) && url.host !== new URL(WEB_ADDRESS).host) this.add(`request to another host: ${url.href}`);
    });
  }

  add(problem) {
    if (!this.expected.some((pattern) => pattern.test(problem))) this.problems.push(problem);
  }

  take() {
    const problems = this.problems;
    this.problems = [];
    return problems;
  }
}

/** Fails unless the condition becomes true in time. */
export async function until(what, condition) {
  const end = Date.now() + patience;
  let last;
  while (Date.now() < end) {
    try {
      last = await condition();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: not within ${patience / 1000} s (last: ${last instanceof Error ? last.message : JSON.stringify(last)})`);
}

/** Fails unless a value is the expected one. */
export function equal(what, got, wanted) {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
}

/** Fails unless the whole element is visible without scrolling. */
export async function withinSight(page, element) {
  await element.waitFor();
  const box = await element.boundingBox();
  const { width, height } = page.viewportSize();
  if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height) throw new Error(`it is at ${JSON.stringify(box)} on a screen of ${width} by ${height}`);
}

/** Fails if a secret is anywhere on the page, in its text or in a field. */
export async function nowhere(page, secret) {
  const html = await page.content();
  const values = await page.locator("input, textarea").evaluateAll((fields) => fields.map(({ value }) => value).join("\n"));
  if (html.includes(secret) || values.includes(secret)) throw new Error("the page still contains the secret");
}

/**
 * Replaces the text of a code editor with the keyboard. Playwright's own fill
 * makes the browser copy styles into the text, which the page's policy forbids.
 */
export async function write(page, editor, text) {
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Moves a release label in a list of versions, after the confirmation. */
export async function moveLabel(page, label, from, to) {
  const chip = (version) => page.getByRole("button", { name: `Label ${label} on version ${version}: move or delete` });
  await chip(from).click();
  await page.getByRole("menuitem", { name: new RegExp(`^Version ${to}\\b`) }).click();
  const question = page.getByRole("alertdialog", { name: `Move ${label} to version ${to}?` });
  await question.getByText(`${label} currently points to version ${from}`).waitFor();
  await question.getByRole("button", { name: `Move to version ${to}` }).click();
  await chip(to).waitFor();
}

/**
 * Logs a request as a client does, and returns its id. `user` and `assistant` are
 * the messages; other parts replace the defaults of a small successful request.
 */
export async function logRequest({ user = "Where is my order?", assistant = "It arrives tomorrow.", key = process.env.WEB_API_KEY, ...parts }) {
  const message = (role, text) => ({ role, content: [{ type: "text", text }] });
  const now = new Date().toISOString();
  const body = {
    provider: "openai", model: "gpt-4o", request_start_time: now, request_end_time: now, input_tokens: 12, output_tokens: 6,
    input: { type: "chat", messages: [message("user", user)] }, output: { type: "chat", messages: [message("assistant", assistant)] }, ...parts,
  };
  const answer = await fetch(`${WEB_ADDRESS}/log-request`, { method: "POST", headers: { "X-API-KEY": key, "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`logging answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).id;
}

const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Performs an action and returns the event of a page or context, such as "download", that it causes. */
export async function eventDuring(source, name, act) {
  const [event] = await Promise.all([source.waitForEvent(name), act()]);
  return event;
}

/**
 * Runs the steps of a script in its own browser. `script` gets an object with
 *   page            the Playwright page, signed in
 *   step(name, do)  performs and reports one step; after a failure the rest is skipped
 *   open(path)      opens a path of the app, such as "1/requests?q=x"
 *   accessible()    fails on serious accessibility violations
 *   inDark(act)     performs an action in the dark theme, such as accessible
 *   fits()          fails if the page scrolls sideways
 *   shot(name)      takes a screenshot for the documentation
 *   expect(pattern) declares an expected problem, such as /status 409/
 *   api             requests of the signed-in user: get(path), post(path, body), …
 *                   in the first workspace, or in that of inWorkspace(id)
 */
export async function drive(script, { width = 1280, height = 800, theme = "light", signedIn = true } = {}) {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] });
  context.setDefaultTimeout(patience);
  const session = signedIn ? await signIn(context) : null;
  const page = await context.newPage();
  if (WEB_SLOW_PAGE) await slowDown(page, Number(WEB_SLOW_PAGE));
  const watch = new Watch(page);
  let failed = false;
  const report = (step, error) => console.log(JSON.stringify({ step, error: error ?? null }));

  const tools = {
    page, context,
    address: WEB_ADDRESS,
    api: apiOf(context, session),
    expect: (pattern) => watch.expected.push(pattern),
    open: (path) => page.goto(`${WEB_ADDRESS}/app/${path}`),
    accessible: () => accessible(page),
    inDark: (act) => inDark(page, act),
    fits: () => fits(page),
    shot: (name) => shot(page, name),
    async step(name, act) {
      if (failed) return;
      try {
        await act();
        await page.waitForTimeout(0);
        const problems = watch.take();
        if (problems.length > 0) throw new Error(problems.join("\n"));
        report(name);
      } catch (error) {
        failed = true;
        const where = `${page.url()}\n${await page.locator("body").innerText({ timeout: 1000 }).catch(() => "")}`.slice(0, 2000);
        report(name, `${error.stack ?? error}\n${watch.take().join("\n")}\non ${where}`);
        if (WEB_SCREENSHOTS) await page.screenshot({ path: join(WEB_SCREENSHOTS, `failed-${name.replaceAll(/\W+/g, "-")}.png`) }).catch(() => undefined);
      }
    },
  };
  try {
    await script(tools);
  } catch (error) {
    report("the script itself", String(error.stack ?? error));
    failed = true;
  }
  await browser.close();
  if (failed) process.exitCode = 1;
}

/** Fails on violations that axe calls serious or critical. */
async function accessible(page) {
  // Added through the debugger, which the page's policy does not apply to.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await axeSource);
  await settled(page);
  const findings = await page.evaluate(async () => {
    // A theme is nothing but colors, so that the dark one needs no other rules.
    const runOnly = document.documentElement.dataset.theme === "dark" ? ["color-contrast", "link-in-text-block"] : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
    const { violations } = await window.axe.run(document, { runOnly, resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.slice(0, 5).map((node) => `${node.html.slice(0, 200)} ${node.any[0]?.message ?? ""}`).join("\n  ")}`);
  });
  if (findings.length > 0) throw new Error(`not accessible:\n${findings.join("\n")}`);
}

/** Waits for finite animations to end. */
async function settled(page) {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    // An animation stopped by the browser never finishes.
    await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), new Promise((resolve) => setTimeout(resolve, 1000))]);
  });
}

async function inDark(page, act) {
  const choose = (theme) => page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
    window.dispatchEvent(new Event("themechange"));
  }, theme);
  await choose("dark");
  await act();
  await choose("light");
}

async function fits(page) {
  const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, window.innerWidth]);
  const main = await page.evaluate(() => { const element = document.querySelector("main"); return element ? element.scrollWidth - element.clientWidth : 0; });
  if (wide > room || main > 0) throw new Error(`the page is ${wide} wide on a screen of ${room}, and its content ${main} wider than its room`);
}

/** Takes a screenshot once nothing moves. */
async function shot(page, name) {
  if (!WEB_SCREENSHOTS) return;
  await mkdir(WEB_SCREENSHOTS, { recursive: true });
  await page.waitForLoadState("networkidle").catch(() => undefined); // pages that poll are never idle
  await page.evaluate(() => document.fonts.ready);
  await page.getByRole("button", { name: "Dismiss" }).evaluateAll((all) => all.forEach((one) => one.click()));
  await settled(page);
  await page.screenshot({ path: join(WEB_SCREENSHOTS, `${name}.png`) });
}

function apiOf(context, session, workspace = 1) {
  const send = async (method, path, body) => {
    const answer = await context.request.fetch(WEB_ADDRESS + path, {
      method, headers: { "X-CSRF-Token": session?.csrf_token ?? "", "X-Workspace-Id": String(workspace) }, ...(body === undefined ? {} : { data: body }),
    });
    const text = await answer.text();
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  return {
    get: (path) => send("GET", path), post: (path, body) => send("POST", path, body),
    patch: (path, body) => send("PATCH", path, body), delete: (path, body) => send("DELETE", path, body),
    inWorkspace: (other) => apiOf(context, session, other),
  };
}

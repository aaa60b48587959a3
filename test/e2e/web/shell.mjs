// Signing in, navigation, themes, the content security policies and the API reference.
import { drive, until } from "./browser.mjs";

const { WEB_EMAIL, WEB_PASSWORD } = process.env;
const places = ["Requests", "Traces", "Sessions", "Users", "Analytics", "Prompts", "Playground", "Workflows", "Datasets", "Evaluations", "Skills", "Tools"];

await drive(async ({ page, step, open, accessible, expect, address }) => {
  await step("signed-out users are asked to sign in", async () => {
    expect(/status 401: GET .*\/api\/admin\/session/);
    await open("1/prompts?q=refund");
    await page.getByRole("heading", { name: "Promptuary" }).waitFor();
    await accessible();
  });
  await step("a wrong password shows an error", async () => {
    expect(/status 401: POST .*\/api\/admin\/session/);
    await page.getByLabel("Email").fill(WEB_EMAIL);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/wrong|unknown|not/i).first().waitFor();
  });
  await step("signing in returns to the requested page", async () => {
    await page.getByLabel("Password").fill(WEB_PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Prompts", level: 1 }).waitFor();
    await until("the query is kept", () => page.url().endsWith("/app/1/prompts?q=refund"));
  });
  await step("the home page redirects to requests", async () => {
    await page.goto(address);
    await until("the page of requests", () => page.url().includes("/app/1/requests"));
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  });
  for (const place of places) {
    await step(`the menu opens ${place}`, async () => {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: place, exact: true }).click();
      await page.getByRole("heading", { name: place, level: 1 }).waitFor();
    });
  }
  await step("the theme is kept", async () => {
    await page.getByRole("button", { name: "Switch to dark theme" }).click();
    await page.reload();
    await until("dark", () => page.evaluate(() => document.documentElement.dataset.theme === "dark"));
    await accessible();
    await page.getByRole("button", { name: "Switch to light theme" }).click();
  });
  await step("an unknown page shows an error", async () => {
    await open("1/nothing-here");
    await page.getByText("Page not found").waitFor();
  });
  await step("the content security policy is strict and enforced", async () => {
    expect(/violates the following Content Security Policy/);
    const policy = (await page.request.get(`${address}/app/`)).headers()["content-security-policy"];
    if (/unsafe|\*/.test(policy)) throw new Error(`the policy is not strict: ${policy}`);
    const blocked = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      return window.ran !== true;
    });
    if (!blocked) throw new Error("an inline script ran");
  });
}, { signedIn: false });

// Settings → Prices: custom prices, list prices, models without a price, import
// and export, and re-pricing with its preview, progress and return.
import { readFile } from "node:fs/promises";
import { drive, equal, eventDuring, logRequest, until } from "./browser.mjs";

// Unique, because an earlier run may have left data.
const run = Date.now().toString(36);
const provider = `house-${run}`;

await drive(async ({ page, step, open, accessible, inDark, shot, expect, api }) => {
  const dialog = (name) => page.getByRole("dialog", { name });
  const rowOf = (table, text) => page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });
  const tab = (name) => page.getByRole("tab", { name });
  const chooseFromMenu = async (button, item) => {
    await button.click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const stored = async () => (await api.get("/api/public/v2/prices?source=custom&per_page=1000")).items.filter((one) => one.provider === provider);
  const priceOf = async (id) => (await api.get(`/api/public/v2/requests/${id}`)).price;
  let logged;

  await step("a price is created", async () => {
    await open("1/settings/prices");
    await page.getByRole("button", { name: "New price" }).first().click();
    const form = dialog("New price");
    equal("an empty form can be saved", await form.getByRole("button", { name: "Save" }).isEnabled(), false);
    await form.getByLabel("Provider").fill(provider);
    await form.getByLabel("Model").fill("first");
    await form.getByLabel("Valid from").fill("yesterday");
    await form.getByText("Use a date such as").waitFor();
    await form.getByLabel("Valid from").fill("2026-01-31");
    await form.getByLabel("Input", { exact: true }).fill("-1");
    await form.getByText("From 0 to 1,000,000").waitFor();
    await form.getByLabel("Input", { exact: true }).fill("1.5");
    await form.getByLabel("Output", { exact: true }).fill("2");
    await accessible();
    await form.getByRole("button", { name: "Save" }).click();
    await rowOf("Custom prices", provider).getByText("2026-01-31").waitFor();
    const [one] = await stored();
    equal("stored", [one.model, one.input, one.output, one.cache_read], ["first", 1.5, 2, undefined]);
    await inDark(accessible);
  });
  await step("the same price again shows the error of the server", async () => {
    expect(/status 409/);
    await page.getByRole("button", { name: "New price" }).first().click();
    const form = dialog("New price");
    for (const [label, text] of [["Provider", provider], ["Model", "first"], ["Valid from", "2026-01-31"]]) await form.getByLabel(label).fill(text);
    for (const label of ["Input", "Output"]) await form.getByLabel(label, { exact: true }).fill("1");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("already has a price").waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
  });
  await step("a price is changed", async () => {
    await chooseFromMenu(page.getByRole("button", { name: `Actions for ${provider} first` }), "Edit");
    const form = dialog("Price of first");
    await form.getByLabel("Cache read").fill("0.5");
    await form.getByLabel("Valid from").fill("");
    await form.getByRole("button", { name: "Save" }).click();
    await rowOf("Custom prices", provider).getByText("always").waitFor();
    const [one] = await stored();
    equal("stored", [one.cache_read, one.valid_from, one.input], [0.5, "1970-01-01T00:00:00Z", 1.5]);
  });
  await step("prices are exported and imported", async () => {
    for (const format of ["csv", "json"]) {
      const file = await eventDuring(page, "download", () => chooseFromMenu(page.getByRole("button", { name: "Export" }), `Export as ${format.toUpperCase()}`));
      equal("the name of the file", file.suggestedFilename(), `prices.${format}`);
      const text = (await readFile(await file.path(), "utf8")).replaceAll("first", `from-${format}`);
      await page.getByLabel("File of prices").setInputFiles({ name: `prices.${format}`, mimeType: "text/plain", buffer: Buffer.from(text) });
      await rowOf("Custom prices", `from-${format}`).first().waitFor();
    }
    equal("models", (await stored()).map(({ model }) => model).sort(), ["first", "from-csv", "from-json"]);
  });
  await step("a price is deleted", async () => {
    await chooseFromMenu(page.getByRole("button", { name: `Actions for ${provider} from-csv` }), "Delete");
    await page.getByRole("alertdialog", { name: "Delete the price of from-csv?" }).getByRole("button", { name: "Delete" }).click();
    await until("it has left the list", async () => (await rowOf("Custom prices", "from-csv").filter({ hasText: provider }).count()) === 0);
    equal("models", (await stored()).map(({ model }) => model).sort(), ["first", "from-json"]);
  });
  await step("list prices are searched", async () => {
    await tab("List prices").click();
    await rowOf("List prices", "gpt-4o").first().waitFor();
    await shot("settings-prices");
    await page.getByLabel("Search list prices").fill("openai gpt-4o-mini");
    await until("only matching prices are left", async () => {
      const rows = await page.getByRole("table", { name: "List prices" }).getByRole("row").allTextContents();
      return rows.length > 1 && rows.slice(1).every((text) => text.includes("gpt-4o-mini"));
    });
    if (!page.url().includes("find=")) throw new Error(`the URL is ${page.url()}`);
    await accessible();
  });
  await step("a model without a price is priced in one step", async () => {
    logged = await logRequest({ provider, model: "second", input_tokens: 1_000_000, output_tokens: 1_000_000 });
    equal("the price before", await priceOf(logged), 0);
    await open("1/settings/prices?tab=unpriced");
    await rowOf("Models without a price", provider).getByText("second").waitFor();
    await accessible();
    await page.getByRole("button", { name: `Set price of ${provider} second` }).click();
    const form = dialog("New price");
    await form.getByLabel("Input", { exact: true }).fill("3");
    await form.getByLabel("Output", { exact: true }).fill("4");
    equal("its requests are priced, too", await form.getByRole("checkbox", { name: "Also price the 1 logged requests" }).isChecked(), true);
    await form.getByRole("button", { name: "Save" }).click();
    await rowOf("Re-pricings", provider).first().getByText("done", { exact: true }).waitFor();
    equal("the price", await priceOf(logged), 7);
    await tab("Not priced").click();
    await until("the model has left the list", async () => (await rowOf("Models without a price", provider).count()) === 0);
  });
  await step("a re-pricing is previewed before it starts", async () => {
    const [second] = (await stored()).filter(({ model }) => model === "second");
    await api.patch(`/api/public/v2/prices/${second.id}`, { input: 5 });
    await page.getByRole("button", { name: "Re-price requests" }).click();
    const form = dialog("Re-price requests");
    equal("it can start without a preview", await form.getByRole("button", { name: "Re-price", exact: true }).isEnabled(), false);
    await form.getByRole("combobox", { name: "Query" }).fill(`provider:${provider}`);
    await form.getByRole("combobox", { name: "Query" }).press("Enter");
    await form.getByRole("button", { name: "Remove filter cost is not set" }).click();
    await form.getByRole("button", { name: "Preview" }).click();
    await form.getByRole("region", { name: "Preview" }).getByText("$7.00 → $9.00 (+$2.00)").first().waitFor();
    equal("a preview changes the price", await priceOf(logged), 7);
    await accessible();
    await form.getByRole("button", { name: "Re-price", exact: true }).click();
    await form.waitFor({ state: "detached" });
    await rowOf("Re-pricings", provider).first().getByText("done", { exact: true }).waitFor();
    equal("the price", await priceOf(logged), 9);
    await accessible();
  });
  await step("a re-pricing is reverted", async () => {
    await rowOf("Re-pricings", "$9.00").getByRole("button", { name: /Revert/ }).click();
    await page.getByRole("alertdialog", { name: "Revert the re-pricing?" }).getByRole("button", { name: "Revert" }).click();
    await rowOf("Re-pricings", "$9.00").getByText("reverted", { exact: true }).waitFor();
    equal("the price that the request was logged with", await priceOf(logged), 0);
  });
});

await drive(async ({ page, step, open, fits, accessible }) => {
  for (const tab of ["custom", "list", "unpriced", "repricing"]) {
    await step(`on a phone, the tab ${tab} fits`, async () => {
      await open(`1/settings/prices?tab=${tab}`);
      await page.getByRole("tablist", { name: "Prices" }).waitFor();
      await until("loading has finished", async () => (await page.getByRole("status").filter({ hasText: "Loading" }).count()) === 0);
      await fits();
    });
  }
  await step("on a phone, the dialogs fit", async () => {
    await page.getByRole("button", { name: "Re-price requests" }).click();
    await page.getByRole("dialog", { name: "Re-price requests" }).waitFor();
    await fits();
    await accessible();
  });
}, { width: 390, height: 844 });

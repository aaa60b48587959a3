// Sessions and users: the lists with their query, the conversation of a session,
// and the page of a user.
import { drive, equal, until } from "./browser.mjs";

const { WEB_ADDRESS, WEB_API_KEY } = process.env;

// Unique, because an earlier run may have left data.
const mark = Date.now().toString(36).slice(-5);
const area = `sessions-${mark}`;
const began = Date.now() - 60_000;
const newId = (digits) => Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join("");

/** A span of a trace, as a client sends it. Times are in ms since the start of the script. */
function span(trace, { name, id = newId(16), parent = null, from = 0, to = from + 900, error = null, attributes = {}, ...rest }) {
  const nanoseconds = (ms) => `${BigInt(began + ms) * 1_000_000n}`;
  return {
    name, parent_id: parent, kind: "SpanKind.INTERNAL", context: { trace_id: trace, span_id: id, trace_state: "" }, start_time: nanoseconds(from), end_time: nanoseconds(to),
    status: { status_code: error === null ? "StatusCode.OK" : "StatusCode.ERROR", description: error }, attributes, resource: { attributes: { "service.name": area } }, ...rest,
  };
}

async function send(...spans) {
  const answer = await fetch(`${WEB_ADDRESS}/spans-bulk`, { method: "POST", headers: { "X-API-KEY": WEB_API_KEY, "Content-Type": "application/json" }, body: JSON.stringify({ spans }) });
  if (!answer.ok) throw new Error(`storing spans answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const message = (role, text) => ({ role, content: [{ type: "text", text }] });
const talk = [message("system", "You know the storehouse."), message("user", "Where is the flour?"), message("assistant", "On the upper shelf, behind the oats."), message("user", "And the sugar?"), message("assistant", "Next to the flour.")];
const call = (messages, price) => ({
  provider: "openai", model: "gpt-4o", input_tokens: 120, output_tokens: 30, price,
  input: { type: "chat", messages: messages.slice(0, -1) }, output: { type: "chat", messages: messages.slice(-1) },
});

// An id may have any characters.
const session = `shelf/${mark} 100%`;
const later = `jars-${mark}`;
const long = `long-${mark}`;
const ann = `ann-${mark}`;
const of = (id, user) => ({ "session.id": id, ...(user === undefined ? {} : { "user.id": user }) });
const traces = Array.from({ length: 4 }, () => newId(32));
const root = newId(16);

const sent = await send(
  span(traces[0], { name: "Shelf assistant", id: root, to: 2500, attributes: of(session, ann) }),
  span(traces[0], { name: "chat gpt-4o", parent: root, from: 200, to: 2400, log_request: call(talk.slice(0, 3), 0.25) }),
  span(traces[1], { name: "Shelf assistant", from: 4000, to: 6000, attributes: of(session, ann), log_request: call(talk, 0.5) }),
  span(traces[2], { name: "Opening hours", id: "00000000000000a1", from: 8000, to: 9000, attributes: { ...of(session, ann), "input.value": "When do you open?", "output.value": "At nine, every day." } }),
  span(traces[2], { name: "GET hours", parent: "00000000000000a1", from: 8100, to: 8600, error: "The calendar did not answer" }),
  span(traces[3], { name: "Order agent", from: 20_000, attributes: { ...of(later, ann), "input.value": "Order more jars", "output.value": "Ordered." } }),
  ...Array.from({ length: 12 }, (_, index) => span(newId(32), { name: `Turn ${index + 1}`, from: -90_000 + index * 2000, attributes: { ...of(long, `ben-${mark}`), "input.value": `Question ${index + 1}`, "output.value": `Answer ${index + 1}` } })),
);
const [firstRequest] = sent.request_logs.map(({ id }) => id);

// Others of the day, for the pictures of the lists.
const hour = 3_600_000;
await send(...Array.from({ length: 60 }, (_, index) => {
  const from = -((index * 37) % 24) * hour + index * 1000;
  return span(newId(32), { name: "Order agent", from, error: index % 9 === 4 ? "timeout" : null, attributes: of(`chat-${7000 + ((index * 7) % 23)}`, ["ben", "cleo", "dora"][((index * 7) % 23) % 3]), ...(index % 2 === 0 ? { log_request: call(talk.slice(0, 3), 0.01 * (1 + (index % 5))) } : {}) });
}));

const sessionPath = (id) => `1/sessions/${encodeURIComponent(id)}`;

await drive(async ({ page, step, open, accessible, inDark, shot, api, expect }) => {
  const list = (of, state) => `1/${of}?${new URLSearchParams({ range: "24h", ...state })}`;
  const held = (name) => new URL(page.url()).searchParams.get(name);
  const tableOf = (name) => page.getByRole("table", { name });
  const rowsOf = (name) => tableOf(name).getByRole("row").filter({ has: page.getByRole("cell") });
  const bar = page.getByRole("combobox", { name: "Query" });
  const chat = page.getByRole("region", { name: "Conversation" });
  const cells = async (row, to) => (await row.getByRole("cell").allInnerTexts()).slice(0, to).map((cell) => cell.trim());
  const heading = (name) => page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
  const mine = { filters: [{ field: "trace_run_by_user_id", operator: "is", value: ann }] };

  await until("the sessions are found", async () => (await api.post("/api/public/v2/sessions/search", mine)).total === 2);

  await step("the list shows the sessions of a user", async () => {
    await open(list("sessions", { q: `user:${ann}` }));
    await until("two rows", async () => (await rowsOf("Sessions").count()) === 2);
    await page.getByRole("status").filter({ hasText: /^2 sessions/ }).waitFor();
    equal("the last seen comes first", await cells(rowsOf("Sessions").first(), 7), [later, ann, "1", "0", "–", "–", "0"]);
    equal("the other", await cells(rowsOf("Sessions").nth(1), 7), [session, ann, "3", "2", "300", "$0.750", "1"]);
    await accessible();
    await inDark(accessible);
    await open(list("sessions", {}));
    await rowsOf("Sessions").nth(10).waitFor();
    await shot("sessions");
  });
  await step("the sessions are sorted by a column", async () => {
    await open(list("sessions", { q: `user:${ann}` }));
    await tableOf("Sessions").getByRole("button", { name: "Cost" }).click();
    await until("the most expensive comes first", async () => (await rowsOf("Sessions").first().innerText()).includes(session));
    equal("the address", [held("sort"), held("order")], ["cost", "desc"]);
    equal("the order is announced", await tableOf("Sessions").getByRole("columnheader", { name: "Cost" }).getAttribute("aria-sort"), "descending");
  });
  await step("the query filters the traces that count", async () => {
    await page.keyboard.press("/");
    await bar.fill("status:error");
    await bar.press("Enter");
    await until("one row", async () => (await rowsOf("Sessions").count()) === 1);
    equal("only failed traces count", await cells(rowsOf("Sessions").first(), 3), [session, ann, "1"]);
    await bar.fill("latency>2s");
    await bar.press("Enter");
    await page.getByRole("alert").getByText("Unknown field “latency”").waitFor();
    await open(list("sessions", { q: `user:${ann} name:nothing` }));
    await page.getByRole("heading", { name: "No matching sessions" }).waitFor();
    await page.getByText("Clear query", { exact: true }).click();
    await rowsOf("Sessions").first().waitFor();
  });
  await step("users, sessions and names are suggested", async () => {
    await open(list("sessions", {}));
    const option = (name) => page.getByRole("listbox").getByRole("option", { name, exact: true });
    const type = async (text) => {
      await bar.fill("");
      await bar.pressSequentially(text);
    };
    await rowsOf("Sessions").first().waitFor();
    await type(`user:${ann.slice(0, 6)}`);
    await option(ann).click();
    await until("the query is applied", () => held("q") === `user:${ann}`);
    await type("session:jars");
    await option(later).waitFor();
    await type("name:Open");
    await option("Opening hours").waitFor();
    equal("names of other traces are not suggested", await option("Order agent").count(), 0);
    await bar.fill("");
  });
  await step("a query is saved as a view", async () => {
    await open(list("sessions", { q: `user:${ann}`, sort: "cost", order: "asc" }));
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save as new view…" }).click();
    await page.getByRole("dialog", { name: "Save view" }).getByLabel("Name").fill(`${area} view`);
    await page.getByRole("dialog", { name: "Save view" }).getByRole("button", { name: "Save" }).click();
    await until("the address names the view", () => held("view") !== null);
    await open(`1/sessions?view=${held("view")}`);
    await until("its query and order are applied", () => held("q") === `user:${ann}` && held("sort") === "cost" && held("order") === "asc");
    await until("two rows", async () => (await rowsOf("Sessions").count()) === 2);
    await open("1/traces");
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save as new view…" }).waitFor();
    equal("views of sessions are not offered for traces", await page.getByRole("menuitem", { name: `${area} view` }).count(), 0);
    await page.keyboard.press("Escape");
  });
  await step("a refused list shows why", async () => {
    expect(/status of 403|status 403/);
    await page.route("**/sessions/search", (route) => route.fulfill({ status: 403, contentType: "application/json", body: JSON.stringify({ success: false, message: "You need the permission READ", error: "forbidden" }) }));
    await open(list("sessions", { q: "status:ok" }));
    await page.getByRole("alert").getByText("You need the permission READ").waitFor();
    await page.unroute("**/sessions/search");
    await page.getByRole("button", { name: "Try again" }).click();
    await rowsOf("Sessions").first().waitFor();
  });
  await step("a session opens as a conversation", async () => {
    await open(list("sessions", { q: `user:${ann}` }));
    await tableOf("Sessions").getByRole("link", { name: session }).click();
    await heading(session);
    await until("what was said, without repetitions", async () => {
      const said = await chat.getByRole("article").allInnerTexts();
      return said.map((text) => text.split("\n").filter((line) => line !== "").slice(-1)[0]).join("|") === "Where is the flour?|On the upper shelf, behind the oats.|And the sugar?|Next to the flour.|When do you open?|At nine, every day.";
    });
    await chat.getByText("The calendar did not answer").waitFor();
    equal("the totals", (await page.getByRole("main").locator("dl[aria-label='Totals of the session'] dd").allInnerTexts()).slice(1, 6), ["3", "2", "1", "$0.750", "240 → 60"]);
    await accessible();
    await inDark(accessible);
    await shot("session");
  });
  await step("the conversation links to its traces and requests", async () => {
    await chat.getByRole("link", { name: `Request ${firstRequest}` }).click();
    await page.getByRole("dialog", { name: `Request ${firstRequest}` }).getByText("On the upper shelf").waitFor();
    await open(sessionPath(session));
    await chat.getByRole("link", { name: "Opening hours" }).click();
    await heading("Opening hours");
    await page.getByRole("link", { name: session }).click();
    await heading(session);
  });
  await step("the next session of the user is one click away", async () => {
    await page.getByRole("link", { name: "Next session of the user" }).click();
    await heading(later);
    await chat.getByText("Order more jars").waitFor();
    await page.getByRole("link", { name: "Previous session of the user" }).click();
    await heading(session);
  });
  await step("a growing session shows new traces", async () => {
    await chat.getByText("At nine, every day.").waitFor();
    await send(span(newId(32), { name: "Goodbye", from: 30_000, attributes: { ...of(session, ann), "input.value": "Thanks!", "output.value": "You are welcome." } }));
    await chat.getByText("You are welcome.").waitFor();
  });
  await step("a long session has pages", async () => {
    await open(sessionPath(long));
    await chat.getByText("Answer 10", { exact: true }).waitFor();
    equal("turns on the first page", await chat.getByRole("listitem").count(), 10);
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await chat.getByText("Answer 12", { exact: true }).waitFor();
    equal("turns on the second page", [await chat.getByRole("listitem").count(), held("page")], [2, "2"]);
  });
  await step("the list of users", async () => {
    await open(list("users", { q: `user:${ann}` }));
    await until("one row", async () => (await rowsOf("Users").count()) === 1);
    equal("the cells", await cells(rowsOf("Users").first(), 7), [ann, "2", "5", "2", "300", "$0.750", "1"]);
    await accessible();
    await inDark(accessible);
    await open(list("users", {}));
    await rowsOf("Users").nth(2).waitFor();
    await shot("users");
  });
  await step("a user’s sessions and traces", async () => {
    await open(list("users", { q: `user:${ann}` }));
    await tableOf("Users").getByRole("link", { name: ann }).click();
    await heading(ann);
    await until("two sessions", async () => (await rowsOf("Sessions").count()) === 2);
    await accessible();
    await page.getByRole("tab", { name: "Traces (5)" }).click();
    await until("five traces", async () => (await rowsOf("Traces").count()) === 5);
    equal("the address", held("tab"), "traces");
    await accessible();
    await inDark(accessible);
    await open("1/users/ben");
    await rowsOf("Sessions").nth(3).waitFor();
    await shot("user");
    await open(`1/users/${ann}?tab=traces`);
    await tableOf("Traces").getByRole("link", { name: session }).first().click();
    await heading(session);
  });
  await step("a trace is closed on its page", async () => {
    await open(`1/traces/${traces[3]}`);
    await page.getByRole("button", { name: "Close trace" }).click();
    await page.getByRole("alertdialog", { name: "Close this trace?" }).getByRole("button", { name: "Close trace" }).click();
    await page.getByRole("status").getByText("closed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Close trace" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: ann }).click();
    await heading(ann);
  });
  await step("what is missing is said", async () => {
    await open(`1/sessions/${area}-none`);
    await page.getByRole("heading", { name: "Session not found" }).waitFor();
    await open(`1/users/${area}-none`);
    await page.getByRole("heading", { name: "User not found" }).waitFor();
  });
});

await drive(async ({ page, step, open, accessible, fits, shot }) => {
  await step("sessions and users fit on a phone", async () => {
    await open(sessionPath(session));
    await page.getByText("Next to the flour.").waitFor();
    await fits();
    await accessible();
    await shot("session-phone");
    for (const [path, table] of [["1/sessions?range=24h", "Sessions"], ["1/users?range=24h", "Users"], [`1/users/${ann}`, "Sessions"], [`1/users/${ann}?tab=traces`, "Traces"]]) {
      await open(path);
      await page.getByRole("table", { name: table }).waitFor();
      await fits();
      await accessible();
    }
  });
}, { width: 390, height: 844 });

// Publishes, fetches and runs prompt templates with the official client, and
// prints its results and the requests to the providers as one line of JSON. The
// URL of the server is an option of the client.
import { createRequire } from "node:module";
import { startProvider } from "./provider.mjs";
import { agent, broken, dispatcher, greeter, lookup, planner, reviewer, story, support } from "./templates.mjs";

// The client finds the libraries of providers only when it is required.
const { PromptLayer } = createRequire(import.meta.url)("promptlayer");

const [baseURL, apiKey] = process.argv.slice(2);
const client = new PromptLayer({ baseURL, apiKey });
const failureOf = (work) => work().then(() => "no failure", (error) => error.message);

const provider = await startProvider();
Object.assign(process.env, {
  OPENAI_BASE_URL: `${provider.address}/v1`, OPENAI_API_KEY: "sk-none",
  ANTHROPIC_BASE_URL: provider.address, ANTHROPIC_API_KEY: "sk-none",
});

const published = [];
for (const template of [support, greeter, reviewer, agent, story, planner, dispatcher, broken]) {
  published.push(await client.templates.publish(template));
}

const variables = { company: "Acme", question: "where is zqnone" };
const name = support.prompt_name;
const fetched = {
  latest: await client.templates.get(name),
  version: await client.templates.get(name, { version: 1 }),
  label: await client.templates.get(name, { label: "first", input_variables: variables }),
  moved: await client.templates.get(name, { label: "prod", input_variables: variables }),
  missing: await client.templates.get(name, { input_variables: { company: "Acme" } }),
  byID: await client.templates.get(String(published[0].id), { version: 1 }),
  jinja: await client.templates.get("reviewer", { input_variables: { rules: ["be kind", "be brief"], code: { name: "main" }, word: "now" } }),
  completion: await client.templates.get("story", { input_variables: { place: "Ur", word: "Gil" } }),
};
const listed = {
  all: await client.templates.all(),
  second: await client.templates.all({ page: 2, per_page: 4 }),
  labelled: await client.templates.all({ label: "first" }),
};

// runOne runs a template and returns the result with the request to the
// provider.
const runOne = async (request) => {
  const before = provider.received.length;
  let result = await client.run(request);
  const chunks = [];
  if (request.stream) {
    for await (const data of result) {
      chunks.push(structuredClone(data));
      result = data;
    }
  }
  return { ...structuredClone(result), chunks: chunks.length, received: provider.received.slice(before) };
};

const group = await client.group.create();
const history = [
  { role: "user", content: [{ type: "text", text: "hi {company}" }] },
  { role: "assistant", content: [{ type: "text", text: "hello" }] },
];
const runs = {
  tool: await runOne({
    promptName: name, promptReleaseLabel: "first",
    inputVariables: { company: "Acme", question: "where is zqtool1", history },
    modelParameterOverrides: { temperature: 0.9, max_tokens: 5 },
    metadata: { user_id: "u-1" }, tags: ["ran", "tool"], groupId: group,
  }),
  toolStream: await runOne({
    promptName: name, promptVersion: 1, stream: true, tags: ["ran"], groupId: group,
    inputVariables: { company: "Acme", question: "where is zqtool2" },
  }),
  chat: await runOne({ promptName: name, inputVariables: { company: "Acme", question: "say zqchat1" }, metadata: { user_id: "u-2" } }),
  chatStream: await runOne({ promptName: name, inputVariables: { company: "Acme", question: "say zqchat2" }, stream: true }),
  otherModel: await runOne({ promptName: name, model: "gpt-4.1", inputVariables: { company: "Acme", question: "say zqmodel1" } }),
  otherProvider: await runOne({
    promptName: name, provider: "anthropic", model: "claude-sonnet-4", modelParameterOverrides: { max_tokens: 9 },
    inputVariables: { company: "Acme", question: "say zqprovider1" },
  }),
  claude: await runOne({ promptName: "reviewer", inputVariables: { rules: ["be kind"], code: { name: "main" }, word: "zqclaude1" } }),
  claudeStream: await runOne({ promptName: "reviewer", stream: true, inputVariables: { rules: [], code: { name: "main" }, word: "zqclaude2" } }),
  claudeTool: await runOne({ promptName: "agent", inputVariables: { word: "zqagent1" } }),
  claudeToolStream: await runOne({ promptName: "agent", stream: true, inputVariables: { word: "zqagent2" } }),
  completion: await runOne({ promptName: "story", inputVariables: { place: "Ur", word: "zqstory1" } }),
  completionStream: await runOne({ promptName: "story", stream: true, inputVariables: { place: "Ur", word: "zqstory2" } }),
  responses: await runOne({ promptName: "planner", inputVariables: { word: "zqplan1" } }),
  responsesStream: await runOne({ promptName: "planner", stream: true, inputVariables: { word: "zqplan2" } }),
  responsesTool: await runOne({ promptName: "dispatcher", inputVariables: { word: "zqtask1", abilities: [lookup] } }),
  responsesToolStream: await runOne({ promptName: "dispatcher", stream: true, inputVariables: { word: "zqtask2", abilities: [lookup] } }),
};

// The client's cache fetches unrendered texts once and renders them itself; it
// leaves placeholders and tool variables to the server.
const cached = new PromptLayer({ baseURL, apiKey, cacheTtlSeconds: 60 });
const fetches = [];
const plainFetch = globalThis.fetch;
globalThis.fetch = (address, init) => {
  fetches.push({ path: new URL(address).pathname, body: init.body === undefined ? null : JSON.parse(init.body) });
  return plainFetch(address, init);
};
const fromCache = {
  first: await cached.templates.get(name, { input_variables: { company: "Acme", question: "one" } }),
  second: await cached.templates.get(name, { input_variables: { company: "Bolt", question: "two" } }),
  jinja: await cached.templates.get("reviewer", { input_variables: { rules: ["a", "b"], code: { name: "main" }, word: "x" } }),
  completion: await cached.templates.get("story", { input_variables: { place: "Ur", word: "Gil" } }),
  responses: await cached.templates.get("planner", { input_variables: { word: "Gil" } }),
  tools: await cached.templates.get("dispatcher", { input_variables: { word: "Gil", abilities: [lookup] } }),
  placeholder: await cached.templates.get(name, { label: "first", input_variables: { company: "Acme", question: "three", history } }),
};
globalThis.fetch = plainFetch;

const request = {
  provider: "openai", model: "gpt-4o",
  input: { type: "chat", messages: [{ role: "user", content: [{ type: "text", text: "logged zqlogged2" }] }] },
  output: { type: "chat", messages: [{ role: "assistant", content: [{ type: "text", text: "fine" }] }] },
  request_start_time: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000, request_end_time: Date.UTC(2026, 0, 2, 3, 4, 6) / 1000,
};
const logged = await client.logRequest({
  ...request, prompt_name: name, prompt_version_number: 1, prompt_input_variables: { company: "Acme" },
});
const request_id = logged.id;
const tracked = {
  metadata: await client.track.metadata({ request_id, metadata: { user_id: "u-3" } }),
  score: await client.track.score({ request_id, score: 77 }),
  prompt: await client.track.prompt({ request_id, prompt_name: name, prompt_input_variables: { company: "Bolt" }, label: "prod" }),
  group: await client.track.group({ request_id, group_id: group }),
  again: await client.track.prompt({ request_id: runs.completion.request_id, prompt_name: "story", prompt_input_variables: {}, version: 1 }),
};

const failures = {
  provider: await failureOf(() => client.run({ promptName: "broken", inputVariables: { word: "zqbroken1" } })),
  absent: await failureOf(() => client.templates.get("team/absent bot")),
  label: await failureOf(() => client.templates.get(name, { label: "nowhere" })),
  version: await failureOf(() => client.templates.get(name, { version: 99 })),
  kind: await failureOf(() => client.templates.publish({ prompt_name: "bad", prompt_template: { messages: [] } })),
  log: await failureOf(() => client.logRequest({ ...request, prompt_name: "absent" })),
  key: await failureOf(() => new PromptLayer({ baseURL, apiKey: "pl_wrong_key" }).templates.get(name)),
};
provider.stop();

// A fetched template can be published again unchanged.
const republished = await client.templates.publish({ ...fetched.version, commit_message: "back to the first" });
const restored = await client.templates.get(name);

console.log(JSON.stringify({ published, fetched, listed, group, runs, fromCache, fetches, logged, tracked, failures, republished, restored }));

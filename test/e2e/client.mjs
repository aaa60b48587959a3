// Uses every supported call of the official client, and prints the results as
// one line of JSON. URLs and keys come from the environment, as users of the
// client set them.
import { createRequire } from "node:module";
import { startProvider } from "./provider.mjs";

// The client finds the libraries of providers only when it is required.
const { PromptLayer } = createRequire(import.meta.url)("promptlayer");

const client = new PromptLayer();
const failureOf = (work) => work().then(() => "no failure", (error) => error.message);

const logged = await client.logRequest({
  provider: "openai",
  model: "gpt-4o",
  input: { type: "chat", messages: [{ role: "user", content: [{ type: "text", text: "logged zqlogged1" }] }] },
  output: { type: "chat", messages: [{ role: "assistant", content: [{ type: "text", text: "fine" }] }] },
  request_start_time: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)).toISOString(),
  request_end_time: Date.UTC(2026, 0, 2, 3, 4, 6) / 1000,
  parameters: { temperature: 0.5 },
  tags: ["from-client"],
  metadata: { origin: "driver" },
  input_tokens: 12,
  output_tokens: 3,
  price: 0.25,
  score: 0,
});

const group = await client.group.create();
const tracked = {
  metadata: await client.track.metadata({ request_id: logged.id, metadata: { user_id: "u-17", origin: "changed" } }),
  score: await client.track.score({ request_id: logged.id, score: 88 }),
  namedScore: await client.track.score({ request_id: logged.id, score: 0, score_name: "tone", name: "tone" }),
  group: await client.track.group({ request_id: logged.id, group_id: group }),
};

const failures = {
  prompt: await failureOf(() => client.track.prompt({ request_id: logged.id, prompt_name: "absent", prompt_input_variables: {} })),
  request: await failureOf(() => client.track.score({ request_id: logged.id + 1000000, score: 1 })),
  group: await failureOf(() => client.track.group({ request_id: logged.id, group_id: group + 1000000 })),
  log: await failureOf(() => client.logRequest({ provider: "openai" })),
  key: await failureOf(() => new PromptLayer({ apiKey: "pl_wrong_key" }).group.create()),
};

const provider = await startProvider();
const openai = new client.OpenAI({ apiKey: "sk-none", baseURL: `${provider.address}/v1`, maxRetries: 0 });
const anthropic = new client.Anthropic({ apiKey: "sk-none", baseURL: provider.address, maxRetries: 0 });

const [completion, completionID] = await openai.chat.completions.create({
  model: "gpt-4o-mini",
  messages: [{ role: "system", content: "be brief" }, { role: "user", content: "repeat zqopenai1" }],
  temperature: 0,
  return_pl_id: true,
  pl_tags: ["wrapped", "openai"],
});

const stream = await openai.chat.completions.create({
  model: "gpt-4o-mini",
  messages: [{ role: "user", content: "repeat zqstream1" }],
  stream: true,
  return_pl_id: true,
});
let streamID = null;
for await (const [, id] of stream) streamID = id;

const [reply, replyID] = await anthropic.messages.create({
  model: "claude-sonnet-4",
  max_tokens: 64,
  system: "use tools",
  messages: [{ role: "user", content: "look up zqanthropic1" }],
  tools: [{ name: "lookup", description: "Looks up.", input_schema: { type: "object", properties: { query: { type: "string" } } } }],
  return_pl_id: true,
  pl_tags: ["wrapped"],
});

failures.provider = await failureOf(() => openai.chat.completions.create({ model: "broken", messages: [{ role: "user", content: "hi" }] }));
provider.stop();

console.log(JSON.stringify({
  logged, group, tracked, failures,
  completion: { id: completionID, text: completion.choices[0].message.content },
  stream: { id: streamID },
  reply: { id: replyID, kinds: reply.content.map((part) => part.type) },
}));

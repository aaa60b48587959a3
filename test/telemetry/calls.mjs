// Model calls that each library instruments in its own way.
import { z } from "zod";

const weather = {
  name: "weather", description: "Weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const tools = [{ type: "function", function: weather }];
const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } };

const ignoreFailure = (promise) => promise.catch(() => {});

// official makes calls with the client of OpenAI: one that ends with a call of
// a tool, one with its result and an image, one that fails, and an embedding.
export const official = async (client) => {
  await client.chat.completions.create({
    model: "gpt-4o-mini", temperature: 0.2, max_tokens: 100, tools,
    messages: [{ role: "system", content: "You are brief." }, { role: "user", content: "How warm is it in Oslo?" }],
  });
  await client.chat.completions.create({
    model: "gpt-4o-mini", tools,
    messages: [
      { role: "user", content: [{ type: "text", text: "How warm is it there?" }, { type: "image_url", image_url: { url: "https://example.com/oslo.png" } }] },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: '{"degrees":5}' },
    ],
  });
  await ignoreFailure(client.chat.completions.create({ model: "gpt-4o-mini", messages: [{ role: "user", content: "fail" }] }));
  await client.embeddings.create({ model: "text-embedding-3-small", input: "hello", encoding_format: "float" });
};

// vercel makes the same calls with the Vercel AI SDK.
export const vercel = async (sdk, openai, telemetry) => {
  const options = { model: openai.chat("gpt-4o-mini"), maxRetries: 0, experimental_telemetry: telemetry, telemetry };
  await sdk.generateText({
    ...options, system: "You are brief.", prompt: "How warm is it in Oslo?", temperature: 0.2, maxOutputTokens: 100,
    tools: { weather: sdk.tool({ description: weather.description, inputSchema: z.object({ city: z.string() }), execute: async () => ({ degrees: 5 }) }) },
    stopWhen: (sdk.isStepCount ?? sdk.stepCountIs)(3),
  });
  await ignoreFailure(sdk.generateText({ ...options, prompt: "fail" }));
  await sdk.embed({ ...options, model: openai.embedding("text-embedding-3-small"), value: "hello" });
};

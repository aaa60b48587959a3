// Runs agents with OpenAI's Agents SDK and the tracing of the official client for
// it, and prints the ids of the traces as one line of JSON.
import { Agent, Runner, setDefaultOpenAIClient, setOpenAIAPI, tool, withTrace } from "@openai/agents";
import OpenAI from "openai";
import { instrumentOpenAIAgents } from "promptlayer/openai-agents";
import { z } from "zod";
import { startProvider } from "./provider.mjs";

const [baseURL, apiKey] = process.argv.slice(2);
const provider = await startProvider();
setDefaultOpenAIClient(new OpenAI({ apiKey: "sk-none", baseURL: `${provider.address}/v1`, maxRetries: 0 }));
const processor = await instrumentOpenAIAgents({ apiKey, baseURL });

const search = tool({
  name: "search", description: "Finds a word.", parameters: z.object({ query: z.string() }),
  execute: async ({ query }) => `found ${query}`,
});
const broken = tool({
  name: "broken", description: "Fails.", parameters: z.object({ query: z.string() }), errorFunction: null,
  execute: async () => { throw new Error("zqbroken"); },
});

// runAgent runs an agent with a tool and returns its trace.
const runAgent = async (used, question) => {
  const agent = new Agent({ name: "Helper", instructions: "Search first.", model: "gpt-4o", tools: [used] });
  return withTrace("Support", async (trace) => {
    const { result, error } = await new Runner().run(agent, question)
      .then(({ finalOutput }) => ({ result: finalOutput }), ({ message }) => ({ error: message }));
    return { id: trace.traceId.replace(/^trace_/, ""), result: result ?? error };
  }, { groupId: "zqsession1", metadata: { user: "ann" } });
};

const responses = await runAgent(search, "look for zqagent1");
const failed = await runAgent(broken, "look for zqagent2");
setOpenAIAPI("chat_completions");
const completions = await runAgent(search, "look for zqagent3");
await processor.forceFlush();
provider.stop();
console.log(JSON.stringify({ responses, completions, failed }));

// Implements as much of OpenAI's API as the calls need.
import http from "node:http";

const usage = {
  prompt_tokens: 20, completion_tokens: 8, total_tokens: 28,
  prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 2 },
};

// answer returns a status and a body. The model calls the first tool unless it
// has been called.
const answer = (path, body) => {
  if (path.endsWith("/embeddings")) {
    const data = [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }];
    return [200, { object: "list", model: body.model, data, usage: { prompt_tokens: 3, total_tokens: 3 } }];
  }
  if (JSON.stringify(body.messages.at(-1)).includes("fail")) {
    return [429, { error: { message: "Rate limit reached", type: "rate_limit_exceeded", code: "rate_limit_exceeded" } }];
  }
  const calls = body.tools && body.messages.at(-1).role !== "tool";
  const message = calls
    ? { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }] }
    : { role: "assistant", content: "It is 5 degrees in Oslo." };
  const choices = [{ index: 0, message, finish_reason: calls ? "tool_calls" : "stop" }];
  return [200, { id: "chatcmpl-1", object: "chat.completion", created: 1767225600, model: "gpt-4o-mini-2024-07-18", choices, usage }];
};

// listen returns a server and its base URL.
export const listen = async () => {
  const server = http.createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const [status, body] = answer(request.url, JSON.parse(text));
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${server.address().port}/v1` };
};

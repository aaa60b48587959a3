// A stand-in for model providers: it speaks as much of the protocols of OpenAI
// and Anthropic as their clients need, and answers with the last word it heard.
import { createServer } from "node:http";

const lastWord = (text) => text.trim().split(/\s+/).at(-1);

const sse = (response, events) => {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const { name, data } of events) {
    if (name) response.write(`event: ${name}\n`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
};

const json = (response, status, body) => {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
};

const chatCompletion = (body, response) => {
  const word = lastWord(body.messages.at(-1).content);
  if (body.model === "broken") {
    return json(response, 400, { error: { message: "no such model", type: "invalid_request_error" } });
  }
  const usage = {
    prompt_tokens: 21, completion_tokens: 7, total_tokens: 28,
    prompt_tokens_details: { cached_tokens: 5 }, completion_tokens_details: { reasoning_tokens: 3 },
  };
  const head = { id: "chatcmpl-1", created: 1767225600, model: body.model };
  if (!body.stream) {
    const message = { role: "assistant", content: `echo ${word}`, refusal: null };
    return json(response, 200, {
      ...head, object: "chat.completion", usage, choices: [{ index: 0, message, finish_reason: "stop" }],
    });
  }
  const chunk = (choices, rest = {}) => ({ data: { ...head, object: "chat.completion.chunk", choices, ...rest } });
  sse(response, [
    chunk([{ index: 0, delta: { role: "assistant", content: "echo " }, finish_reason: null }]),
    chunk([{ index: 0, delta: { content: word }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
    { data: "[DONE]" },
  ]);
};

const message = (body, response) => {
  const word = lastWord(body.messages.at(-1).content);
  const content = body.tools
    ? [
        { type: "text", text: "let me look" },
        { type: "tool_use", id: "toolu_1", name: body.tools[0].name, input: { query: word } },
      ]
    : [{ type: "text", text: `echo ${word}` }];
  json(response, 200, {
    id: "msg_1", type: "message", role: "assistant", model: body.model, content,
    stop_reason: body.tools ? "tool_use" : "end_turn", stop_sequence: null,
    usage: { input_tokens: 34, output_tokens: 9, cache_read_input_tokens: 11, cache_creation_input_tokens: 0 },
  });
};

const routes = { "/v1/chat/completions": chatCompletion, "/v1/messages": message };

// startProvider returns the address of a new provider and a way to stop it.
export const startProvider = async () => {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const route = routes[request.url];
    if (!route) return json(response, 404, { error: { message: `no such path ${request.url}` } });
    route(JSON.parse(text), response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    stop: () => { server.close(); server.closeAllConnections(); },
  };
};

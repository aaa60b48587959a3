// A stand-in for model providers: it implements as much of the APIs of OpenAI
// and Anthropic as their clients need, answers with the last word of the input
// or a call of the first tool, and records requests.
import { createServer } from "node:http";
import { message } from "./anthropic.mjs";
import { json } from "./answer.mjs";
import { chatCompletion, completion, modelResponse } from "./openai.mjs";

const routes = {
  "/v1/chat/completions": chatCompletion,
  "/v1/completions": completion,
  "/v1/responses": modelResponse,
  "/v1/messages": message,
};

// startProvider returns the URL of a new provider, its recorded requests, and a
// function that stops it.
export const startProvider = async () => {
  const received = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const route = routes[request.url];
    if (!route) return json(response, 404, { error: { message: `no such path ${request.url}` } });
    const body = JSON.parse(text);
    received.push({ path: request.url, body });
    route(body, response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    received,
    stop: () => { server.close(); server.closeAllConnections(); },
  };
};

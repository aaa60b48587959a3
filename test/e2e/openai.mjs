// Implements as much of OpenAI's APIs as its client needs.
import { json, lastWord, sse } from "./answer.mjs";

const created = 1767225600;

const usage = {
  prompt_tokens: 21, completion_tokens: 7, total_tokens: 28,
  prompt_tokens_details: { cached_tokens: 5 }, completion_tokens_details: { reasoning_tokens: 3 },
};

const refused = (body, response) => {
  if (body.model !== "broken") return false;
  json(response, 400, { error: { message: "no such model", type: "invalid_request_error" } });
  return true;
};

// usageEvents are the last events of a stream with usage.
const usageEvents = (body, head) => (body.stream_options?.include_usage ? [{ ...head, choices: [], usage }] : []);

const chatMessage = (body) => {
  const last = body.messages.at(-1);
  const word = lastWord(last.content);
  const message = { role: "assistant", content: `echo ${word}`, refusal: null };
  if (!body.tools?.length || last.role === "tool") return message;
  const call = { name: body.tools[0].function.name, arguments: JSON.stringify({ query: word }) };
  return { ...message, content: null, tool_calls: [{ id: "call_1", type: "function", function: call }] };
};

// chatDeltas splits a message into pieces, like a model does.
const chatDeltas = ({ role, content, tool_calls: calls }) => {
  if (!calls) return [{ role, content: "echo " }, { content: content.slice("echo ".length) }, {}];
  const { name, arguments: text } = calls[0].function;
  const part = (rest) => ({ tool_calls: [{ index: 0, ...rest }] });
  return [
    { role, content: null, ...part({ ...calls[0], function: { name, arguments: "" } }) },
    part({ function: { arguments: text.slice(0, 4) } }),
    part({ function: { arguments: text.slice(4) } }),
    {},
  ];
};

export const chatCompletion = (body, response) => {
  if (refused(body, response)) return;
  const message = chatMessage(body);
  const end = message.tool_calls ? "tool_calls" : "stop";
  const head = { id: "chatcmpl-1", created, model: body.model };
  if (!body.stream) {
    const choices = [{ index: 0, message, finish_reason: end }];
    return json(response, 200, { ...head, object: "chat.completion", usage, choices });
  }
  head.object = "chat.completion.chunk";
  const deltas = chatDeltas(message);
  const chunk = (delta, i) => ({
    ...head, choices: [{ index: 0, delta, finish_reason: i === deltas.length - 1 ? end : null }],
  });
  sse(response, [...deltas.map(chunk), ...usageEvents(body, head), "[DONE]"]);
};

export const completion = (body, response) => {
  if (refused(body, response)) return;
  const head = { id: "cmpl-1", object: "text_completion", created, model: body.model };
  const choice = (text, end) => ({ ...head, choices: [{ index: 0, text, finish_reason: end, logprobs: null }] });
  const word = lastWord(body.prompt);
  if (!body.stream) return json(response, 200, { ...choice(`echo ${word}`, "stop"), usage });
  sse(response, [choice("echo ", null), choice(word, "stop"), ...usageEvents(body, head), "[DONE]"]);
};

const responseItem = (body) => {
  const last = body.input.at(-1);
  const word = lastWord(last.output ?? last.content);
  if (body.tools?.length && !last.output) {
    const text = JSON.stringify({ query: word });
    return { type: "function_call", id: "fc_1", call_id: "call_1", name: body.tools[0].name, arguments: text, status: "completed" };
  }
  const content = [{ type: "output_text", text: `echo ${word}`, annotations: [] }];
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
};

const responseEvents = (whole, item) => {
  const position = { item_id: item.id, output_index: 0 };
  const start = { ...whole, status: "in_progress", output: [], usage: null };
  const pieces = item.type === "function_call"
    ? [
        { type: "response.function_call_arguments.delta", ...position, delta: item.arguments },
        { type: "response.function_call_arguments.done", ...position, arguments: item.arguments },
      ]
    : [
        { type: "response.content_part.added", ...position, content_index: 0, part: { ...item.content[0], text: "" } },
        { type: "response.output_text.delta", ...position, content_index: 0, delta: item.content[0].text },
        { type: "response.output_text.done", ...position, content_index: 0, text: item.content[0].text },
      ];
  const empty = item.type === "function_call" ? { ...item, arguments: "" } : { ...item, content: [] };
  return [
    { type: "response.created", response: start },
    { type: "response.output_item.added", output_index: 0, item: { ...empty, status: "in_progress" } },
    ...pieces,
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: whole },
  ];
};

export const modelResponse = (body, response) => {
  if (refused(body, response)) return;
  const item = responseItem(body);
  const whole = {
    id: "resp_1", object: "response", created_at: created, status: "completed", model: body.model, output: [item],
    usage: {
      input_tokens: 23, output_tokens: 8, total_tokens: 31,
      input_tokens_details: { cached_tokens: 5 }, output_tokens_details: { reasoning_tokens: 3 },
    },
  };
  if (!body.stream) return json(response, 200, whole);
  sse(response, responseEvents(whole, item));
};

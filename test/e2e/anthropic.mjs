// Implements as much of Anthropic's API as its client needs.
import { json, lastWord, sse } from "./answer.mjs";

const content = (body) => {
  const word = lastWord(body.messages.at(-1).content);
  if (!body.tools) return [{ type: "text", text: `echo ${word}` }];
  return [
    { type: "text", text: "let me look" },
    { type: "tool_use", id: "toolu_1", name: body.tools[0].name, input: { query: word } },
  ];
};

// blockEvents sends one block of the content in pieces.
const blockEvents = (block, index) => {
  const [empty, delta] = block.type === "text"
    ? [{ type: "text", text: "" }, { type: "text_delta", text: block.text }]
    : [{ ...block, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  return [
    { type: "content_block_start", index, content_block: empty },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
};

export const message = (body, response) => {
  const whole = {
    id: "msg_1", type: "message", role: "assistant", model: body.model, content: content(body),
    stop_reason: body.tools ? "tool_use" : "end_turn", stop_sequence: null,
    usage: { input_tokens: 34, output_tokens: 9, cache_read_input_tokens: 11, cache_creation_input_tokens: 0 },
  };
  if (!body.stream) return json(response, 200, whole);
  const { stop_reason, stop_sequence, usage } = whole;
  const start = { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  sse(response, [
    { type: "message_start", message: start },
    ...whole.content.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } },
    { type: "message_stop" },
  ]);
};

// Helpers that the stand-ins of all providers share, to read requests and to
// send responses.

// textOf returns the text of a message, whose content is a string or a list.
export const textOf = (content) =>
  typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");

export const lastWord = (content) => textOf(content).trim().split(/\s+/).at(-1);

export const json = (response, status, body) => {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
};

// sse sends events. Strings are sent unchanged, and objects with a type are
// named events.
export const sse = (response, events) => {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const event of events) {
    if (event.type) response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
};

// What the stand-ins of all providers share: how they read a request and how
// they answer it.

// textOf returns the text of a message, whose content is a text or a list.
export const textOf = (content) =>
  typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");

export const lastWord = (content) => textOf(content).trim().split(/\s+/).at(-1);

export const json = (response, status, body) => {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
};

// sse answers with events; one that is a text is sent as it is, one of a type
// is sent under its name.
export const sse = (response, events) => {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const event of events) {
    if (event.type) response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
};

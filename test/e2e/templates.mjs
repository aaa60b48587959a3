// The prompt templates that the driver publishes and runs.

const text = (text) => [{ type: "text", text }];

const model = (provider, name, parameters, rest = {}) => ({ model: { provider, name, parameters, ...rest } });

export const lookup = {
  type: "function",
  function: {
    name: "lookup_order", description: "Finds an order.", strict: false,
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
};

// support has variables, a placeholder and a tool.
export const support = {
  prompt_name: "team/support bot",
  tags: ["support", "e2e"],
  commit_message: "first words",
  prompt_template: {
    type: "chat",
    messages: [
      { role: "system", content: text("You help customers of {company}. Answer as JSON {{}}.") },
      { role: "placeholder", name: "history" },
      { role: "user", content: text("{question}") },
    ],
    tools: [lookup],
    tool_choice: "auto",
  },
  metadata: { ...model("openai", "gpt-4o-mini", { temperature: 0.2, max_completion_tokens: 100 }), team: "support" },
  release_labels: ["prod", "first"],
};

// greeter is the second version of the same template, without the tool and the
// placeholder.
export const greeter = {
  prompt_name: support.prompt_name,
  commit_message: "only greets",
  prompt_template: {
    type: "chat",
    messages: [{ role: "system", content: text("Greet customers of {company}.") }, { role: "user", content: text("{question}") }],
  },
  metadata: model("openai", "gpt-4o", { temperature: 0 }),
  release_labels: ["prod"],
};

// reviewer is written in Jinja.
export const reviewer = {
  prompt_name: "reviewer",
  prompt_template: {
    type: "chat",
    messages: [
      { role: "system", template_format: "jinja2", content: text("Rules:{% for rule in rules %} {{ loop.index }}. {{ rule }}{% endfor %}") },
      { role: "user", template_format: "jinja2", content: text("Review {{ code.name | upper }} {{ word }}") },
    ],
  },
  metadata: model("anthropic", "claude-sonnet-4", { max_tokens: 64 }),
};

// agent has a tool for a model of Anthropic.
export const agent = {
  prompt_name: "agent",
  prompt_template: {
    type: "chat",
    messages: [{ role: "system", content: text("Use tools.") }, { role: "user", content: text("find {word}") }],
    tools: [lookup],
    tool_choice: "required",
  },
  metadata: model("anthropic", "claude-sonnet-4", { max_tokens: 64, temperature: 1 }),
};

export const story = {
  prompt_name: "story",
  prompt_template: { type: "completion", content: text("Once upon a time in {place} lived {word}") },
  metadata: model("openai", "gpt-3.5-turbo-instruct", { max_tokens: 16 }),
};

export const planner = {
  prompt_name: "planner",
  prompt_template: {
    type: "chat",
    messages: [{ role: "system", content: text("Plan.") }, { role: "user", content: text("plan {word}") }],
  },
  metadata: model("openai", "gpt-5", { max_output_tokens: 40 }, { api_type: "responses" }),
};

// dispatcher gets its tools at run time.
export const dispatcher = {
  prompt_name: "dispatcher",
  prompt_template: {
    type: "chat",
    messages: [{ role: "user", content: text("dispatch {word}") }],
    tools: [{ type: "variable", name: "abilities" }],
  },
  metadata: model("openai", "gpt-5", {}, { api_type: "responses" }),
};

export const broken = {
  prompt_name: "broken",
  prompt_template: { type: "chat", messages: [{ role: "user", content: text("hello {word}") }] },
  metadata: model("openai", "broken", {}),
};

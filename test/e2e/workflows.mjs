// Runs workflows with the official client, which waits for results on a
// WebSocket, and prints the results and the requests to the provider as one
// line of JSON. The arguments are the URL of the server and the key.
import { createRequire } from "node:module";
import { startProvider } from "./provider.mjs";

const { PromptLayer } = createRequire(import.meta.url)("promptlayer");

const [baseURL, apiKey] = process.argv.slice(2);
const client = new PromptLayer({ baseURL, apiKey });
const failureOf = (work) => work().then((result) => result, (error) => ({ failure: error.message ?? String(error) }));

const send = async (method, path, body) => {
  const answer = await fetch(baseURL + path, {
    method, headers: { "X-API-KEY": apiKey, "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`);
  return said;
};

const provider = await startProvider();
await send("POST", "/api/public/v2/env-vars", { key: "OPENAI_API_KEY", value: "sk-of-the-workspace" });
await send("POST", "/api/public/v2/env-vars", { key: "OPENAI_BASE_URL", value: `${provider.address}/v1` });
await client.templates.publish({
  prompt_name: "greeter",
  prompt_template: { type: "chat", messages: [{ role: "user", content: [{ type: "text", text: "Greet {who}" }] }] },
  metadata: { model: { provider: "openai", name: "gpt-4o", parameters: {} } },
});
await send("POST", "/rest/workflows", {
  name: "team/quick", required_input_variables: { who: "string" }, release_labels: ["prod"],
  nodes: [
    { name: "upper", node_type: "CODE_EXECUTION", configuration: { language: "JAVASCRIPT", code: "return data.who.toUpperCase()" }, dependencies: ["who"], is_output_node: false },
    { name: "same", node_type: "COMPARE", configuration: { sources: ["upper", "who"] }, dependencies: ["upper", "who"], is_output_node: true },
  ],
});
await send("POST", "/rest/workflows", {
  name: "greeting", required_input_variables: { who: "string" },
  nodes: [
    {
      name: "hello", node_type: "PROMPT_TEMPLATE", dependencies: ["who"], is_output_node: true,
      configuration: { template: { name: "greeter" }, prompt_template_variable_mappings: { who: "who" } },
    },
  ],
});
await send("POST", "/rest/workflows", {
  name: "failing", required_input_variables: {},
  nodes: [
    { name: "text", node_type: "VARIABLE", configuration: { value: { type: "string", value: "no number" } }, is_output_node: false },
    { name: "number", node_type: "PARSE_VALUE", configuration: { source: "text", type: "number" }, dependencies: ["text"], is_output_node: true },
  ],
});
await send("POST", "/rest/workflows", {
  name: "large", required_input_variables: {},
  nodes: [{ name: "text", node_type: "CODE_EXECUTION", configuration: { language: "JAVASCRIPT", code: "return 'x'.repeat(100000)" }, is_output_node: true }],
});

const results = {
  quick: await client.runWorkflow({ workflowName: "team/quick", inputVariables: { who: "ADA" } }),
  labelled: await client.runWorkflow({ workflowName: "team/quick", inputVariables: { who: "ada" }, workflowLabelName: "prod" }),
  all: await client.runWorkflow({ workflowName: "team/quick", inputVariables: { who: "ada" }, returnAllOutputs: true }),
  greeting: await client.runWorkflow({ workflowName: "greeting", inputVariables: { who: "zqworkflow" }, metadata: { ticket: "zq-7" } }),
  failing: await failureOf(() => client.runWorkflow({ workflowName: "failing", inputVariables: {} })),
  absent: await failureOf(() => client.runWorkflow({ workflowName: "absent", inputVariables: {} })),
  large: (await client.runWorkflow({ workflowName: "large", inputVariables: {} })).length,
};
const many = await Promise.all(Array.from({ length: 20 }, (_, n) =>
  client.runWorkflow({ workflowName: "team/quick", inputVariables: { who: n % 2 ? "ADA" : "ada" } })));
console.log(JSON.stringify({ ...results, many, received: provider.received }));
process.exit(0); // the client keeps timers

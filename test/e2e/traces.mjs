// Records traces with the official client and with the exporters of
// OpenTelemetry, and prints the ids of the traces as one line of JSON.
import { createRequire } from "node:module";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { Metadata } from "@grpc/grpc-js";
import { OTLPTraceExporter as GRPCExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as JSONExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { startProvider } from "./provider.mjs";
import { greeter } from "./templates.mjs";

const { PromptLayer } = createRequire(import.meta.url)("promptlayer");

const [baseURL, apiKey, grpcURL] = process.argv.slice(2);
const provider = await startProvider();
Object.assign(process.env, { OPENAI_BASE_URL: `${provider.address}/v1`, OPENAI_API_KEY: "sk-none" });

// traceOf calls work within a span of the client and returns its trace.
const traceOf = async (client, name, work) => {
  let id;
  const traced = client.wrapWithSpan(name, async (...args) => {
    id = trace.getActiveSpan().spanContext().traceId;
    return work(...args);
  }, { customer: "Acme" });
  const result = await traced("zqinput1", { n: 1 });
  return { id, result };
};

const client = new PromptLayer({ baseURL, apiKey, enableTracing: true });
await client.templates.publish(greeter);
const wrapped = await traceOf(client, "agent", async (word) => {
  const lookup = client.wrapWithSpan("lookup", (key) => `found ${key}`);
  const found = await lookup("zqkey1");
  const openai = new client.OpenAI({ apiKey: "sk-none", baseURL: `${provider.address}/v1`, maxRetries: 0 });
  await openai.chat.completions.create({ model: "gpt-4o-mini", messages: [{ role: "user", content: `repeat ${word}` }] });
  return found;
});
const run = await traceOf(client, "runner", async () => {
  const made = await client.run({ promptName: greeter.prompt_name, inputVariables: { company: "Acme", question: "say zqrun1" } });
  return made.request_id;
});
const failed = await traceOf(client, "failing", async () => {
  const fails = client.wrapWithSpan("broken", async () => { throw new Error("zqbroken"); });
  return fails().catch((error) => error.message);
});

// exportWith records a small agent with an exporter of OpenTelemetry.
const exportWith = async (exporter) => {
  const failures = [];
  const sent = exporter.export.bind(exporter);
  exporter.export = (spans, done) => sent(spans, (result) => {
    if (result.code !== 0) failures.push(String(result.error));
    done(result);
  });
  const tracing = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracer = tracing.getTracer("e2e", "1.0");
  const root = tracer.startSpan("invoke_agent helper", { attributes: { "gen_ai.operation.name": "invoke_agent", "session.id": "s-1" } });
  const within = trace.setSpan(context.active(), root);
  const call = tracer.startSpan("chat gpt-4o", {
    kind: SpanKind.CLIENT,
    attributes: {
      "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-4o", "user.id": "ann",
      "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [{ type: "text", content: "otel zqotel1" }] }]),
      "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: "fine" }] }]),
      "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 10, "gen_ai.request.temperature": 0.5,
    },
  }, within);
  call.end();
  const tool = tracer.startSpan("execute_tool lookup", { attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "lookup" } }, within);
  tool.recordException(new Error("no such key"));
  tool.setStatus({ code: SpanStatusCode.ERROR, message: "no such key" });
  tool.end();
  root.end();
  await tracing.forceFlush().catch(() => {}); // failures has the reason
  await tracing.shutdown();
  return { id: root.spanContext().traceId, failures };
};

const url = `${baseURL}/v1/traces`;
const headers = { "X-API-KEY": apiKey };
const metadataOf = (entries) => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return metadata;
};
// fromEnvironment returns an exporter that is configured by variables alone.
const fromEnvironment = () => {
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${apiKey}` });
  return new ProtobufExporter();
};
const exported = {
  protobuf: await exportWith(new ProtobufExporter({ url, headers })),
  packed: await exportWith(new ProtobufExporter({ url, headers, compression: "gzip" })),
  json: await exportWith(new JSONExporter({ url, headers })),
  grpc: await exportWith(new GRPCExporter({ url: grpcURL, metadata: metadataOf({ "x-api-key": apiKey }) })),
  grpcPacked: await exportWith(new GRPCExporter({ url: grpcURL, metadata: metadataOf({ authorization: `Bearer ${apiKey}` }), compression: "gzip" })),
  grpcStranger: await exportWith(new GRPCExporter({ url: grpcURL, metadata: metadataOf({ "x-api-key": "pl_wrong" }) })),
  stranger: await exportWith(new JSONExporter({ url, headers: { "X-API-KEY": "pl_wrong" } })),
  environment: await exportWith(fromEnvironment()), // the last one, because all exporters read the variables
};
provider.stop();
console.log(JSON.stringify({ wrapped, run, failed, exported }));

// Usage: node main.mjs <scenario> <proto|json> <url>
// Makes model calls and exports their spans to the URL.
import { SpanKind, SpanStatusCode, context, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JSONExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-node";

import * as calls from "./calls.mjs";
import { listen } from "./openai.mjs";

const [scenario, format, url] = process.argv.slice(2);
const Exporter = { proto: ProtobufExporter, json: JSONExporter }[format];
const exporter = new Exporter({ url, compression: format === "proto" ? "gzip" : "none", headers: { "X-API-KEY": "pl_test" } });
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
provider.register();

// official calls the model with the client of OpenAI after a library has
// instrumented it.
const official = async (library, base) => {
  const { OpenAIInstrumentation } = await import(library);
  const instrumentation = new OpenAIInstrumentation();
  instrumentation.setTracerProvider(provider);
  const { default: OpenAI } = await import("openai");
  instrumentation.manuallyInstrument(OpenAI);
  await calls.official(new OpenAI({ apiKey: "x", baseURL: base, maxRetries: 0 }));
};

const telemetry = { isEnabled: true, functionId: "weather-agent", metadata: { userId: "u1", sessionId: "s1", plan: "gold" } };

const vercel = async (library, base, integration) => {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const sdk = await import(library);
  if (integration) sdk.registerTelemetry(new (await import("@ai-sdk/otel"))[integration]());
  await calls.vercel(sdk, createOpenAI({ baseURL: base, apiKey: "x" }), telemetry);
};

// manual makes spans with the API of OpenTelemetry alone: all types of values,
// events, a link and an exception.
const manual = async () => {
  const tracer = trace.getTracer("manual", "1.2.3");
  const root = tracer.startSpan("agent", { kind: SpanKind.SERVER, attributes: { "session.id": "s1", "user.id": "u1", bool: true, int: 7, double: 0.25, list: ["a", "b"] } });
  const within = trace.setSpan(context.active(), root);
  const model = tracer.startSpan("chat gpt-4o", {
    kind: SpanKind.CLIENT, links: [{ context: root.spanContext(), attributes: { why: "test" } }],
    attributes: { "gen_ai.system": "openai", "gen_ai.request.model": "gpt-4o", "gen_ai.usage.input_tokens": 12, "gen_ai.usage.cost": 0.5, "promptlayer.prompt.name": "greeting", "promptlayer.prompt.version": "2" },
  }, within);
  model.addEvent("gen_ai.user.message", { content: "Hi" });
  model.addEvent("gen_ai.choice", { index: 0, message: JSON.stringify({ role: "assistant", content: "Hello" }) });
  model.end();
  const tool = tracer.startSpan("Tool: search", { attributes: { "tool.name": "search" } }, within);
  tool.recordException(new TypeError("no such index"));
  tool.setStatus({ code: SpanStatusCode.ERROR, message: "search failed" });
  tool.end();
  root.end();
};

const scenarios = {
  manual,
  openinference: (base) => official("@arizeai/openinference-instrumentation-openai", base),
  traceloop: (base) => official("@traceloop/instrumentation-openai", base),
  vercel: (base) => vercel("ai", base, "OpenTelemetry"),
  "vercel-legacy": (base) => vercel("ai", base, "LegacyOpenTelemetry"),
  "vercel-6": (base) => vercel("ai-6", base),
};

const model = await listen();
await scenarios[scenario](model.url);
await provider.forceFlush();
await provider.shutdown();
model.server.close();

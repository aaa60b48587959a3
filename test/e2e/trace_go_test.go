package e2e

import (
	"errors"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// TestTracesOfGo records the same agent as traces.mjs with the SDK for Go.
func TestTracesOfGo(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	for name, options := range map[string][]otlptracehttp.Option{
		"plain":  nil,
		"packed": {otlptracehttp.WithCompression(otlptracehttp.GzipCompression)},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			exporter, err := otlptracehttp.New(ctx, append(options,
				otlptracehttp.WithEndpointURL(p.address+"/v1/traces"), otlptracehttp.WithHeaders(map[string]string{"X-API-KEY": testKey}))...)
			if err != nil {
				t.Fatal(err)
			}
			checkTrace(t, p, recordAgent(t, exporter), exportedTrace)
		})
	}
}

// TestTracesOfGoOverGRPC exports over gRPC.
func TestTracesOfGoOverGRPC(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), "--otlp-grpc-addr", "127.0.0.1:0")
	exporter, err := otlptracegrpc.New(t.Context(),
		otlptracegrpc.WithEndpointURL(p.printed(t, "OTLP over gRPC is on ")), otlptracegrpc.WithHeaders(map[string]string{"x-api-key": testKey}))
	if err != nil {
		t.Fatal(err)
	}
	checkTrace(t, p, recordAgent(t, exporter), exportedTrace)
}

// TestTracesOfGoByEnvironment configures the exporter by variables alone.
func TestTracesOfGoByEnvironment(t *testing.T) {
	p := start(t, t.TempDir())
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", p.address+"/v1/traces")
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-api-key="+testKey)
	exporter, err := otlptracehttp.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	checkTrace(t, p, recordAgent(t, exporter), exportedTrace)
}

// recordAgent records an agent with an exporter and returns the id of the trace.
func recordAgent(t *testing.T, exporter sdktrace.SpanExporter) string {
	t.Helper()
	ctx := t.Context()
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
	tracer := provider.Tracer("e2e")
	within, root := tracer.Start(ctx, "invoke_agent helper", trace.WithAttributes(attribute.String("gen_ai.operation.name", "invoke_agent")))
	_, call := tracer.Start(within, "chat gpt-4o", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.provider.name", "openai"), attribute.String("gen_ai.request.model", "gpt-4o"),
		attribute.Int("gen_ai.usage.input_tokens", 100), attribute.Int("gen_ai.usage.output_tokens", 10),
	))
	call.End()
	_, tool := tracer.Start(within, "execute_tool lookup", trace.WithAttributes(attribute.String("gen_ai.operation.name", "execute_tool")))
	tool.RecordError(errors.New("no such key"))
	tool.SetStatus(codes.Error, "no such key")
	tool.End()
	root.End()
	if err := errors.Join(provider.ForceFlush(ctx), provider.Shutdown(ctx)); err != nil {
		t.Fatal(err)
	}
	return root.SpanContext().TraceID().String()
}

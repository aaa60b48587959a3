package telemetry

import (
	"errors"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

// TestGoExporter makes spans as the scenario manual does, with the SDK for Go.
func TestGoExporter(t *testing.T) {
	t.Parallel()
	c := collect(t)
	exporter, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(c.URL+"/v1/traces"), otlptracehttp.WithCompression(otlptracehttp.GzipCompression))
	if err != nil {
		t.Fatal(err)
	}
	shared := resource.NewSchemaless(attribute.String("service.name", "app"), attribute.String("promptlayer.metadata.team", "search"))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(shared))
	makeSpans(t, provider.Tracer("manual", otel.WithInstrumentationVersion("1.2.3")))
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "go", c)
}

func makeSpans(t *testing.T, tracer otel.Tracer) {
	t.Helper()
	ctx, root := tracer.Start(t.Context(), "agent", otel.WithSpanKind(otel.SpanKindServer), otel.WithAttributes(
		attribute.String("session.id", "s1"), attribute.String("user.id", "u1"), attribute.Bool("bool", true), attribute.Int("int", 7),
		attribute.Float64("double", 0.25), attribute.StringSlice("list", []string{"a", "b"}), attribute.Int64Slice("numbers", []int64{1, 2}),
	))
	_, model := tracer.Start(ctx, "chat gpt-4o", otel.WithSpanKind(otel.SpanKindClient), otel.WithLinks(otel.LinkFromContext(ctx)), otel.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.provider.name", "openai"), attribute.String("gen_ai.request.model", "gpt-4o"),
		attribute.Int("gen_ai.usage.input_tokens", 12), attribute.Int("gen_ai.usage.output_tokens", 3), attribute.Float64("gen_ai.request.temperature", 0.5),
		attribute.String("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]`),
		attribute.String("gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"Hello"}],"finish_reason":"stop"}]`),
	))
	model.SetStatus(codes.Ok, "")
	model.End()
	_, tool := tracer.Start(ctx, "Tool: search")
	tool.RecordError(errors.New("no such index"))
	tool.SetStatus(codes.Error, "search failed")
	tool.End()
	root.End()
}

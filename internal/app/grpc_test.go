package app_test

import (
	"bytes"
	"crypto/x509"
	"net/http"
	"os"
	"strings"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

const grpcTrace = "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"

// exportRequest returns a request with one span, whose name is as long as asked.
func exportRequest(nameLength int) *collectorpb.ExportTraceServiceRequest {
	return &collectorpb.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{
		TraceId: bytes.Repeat([]byte{0xa1}, 16), SpanId: bytes.Repeat([]byte{1}, 8), Name: strings.Repeat("n", nameLength), StartTimeUnixNano: 1,
	}}}}}}}
}

func TestOTLPOverGRPC(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir(), func(c *config.Config) { c.OTLPAddr, c.MaxBody = "127.0.0.1:0", 1<<20 })
	defer p.end()
	conn := check.Must(grpc.NewClient(strings.TrimPrefix(p.otlp, "http://"), grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
	defer func() { check.OK(t, conn.Close()) }()
	client := collectorpb.NewTraceServiceClient(conn)
	known := metadata.AppendToOutgoingContext(t.Context(), "x-api-key", apiKey)

	_, err := client.Export(t.Context(), exportRequest(1))
	check.Equal(t, "code without a key", status.Code(err), codes.Unauthenticated)
	check.Equal(t, "status of the trace", get(t, p.url+"/api/public/v2/traces/"+grpcTrace, apiKey).status, http.StatusNotFound)
	_, err = client.Export(known, exportRequest(2<<20))
	check.Equal(t, "code of a large message", status.Code(err), codes.InvalidArgument)
	answer, err := client.Export(known, exportRequest(0))
	check.OK(t, err)
	check.Equal(t, "rejected spans", answer.GetPartialSuccess().GetRejectedSpans(), 1)
	_, err = client.Export(known, exportRequest(1))
	check.OK(t, err)
	check.Equal(t, "status of the trace", get(t, p.url+"/api/public/v2/traces/"+grpcTrace, apiKey).status, http.StatusOK)
}

func TestGRPCWithTLS(t *testing.T) {
	t.Parallel()
	certFile, keyFile, _ := testCertificate(t)
	p := startProgram(t, t.TempDir(), func(c *config.Config) { c.OTLPAddr, c.TLSCert, c.TLSKey = "127.0.0.1:0", certFile, keyFile })
	defer p.end()
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(check.Must(os.ReadFile(certFile))(t))
	conn := check.Must(grpc.NewClient(strings.TrimPrefix(p.otlp, "https://"),
		grpc.WithTransportCredentials(credentials.NewClientTLSFromCert(trusted, "example.com"))))(t)
	defer func() { check.OK(t, conn.Close()) }()
	known := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+apiKey)
	_, err := collectorpb.NewTraceServiceClient(conn).Export(known, exportRequest(1))
	check.OK(t, err)
}

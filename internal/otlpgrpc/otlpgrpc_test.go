package otlpgrpc_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/otlpgrpc"
)

// serve serves gRPC in front of a handler and returns the address.
func serve(t *testing.T, operations http.HandlerFunc) string {
	t.Helper()
	listener := check.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := &http.Server{Handler: otlpgrpc.Handler(operations), Protocols: new(http.Protocols)}
	server.Protocols.SetUnencryptedHTTP2(true)
	server.Protocols.SetHTTP1(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		check.OK(t, server.Close())
		<-done
	})
	return listener.Addr().String()
}

// dial returns a connection of the official implementation of gRPC.
func dial(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	conn := check.Must(grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
	t.Cleanup(func() { check.OK(t, conn.Close()) })
	return conn
}

var request = &collectorpb.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{SchemaUrl: "https://x.test"}}}

func TestExport(t *testing.T) {
	t.Parallel()
	sent := check.Must(proto.Marshal(request))(t)
	answer := &collectorpb.ExportTraceServiceResponse{PartialSuccess: &collectorpb.ExportTracePartialSuccess{RejectedSpans: 3, ErrorMessage: "short"}}
	client := collectorpb.NewTraceServiceClient(dial(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		check.OK(t, err)
		check.Equal(t, "path", r.URL.Path, "/v1/traces")
		check.Equal(t, "type", r.Header.Get("Content-Type"), "application/x-protobuf")
		check.Equal(t, "key", r.Header.Get("X-Api-Key"), "k")
		check.Equal(t, "length", r.ContentLength, int64(len(body)))
		if r.Header.Get("Content-Encoding") == "" && !bytes.Equal(body, sent) {
			t.Errorf("the body is %q, want %q", body, sent)
		}
		if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "gzip" {
			t.Errorf("the encoding is %q", encoding)
		}
		_, err = w.Write(check.Must(proto.Marshal(answer))(t))
		check.OK(t, err)
	})))
	for _, pair := range [][]string{{"x-api-key", "k"}, {"authorization", "Bearer k"}, {"x-api-key", "k", "authorization", "Bearer other"}} {
		ctx := metadata.AppendToOutgoingContext(t.Context(), pair...)
		for _, options := range [][]grpc.CallOption{nil, {grpc.UseCompressor(gzip.Name)}} {
			got, err := client.Export(ctx, request, options...)
			check.OK(t, err)
			check.Equal(t, "rejected spans", got.GetPartialSuccess().GetRejectedSpans(), 3)
			check.Equal(t, "message", got.GetPartialSuccess().GetErrorMessage(), "short")
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for httpStatus, want := range map[int]codes.Code{
		400: codes.InvalidArgument, 401: codes.Unauthenticated, 403: codes.PermissionDenied, 409: codes.FailedPrecondition, 413: codes.InvalidArgument,
		415: codes.InvalidArgument, 429: codes.Unavailable, 500: codes.Internal, 503: codes.Unavailable,
	} {
		client := collectorpb.NewTraceServiceClient(dial(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(httpStatus)
			_, _ = io.WriteString(w, `{"success":false,"message":"50% of it: ü"}`)
		})))
		_, err := client.Export(t.Context(), request)
		check.Equal(t, "code", status.Code(err), want)
		check.Equal(t, "message", status.Convert(err).Message(), "50% of it: ü")
	}
}

// TestOtherCalls sends what is no call of the method.
func TestOtherCalls(t *testing.T) {
	t.Parallel()
	address := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the operation was called") })
	err := dial(t, address).Invoke(t.Context(), "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export", request, request)
	check.Equal(t, "code of another method", status.Code(err), codes.Unimplemented)
	answer, err := http.Post("http://"+address+"/v1/traces", "application/x-protobuf", strings.NewReader(""))
	check.OK(t, err)
	check.OK(t, answer.Body.Close())
	check.Equal(t, "status over HTTP", answer.StatusCode, http.StatusUnsupportedMediaType)

	client := &http.Client{Transport: &http.Transport{Protocols: new(http.Protocols)}}
	client.Transport.(*http.Transport).Protocols.SetUnencryptedHTTP2(true)
	answer, err = client.Post("http://"+address+"/opentelemetry.proto.collector.trace.v1.TraceService/Export", "application/grpc", strings.NewReader("ab"))
	check.OK(t, err)
	_, err = io.Copy(io.Discard, answer.Body)
	check.OK(t, err)
	check.OK(t, answer.Body.Close())
	check.Equal(t, "status of a call without a message", answer.Trailer.Get("Grpc-Status"), "3")
}

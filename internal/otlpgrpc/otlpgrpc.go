// Package otlpgrpc serves OTLP over gRPC. It turns each call into the request of
// OTLP over HTTP with the same message, so that both have the same rules, limits
// and authentication: gRPC is HTTP/2 with a frame around the message and the
// status in the trailer.
package otlpgrpc

import (
	"encoding/binary"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const (
	// exportMethod is the path of the only method.
	exportMethod = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
	// exportPath is the same operation over HTTP.
	exportPath = "/v1/traces"

	grpcType = "application/grpc"
	// frameHeader is the length of what precedes a message: whether it is
	// compressed, and its length.
	frameHeader = 5
)

// Handler returns a handler of gRPC calls in front of a handler of the operations
// over HTTP.
func Handler(operations http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor < 2 || r.Method != http.MethodPost || !strings.HasPrefix(r.Header.Get("Content-Type"), grpcType) {
			http.Error(w, "This address speaks gRPC only", http.StatusUnsupportedMediaType)
			return
		}
		w.Header().Set("Content-Type", grpcType)
		if r.URL.Path != exportMethod {
			finish(w, unimplemented, "Unknown method "+r.URL.Path)
			return
		}
		export(w, r, operations)
	})
}

// export makes one call.
func export(w http.ResponseWriter, r *http.Request, operations http.Handler) {
	header := make([]byte, frameHeader)
	if _, err := io.ReadFull(r.Body, header); err != nil {
		finish(w, invalidArgument, "The call has no message")
		return
	}
	answer := &response{under: w, header: http.Header{}}
	operations.ServeHTTP(answer, translate(r, header[0] != 0, binary.BigEndian.Uint32(header[1:])))
	if code := codeOf(answer.status); code != success {
		finish(w, code, answer.message())
		return
	}
	size := binary.BigEndian.AppendUint32([]byte{0}, uint32(answer.body.Len()))
	_, _ = w.Write(append(size, answer.body.Bytes()...)) // a client that is gone needs no answer
	finish(w, success, "")
}

// translate returns the request over HTTP with the message of a call.
func translate(r *http.Request, compressed bool, size uint32) *http.Request {
	inner := r.Clone(r.Context())
	inner.URL, inner.RequestURI = &url.URL{Path: exportPath}, exportPath
	inner.ContentLength = int64(size)
	inner.Body = message{io.LimitReader(r.Body, int64(size)), r.Body}
	inner.Header.Set("Content-Type", "application/x-protobuf")
	inner.Header.Del("Content-Encoding")
	if compressed {
		inner.Header.Set("Content-Encoding", r.Header.Get("Grpc-Encoding"))
	}
	if key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && r.Header.Get("X-Api-Key") == "" {
		inner.Header.Set("X-Api-Key", key)
	}
	return inner
}

// message is the message of a call without its frame.
type message struct {
	io.Reader
	io.Closer
}

// finish writes the status of a call, which is sent after the message.
func finish(w http.ResponseWriter, code int, text string) {
	w.Header().Set(http.TrailerPrefix+"Grpc-Status", strconv.Itoa(code))
	if text != "" {
		w.Header().Set(http.TrailerPrefix+"Grpc-Message", url.PathEscape(text))
	}
}

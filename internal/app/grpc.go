package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/promptuary/promptuary/internal/edge"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/otlpgrpc"
)

const (
	// grpcConnections is the maximum number of connections for gRPC.
	grpcConnections = 256
	// grpcCalls is the maximum number of concurrent calls of one connection.
	grpcCalls = 32
)

// serveGRPC serves OTLP over gRPC on its own address, if there is one. The caller
// shuts the server down.
func (a *App) serveGRPC(ctx context.Context, out io.Writer, failed chan<- error) (*http.Server, error) {
	server := a.newServer(otlpgrpc.Handler(a.edge.handler))
	if a.cfg.OTLPAddr == "" {
		return server, nil
	}
	descriptors, err := edge.Descriptors()
	if err != nil {
		return nil, err
	}
	total, _ := sideConnections(a.cfg, descriptors)
	plain, err := listenOn(a.cfg.OTLPAddr, edge.Limits{
		Total: total, PerAddress: total, Stall: a.cfg.StallTimeout, Trusted: a.edge.limits.Trusted, TLS: a.edge.limits.TLS,
	})
	if err != nil {
		return nil, err
	}
	listener, err := a.secured(ctx, plain, "h2")
	if err != nil {
		return nil, err
	}
	// The limits of request bodies apply to each call; this limits their number.
	server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: grpcCalls}
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP2(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	fmt.Fprintf(out, "OTLP over gRPC is on %s%s\n", a.scheme(), plain.Addr())
	guard.Go("gRPC", func() {
		if err := guard.Run("gRPC", func() error { return server.Serve(listener) }); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("gRPC: %w", err)
		}
	})
	return server, nil
}

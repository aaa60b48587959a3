package app

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/edge"
	"github.com/promptuary/promptuary/internal/guard"
)

// errLostCatalog is the error of a server that must stop because another server
// has the catalog.
var errLostCatalog = errors.New("another server has taken the catalog")

// Serve listens, prints a greeting to out, and serves until ctx ends or another
// server has the catalog. Then it stops accepting connections, completes
// requests in progress, and returns.
func (a *App) Serve(ctx context.Context, out io.Writer) error {
	listener, err := a.listen(ctx)
	if err != nil {
		return err
	}
	failed := make(chan error, 3)
	if err := a.serveMetrics(ctx, out, failed); err != nil {
		return errors.Join(err, listener.Close())
	}
	calls, err := a.serveGRPC(ctx, out, failed)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := a.Admit(ctx); err != nil {
		return errors.Join(err, listener.Close())
	}
	a.greet(out, a.scheme()+listener.Addr().String())
	for what, work := range map[string]func(context.Context){"GOGC": tuneGC, "use of keys": a.catalog.keepKeyUse, "late writes of the start": a.finishStart} {
		guard.Go(what, guard.Loop(what, ctx.Done(), func() { work(ctx) }))
	}
	server := a.newServer(a.edge.handler)
	guard.Go("server", func() { failed <- guard.Run("server", func() error { return server.Serve(listener) }) })
	var lost error
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-a.catalog.lostCatalog():
		lost = errLostCatalog
	case <-ctx.Done():
	}
	a.edge.draining.Store(true)
	a.log.Info("stopping: completing requests in progress")
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.DrainTimeout)
	defer cancel()
	if err := errors.Join(server.Shutdown(drain), calls.Shutdown(drain)); err != nil {
		return fmt.Errorf("requests were still in progress after %s: %w", a.cfg.DrainTimeout, err)
	}
	return lost
}

func (a *App) newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       a.cfg.StallTimeout, // bodies that keep arriving may take longer
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(serverLog{a.log}, "", 0),
	}
}

// serverLog receives the messages of the HTTP server.
type serverLog struct{ log *slog.Logger }

// Write logs a message. Failed TLS handshakes are not worth more than level
// debug, because anybody can cause any number of them.
func (l serverLog) Write(message []byte) (int, error) {
	level := slog.LevelWarn
	if bytes.HasPrefix(message, []byte("http: TLS handshake error")) {
		level = slog.LevelDebug
	}
	l.log.Log(context.Background(), level, strings.TrimSpace(string(message)))
	return len(message), nil
}

// scheme returns how the addresses of the server begin.
func (a *App) scheme() string {
	if a.cfg.TLSCert != "" {
		return "https://"
	}
	return "http://"
}

// certificateCheck is how often the certificate's files are looked at.
const certificateCheck = 10 * time.Second

// listen opens the listener with its limits, and with TLS if that is configured.
func (a *App) listen(ctx context.Context) (net.Listener, error) {
	listener, err := listenOn(a.cfg.Addr, a.edge.limits)
	if err != nil {
		return nil, err
	}
	a.edge.connections.Store(listener)
	return a.secured(ctx, listener, "http/1.1")
}

func listenOn(address string, limits edge.Limits) (*edge.Listener, error) {
	inner, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return edge.NewListener(inner, limits), nil
}

// secured adds TLS with a protocol to a listener if that is configured. If it
// fails, the listener is closed.
func (a *App) secured(ctx context.Context, listener net.Listener, protocol string) (net.Listener, error) {
	if a.cfg.TLSCert == "" {
		return listener, nil
	}
	certificate, err := edge.LoadCertificate(a.cfg.TLSCert, a.cfg.TLSKey)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	guard.Go("certificate", guard.Loop("certificate", ctx.Done(), func() { certificate.Watch(ctx, certificateCheck, a.log) }))
	settings := certificate.Config()
	settings.NextProtos = []string{protocol}
	return tls.NewListener(listener, settings), nil
}

// metricsConnections is the maximum number of connections for metrics.
const metricsConnections = 16

// serveMetrics serves the metrics on their own address, if there is one, until
// ctx ends.
func (a *App) serveMetrics(ctx context.Context, out io.Writer, failed chan<- error) error {
	if a.cfg.MetricsAddr == "" {
		return nil
	}
	inner, err := net.Listen("tcp", a.cfg.MetricsAddr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", a.cfg.MetricsAddr, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", edge.SecureHeaders(a.edge.metrics.Handler()))
	server := a.newServer(mux)
	context.AfterFunc(ctx, func() { _ = server.Close() })
	listener := edge.NewListener(inner, edge.Limits{Total: metricsConnections, PerAddress: metricsConnections, Stall: a.cfg.StallTimeout})
	fmt.Fprintf(out, "Metrics are on http://%s/metrics\n", listener.Addr())
	guard.Go("metrics", func() {
		if err := guard.Run("metrics", func() error { return server.Serve(listener) }); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("metrics: %w", err)
		}
	})
	return nil
}

// sideConnections returns how many connections the addresses of gRPC and metrics
// accept, out of a number of descriptors.
func sideConnections(cfg config.Config, descriptors int) (grpc, metrics int) {
	if cfg.OTLPAddr != "" {
		grpc = min(grpcConnections, edge.Available(descriptors)/2)
	}
	if cfg.MetricsAddr != "" {
		metrics = metricsConnections
	}
	return grpc, metrics
}

// connectionLimits returns the configured limits of connections. Those that
// are not configured follow from the limit of open files.
func connectionLimits(cfg config.Config) (edge.Limits, error) {
	trusted, err := edge.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return edge.Limits{}, fmt.Errorf("option trusted-proxies: %w", err)
	}
	descriptors, err := edge.Descriptors()
	if err != nil {
		return edge.Limits{}, err
	}
	grpc, metrics := sideConnections(cfg, descriptors)
	available := edge.Available(descriptors) - grpc - metrics
	if cfg.MaxConnections > available {
		return edge.Limits{}, fmt.Errorf("option max-connections must be at most %d: the process may open %d files, and the rest is reserved for its stores (raise the limit with ulimit -n)",
			available, descriptors)
	}
	total := cmp.Or(cfg.MaxConnections, min(available, edge.DefaultTotal(descriptors)))
	return edge.Limits{
		Total: total, PerAddress: cmp.Or(cfg.MaxConnectionsPerAddress, max(total/2, 1)), Trusted: trusted, Stall: cfg.StallTimeout, TLS: cfg.TLSCert != "",
	}, nil
}

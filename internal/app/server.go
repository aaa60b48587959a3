package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/edge"
)

// Serve listens, prints a greeting to out, and serves until ctx ends. Then it
// stops accepting connections, completes requests in progress, and returns.
func (a *App) Serve(ctx context.Context, out io.Writer) error {
	listener, err := a.listen()
	if err != nil {
		return err
	}
	a.greet(out, "http://"+listener.Addr().String())
	go tuneGC(ctx)
	go a.keepKeyUse(ctx)
	server := &http.Server{
		Handler:           a.handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       a.cfg.StallTimeout, // bodies that keep arriving may take longer
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	a.draining.Store(true)
	a.log.Info("stopping: completing requests in progress")
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.DrainTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		return fmt.Errorf("requests were still in progress after %s: %w", a.cfg.DrainTimeout, err)
	}
	return nil
}

// listen opens the listener with its limits.
func (a *App) listen() (net.Listener, error) {
	inner, err := net.Listen("tcp", a.cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", a.cfg.Addr, err)
	}
	listener := edge.NewListener(inner, a.limits)
	a.connections.Store(listener)
	return listener, nil
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
	if available := edge.Available(descriptors); cfg.MaxConnections > available {
		return edge.Limits{}, fmt.Errorf("option max-connections must be at most %d: the process may open %d files, and the rest is reserved for its stores (raise the limit with ulimit -n)",
			available, descriptors)
	}
	total := cmp.Or(cfg.MaxConnections, edge.DefaultTotal(descriptors))
	return edge.Limits{
		Total: total, PerAddress: cmp.Or(cfg.MaxConnectionsPerAddress, max(total/2, 1)), Trusted: trusted, Stall: cfg.StallTimeout,
	}, nil
}

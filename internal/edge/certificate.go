package edge

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// Certificate is a TLS certificate in files. Watch loads it again when the
// files change.
type Certificate struct {
	certFile, keyFile string
	current           atomic.Pointer[tls.Certificate]
	seen              string // the state of the files at the last attempt
}

// LoadCertificate loads a certificate and its key from PEM files.
func LoadCertificate(certFile, keyFile string) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile}
	var err error
	if c.seen, err = c.state(); err != nil {
		return nil, err
	}
	return c, c.load()
}

func (c *Certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("load TLS certificate: %w", err)
	}
	c.current.Store(&pair)
	return nil
}

// state describes the files, so that a change can be noticed.
func (c *Certificate) state() (string, error) {
	cert, err := os.Stat(c.certFile)
	key, keyErr := os.Stat(c.keyFile)
	if err := errors.Join(err, keyErr); err != nil {
		return "", fmt.Errorf("load TLS certificate: %w", err)
	}
	return fmt.Sprint(cert.ModTime(), cert.Size(), key.ModTime(), key.Size()), nil
}

// Watch looks at the files at the given interval until ctx ends. If the files
// cannot be loaded, it keeps the certificate, logs why, and tries again after
// the next change.
func (c *Certificate) Watch(ctx context.Context, every time.Duration, log *slog.Logger) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		state, err := c.state()
		if err != nil {
			state = err.Error()
		}
		if state == c.seen {
			continue
		}
		c.seen = state
		if err == nil {
			err = c.load()
		}
		if err != nil {
			log.Warn("keeping the previous TLS certificate", "error", err)
			continue
		}
		log.Info("loaded a new TLS certificate", "file", c.certFile)
	}
}

// Config returns the TLS configuration of a server. HTTP/2 is not offered,
// because its streams would escape the limits on connections and stalls.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}

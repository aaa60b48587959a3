package edge_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/edge"
)

// writeCertificate writes a self-signed certificate for a name and its key.
func writeCertificate(t *testing.T, folder, name string) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check.OK(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check.OK(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	check.OK(t, err)
	certFile, keyFile = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	check.OK(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600))
	check.OK(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	return certFile, keyFile
}

// serveTLS serves with a certificate that is watched, and returns the address.
func serveTLS(t *testing.T, certFile, keyFile string, log *slog.Logger) string {
	t.Helper()
	certificate, err := edge.LoadCertificate(certFile, keyFile)
	check.OK(t, err)
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go certificate.Watch(ctx, 5*time.Millisecond, log)
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	check.OK(t, err)
	listener := edge.NewListener(inner, edge.Limits{Total: 100, PerAddress: 100, Stall: time.Minute, TLS: true})
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.NotFoundHandler()}
	go func() { _ = server.Serve(tls.NewListener(listener, certificate.Config())) }()
	t.Cleanup(func() { _ = server.Close() })
	return inner.Addr().String()
}

// served returns the name in the served certificate and the protocol that is
// agreed on with a client that prefers HTTP/2.
func served(t *testing.T, address string) (name, protocol string) {
	t.Helper()
	conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}})
	check.OK(t, err)
	defer func() { _ = conn.Close() }()
	state := conn.ConnectionState()
	return state.PeerCertificates[0].Subject.CommonName, state.NegotiatedProtocol
}

func TestCertificateIsReloaded(t *testing.T) {
	t.Parallel()
	folder, log := t.TempDir(), &check.Buffer{}
	certFile, keyFile := writeCertificate(t, folder, "first")
	address := serveTLS(t, certFile, keyFile, slog.New(slog.NewTextHandler(log, nil)))
	name, protocol := served(t, address)
	check.Equal(t, "first certificate", name, "first")
	check.Equal(t, "protocol", protocol, "http/1.1")

	check.OK(t, os.WriteFile(certFile, []byte("not a certificate"), 0o600))
	check.Eventually(t, "warning about the broken file", func() bool { return strings.Contains(log.String(), "keeping the previous TLS certificate") })
	name, _ = served(t, address)
	check.Equal(t, "certificate while the file is broken", name, "first")

	writeCertificate(t, folder, "second")
	check.Eventually(t, "second certificate", func() bool { name, _ := served(t, address); return name == "second" })
}

func TestLoadCertificateErrors(t *testing.T) {
	t.Parallel()
	certFile, keyFile := writeCertificate(t, t.TempDir(), "one")
	otherCert, _ := writeCertificate(t, t.TempDir(), "other")
	for _, pair := range [][2]string{{"/does/not/exist", keyFile}, {certFile, "/does/not/exist"}, {otherCert, keyFile}, {keyFile, keyFile}} {
		if _, err := edge.LoadCertificate(pair[0], pair[1]); err == nil {
			t.Errorf("%s loaded", pair)
		}
	}
}

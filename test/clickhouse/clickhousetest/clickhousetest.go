// Package clickhousetest provides tests with ClickHouse: the server in
// test/clickhouse, whose engine is ClickHouse as a library, one process per test
// binary, with a new database for each call of Start.
//
//	address := clickhousetest.Start(t) // clickhouse://tester:secret@127.0.0.1:port/database
//
// Proxy stands between a client and the server and injects faults. If the
// environment variable PROMPTUARY_TEST_CLICKHOUSE has the address of a real
// server, such as clickhouse://default:password@127.0.0.1:8123, tests use it over
// HTTP instead; its user must be allowed to create and drop databases.
package clickhousetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Variable is the environment variable with the address of a real server.
const Variable = "PROMPTUARY_TEST_CLICKHOUSE"

// shared starts the server for the first test that needs it. The server stops
// when its input ends, which happens when the tests end, or when nothing refers to
// it any more.
var shared = sync.OnceValues(func() (*Server, error) {
	if address := os.Getenv(Variable); address != "" {
		return &Server{Address: address}, nil
	}
	return Launch()
})

// Start returns the address of a new, empty database, which is dropped when the
// test ends. It fails the test if the library is not installed, because tests of an
// engine are never skipped.
func Start(t testing.TB) (address string) {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("clickhousetest: %v", err)
	}
	database, err := url.Parse(server.Address)
	if err != nil {
		t.Fatalf("clickhousetest: %v", err)
	}
	database.Path = "/promptuary_test_" + strings.ToLower(rand.Text())
	exec := func(statement string) {
		if _, err := Query(server.Address, statement+database.Path[1:]); err != nil {
			t.Errorf("clickhousetest: %v", err)
		}
	}
	exec("CREATE DATABASE ")
	t.Cleanup(func() { exec("DROP DATABASE ") })
	return database.String()
}

// Query runs a statement in the database of an address and returns the result,
// tab-separated unless the statement names a format.
func Query(address, statement string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	target, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	endpoint := url.URL{Scheme: "http", User: target.User, Host: target.Host, Path: "/"}
	if database := strings.TrimPrefix(target.Path, "/"); database != "" {
		endpoint.RawQuery = url.Values{"database": {database}}.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint.String(), strings.NewReader(statement))
	if err != nil {
		return "", err
	}
	return send(request)
}

func send(request *http.Request) (string, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(body))
	}
	return string(body), err
}

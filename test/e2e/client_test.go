package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// client calls the API. Methods that take a test fail it on errors; call does
// not and may be used from any goroutine.
type client struct {
	address string
	key     string
	http    *http.Client
}

func newClient(key string) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true}
	return &client{key: key, http: &http.Client{Transport: transport, Timeout: patience}}
}

// withKey returns a client of the same server with another key.
func (c *client) withKey(key string) *client {
	other := *c
	other.key = key
	return &other
}

// answer is a complete response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call sends a body, which is JSON or will be encoded, and reads the whole
// response. Errors are errNoAnswer.
func (c *client) call(method, path string, body any) (answer, error) {
	request, err := http.NewRequest(method, c.address+path, bodyReader(body))
	if err != nil {
		return answer{}, err
	}
	if c.key != "" {
		request.Header.Set("X-API-KEY", c.key)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return c.send(request)
}

func (c *client) send(request *http.Request) (answer, error) {
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	return answer{status: response.StatusCode, header: response.Header, body: text}, nil
}

// errNoAnswer means that the server could not be reached, or exited before it
// completed its response.
var errNoAnswer = errors.New("no whole answer")

func bodyReader(body any) io.Reader {
	switch body := body.(type) {
	case nil:
		return http.NoBody
	case []byte:
		return bytes.NewReader(body)
	case string:
		return bytes.NewReader([]byte(body))
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // tests send maps and strings
	}
	return bytes.NewReader(text)
}

// do makes a call and fails the test on an unexpected status.
func (c *client) do(t *testing.T, method, path string, body any, status int) answer {
	t.Helper()
	a, err := c.call(method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != status {
		t.Fatalf("%s %s: status %d, want %d: %s", method, path, a.status, status, clip(a.body))
	}
	return a
}

func (c *client) post(t *testing.T, path string, body any, status int) answer {
	t.Helper()
	return c.do(t, http.MethodPost, path, body, status)
}

func (c *client) get(t *testing.T, path string) answer {
	t.Helper()
	return c.do(t, http.MethodGet, path, nil, http.StatusOK)
}

func clip(text []byte) string {
	return string(text[:min(len(text), 500)])
}

// decode decodes a JSON response; unknown members are ignored.
func decode[T any](a answer) (T, error) {
	var v T
	if err := json.Unmarshal(a.body, &v); err != nil {
		return v, fmt.Errorf("%w in %s", err, clip(a.body))
	}
	return v, nil
}

func mustDecode[T any](t *testing.T, a answer) T {
	t.Helper()
	v, err := decode[T](a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// failure is an error response.
type failure struct {
	Success *bool  `json:"success"`
	Message string `json:"message"`
	Error   string `json:"error"`
}

// checkFailure returns an error unless the response is a valid error response.
func checkFailure(a answer, status int, code string) error {
	if a.status != status {
		return fmt.Errorf("status %d, want %d: %s", a.status, status, clip(a.body))
	}
	f, err := decode[failure](a)
	if err != nil {
		return err
	}
	// Some operations repeat the message as the code, because their clients
	// only show the code.
	if f.Success == nil || *f.Success || f.Message == "" || f.Error != code && f.Error != f.Message {
		return fmt.Errorf("error %s, want success false, a message and code %q", clip(a.body), code)
	}
	if kind := a.header.Get("Content-Type"); kind != "application/json" {
		return fmt.Errorf("Content-Type %q, want application/json", kind)
	}
	return nil
}

// checkBusy returns an error unless the response asks the client to retry
// later.
func checkBusy(a answer) error {
	if err := checkFailure(a, http.StatusServiceUnavailable, "unavailable"); err != nil {
		return err
	}
	var seconds int
	if _, err := fmt.Sscan(a.header.Get("Retry-After"), &seconds); err != nil || seconds < 1 {
		return fmt.Errorf("Retry-After %q, want a number of seconds", a.header.Get("Retry-After"))
	}
	return nil
}

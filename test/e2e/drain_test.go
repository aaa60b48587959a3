package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// TestDrainUnderLoad stops the server while many clients write. Each call gets
// a valid response or never reaches the server: everything stored was
// acknowledged.
func TestDrainUnderLoad(t *testing.T) {
	t.Parallel()
	const clients = 32
	data := t.TempDir()
	p := start(t, data)
	l := &ledger{}
	var answered atomic.Int64
	enough := make(chan struct{})
	var all errgroup.Group
	for range clients {
		all.Go(func() error {
			c := newClient(testKey)
			c.address = p.address
			// Closing an idle connection can lose a call; with one connection
			// per call there are no idle connections.
			c.http.Transport.(*http.Transport).DisableKeepAlives = true
			for {
				err := drainStep(c, l)
				if errors.Is(err, errNoAnswer) {
					return refusedConnection(err)
				}
				if err != nil {
					return err
				}
				if answered.Add(1) == 500 {
					close(enough)
				}
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(patience):
		t.Error("too few calls were answered")
	}
	p.stop()
	if err := all.Wait(); err != nil {
		t.Errorf("during the stop: %v", err)
	}
	t.Logf("%d logs acknowledged, %d calls did not reach the program", len(l.known), len(l.open))
	known := len(l.known)
	p = start(t, data)
	if err := l.verify(p.client); err != nil {
		t.Error(err)
	}
	if len(l.known) != known {
		t.Errorf("%d logs were stored without acknowledgement", len(l.known)-known)
	}
}

func drainStep(c *client, l *ledger) error {
	r := l.draw("")
	a, err := c.call(http.MethodPost, "/log-request", r.body())
	if err != nil {
		return err
	}
	if a.status == http.StatusServiceUnavailable {
		l.drop(r)
		return checkBusy(a)
	}
	answer, err := decode[created](a)
	if err != nil || a.status != http.StatusCreated {
		return fmt.Errorf("status %d: %s", a.status, clip(a.body))
	}
	l.acknowledge(r, answer.ID)
	return nil
}

// refusedConnection returns nil for errors of connections that were not
// accepted: nothing is listening, or they were still in the backlog. The check
// of stored logs ensures that this hides no accepted calls.
func refusedConnection(err error) error {
	for _, known := range []error{syscall.ECONNREFUSED, syscall.ECONNRESET, io.EOF} {
		if errors.Is(err, known) {
			return nil
		}
	}
	return err
}

// halfSent is a call with an incomplete body.
type halfSent struct {
	net.Conn
	answers *bufio.Reader
	rest    string
}

// sendHalf starts a call and returns when the server is reading its body.
func sendHalf(t *testing.T, p *program, e entry) *halfSent {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	body, err := io.ReadAll(bodyReader(e.body()))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /log-request HTTP/1.1\r\nHost: e2e\r\nX-API-KEY: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", testKey, len(body))
	h := &halfSent{Conn: conn, answers: bufio.NewReader(conn), rest: string(body[10:])}
	line, err := h.answers.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") {
		t.Fatalf("got %q (%v), want 100 Continue", line, err)
	}
	if _, err := h.answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_, _ = conn.Write(body[:10])
	return h
}

// stopListening stops the server and waits until it accepts no more
// connections.
func stopListening(t *testing.T, p *program) {
	t.Helper()
	p.signal(syscall.SIGTERM)
	eventually(t, func() error {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
		if err == nil {
			return errors.Join(errors.New("the program still takes connections"), conn.Close())
		}
		return refusedConnection(err)
	})
}

func TestDrainCompletesRequestsInProgress(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, data)
	e := entry{word: "zqhalf1", tokens: 1}
	call := sendHalf(t, p, e)
	stopListening(t, p)
	if p.hasExited() {
		t.Fatal("the program did not wait for the call")
	}
	_, _ = call.Write([]byte(call.rest))
	response, err := http.ReadResponse(call.answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusCreated {
		t.Fatalf("status %d: %s (%v), want 201", response.StatusCode, body, err)
	}
	id := mustDecode[created](t, answer{body: body}).ID
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if err := start(t, data).checkStored(e, id); err != nil {
		t.Error(err)
	}
}

// TestDrainTimeoutStartsWithStop stops a server that has been running for
// longer than the drain timeout.
func TestDrainTimeoutStartsWithStop(t *testing.T) {
	t.Parallel()
	const drainTimeout = 3 * time.Second // which a loaded machine needs for a stop
	p := start(t, t.TempDir(), "--drain-timeout", drainTimeout.String())
	p.log(t, entry{word: "zqserved1", tokens: 1})
	served := time.Now()
	eventually(t, func() error {
		if time.Since(served) > drainTimeout {
			return nil
		}
		return errors.New("the time for a stop has not passed")
	})
	p.stop()
}

// TestSecondSignal sends a second signal to a server that is waiting for a
// client.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, data)
	stored := entry{word: "zqdone1", tokens: 1}
	id := p.log(t, stored)
	sendHalf(t, p, entry{word: "zqnever1", tokens: 2})
	stopListening(t, p)
	began := time.Now()
	p.signal(syscall.SIGTERM)
	p.wait()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the second signal took effect only after %s", took)
	}
	if err := start(t, data).checkStored(stored, id); err != nil {
		t.Error(err)
	}
}

// TestDrainTimeout stops the server while a client never completes its call.
func TestDrainTimeout(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, data, "--drain-timeout", "300ms")
	stored := entry{word: "zqdone1", tokens: 1}
	id := p.log(t, stored)
	sendHalf(t, p, entry{word: "zqnever1", tokens: 2})
	p.signal(syscall.SIGTERM)
	code := p.wait()
	if err := checkRefused(result{stderr: p.stderr.String(), code: code}, "requests were still in progress after 300ms"); err != nil {
		t.Error(err)
	}
	p = start(t, data)
	if err := p.checkStored(stored, id); err != nil {
		t.Error(err)
	}
	if total := p.search(t, object{}).Total; total != 1 {
		t.Errorf("%d logs are stored, want 1", total)
	}
}

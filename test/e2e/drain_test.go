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

// TestDrainUnderLoad stops the program while many clients write. Each call gets
// a proper answer or never reaches the program: what is stored was answered.
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
			// A connection that the program closes while it is idle can take a
			// call with it; with one connection for each call there is none.
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
		t.Errorf("while the program stopped: %v", err)
	}
	t.Logf("%d logs acknowledged, %d calls did not reach the program", len(l.known), len(l.open))
	known := len(l.known)
	p = start(t, data)
	if err := l.verify(p.client); err != nil {
		t.Error(err)
	}
	if len(l.known) != known {
		t.Errorf("%d logs were stored without an answer", len(l.known)-known)
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

// refusedConnection returns nil for the errors of a connection that nobody has
// taken: none is listening, or it was still in the queue. That they do not hide
// calls that were taken is seen by what is stored.
func refusedConnection(err error) error {
	for _, known := range []error{syscall.ECONNREFUSED, syscall.ECONNRESET, io.EOF} {
		if errors.Is(err, known) {
			return nil
		}
	}
	return err
}

// halfSent is a call whose body has not arrived completely.
type halfSent struct {
	net.Conn
	answers *bufio.Reader
	rest    string
}

// sendHalf begins a call and returns when the program is reading its body.
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
		t.Fatalf("got %q (%v), want to be told to go on", line, err)
	}
	if _, err := h.answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_, _ = conn.Write(body[:10])
	return h
}

// stopListening tells the program to stop and waits until it takes no more
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

func TestDrainAnswersWhatIsUnderWay(t *testing.T) {
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

// TestDrainTimeBeginsWithTheStop stops a program that has served for longer than
// a stop may take.
func TestDrainTimeBeginsWithTheStop(t *testing.T) {
	t.Parallel()
	const drainTimeout = time.Second
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

// TestSecondSignal stops a program that waits for a client, twice.
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
		t.Errorf("the second signal was heeded only after %s", took)
	}
	if err := start(t, data).checkStored(stored, id); err != nil {
		t.Error(err)
	}
}

// TestDrainGivesUp stops the program while a client never finishes its call.
func TestDrainGivesUp(t *testing.T) {
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

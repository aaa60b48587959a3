package live_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/live"
)

const (
	home int64 = 7
	away int64 = 8
)

// never is longer than any test takes.
const never = time.Hour

// timeout is the timeout of every wait.
const timeout = 30 * time.Second

var key = bytes.Repeat([]byte{1}, 32)

// desk implements Messages with runs in memory.
type desk struct {
	mu      sync.Mutex
	runs    []deskRun // by number, from 1
	failure error
	broken  bool
	next    func() // called after the next lookup
}

type deskRun struct {
	name    string // of the channel, empty after deletion
	message string // empty while it runs
}

func newDesk() *desk { return &desk{} }

func name(workspace int64, channel string) string {
	return strconv.FormatInt(workspace, 10) + " " + channel
}

func (d *desk) Latest(_ context.Context, workspace int64, channel string) (int64, bool, error) {
	more := strings.HasPrefix(channel, "workflows:")
	numbers, err := d.Later(context.Background(), workspace, channel, 0)
	if err != nil || len(numbers) == 0 && more {
		return 0, more, err
	}
	if len(numbers) == 0 {
		return 0, more, fault.NotFoundf("Run not found")
	}
	return numbers[len(numbers)-1], more, nil
}

func (d *desk) Later(_ context.Context, workspace int64, channel string, than int64) (numbers []int64, _ error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken {
		panic("broken")
	}
	for i := than; i < int64(len(d.runs)); i++ {
		if d.runs[i].name == name(workspace, channel) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers, d.failure
}

func (d *desk) Message(_ context.Context, workspace, number int64) ([]byte, bool, error) {
	defer d.happen()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken {
		panic("broken")
	}
	if d.failure != nil {
		return nil, false, d.failure
	}
	run := d.runs[number-1]
	if !strings.HasPrefix(run.name, name(workspace, "")) {
		return nil, false, fault.NotFoundf("Run not found")
	}
	return []byte(run.message), run.message != "", nil
}

func (d *desk) happen() {
	d.mu.Lock()
	next := d.next
	d.next = nil
	d.mu.Unlock()
	if next != nil {
		next()
	}
}

func (d *desk) afterLook(next func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next = next
}

// begin starts a run and returns its number.
func (d *desk) begin(workspace int64, channel string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs = append(d.runs, deskRun{name: name(workspace, channel)})
	return len(d.runs)
}

// end ends a run.
func (d *desk) end(number int, message string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs[number-1].message = message
}

// set sets the message of the only run of a channel, empty while it runs.
func (d *desk) set(workspace int64, channel, message string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.runs {
		if d.runs[i].name == name(workspace, channel) {
			d.runs[i].message = message
			return
		}
	}
	d.runs = append(d.runs, deskRun{name(workspace, channel), message})
}

func (d *desk) forget(workspace int64, channel string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.runs {
		if d.runs[i].name == name(workspace, channel) {
			d.runs[i].name = ""
		}
	}
}

func (d *desk) change(failure error, broken bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failure, d.broken = failure, broken
}

// message returns the message of a run that ended with the output.
func message(output string) string {
	return `{"message_name":"SET_WORKFLOW_COMPLETE","data":"{\"final_output\":\"` + output + `\"}"}`
}

// site is a server with its address.
type site struct {
	*live.Server
	url string
}

func serve(t *testing.T, o live.Options) site {
	t.Helper()
	if o.Key == nil {
		o.Key = key
	}
	if o.Poll == 0 {
		o.Poll = never
	}
	server, err := live.New(o)
	check.OK(t, err)
	web := httptest.NewServer(server.Handler())
	t.Cleanup(func() {
		check.OK(t, server.Close(t.Context()))
		web.Close()
	})
	return site{Server: server, url: web.URL}
}

// client is a client of the newline-delimited JSON protocol.
type client struct {
	t     *testing.T
	conn  *websocket.Conn
	ready []string // replies not returned yet
	id    int
}

// dial connects without a token.
func (s site) dial(t *testing.T) *client {
	t.Helper()
	conn, answer, err := websocket.DefaultDialer.Dial(strings.Replace(s.url, "http", "ws", 1), http.Header{"Origin": {"https://elsewhere.test"}})
	check.OK(t, err)
	check.OK(t, answer.Body.Close())
	t.Cleanup(func() { _ = conn.Close() })
	check.OK(t, conn.SetReadDeadline(time.Now().Add(timeout)))
	return &client{t: t, conn: conn}
}

// connect connects with a token for the channel.
func (s site) connect(t *testing.T, workspace int64, channel string) *client {
	t.Helper()
	c := s.dial(t)
	if reply := c.do("connect", map[string]any{"token": s.Token(workspace, channel).Token}); reply.Connect == nil {
		t.Fatalf("connect: %+v", reply)
	}
	return c
}

// reply is a reply or a push of the server.
type reply struct {
	ID    int `json:"id"`
	Error *struct {
		Code      int
		Temporary bool
	}
	Connect     *struct{ Client, Version, Ping, Pong any }
	Subscribe   *struct{}
	Unsubscribe *struct{}
	Push        *struct {
		Channel string
		Pub     *struct{ Data json.RawMessage }
	}
}

func (r reply) code() int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

// send sends a command.
func (c *client) send(method string, arguments any) {
	c.t.Helper()
	c.id++
	check.OK(c.t, c.conn.WriteJSON(map[string]any{"id": c.id, method: arguments}))
}

// do sends a command and returns the reply, which must come next.
func (c *client) do(method string, arguments any) reply {
	c.t.Helper()
	c.send(method, arguments)
	r := c.read()
	if r.ID != c.id {
		c.t.Fatalf("%s: %+v", method, r)
	}
	return r
}

func (c *client) subscribe(channel string) reply {
	c.t.Helper()
	return c.do("subscribe", map[string]any{"channel": channel})
}

// unsubscribe fails the test if anything was pushed before the reply.
func (c *client) unsubscribe(channel string) {
	c.t.Helper()
	if r := c.do("unsubscribe", map[string]any{"channel": channel}); r.Unsubscribe == nil {
		c.t.Fatalf("unsubscribe: %+v", r)
	}
}

func (c *client) read() reply {
	c.t.Helper()
	for len(c.ready) == 0 {
		_, frame, err := c.conn.ReadMessage()
		check.OK(c.t, err)
		for line := range strings.SplitSeq(strings.TrimSpace(string(frame)), "\n") {
			if line == "{}" { // a ping; the reply is the same
				check.OK(c.t, c.conn.WriteMessage(websocket.TextMessage, []byte(line)))
				continue
			}
			c.ready = append(c.ready, line)
		}
	}
	var r reply
	check.OK(c.t, json.Unmarshal([]byte(c.ready[0]), &r))
	c.ready = c.ready[1:]
	return r
}

// expect fails the test unless the message is pushed next, and only once.
func (c *client) expect(channel, message string) {
	c.t.Helper()
	c.next(channel, message)
	c.unsubscribe(channel)
}

// next fails the test unless the message is pushed next.
func (c *client) next(channel, message string) {
	c.t.Helper()
	r := c.read()
	if r.Push == nil || r.Push.Pub == nil {
		c.t.Fatalf("got %+v, want a message", r)
	}
	if diff := cmp.Diff([]string{channel, message}, []string{r.Push.Channel, string(r.Push.Pub.Data)}); diff != "" {
		c.t.Fatalf("message (-want +got):\n%s", diff)
	}
}

// closed returns the close code of the server.
func (c *client) closed() int {
	c.t.Helper()
	for {
		_, _, err := c.conn.ReadMessage()
		var end *websocket.CloseError
		if errors.As(err, &end) {
			return end.Code
		}
		check.OK(c.t, err)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/promptuary/promptuary/internal/trace"
)

// The plain HTTP server is this program, started again with these variables.
const (
	anchorAddressEnv = "BENCH_ANCHOR_ADDRESS"
	anchorFileEnv    = "BENCH_ANCHOR_FILE"
)

// httpAnchor does the minimum of a durable server: decode the body, write it to a
// file together with those in the queue, sync, respond.
type httpAnchor struct{ *process }

func startHTTPAnchor(file string) (*httpAnchor, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), anchorAddressEnv+"="+address, anchorFileEnv+"="+file)
	p, err := spawn(cmd, address, "/readyz")
	if err != nil {
		return nil, err
	}
	return &httpAnchor{p}, nil
}

// stop kills the server.
func (a *httpAnchor) stop() error {
	if err := a.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("end the plain HTTP server: %w", err)
	}
	<-a.ended
	return nil
}

func serveAnchor(address, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("create the body file: %w", err)
	}
	commits := &groupCommit{file: file, queue: make(chan waiting, 1024)}
	go commits.run()
	store := &itemStore{items: map[string][]byte{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /log-request", commits.handler(decodeJSON, commits.logged))
	mux.HandleFunc("POST /log-requests", commits.handler(decodeJSON, commits.logged))
	mux.HandleFunc("POST /v1/traces", commits.handler(decodeSpans, exported))
	mux.HandleFunc("PUT /item/{id}", store.put)
	mux.HandleFunc("GET /item/{id}", store.get)
	mux.HandleFunc("POST /item/{id}", store.get)
	return http.ListenAndServe(address, mux)
}

// groupCommit writes the bodies of all waiting requests with one sync.
type groupCommit struct {
	file  *os.File
	queue chan waiting
	last  atomic.Int64
}

type waiting struct {
	body []byte
	done chan error
}

// handler decodes a body, commits it and responds.
func (g *groupCommit) handler(decode func([]byte) error, respond func(http.ResponseWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		if err := decode(body); err != nil {
			http.Error(w, "not understood", http.StatusBadRequest)
			return
		}
		done := make(chan error, 1)
		g.queue <- waiting{body, done}
		if err := <-done; err != nil {
			http.Error(w, "not written", http.StatusInternalServerError)
			return
		}
		respond(w)
	}
}

func decodeJSON(body []byte) error {
	var decoded any
	return json.Unmarshal(body, &decoded)
}

func decodeSpans(body []byte) error {
	var decoded tracepb.TracesData
	return proto.Unmarshal(body, &decoded)
}

// exported responds to spans.
func exported(w http.ResponseWriter) { w.Header().Set("Content-Type", trace.Protobuf) }

// logged responds to a log.
func (g *groupCommit) logged(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	id := strconv.FormatInt(g.last.Add(1), 10)
	_, _ = io.WriteString(w, `{"success":true,"request_id":`+id+`}`)
}

// maxGroup is the maximum number of bodies per commit.
const maxGroup = 512

func (g *groupCommit) run() {
	var group []waiting
	var text []byte
	for first := range g.queue {
		group, text = append(group[:0], first), append(text[:0], first.body...)
	gather:
		for len(group) < maxGroup {
			select {
			case next := <-g.queue:
				group, text = append(group, next), append(text, next.body...)
			default:
				break gather
			}
		}
		err := g.commit(text)
		for _, w := range group {
			w.done <- err
		}
	}
}

func (g *groupCommit) commit(text []byte) error {
	if _, err := g.file.Write(text); err != nil {
		return err
	}
	return syscall.Fdatasync(int(g.file.Fd()))
}

// itemStore responds with bytes in memory.
type itemStore struct {
	mu    sync.RWMutex
	items map[string][]byte
}

func (s *itemStore) put(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.items[r.PathValue("id")] = body
	s.mu.Unlock()
}

func (s *itemStore) get(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	body := s.items[r.PathValue("id")]
	s.mu.RUnlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

// anchorLogs is the number of logs for the plain server.
func (b *bench) anchorLogs() int { return min(b.logs, 100_000) }

// startHTTPAnchor starts the plain server and measures its ingest rate.
func (b *bench) startHTTPAnchor() (err error) {
	if b.http, err = startHTTPAnchor(b.path("anchor-bodies")); err != nil {
		return err
	}
	loaded, err := load(b.clients, b.http.address, b.bodies(0, b.anchorLogs()), sendLog)
	if err != nil {
		return err
	}
	b.anchorIngest = loaded
	b.progress("plain HTTP server: %.0f logs/s, p50 %v, p99 %v, longest %v",
		loaded.rate(), median(loaded.times), percentile(loaded.times, 0.99), loaded.longest().Round(time.Millisecond))
	return nil
}

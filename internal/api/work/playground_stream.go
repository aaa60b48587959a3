package work

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
)

const (
	eventStreamType = "text/event-stream"
	// pulse is the interval of keep-alive comments while the model is silent;
	// proxies close idle connections.
	pulse = 15 * time.Second
	// readTime is how long a client may take to read an event.
	readTime = 30 * time.Second
)

// eventStream writes server-sent events. It is safe for concurrent use after
// begin.
type eventStream struct {
	writer  http.ResponseWriter
	control *http.ResponseController
	// broken is called when the client can no longer be reached.
	broken func()

	mu    sync.Mutex
	ended chan struct{} // nil before begin
	beats sync.WaitGroup
}

func newEventStream(w http.ResponseWriter, broken func()) *eventStream {
	return &eventStream{writer: w, control: http.NewResponseController(w), broken: broken}
}

// begin sends the response header immediately and starts sending keep-alive
// comments.
func (s *eventStream) begin(every time.Duration) {
	header := s.writer.Header()
	header.Set("Content-Type", eventStreamType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // keeps proxies from buffering events
	s.ended = make(chan struct{})
	s.writer.WriteHeader(http.StatusOK)
	s.write(nil)
	s.beats.Go(guard.Func("playground", func() { s.beat(every) }))
}

func (s *eventStream) beat(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.write([]byte(": the model is at work\n\n"))
		case <-s.ended:
			return
		}
	}
}

// end stops the keep-alive comments. The connection can be reused for other
// requests afterwards.
func (s *eventStream) end() {
	if s.ended == nil {
		return
	}
	close(s.ended)
	s.beats.Wait()
	_ = s.control.SetWriteDeadline(time.Time{}) // some tests have connections without deadlines
}

// send sends an event with a value as one line of JSON.
func (s *eventStream) send(event string, value any) {
	var text bytes.Buffer
	text.WriteString("event: " + event + "\ndata: ")
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		s.broken() // not even the failure can be sent
		return
	}
	text.WriteString("\n") // the encoder ends the line; this ends the event
	s.write(text.Bytes())
}

func (s *eventStream) write(text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.control.SetWriteDeadline(time.Now().Add(readTime))
	_, err := s.writer.Write(text)
	if err == nil {
		err = s.control.Flush()
	}
	if err != nil {
		s.broken()
	}
}

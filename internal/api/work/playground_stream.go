package work

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

const (
	eventStreamType = "text/event-stream"
	// pulse is how often a sign of life is sent while a model is silent:
	// servers in between cut connections on which nothing moves.
	pulse = 15 * time.Second
	// readTime is how long a client may take to read what it is sent.
	readTime = 30 * time.Second
)

// eventStream answers with server-sent events. It is safe for concurrent use
// once it has begun.
type eventStream struct {
	writer  http.ResponseWriter
	control *http.ResponseController
	// broken is called when nothing can be sent any more.
	broken func()

	mu    sync.Mutex
	ended chan struct{} // nil until it has begun
	beats sync.WaitGroup
}

func newEventStream(w http.ResponseWriter, broken func()) *eventStream {
	return &eventStream{writer: w, control: http.NewResponseController(w), broken: broken}
}

// begin sends the head of the answer, so that the client knows at once that
// there will be one, and from then on a sign of life every so often.
func (s *eventStream) begin(every time.Duration) {
	header := s.writer.Header()
	header.Set("Content-Type", eventStreamType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // or some proxies would keep events back
	s.ended = make(chan struct{})
	s.writer.WriteHeader(http.StatusOK)
	s.write(nil)
	s.beats.Go(func() { s.beat(every) })
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

// end stops the signs of life. The connection may be used for other requests
// afterwards.
func (s *eventStream) end() {
	if s.ended == nil {
		return
	}
	close(s.ended)
	s.beats.Wait()
	_ = s.control.SetWriteDeadline(time.Time{}) // only some tests have no deadlines
}

// send sends an event with a value as JSON, which is one line.
func (s *eventStream) send(event string, value any) {
	var text bytes.Buffer
	text.WriteString("event: " + event + "\ndata: ")
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		s.broken() // not even the end can be told
		return
	}
	text.WriteString("\n") // the encoder ends the line, this ends the event
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

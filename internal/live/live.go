// Package live is the WebSocket channel on which clients wait for the end of
// something, such as a workflow run. It speaks the client protocol of
// Centrifugo. A client requests a token for one channel, connects with it,
// subscribes, and receives a message when the run of the channel ends, or
// immediately if it has ended. A channel may have several runs, one started
// after the other. Then the client receives the message of the run that is the
// latest when it subscribes and, while it stays subscribed, of each later one.
//
// The end of a run in another process is found by polling, and only while a
// client is waiting. Processes share only the store behind Messages and the key
// that signs tokens.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/centrifugal/centrifuge"

	"github.com/promptuary/promptuary/internal/guard"
)

// Messages provides the runs of channels and their messages. Every run in a
// workspace has a number; a later run has a higher one.
type Messages interface {
	// Latest returns the number of the latest run of a channel, 0 if there is
	// none yet, and whether more may follow. The fault is NotFound if the
	// workspace cannot have such a channel.
	Latest(ctx context.Context, workspace int64, channel string) (number int64, more bool, err error)
	// Later returns the numbers of the runs of a channel above the given one, in
	// order. It may leave the highest ones for the next call. It is called only
	// for channels on which more may follow.
	Later(ctx context.Context, workspace int64, channel string, than int64) ([]int64, error)
	// Message returns the message of a run and whether the run has ended. The
	// message is JSON on one line, which the caller does not change. The fault
	// is NotFound if the run does not exist.
	Message(ctx context.Context, workspace, number int64) (data []byte, ended bool, err error)
}

// Options configure a Server.
type Options struct {
	Messages Messages
	// Key signs tokens. Processes that serve the same clients share it. It has
	// at least 32 bytes.
	Key []byte
	// Clock returns the current time, time.Now if nil.
	Clock func() time.Time
	// Poll is the polling interval for runs of other processes, 500 ms if 0.
	Poll time.Duration
	// Connections is the maximum number of connections, 10,000 if 0.
	Connections int
	// Logger receives failures and, at level debug, actions of clients.
	Logger *slog.Logger
}

const (
	defaultPoll        = 500 * time.Millisecond
	defaultConnections = 10_000
	minKey             = 32
)

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Poll == 0 {
		o.Poll = defaultPoll
	}
	if o.Connections == 0 {
		o.Connections = defaultConnections
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Messages == nil:
		return errors.New("live: no messages")
	case len(o.Key) < minKey:
		return fmt.Errorf("live: key has %d bytes, want at least %d", len(o.Key), minKey)
	case o.Poll < 0 || o.Connections < 0:
		return errors.New("live: poll and connections must be positive")
	}
	return nil
}

// Server holds the connections of waiting clients.
type Server struct {
	options Options
	log     *slog.Logger
	node    *centrifuge.Node
	sockets *sockets
	handler http.Handler
	waiting *waiting

	life    context.Context // ends when the server is closed
	end     context.CancelFunc
	watched chan struct{} // closed when watch has returned
	closing sync.Once
}

// New returns a server that runs until it is closed.
func New(o Options) (*Server, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	node, err := newNode(o.Logger)
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: o, log: o.Logger, node: node, sockets: newSockets(o.Connections), waiting: newWaiting(), watched: make(chan struct{}),
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.handler = s.newHandler()
	node.OnConnecting(s.connecting)
	node.OnConnect(s.connected)
	if err := node.Run(); err != nil {
		s.end()
		return nil, fmt.Errorf("live: start: %w", err)
	}
	guard.Go("live", s.watch)
	return s, nil
}

// Ended pushes the message of a channel to the clients of this process without
// blocking. Call it after Messages has the message.
func (s *Server) Ended(workspace int64, channel string) {
	s.waiting.ended(topic{workspace, channel})
}

// closeGrace is how long clients may take to close their connections.
const closeGrace = 2 * time.Second

// Close disconnects all clients and rejects new connections. Clients may
// reconnect later. It cuts off clients that do not close in time or before ctx
// ends.
func (s *Server) Close(ctx context.Context) error {
	s.closing.Do(func() {
		s.sockets.refuse()
		s.end()
		<-s.watched
		grace, cancel := context.WithTimeout(ctx, closeGrace)
		defer cancel()
		_ = s.node.Shutdown(grace) // fails after the timeout; cutOff closes the rest
		s.sockets.cutOff()
	})
	return nil
}

// lookTimeout limits the time of a lookup in Messages. It is shorter than the
// timeout of the library for a subscription.
const lookTimeout = 3 * time.Second

// guarded calls do, which uses Messages, and turns a panic into an error. It
// runs outside of requests, where nothing else recovers.
func (s *Server) guarded(do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(s.life, lookTimeout)
	defer cancel()
	return guard.Run("live", func() error { return do(ctx) })
}

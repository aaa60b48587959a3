// Package live is the WebSocket channel on which clients wait for the end of
// something, such as a run of a workflow. It speaks the client protocol of
// Centrifugo. A client asks for a token for one channel, connects with it,
// subscribes, and is sent a message: when what the channel is about ends, or at
// once when that has happened already. A channel may be about several things,
// one begun after the other. Then a client is told of the one that is the
// latest when it subscribes and, for as long as it stays, of each that follows.
//
// The end of what another process did is found by looking, and only while
// somebody waits for it. So processes need nothing in common but the store
// behind Messages and the key that signs tokens.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/centrifugal/centrifuge"
)

// Messages knows what channels are about, and how that ended. All that there is
// in a workspace has a number; what is begun later has a higher one.
type Messages interface {
	// Latest returns the number of the latest that a channel is about, 0 where
	// there is none yet, and whether more may follow. The fault is NotFound
	// when the workspace has nothing such a channel could be about.
	Latest(ctx context.Context, workspace int64, channel string) (number int64, more bool, err error)
	// Later returns the numbers above the given one that a channel is about, in
	// order. It may leave the highest for the next call. It is called only for
	// channels on which more may follow.
	Later(ctx context.Context, workspace int64, channel string, than int64) ([]int64, error)
	// Message returns the message to be pushed once what has the number has
	// ended, and whether it has. The message is JSON on one line; it is not
	// changed by the caller. The fault is NotFound when it is not there.
	Message(ctx context.Context, workspace, number int64) (data []byte, ended bool, err error)
}

// Options are what a server is given.
type Options struct {
	Messages Messages
	// Key signs tokens; processes that serve the same clients share it. It has
	// 32 bytes or more.
	Key []byte
	// Clock is time.Now when nil.
	Clock func() time.Time
	// Poll is how often the ends of what other processes did are looked for,
	// 500 ms when it is 0.
	Poll time.Duration
	// Connections bounds how many clients are connected at once, 10,000 when
	// it is 0.
	Connections int
	// Logger gets what fails, and at level debug what clients do.
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
		return fmt.Errorf("live: the key has %d bytes, fewer than %d", len(o.Key), minKey)
	case o.Poll < 0 || o.Connections < 0:
		return errors.New("live: poll and connections must be positive")
	}
	return nil
}

// Server holds the connections of those who wait.
type Server struct {
	options Options
	log     *slog.Logger
	node    *centrifuge.Node
	sockets *sockets
	handler http.Handler
	waiting *waiting

	life    context.Context // ends when the server is closed
	end     context.CancelFunc
	watched chan struct{} // closed when the watch is over
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
	go s.watch()
	return s, nil
}

// Ended pushes the message of a channel to those who wait for it here, without
// making the caller wait. It is to be called once Messages has the message.
func (s *Server) Ended(workspace int64, channel string) {
	s.waiting.ended(topic{workspace, channel})
}

// closeGrace is how long clients have to say goodbye.
const closeGrace = 2 * time.Second

// Close disconnects everybody and refuses new connections. Clients are told
// that they may connect again; who does not react in time, or by the end of
// ctx, is cut off.
func (s *Server) Close(ctx context.Context) error {
	s.closing.Do(func() {
		s.sockets.refuse()
		s.end()
		<-s.watched
		grace, cancel := context.WithTimeout(ctx, closeGrace)
		defer cancel()
		_ = s.node.Shutdown(grace) // fails when the time is over, which is why what is left is cut off
		s.sockets.cutOff()
	})
	return nil
}

// lookTimeout bounds one look at Messages. It is shorter than the time after
// which the library takes a subscription under way for broken.
const lookTimeout = 3 * time.Second

// guarded does something with Messages. It runs outside of any request, so that
// nobody else would catch what goes wrong.
func (s *Server) guarded(do func(ctx context.Context) error) (err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v\n%s", caught, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(s.life, lookTimeout)
	defer cancel()
	return do(ctx)
}

package live

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/centrifugal/centrifuge"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/promptuary/promptuary/internal/fault"
)

// What a client may cost.
const (
	// maxCommand is enough for a token and two names of a channel.
	maxCommand = 8 << 10
	// maxChannel is the longest name of a channel, in bytes.
	maxChannel = 2 << 10
	// maxSubscriptions is more than the one that a token allows, so that a
	// wrong name is answered with that.
	maxSubscriptions = 4
	// maxQueue is what may wait for a client that does not read, in bytes.
	maxQueue = 1 << 20
	// writeTimeout is how long a client may not read at all.
	writeTimeout = 5 * time.Second
	// helloTimeout is how long a client may take to show its token.
	helloTimeout = 10 * time.Second

	pingEvery   = 25 * time.Second
	pongTimeout = 10 * time.Second
)

// errGone ends a connection whose topic was deleted. Clients take the code for
// final.
var errGone = centrifuge.Disconnect{Code: 4504, Reason: "nothing to wait for"}

func newNode(log *slog.Logger) (*centrifuge.Node, error) {
	node, err := centrifuge.New(centrifuge.Config{
		Name: "live", Version: "promptuary",
		LogLevel: logLevel(log), LogHandler: logTo(log),
		ClientStaleCloseDelay: helloTimeout, ClientQueueMaxSize: maxQueue,
		ClientChannelLimit: maxSubscriptions, ChannelMaxLength: maxChannel,
		// The library's own metrics stay out of the program's.
		Metrics: centrifuge.MetricsConfig{RegistererGatherer: prometheus.NewRegistry()},
	})
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	return node, nil
}

// logLevel spares the library the work of entries that nobody reads.
func logLevel(log *slog.Logger) centrifuge.LogLevel {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return centrifuge.LogLevelDebug
	}
	return centrifuge.LogLevelNone
}

// logTo logs at level debug only: what the library calls errors are mostly
// faults of clients.
func logTo(log *slog.Logger) centrifuge.LogHandler {
	return func(entry centrifuge.LogEntry) {
		log.Debug("live: "+entry.Message, "level", centrifuge.LogLevelToString(entry.Level), "fields", entry.Fields)
	}
}

func (s *Server) newUpgrader() http.Handler {
	return centrifuge.NewWebsocketHandler(s.node, centrifuge.WebsocketConfig{
		// Only the token says who a client is, never a cookie, so that pages
		// of any origin may connect.
		CheckOrigin:      func(*http.Request) bool { return true },
		MessageSizeLimit: maxCommand, WriteTimeout: writeTimeout, UseWriteBufferPool: true,
		PingPongConfig: centrifuge.PingPongConfig{PingInterval: pingEvery, PongTimeout: pongTimeout},
	})
}

// topicKey is where the context of a connection has its topic.
type topicKey struct{}

// connecting lets a client in that has a good token. Without one it is sent
// away for good. With a bad one it is told to drop it and to get another: a
// client that can does so, and one that cannot gives up at once and says why,
// which it would not after being sent away.
func (s *Server) connecting(ctx context.Context, e centrifuge.ConnectEvent) (centrifuge.ConnectReply, error) {
	if e.Token == "" {
		return centrifuge.ConnectReply{}, centrifuge.DisconnectInvalidToken
	}
	t, good := s.verify(e.Token)
	if !good {
		return centrifuge.ConnectReply{}, centrifuge.ErrorTokenExpired
	}
	return centrifuge.ConnectReply{
		Context:     context.WithValue(ctx, topicKey{}, t),
		Credentials: &centrifuge.Credentials{UserID: t.owner()},
	}, nil
}

// connected says what a client can do: subscribe and unsubscribe. The library
// refuses the rest.
func (s *Server) connected(c *centrifuge.Client) {
	t, _ := c.Context().Value(topicKey{}).(topic)
	w := &waiter{client: remote{c}, topic: t}
	c.OnSubscribe(func(e centrifuge.SubscribeEvent, answer centrifuge.SubscribeCallback) {
		s.subscribe(c, w, e.Channel, answer)
	})
	c.OnUnsubscribe(func(centrifuge.UnsubscribeEvent) { s.waiting.remove(w) })
	c.OnDisconnect(func(centrifuge.DisconnectEvent) { s.waiting.remove(w) })
}

// subscribe makes a client wait. It looks afterwards, so that an end in between
// is noticed by one of the two.
func (s *Server) subscribe(c *centrifuge.Client, w *waiter, channel string, answer centrifuge.SubscribeCallback) {
	if channel != w.topic.channel {
		answer(centrifuge.SubscribeReply{}, centrifuge.ErrorPermissionDenied)
		return
	}
	err := s.guarded(func(ctx context.Context) error {
		latest, more, err := s.options.Messages.Latest(ctx, w.topic.workspace, channel)
		if err != nil {
			return err
		}
		s.waiting.add(w, latest, more)
		return s.lookAt(ctx, w.topic)
	})
	if err != nil {
		s.waiting.remove(w)
		answer(centrifuge.SubscribeReply{}, s.subscribeError(w.topic, err))
		return
	}
	answer(centrifuge.SubscribeReply{}, nil)
	if !c.IsSubscribed(channel) { // the connection was lost in the meantime
		s.waiting.remove(w)
		return
	}
	s.waiting.answered(w)
}

// subscribeError is what a client is told, which tries again only after
// failures of ours.
func (s *Server) subscribeError(t topic, err error) error {
	if fault.Is(err, fault.NotFound) {
		return centrifuge.ErrorUnknownChannel
	}
	s.logLook(t, err)
	return centrifuge.ErrorInternal
}

// remote is a connected client.
type remote struct{ *centrifuge.Client }

func (r remote) push(channel string, data []byte) {
	// It fails when the client has gone, or reads too slowly and is dropped.
	_ = r.WritePublication(channel, &centrifuge.Publication{Data: data}, centrifuge.StreamPosition{})
}

func (r remote) dismiss() { r.Disconnect(errGone) }

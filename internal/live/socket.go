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

// Limits per client.
const (
	// maxCommand fits a token and two channel names.
	maxCommand = 8 << 10
	// maxChannel is the maximum length of a channel name in bytes.
	maxChannel = 2 << 10
	// maxSubscriptions is higher than the one that a token allows, so that a
	// wrong name gets its own error.
	maxSubscriptions = 4
	// maxQueue is the maximum number of bytes queued for a slow client.
	maxQueue = 1 << 20
	// writeTimeout is how long a client may read nothing.
	writeTimeout = 5 * time.Second
	// helloTimeout is how long a client may take to send its token.
	helloTimeout = 10 * time.Second

	pingEvery   = 25 * time.Second
	pongTimeout = 10 * time.Second
)

// errGone closes a connection whose topic was deleted. Clients do not reconnect
// after this code.
var errGone = centrifuge.Disconnect{Code: 4504, Reason: "nothing to wait for"}

func newNode(log *slog.Logger) (*centrifuge.Node, error) {
	node, err := centrifuge.New(centrifuge.Config{
		Name: "live", Version: "promptuary",
		LogLevel: logLevel(log), LogHandler: logTo(log),
		ClientStaleCloseDelay: helloTimeout, ClientQueueMaxSize: maxQueue,
		ClientChannelLimit: maxSubscriptions, ChannelMaxLength: maxChannel,
		// Keep the metrics of the library out of those of the program.
		Metrics: centrifuge.MetricsConfig{RegistererGatherer: prometheus.NewRegistry()},
	})
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	return node, nil
}

// logLevel avoids the cost of log entries that are discarded.
func logLevel(log *slog.Logger) centrifuge.LogLevel {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return centrifuge.LogLevelDebug
	}
	return centrifuge.LogLevelNone
}

// logTo logs everything at level debug, because most errors of the library are
// mistakes of clients.
func logTo(log *slog.Logger) centrifuge.LogHandler {
	return func(entry centrifuge.LogEntry) {
		log.Debug("live: "+entry.Message, "level", centrifuge.LogLevelToString(entry.Level), "fields", entry.Fields)
	}
}

func (s *Server) newUpgrader() http.Handler {
	return centrifuge.NewWebsocketHandler(s.node, centrifuge.WebsocketConfig{
		// Only the token identifies a client, never a cookie, so that pages of
		// any origin may connect.
		CheckOrigin:      func(*http.Request) bool { return true },
		MessageSizeLimit: maxCommand, WriteTimeout: writeTimeout, UseWriteBufferPool: true,
		PingPongConfig: centrifuge.PingPongConfig{PingInterval: pingEvery, PongTimeout: pongTimeout},
	})
}

// topicKey is the context key of the topic of a connection.
type topicKey struct{}

// connecting accepts a client with a valid token. It disconnects a client
// without a token permanently. For an invalid token it returns an error that
// asks for a new one: clients that can refresh their token do so, and others
// report the error, which they would not do after a disconnect.
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

// connected allows a client to subscribe and unsubscribe. The library rejects
// everything else.
func (s *Server) connected(c *centrifuge.Client) {
	t, _ := c.Context().Value(topicKey{}).(topic)
	w := &waiter{client: remote{c}, topic: t}
	c.OnSubscribe(func(e centrifuge.SubscribeEvent, answer centrifuge.SubscribeCallback) {
		s.subscribe(c, w, e.Channel, answer)
	})
	c.OnUnsubscribe(func(centrifuge.UnsubscribeEvent) { s.waiting.remove(w) })
	c.OnDisconnect(func(centrifuge.DisconnectEvent) { s.waiting.remove(w) })
}

// subscribe makes a client wait. It looks up the state afterwards, so that no
// end in between is missed.
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

// subscribeError returns the error for a client. Clients retry only after
// internal errors.
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
	// It fails if the client has disconnected or reads too slowly.
	_ = r.WritePublication(channel, &centrifuge.Publication{Data: data}, centrifuge.StreamPosition{})
}

func (r remote) dismiss() { r.Disconnect(errGone) }

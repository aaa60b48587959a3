package live

import (
	"maps"
	"slices"
	"strconv"
	"sync"
)

// topic is what can be waited for. Channels of the same name are different
// ones in each workspace.
type topic struct {
	workspace int64
	channel   string
}

// owner names the workspace.
func (t topic) owner() string { return "workspace-" + strconv.FormatInt(t.workspace, 10) }

// client is the far side of a connection.
type client interface {
	// push sends a message to the client's subscription. It does not block,
	// and does nothing when the client has gone or unsubscribed.
	push(channel string, data []byte)
	// dismiss tells the client that there is nothing to wait for.
	dismiss()
}

// waiter is a client in its relation to the topic that its token is for.
type waiter struct {
	client client
	topic  topic

	// The rest belongs to waiting.

	// waits is true from the subscription to the message.
	waits bool
	// answered says that the client knows of its subscription. Nothing is
	// pushed before.
	answered bool
	// message came before the answer.
	message []byte
}

// waiting is who waits for what. Messages are pushed while its lock is held:
// whoever stops waiting is sent nothing afterwards, and nobody is sent a
// message twice.
type waiting struct {
	mu     sync.Mutex
	topics map[topic]map[*waiter]struct{}
	// due are topics that ended here and were not looked at since.
	due map[topic]struct{}
	// changed holds a signal when somebody came to wait or a topic became due.
	changed chan struct{}
}

func newWaiting() *waiting {
	return &waiting{
		topics: map[topic]map[*waiter]struct{}{}, due: map[topic]struct{}{}, changed: make(chan struct{}, 1),
	}
}

// add makes w wait; its subscription is not answered yet.
func (l *waiting) add(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	others := l.topics[w.topic]
	if others == nil {
		others = map[*waiter]struct{}{}
		l.topics[w.topic] = others
	}
	others[w] = struct{}{}
	w.waits, w.answered, w.message = true, false, nil
	l.signal()
}

// remove ends the waiting of w, if it does.
func (l *waiting) remove(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(w)
}

func (l *waiting) drop(w *waiter) {
	if !w.waits {
		return
	}
	w.waits, w.message = false, nil
	others := l.topics[w.topic]
	delete(others, w)
	if len(others) == 0 {
		delete(l.topics, w.topic)
		delete(l.due, w.topic)
	}
}

// answered notes that the subscription of w was answered, and pushes the
// message: the given one, or the one that came before the answer.
func (l *waiting) answered(w *waiter, message []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !w.waits {
		return
	}
	w.answered = true
	if message != nil {
		w.message = message
	}
	l.deliver(w)
}

// settle hands everybody who waits for a topic its message.
func (l *waiting) settle(t topic, message []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.topics[t] {
		w.message = message
		l.deliver(w)
	}
}

// deliver pushes the message of w, if it has one and may be sent it.
func (l *waiting) deliver(w *waiter) {
	message := w.message
	if message == nil || !w.answered {
		return
	}
	l.drop(w)
	w.client.push(w.topic.channel, message)
}

// dismiss sends away everybody who waits for a topic.
func (l *waiting) dismiss(t topic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.topics[t] {
		l.drop(w)
		w.client.dismiss()
	}
}

// ended makes a topic due, if anybody waits for it.
func (l *waiting) ended(t topic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.topics[t] == nil {
		return
	}
	l.due[t] = struct{}{}
	l.signal()
}

// takeDue returns a topic that is due, which it then is no longer.
func (l *waiting) takeDue() (topic, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := range l.due {
		delete(l.due, t)
		return t, true
	}
	return topic{}, false
}

// all returns the topics that somebody waits for.
func (l *waiting) all() []topic {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.topics))
}

// anybody reports whether somebody waits.
func (l *waiting) anybody() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.topics) > 0
}

func (l *waiting) signal() {
	select {
	case l.changed <- struct{}{}:
	default: // one is under way
	}
}

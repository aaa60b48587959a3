package live

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
)

// topic is a channel of a workspace. Each workspace has its own channels.
type topic struct {
	workspace int64
	channel   string
}

// owner returns the name of the workspace for the library.
func (t topic) owner() string { return "workspace-" + strconv.FormatInt(t.workspace, 10) }

// client is the remote side of a connection.
type client interface {
	// push sends a message to the subscription of the client. It does not
	// block, and does nothing if the client has disconnected or unsubscribed.
	push(channel string, data []byte)
	// dismiss disconnects the client because there is nothing to wait for.
	dismiss()
}

// waiter is a client together with the topic of its token.
type waiter struct {
	client client
	topic  topic

	// The lock of waiting guards the remaining fields.

	// waits is true from the subscription to the last message.
	waits bool
	// answered reports whether the subscription was acknowledged. Nothing is
	// pushed before that.
	answered bool
	// more reports whether later runs may follow.
	more bool
	// top is the highest number that the client waits or has waited for.
	top int64
	// open are the numbers of the runs whose messages are missing.
	open []int64
	// messages are those that arrived before the acknowledgement.
	messages [][]byte
}

// maxOpen is the maximum number of runs that a client waits for. More are looked
// up after some of them have ended.
const maxOpen = 100

// waiting tracks which clients wait for which topics. It pushes messages while
// it holds its lock, so that a client gets no message twice and none after it
// stops waiting.
type waiting struct {
	mu     sync.Mutex
	topics map[topic]map[*waiter]struct{}
	// due are topics with runs that ended here and were not looked up since.
	due map[topic]struct{}
	// changed signals that a client started waiting or a topic became due.
	changed chan struct{}
}

func newWaiting() *waiting {
	return &waiting{
		topics: map[topic]map[*waiter]struct{}{}, due: map[topic]struct{}{}, changed: make(chan struct{}, 1),
	}
}

// add makes w wait for the latest run of its topic, 0 for none, and for later
// ones if more may follow. The subscription is not acknowledged yet.
func (l *waiting) add(w *waiter, latest int64, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	others := l.topics[w.topic]
	if others == nil {
		others = map[*waiter]struct{}{}
		l.topics[w.topic] = others
	}
	others[w] = struct{}{}
	w.waits, w.answered, w.messages, w.more, w.top, w.open = true, false, nil, more, latest, nil
	if latest != 0 {
		w.open = []int64{latest}
	}
	l.signal()
}

// remove makes w stop waiting.
func (l *waiting) remove(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(w)
}

func (l *waiting) drop(w *waiter) {
	if !w.waits {
		return
	}
	w.waits, w.messages = false, nil
	others := l.topics[w.topic]
	delete(others, w)
	if len(others) == 0 {
		delete(l.topics, w.topic)
		delete(l.due, w.topic)
	}
}

// answered marks the subscription of w as acknowledged and pushes messages that
// arrived before.
func (l *waiting) answered(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.waits {
		w.answered = true
		l.deliver(w)
	}
}

// look is a lookup for the clients that wait for a topic, and its result.
type look struct {
	// open are the numbers of the runs that clients wait for.
	open []int64
	// more reports whether runs above than are wanted; later are their numbers.
	more  bool
	than  int64
	later []int64
	// found maps ended runs to their messages, deleted ones to nil.
	found map[int64][]byte
}

// look returns the lookup for the clients that wait for a topic.
func (l *waiting) look(t topic) *look {
	l.mu.Lock()
	defer l.mu.Unlock()
	wanted := &look{than: math.MaxInt64, found: map[int64][]byte{}}
	for w := range l.topics[t] {
		wanted.open = append(wanted.open, w.open...)
		if w.more {
			wanted.more, wanted.than = true, min(wanted.than, w.top)
		}
	}
	slices.Sort(wanted.open)
	wanted.open = slices.Compact(wanted.open)
	return wanted
}

// settle delivers the result of a lookup to all clients that wait for a topic,
// and dismisses clients whose runs were all deleted.
func (l *waiting) settle(t topic, seen *look) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.topics[t] {
		w.take(seen)
		if !w.more && len(w.open) == 0 && len(w.messages) == 0 {
			l.drop(w)
			w.client.dismiss()
			continue
		}
		l.deliver(w)
	}
}

// take applies the result of a lookup. The result may be old, because ended
// runs stay ended.
func (w *waiter) take(seen *look) {
	for _, number := range seen.later {
		// There are no gaps above than. A client that started waiting since and
		// knows less needs another lookup.
		if w.more && w.top >= seen.than && number > w.top && len(w.open) < maxOpen {
			w.open, w.top = append(w.open, number), number
		}
	}
	w.open = slices.DeleteFunc(w.open, func(number int64) bool {
		message, ended := seen.found[number]
		if message != nil {
			w.messages = append(w.messages, message)
		}
		return ended
	})
}

// deliver pushes the messages of w if its subscription is acknowledged.
func (l *waiting) deliver(w *waiter) {
	if !w.answered {
		return
	}
	messages := w.messages
	w.messages = nil
	if !w.more && len(w.open) == 0 {
		l.drop(w)
	}
	for _, message := range messages {
		w.client.push(w.topic.channel, message)
	}
}

// ended makes a topic due if a client waits for it.
func (l *waiting) ended(t topic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.topics[t] == nil {
		return
	}
	l.due[t] = struct{}{}
	l.signal()
}

// takeDue removes and returns a topic that is due.
func (l *waiting) takeDue() (topic, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := range l.due {
		delete(l.due, t)
		return t, true
	}
	return topic{}, false
}

// all returns the topics that clients wait for.
func (l *waiting) all() []topic {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.topics))
}

// anybody reports whether any client waits.
func (l *waiting) anybody() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.topics) > 0
}

func (l *waiting) signal() {
	select {
	case l.changed <- struct{}{}:
	default: // already signalled
	}
}

package live

import (
	"maps"
	"math"
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

	// waits is true from the subscription to the last message.
	waits bool
	// answered says that the client knows of its subscription. Nothing is
	// pushed before.
	answered bool
	// more says that there may be more to wait for than what is open.
	more bool
	// top is the highest number that the client waits for, or has waited for.
	top int64
	// open are the numbers whose messages are still to come.
	open []int64
	// messages came before the answer.
	messages [][]byte
}

// maxOpen bounds for how many ends one client waits at once. Further ones are
// looked for when some of these have come.
const maxOpen = 100

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

// add makes w wait for the latest that its topic is about, which is 0 for
// nothing, and for more where there may be. Its subscription is not answered
// yet.
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
	w.waits, w.messages = false, nil
	others := l.topics[w.topic]
	delete(others, w)
	if len(others) == 0 {
		delete(l.topics, w.topic)
		delete(l.due, w.topic)
	}
}

// answered notes that the subscription of w was answered, and pushes what came
// before the answer.
func (l *waiting) answered(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.waits {
		w.answered = true
		l.deliver(w)
	}
}

// look is what those who wait for a topic want to know, and then what was
// found.
type look struct {
	// open are the numbers that somebody waits for.
	open []int64
	// more says that also those above than are looked for, which later are.
	more  bool
	than  int64
	later []int64
	// found are the messages of what has ended, nil for what was deleted.
	found map[int64][]byte
}

// look returns what those who wait for a topic want to know.
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

// settle hands everybody who waits for a topic what was found, and dismisses
// those for whom nothing is left to wait for.
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

// take takes over what was found. It makes no difference how old that is: what
// has ended stays so.
func (w *waiter) take(seen *look) {
	for _, number := range seen.later {
		// There are no gaps above than; who came to wait since and knows of less
		// has to be looked for again.
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

// deliver pushes the messages of w, if it may be sent them.
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

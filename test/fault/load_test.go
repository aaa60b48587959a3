package fault

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	logClients = 5
	// refusalPause is how long a client waits after it was refused.
	refusalPause = 5 * time.Millisecond
	// laterPause is how long a client waits between requests once enough is
	// acknowledged and the fault is due.
	laterPause = 5 * time.Millisecond
)

// load is a mixed load of several clients on one server.
type load struct {
	*client
	// others are the servers with the same logs and the same catalog, this one
	// included: what one acknowledges, all have.
	others []*client
	// part is the load's number among those that use the model at the same time.
	part, parts int
	model       *model
	tag         string
	// faulty says that requests may be refused with 5xx, because a fault is in
	// effect.
	faulty  atomic.Bool
	no500   bool // even then, 500 is a violation
	stop    chan struct{}
	reached chan struct{} // closed when enough is acknowledged, or a client has failed
	once    sync.Once
	enough  atomic.Int64
	clients sync.WaitGroup
	mu      sync.Mutex
	failed  error
}

// startLoad starts the clients of a server. The random choices of each depend only
// on random.
func startLoad(c *client, m *model, tag string, random *rand.Rand) *load {
	return startPart([]*client{c}, 0, m, tag, random)
}

// startPart starts the clients of one of several servers, which use the model at
// the same time.
func startPart(servers []*client, part int, m *model, tag string, random *rand.Rand) *load {
	l := &load{
		client: servers[part], others: servers, part: part, parts: len(servers), model: m, tag: tag,
		stop: make(chan struct{}), reached: make(chan struct{}),
	}
	if part == 0 {
		m.planted = len(m.trees) // the first load starts alone
	}
	l.enough.Store(int64(5 + random.IntN(*most)))
	source := func() *rand.Rand { return rand.New(rand.NewPCG(random.Uint64(), random.Uint64())) }
	for range logClients {
		w := &writer{load: l, random: source()}
		l.run(w.step)
	}
	for _, p := range own(l, m.publishers) {
		random := source()
		l.run(func() error { return l.publishStep(p, random) })
	}
	w := &sheetWriter{load: l, random: source()}
	l.run(w.step)
	l.run(l.newTracer(source()).step)
	return l
}

// own returns the load's part of what only one client at a time may use.
func own[T any](l *load, all []T) []T {
	var mine []T
	for i := l.part; i < len(all); i += l.parts {
		mine = append(mine, all[i])
	}
	return mine
}

// reader returns any of the servers.
func (l *load) reader(random *rand.Rand) *client { return l.others[random.IntN(len(l.others))] }

// run repeats a step in its own goroutine until a request gets no response, the
// step fails, or the load is stopped.
func (l *load) run(step func() error) {
	l.clients.Go(func() {
		for !l.stopped() {
			err := step()
			switch {
			case err == nil:
				if left := l.enough.Add(-1); left == 0 {
					l.reach()
				} else if left < 0 {
					time.Sleep(laterPause)
				}
			case errors.Is(err, errNoAnswer), errors.Is(err, errUncertain):
				return
			default:
				l.fail(err)
				return
			}
		}
	})
}

// errUncertain ends a client that must know the result of its last request.
var errUncertain = errors.New("the request was refused")

// tolerate returns nil for a refusal that the fault explains.
func (l *load) tolerate(err error) error {
	if !refused(err) || !l.faulty.Load() {
		return err
	}
	if e, ok := errors.AsType[*statusError](err); ok && l.no500 && e.status == http.StatusInternalServerError {
		return err
	}
	l.model.mu.Lock()
	l.model.figures.refused++
	l.model.mu.Unlock()
	time.Sleep(refusalPause)
	return nil
}

// uncertain returns errUncertain for a refusal that the fault explains.
func (l *load) uncertain(err error) error {
	if tolerated := l.tolerate(err); tolerated != nil {
		return tolerated
	}
	return errUncertain
}

func (l *load) stopped() bool {
	select {
	case <-l.stop:
		return true
	default:
		return false
	}
}

func (l *load) reach() { l.once.Do(func() { close(l.reached) }) }

func (l *load) fail(err error) {
	l.mu.Lock()
	l.failed = errors.Join(l.failed, err)
	l.mu.Unlock()
	l.reach()
}

// waitReached waits until enough is acknowledged.
func (l *load) waitReached(p *process) {
	select {
	case <-l.reached:
	case <-p.exited:
	case <-time.After(patience):
		l.fail(errors.New("too little was acknowledged"))
	}
}

// end stops the clients and returns the first problem.
func (l *load) end() error {
	close(l.stop)
	l.clients.Wait()
	return l.failed
}

// writer is a client that writes, annotates and reads logs.
type writer struct {
	*load
	random *rand.Rand
	own    []*entry // acknowledged, annotated only by this client
}

func (w *writer) step() error {
	switch chance := w.random.IntN(10); {
	case chance < 5 || len(w.own) == 0:
		return w.logOne()
	case chance < 7:
		return w.logMany(2 + w.random.IntN(7))
	case chance < 8:
		return w.look(w.own[len(w.own)-1])
	default:
		return w.annotate(w.random.IntN(len(w.own)))
	}
}

// created is the response to a new log.
type created struct {
	ID int64 `json:"id"`
}

func (w *writer) logOne() error {
	e := w.model.draw(w.tag)
	got, err := ask[created](w.client, http.MethodPost, "/log-request", e.body())
	if err != nil {
		return w.tolerate(err)
	}
	w.own = append(w.own, e)
	return w.model.acknowledge(e, got.ID)
}

func (w *writer) logMany(count int) error {
	var entries []*entry
	var bodies []any
	for range count {
		e := w.model.draw(w.tag)
		entries, bodies = append(entries, e), append(bodies, e.body())
	}
	got, err := ask[struct{ Results []created }](w.client, http.MethodPost, "/log-requests", object{"requests": bodies})
	if err != nil {
		return w.tolerate(err)
	}
	if len(got.Results) != count {
		return fmt.Errorf("%d logs were acknowledged, want %d", len(got.Results), count)
	}
	for i, e := range entries {
		w.own = append(w.own, e)
		if err := w.model.acknowledge(e, got.Results[i].ID); err != nil {
			return err
		}
	}
	return nil
}

// look returns an error unless a search finds an acknowledged log immediately.
func (w *writer) look(e *entry) error {
	found, err := w.reader(w.random).search(object{"q": e.word()})
	if err != nil {
		return w.tolerate(err)
	}
	if found.Total != 1 || len(found.Items) != 1 || found.Items[0].ID != e.id {
		return fmt.Errorf("a search for %s found %d logs, want only log %d", e.word(), found.Total, e.id)
	}
	return nil
}

func (w *writer) annotate(index int) error {
	e := w.own[index]
	path, body, changed := "/rest/track-metadata", object{"request_id": e.id}, e.noted
	if w.random.IntN(2) == 0 {
		changed.Step++
		body["metadata"] = object{"step": changed.Step}
	} else {
		changed.Score = 1 + w.random.Int64N(100)
		path, body["score"] = "/rest/track-score", changed.Score
	}
	e.sending = &changed
	if _, err := ask[any](w.client, http.MethodPost, path, body); err != nil {
		w.own = append(w.own[:index:index], w.own[index+1:]...) // its state is unknown
		return w.tolerate(err)
	}
	e.noted, e.sending = changed, nil
	w.model.mu.Lock()
	w.model.figures.annotations++
	w.model.mu.Unlock()
	return nil
}

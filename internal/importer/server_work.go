package importer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/job"
)

// ServerProgress is how far an import from a server is.
type ServerProgress struct {
	// Next is the index of the next object of the plan.
	Next int64 `json:"next"`
	// Deferred are objects that could not be stored, and are tried again after the
	// others, which they may refer to. Again is how many of them were tried in this pass,
	// and Settled whether one of them was stored.
	Deferred []Deferred `json:"deferred,omitempty"`
	Again    int        `json:"again,omitempty"`
	Settled  bool       `json:"settled,omitempty"`
	// Group is the dataset group whose versions are being imported, 0 if there is none,
	// Made whether this import has created it, and Base the number of its latest version
	// before.
	Group int64 `json:"group,omitempty"`
	Made  bool  `json:"made,omitempty"`
	Base  int64 `json:"base,omitempty"`
	// Page is the number of pages of request logs that were imported, and Seen the ids of
	// the last logs.
	Page int64    `json:"page,omitempty"`
	Seen []string `json:"seen,omitempty"`
}

// Deferred is an object that could not be stored yet: its index in the plan, and why.
type Deferred struct {
	Index  int64  `json:"index"`
	Reason string `json:"reason"`
}

// links are the ids and versions here of objects there.
type links struct {
	Folders map[int64]int64 `json:"folders,omitempty"`
	// Versions are the numbers of versions by those there, of prompts whose numbers
	// changed.
	Versions map[string]map[int64]int64 `json:"versions,omitempty"`
}

// serverRun imports from a server.
type serverRun struct {
	*execution
	client *remote.Client
	plan   plan
	links  links
}

// runServer imports object by object, and then the request logs. Each object is
// stored with the progress in one transaction, datasets version by version.
func (x *execution) runServer(ctx context.Context) error {
	ctx, stop := x.Task.UntilStopping(ctx) // as in checkServer
	defer stop()
	x.unsure = true
	r := &serverRun{execution: x}
	err := x.Continue(ctx)
	if err == nil {
		err = r.open()
	}
	if err == nil {
		err = x.Parts(ctx, func() (more bool, err error) { return r.step(ctx) })
	}
	if errors.Is(context.Cause(ctx), job.ErrCancelled) {
		return x.stop(Cancelled, "")
	}
	if closed, isClosed := errors.AsType[*remote.ClosedError](err); isClosed {
		return x.stop(Failed, closed.Message)
	}
	return x.settle(ctx, err)
}

func (r *serverRun) open() (err error) {
	if r.client, err = r.connect(); err != nil {
		return err
	}
	if err := r.readPart(PlanContent, &r.plan); err != nil {
		return err
	}
	if err := r.readPart(LinkContent, &r.links); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if r.links.Folders == nil {
		r.links.Folders = map[int64]int64{}
	}
	if r.links.Versions == nil {
		r.links.Versions = map[string]map[int64]int64{}
	}
	if r.Now.Run.Server == nil {
		r.Now.Run.Server = &ServerProgress{}
	}
	return nil
}

func (r *serverRun) readPart(content Content, to any) error {
	packed, err := r.service.store.GetPart(r.Always, r.Now.ID, content, 1)
	if err != nil {
		return err
	}
	text, err := unpack(packed)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// step imports the next object, or the next page of request logs, and reports whether
// there are more.
func (r *serverRun) step(ctx context.Context) (more bool, err error) {
	at := r.Now.Run.Server
	switch {
	case at.Next < int64(len(r.plan.Objects)):
		return true, r.object(ctx, at.Next)
	case at.Again < len(at.Deferred):
		return true, r.object(ctx, at.Deferred[at.Again].Index)
	case len(at.Deferred) > 0 && at.Settled:
		next := r.copied()
		next.Run.Server.Again, next.Run.Server.Settled = 0, false
		return true, r.save(next, RunReport, 0, nil)
	case len(at.Deferred) > 0:
		return true, r.refuseDeferred()
	case slices.Contains(r.Now.Options.Server.Parts, Requests):
		return r.requests(ctx)
	}
	return false, nil
}

// copied returns the import with a progress of its own, to be changed.
func (r *serverRun) copied() Import {
	next := r.Now
	at := *next.Run.Server
	at.Deferred, at.Seen = slices.Clone(at.Deferred), slices.Clone(at.Seen)
	next.Run.Server = &at
	return next
}

// again reports whether the objects of the plan have all been tried once.
func (r *serverRun) again() bool { return r.Now.Run.Server.Next >= int64(len(r.plan.Objects)) }

// settled returns the import with the progress behind the current object.
func (r *serverRun) settled() Import {
	next := r.copied()
	at := next.Run.Server
	if r.again() {
		at.Deferred, at.Settled = slices.Delete(at.Deferred, at.Again, at.Again+1), true
	} else {
		at.Next++
	}
	at.Group, at.Made, at.Base = 0, false, 0
	next.Run.Rows++
	next.Run.Bytes++
	return next
}

// maxDeferred limits the objects that are tried again: they are saved after each object.
const maxDeferred = 1000

// object imports an object of the plan. One that cannot be stored is tried again after
// the others: a prompt may refer to a snippet that comes later.
func (r *serverRun) object(ctx context.Context, n int64) error {
	o := r.plan.Objects[n]
	if o.Status != "" {
		return r.leaveOut(n, &o)
	}
	err := r.bring(ctx, &o)
	reason, refused := reasonOf(err)
	switch {
	case err == nil || !refused:
		return err
	case o.Kind == remote.Dataset:
		o.Status, o.Reason = NoteRefused, reason
		return r.refuseDataset(n, &o)
	case !r.again() && len(r.Now.Run.Server.Deferred) >= maxDeferred:
		o.Status, o.Reason = NoteRefused, reason
		return r.leaveOut(n, &o)
	}
	next := r.copied()
	at := next.Run.Server
	if r.again() {
		at.Deferred[at.Again].Reason = reason
		at.Again++
	} else {
		at.Next++
		at.Deferred = append(at.Deferred, Deferred{n, reason})
	}
	return r.save(next, RunReport, 0, nil)
}

// reasonOf returns why an object cannot be imported. Other errors concern the whole
// import.
func reasonOf(err error) (reason string, refused bool) {
	if there, ok := errors.AsType[*remote.RefusedError](err); ok {
		return there.Error(), true
	}
	here, ok := errors.AsType[*fault.Error](err)
	if !ok || !slices.Contains([]fault.Kind{fault.Invalid, fault.BadRequest, fault.NotFound, fault.Conflict, fault.Forbidden}, here.Kind) {
		return "", false
	}
	return here.Message, true
}

// leaveOut reports an object that is not imported.
func (r *serverRun) leaveOut(n int64, o *planned) error {
	next := r.settled()
	return r.reported(next, entryOf(n, o))
}

// refuseDeferred reports the objects that still cannot be stored.
func (r *serverRun) refuseDeferred() error {
	next := r.copied()
	var entries []Entry
	for _, d := range next.Run.Server.Deferred {
		o := r.plan.Objects[d.Index]
		o.Status, o.Reason = NoteRefused, d.Reason
		entries = append(entries, entryOf(d.Index, &o))
	}
	next.Run.Rows += int64(len(entries))
	next.Run.Bytes += int64(len(entries))
	next.Run.Server.Deferred, next.Run.Server.Again = nil, 0
	return r.reported(next, entries...)
}

// reported saves the progress with entries of the report.
func (r *serverRun) reported(next Import, entries ...Entry) error {
	var report []byte
	for _, e := range entries {
		next.Run.note(e)
		report = appendEntry(report, e)
	}
	next.Run.Reports++
	return r.save(next, RunReport, next.Run.Reports, report)
}

// new describes an object to be stored.
func (r *serverRun) new(o *planned) NewObject {
	object := NewObject{
		Name: o.Name, Author: r.Now.CreatedBy, External: entity.ExternalRef{Source: sourceOf(r.Now.Name), ID: string(o.Kind) + "-" + strconv.FormatInt(o.ID, 10)},
	}
	if id, ok := r.links.Folders[o.Folder]; ok {
		object.Folder = &id
	}
	return object
}

// sourceOf returns the source of external ids for a host.
func sourceOf(host string) string {
	const most = 128
	name := "import from " + host
	if len(name) > most {
		name = name[:most]
	}
	return name
}

// bring reads an object from the server and stores it.
func (r *serverRun) bring(ctx context.Context, o *planned) error {
	switch o.Kind {
	case remote.Folder:
		return r.stored(func(ctx context.Context) error {
			id, err := r.service.servers.Target.Folder(ctx, r.Now.Workspace, r.new(o))
			if err != nil {
				return err
			}
			r.links.Folders[o.ID] = id
			return r.saveLinks(ctx)
		})
	case remote.Dataset:
		return r.dataset(ctx, o)
	}
	versions, err := r.client.Versions(ctx, o.Object)
	if err != nil {
		return err
	}
	return r.stored(func(ctx context.Context) error {
		existing, latest, err := r.service.servers.Target.Find(ctx, r.Now.Workspace, o.Kind, o.Name)
		if err != nil {
			return err
		}
		if existing > 0 && r.Now.Options.Server.Conflict != AddVersions {
			return fault.Conflictf("The workspace has one of this name by now")
		}
		if o.Kind == remote.Workflow {
			return r.service.servers.Target.Workflow(ctx, r.Now.Workspace, r.new(o), existing, versions)
		}
		numbers, err := r.service.servers.Target.Prompt(ctx, r.Now.Workspace, r.new(o), o.Kind == remote.Snippet, versions)
		if err != nil {
			return err
		}
		return r.renumber(ctx, o.Name, numbers, latest > 0 || int64(len(versions)) < o.Latest)
	})
}

// renumber remembers the versions of a prompt whose numbers are others here, so that
// request logs name the right one.
func (r *serverRun) renumber(ctx context.Context, name string, numbers map[int64]int64, others bool) error {
	if !others {
		return nil
	}
	r.links.Versions[name] = numbers
	return r.saveLinks(ctx)
}

func (r *serverRun) saveLinks(ctx context.Context) error {
	text, err := json.Marshal(r.links)
	if err != nil {
		return err
	}
	return r.service.store.PutPart(ctx, r.Now.ID, LinkContent, 1, pack(text))
}

// stored stores an object with the progress in one transaction: after a crash, both or
// none is there.
func (r *serverRun) stored(store ...func(ctx context.Context) error) error {
	next := r.settled()
	next.Run.Accepted++
	return r.Save(next, store...)
}

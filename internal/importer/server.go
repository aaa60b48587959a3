package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/secret"
)

// What can be imported from a server.
const (
	Prompts   = "prompts"
	Workflows = "workflows"
	Datasets  = "datasets"
	Requests  = "requests"
)

// ServerParts are all parts of a server that can be imported.
var ServerParts = []string{Prompts, Workflows, Datasets, Requests}

// What happens to an object whose name the workspace has already.
const (
	// SkipExisting leaves it out.
	SkipExisting = "skip"
	// AddVersions adds its versions to the object with the name.
	AddVersions = "version"
	// RefuseExisting refuses it.
	RefuseExisting = "refuse"
)

// Conflicts are all of them.
var Conflicts = []string{SkipExisting, AddVersions, RefuseExisting}

// NewObject is an object to be stored.
type NewObject struct {
	Name string
	// Folder is nil for the root.
	Folder *int64
	// External is the id on the other server.
	External entity.ExternalRef
	Author   *string
}

// Target stores objects of other servers in a workspace. Its methods join the
// transaction of the context; on a fault nothing is stored. Faults of what cannot be
// stored are those of the domains: Invalid, BadRequest, NotFound, Conflict.
type Target interface {
	// Find returns the id of the object with a name and the number of its latest
	// version, 0 if there is none.
	Find(ctx context.Context, workspace int64, kind remote.Kind, name string) (id, latest int64, err error)
	// Folder returns the folder of a name in another, and creates it if there is none.
	Folder(ctx context.Context, workspace int64, o NewObject) (int64, error)
	// Prompt adds the versions of a prompt, and returns their numbers by those on the
	// other server.
	Prompt(ctx context.Context, workspace int64, o NewObject, snippet bool, versions []remote.Version) (map[int64]int64, error)
	// Workflow adds the versions of a workflow, to the one with the id unless it is 0.
	Workflow(ctx context.Context, workspace int64, o NewObject, existing int64, versions []remote.Version) error
	// DatasetGroup creates a dataset group and returns its id.
	DatasetGroup(ctx context.Context, workspace int64, o NewObject) (int64, error)
	// LatestDataset returns the number of the latest version of a group, 0 if it has
	// none.
	LatestDataset(ctx context.Context, workspace, group int64) (int64, error)
	// DropDatasetGroup deletes a dataset group. The fault is NotFound if there is none.
	DropDatasetGroup(ctx context.Context, workspace, group int64) error
	// Dataset adds a version to a group, of the rows that read passes to its argument. It
	// does not join a transaction.
	Dataset(ctx context.Context, workspace, group int64, author *string, read func(use func(row []byte) error) error) error
}

// Servers is what imports from other servers need.
type Servers struct {
	Target Target
	Box    *secret.Box
	// CheckURL returns an error for an address that must not be called.
	CheckURL func(address string) error
	// Connect returns a client of a server.
	Connect func(address, key string) *remote.Client
}

// maxKey is the maximum length of an API key.
const maxKey = 1000

// CreateFromServer begins an import from another server. Faults are those of Create, and
// BadRequest if the server must not be called.
func (s *Service) CreateFromServer(ctx context.Context, workspace int64, from source.Server, key string, author *string) (i Import, err error) {
	if err := s.checkServer(&from, key); err != nil {
		return i, err
	}
	if err := requireParts(ctx, &from); err != nil {
		return i, err
	}
	if err := s.checkOpen(ctx, workspace); err != nil {
		return i, err
	}
	address, err := url.Parse(from.Address)
	if err != nil {
		return i, fault.BadRequestf("The address of the server is not valid")
	}
	err = s.store.InTx(ctx, func(ctx context.Context) error {
		i, err = s.store.CreateImport(ctx, Import{
			Workspace: workspace, Name: address.Host, Options: source.Options{Server: &from}, State: Uploading, CreatedBy: author, CreatedAt: s.clock(),
		})
		if err != nil {
			return err
		}
		return s.store.PutPart(ctx, i.ID, KeyContent, 1, s.servers.Box.Seal([]byte(key), keyPlace(&i)))
	})
	return i, err
}

func (s *Service) checkServer(from *source.Server, key string) error {
	if key == "" || len(key) > maxKey || !utf8.ValidString(key) || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fault.BadRequestf("The API key of the server should have from 1 to %d visible characters", maxKey)
	}
	address, err := url.Parse(from.Address)
	if err != nil || address.Host == "" || len(address.Host) > maxName || address.User != nil || strings.Trim(address.Path, "/") != "" || address.RawQuery != "" || address.Fragment != "" {
		return fault.BadRequestf("The address of the server should be like https://api.promptlayer.com, without a path")
	}
	if err := s.servers.CheckURL(from.Address); err != nil {
		return fault.BadRequestf("%s", err.Error())
	}
	if len(from.Parts) == 0 {
		return fault.BadRequestf("Choose what to import: %s", strings.Join(ServerParts, ", "))
	}
	for i, part := range from.Parts {
		if !slices.Contains(ServerParts, part) || slices.Contains(from.Parts[:i], part) {
			return fault.BadRequestf("Unknown or repeated part %q; the parts are %s", part, strings.Join(ServerParts, ", "))
		}
	}
	if !slices.Contains(Conflicts, from.Conflict) {
		return fault.BadRequestf("Unknown conflict %q; use one of %s", from.Conflict, strings.Join(Conflicts, ", "))
	}
	return nil
}

// requireParts requires the permissions of anyone who could store the parts by hand.
func requireParts(ctx context.Context, from *source.Server) error {
	needs := map[string][]access.Permission{
		Prompts:   {access.PromptCreate, access.PromptEdit, access.PromptDeploy},
		Workflows: {access.WorkflowCreate, access.WorkflowEdit, access.WorkflowDeploy},
		Datasets:  {access.DatasetCreate, access.DatasetEdit},
	}
	for _, part := range from.Parts {
		for _, permission := range needs[part] {
			if err := access.Require(ctx, permission); err != nil {
				return err
			}
		}
	}
	return access.Require(ctx, access.ManageData)
}

func keyPlace(i *Import) secret.Place {
	return secret.Place{Scope: "import", Workspace: i.Workspace, Owner: i.ID, Name: "key"}
}

// connect returns a client of the server of an import. The fault is BadRequest if the
// key cannot be read.
func (x *execution) connect() (*remote.Client, error) {
	sealed, err := x.service.store.GetPart(x.Always, x.Now.ID, KeyContent, 1)
	if err != nil {
		return nil, err
	}
	key, err := x.service.servers.Box.Open(sealed, keyPlace(&x.Now))
	if err != nil {
		return nil, fault.BadRequestf("The API key cannot be opened: it was stored with a different secret key")
	}
	return x.service.servers.Connect(x.Now.Options.Server.Address, string(key)), nil
}

// planned is an object that is to be imported, or why it is not.
type planned struct {
	remote.Object
	// Status is "" for one that is.
	Status Note   `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// plan is what an import brings.
type plan struct {
	Objects []planned `json:"objects"`
	// Before is when it was made: request logs that begin later are not imported. Logs
	// is their number.
	Before time.Time `json:"before"`
	Logs   int64     `json:"logs"`
}

// total is the number of objects and request logs.
func (p *plan) total() int64 { return int64(len(p.Objects)) + p.Logs }

// kindsOf returns the kinds of objects of an import.
func kindsOf(from *source.Server) (kinds []remote.Kind) {
	of := map[string][]remote.Kind{Prompts: {remote.Snippet, remote.Prompt}, Workflows: {remote.Workflow}, Datasets: {remote.Dataset}}
	for _, part := range from.Parts {
		kinds = append(kinds, of[part]...)
	}
	if len(kinds) > 0 {
		kinds = append(kinds, remote.Folder)
	}
	return kinds
}

// checkServer makes the plan of an import from a server.
func (x *execution) checkServer(ctx context.Context) error {
	ctx, stop := x.Task.UntilStopping(ctx) // the other server may ask to wait for minutes
	defer stop()
	made, err := x.makePlan(ctx)
	next := x.Now
	failure, isFailure := failureOf(err)
	switch {
	case errors.Is(context.Cause(ctx), job.ErrCancelled):
		next.State, next.Failure = Uploading, "The check was cancelled"
		return x.end(next)
	case isFailure:
		next.State, next.Failure = Uploading, failure
		return x.end(next)
	case err != nil:
		return err
	}
	next.State, next.Size, next.Check = Checked, made.total(), Progress{Bytes: made.total(), Rows: made.total(), Accepted: made.total()}
	var report []byte
	for n, o := range made.Objects {
		if o.Status == "" {
			continue
		}
		next.Check.Accepted--
		e := entryOf(int64(n), &o)
		next.Check.note(e)
		report = appendEntry(report, e)
	}
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
	if len(report) > 0 {
		next.Check.Reports = 1
	}
	return x.end(next, func(ctx context.Context) error {
		if err := x.service.store.DeleteParts(ctx, next.ID, CheckReport); err != nil {
			return err
		}
		if len(report) > 0 {
			if err := x.service.store.PutPart(ctx, next.ID, CheckReport, 1, pack(report)); err != nil {
				return err
			}
		}
		return x.service.store.PutPart(ctx, next.ID, PlanContent, 1, pack(text))
	})
}

// makePlan asks the server what it has, and compares it with the workspace.
func (x *execution) makePlan(ctx context.Context) (*plan, error) {
	client, err := x.connect()
	if err != nil {
		return nil, err
	}
	from := x.Now.Options.Server
	made := &plan{Before: x.service.clock().UTC()}
	if kinds := kindsOf(from); len(kinds) > 0 {
		objects, err := client.Objects(ctx, kinds)
		if err != nil {
			return nil, refusedWhole(err)
		}
		for _, o := range objects {
			p, err := x.compare(ctx, o)
			if err != nil {
				return nil, err
			}
			made.Objects = append(made.Objects, p)
		}
	}
	if slices.Contains(from.Parts, Requests) {
		if made.Logs, err = client.CountLogs(ctx, from.Since, made.Before); err != nil {
			return nil, refusedWhole(err)
		}
	}
	return made, nil
}

// failureOf returns why a server cannot be checked. Anyone who started the check waits for
// it, so that a server that does not answer is a failure, too.
func failureOf(err error) (message string, failed bool) {
	if closed, ok := errors.AsType[*remote.ClosedError](err); ok {
		return closed.Message, true
	}
	if unreachable, ok := errors.AsType[*remote.UnreachableError](err); ok {
		return unreachable.Error(), true
	}
	return job.Failure(err)
}

// refusedWhole makes a call that the server refuses end the job.
func refusedWhole(err error) error {
	if refused, ok := errors.AsType[*remote.RefusedError](err); ok {
		return &remote.ClosedError{Message: refused.Error()}
	}
	return err
}

// compare returns what becomes of an object.
func (x *execution) compare(ctx context.Context, o remote.Object) (planned, error) {
	p := planned{Object: o}
	if o.Kind == remote.Folder { // folders of the same name are one
		return p, nil
	}
	if o.Latest < 1 {
		p.Status, p.Reason = NoteIgnored, "it has no saved version"
		return p, nil
	}
	id, _, err := x.service.servers.Target.Find(ctx, x.Now.Workspace, o.Kind, o.Name)
	if reason, refused := reasonOf(err); refused { // no name that the catalog takes
		p.Status, p.Reason = NoteRefused, reason
		return p, nil
	}
	if err != nil || id == 0 {
		return p, err
	}
	switch x.Now.Options.Server.Conflict {
	case SkipExisting:
		p.Status, p.Reason = NoteExisting, "The workspace has one of this name"
	case RefuseExisting:
		p.Status, p.Reason = NoteRefused, "The workspace has one of this name"
	}
	return p, nil
}

// entryOf returns the entry of the report about an object.
func entryOf(n int64, o *planned) Entry {
	id := strings.ToLower(string(o.Kind)) + " " + strconv.FormatInt(o.ID, 10)
	return Entry{Row: n + 1, ID: id, Status: o.Status, Reason: shortened(fmt.Sprintf("%s: %s", o.Name, o.Reason))}
}

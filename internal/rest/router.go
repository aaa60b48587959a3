package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"time"
)

// DefaultMaxBody is the default of Options.MaxBody in bytes.
const DefaultMaxBody = 32 << 20

// Authenticator identifies the caller by the key, which is "" if there is none, or
// by other parts of the request. It returns the context for the handler and the
// name of the caller for rate limits, "" for a caller without limits, or an
// Unauthorized fault.
type Authenticator func(ctx context.Context, r *http.Request, key string) (_ context.Context, caller string, err error)

// Observation describes a request after the response.
type Observation struct {
	// Op is the operation. Its ID is "unmatched" if none was found.
	Op       *Op
	Status   int
	Duration time.Duration
	// Bytes is the size of the response body.
	Bytes int64
}

// Options configure a Router. Zero values mean no title, no limits,
// DefaultMaxBody, the default logger, no observer, the wall clock and random ids.
type Options struct {
	// Title, Version and About are shown in the documents.
	Title, Version, About string
	// Examples returns bodies for the documents, by the ID of the operation.
	// The first request of a document calls it.
	Examples func() map[string]json.RawMessage
	// Authenticate is required unless every operation has AuthNone.
	Authenticate Authenticator
	// Authorize, if set, decides whether the caller may call the operation at
	// all. Handlers check everything else.
	Authorize func(context.Context, *Op) error
	// Enter returns the context for a handler whose input selects a scope, or
	// the fault of a caller who may not enter it. It is required if an input is
	// Scoped.
	Enter   func(ctx context.Context, scope int64) (context.Context, error)
	Limiter *Limiter
	MaxBody int64
	// BodyMemory limits the memory of all request bodies in progress; a body
	// beyond it is rejected with 503. 0 means no limit.
	BodyMemory int64
	// Stall is how long a client may send nothing of a body. 0 means no limit.
	Stall time.Duration
	// Share, if set, is called before a large body is parsed. It waits for the
	// turn of the caller, who must call end after it.
	Share        func(context.Context) (end func(), err error)
	Logger       *slog.Logger
	Observe      func(Observation)
	Now          func() time.Time
	NewRequestID func() string
}

// Router serves a table of operations. It is an http.Handler.
type Router struct {
	options    Options
	operations []*operation
	table      table
	admission  admission
	refusals   throttle
	document   func() (*document, error)
}

// operation is a compiled Op.
type operation struct {
	Op
	pattern pattern
	plan    *plan // nil for raw handlers without input
	hasBody bool
	maxBody int64
	maxJSON int64
}

// unmatched is the operation of requests that match none.
var unmatched = &operation{Op: Op{ID: "unmatched"}}

// New compiles the operations. It fails if CheckOps finds problems, if an input
// cannot be bound, or if an operation needs an Authenticator and there is none.
func New(ops []Op, options Options) (*Router, error) {
	options.MaxBody = cmp.Or(options.MaxBody, DefaultMaxBody)
	if options.Logger == nil {
		options.Logger = slog.Default()
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.NewRequestID == nil {
		options.NewRequestID = func() string { return strconv.FormatUint(rand.Uint64(), 36) }
	}
	if options.Limiter == nil {
		options.Limiter = NewLimiter(options.Now, nil, nil)
	}
	operations, err := compileOps(ops, options.MaxBody)
	if err != nil {
		return nil, err
	}
	for _, op := range operations {
		if op.Auth != AuthNone && options.Authenticate == nil {
			return nil, fmt.Errorf("operation %s needs an authenticator", op.ID)
		}
		if op.scoped() && options.Enter == nil {
			return nil, fmt.Errorf("operation %s needs Options.Enter", op.ID)
		}
	}
	rt := &Router{options: options, operations: operations, table: newTable(operations), admission: newAdmission(options)}
	rt.document = sync.OnceValues(rt.buildOpenAPI)
	return rt, nil
}

// compileOps checks and compiles the operations and reports all problems.
func compileOps(ops []Op, maxBody int64) ([]*operation, error) {
	var errs []error
	operations := make([]*operation, 0, len(ops))
	for i := range ops {
		op, err := compileOp(ops[i], maxBody)
		if err != nil {
			errs = append(errs, fmt.Errorf("operation %s: %w", cmp.Or(ops[i].ID, ops[i].Path), err))
			continue
		}
		operations = append(operations, op)
	}
	errs = append(errs, checkUnique(operations)...)
	return operations, errors.Join(errs...)
}

func compileOp(op Op, maxBody int64) (*operation, error) {
	o := &operation{Op: op, maxBody: cmp.Or(op.MaxBody, maxBody)}
	o.maxJSON = o.maxBody
	if len(op.Accept) > 0 {
		o.maxJSON = maxBody
	}
	if err := checkOp(&o.Op); err != nil {
		return nil, err
	}
	var err error
	if o.pattern, err = parsePattern(op.Path); err != nil {
		return nil, err
	}
	bodyFields := false
	if in := op.Handler.in; in != nil {
		// What a handler binds itself may only be documented, so it need not be
		// possible to bind it.
		if op.Handler.newIn != nil {
			o.plan, err = planOf(in)
		} else if in.Kind() == reflect.Struct {
			o.plan, err = compileParams(in)
		}
		if err != nil {
			return nil, err
		}
		bodyFields = documentsBody(in)
	}
	o.hasBody = bodyFields || len(op.Accept) > 0 || op.Auth == AuthKeyOrBody
	return o, o.checkParams()
}

// documentsBody reports whether an input type has fields in the body.
func documentsBody(in reflect.Type) bool {
	if in.Kind() != reflect.Struct || reflect.PointerTo(in).Implements(jsonBinderType) {
		return true
	}
	found := errors.New("found")
	return walkFields(in, nil, func(f reflect.StructField, _ []int) error {
		if _, ok := tagName(f, "json"); ok {
			return found
		}
		return nil
	}) != nil
}

// Handles reports whether an operation has the path of the request, with any
// method.
func (rt *Router) Handles(r *http.Request) bool {
	var l location
	if !l.split(r.URL) {
		return false
	}
	known := false
	rt.table.candidates(&l, func(*operation) bool {
		known = true
		return false
	})
	return known
}

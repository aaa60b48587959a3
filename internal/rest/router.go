package rest

import (
	"cmp"
	"context"
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

// DefaultMaxBody is the largest body in bytes where Options name none.
const DefaultMaxBody = 32 << 20

// Authenticator finds out who calls by the key, which is "" where there is
// none, or by what else the request has. It returns the context for the handler
// and a name for the caller that rate limits count by, "" for one that has no
// limits, or an Unauthorized fault when nobody is known.
type Authenticator func(ctx context.Context, r *http.Request, key string) (_ context.Context, caller string, err error)

// Observation is what is known of a request once it was answered.
type Observation struct {
	// Op is the operation; its ID is "unmatched" where none was found.
	Op       *Op
	Status   int
	Duration time.Duration
	// Bytes is the size of the answer's body.
	Bytes int64
}

// Options are what the kernel is given from outside. Zero values mean: no
// title, no limits, DefaultMaxBody, the default logger, nobody observes, the
// wall clock, random ids.
type Options struct {
	// Title, Version and About head the documents.
	Title, Version, About string
	// Authenticate is needed unless every operation has AuthNone.
	Authenticate Authenticator
	Limiter      *Limiter
	MaxBody      int64
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
	page       func() []byte
}

// operation is an Op made ready to run.
type operation struct {
	Op
	pattern pattern
	plan    *plan // nil for raw handlers without input
	hasBody bool
	maxBody int64
	maxJSON int64
}

// unmatched stands for requests that no operation took.
var unmatched = &operation{Op: Op{ID: "unmatched"}}

// New compiles the operations. It fails on what CheckOps finds, on inputs that
// cannot be bound, and when an operation needs an Authenticator and none is
// given.
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
		options.Limiter = NewLimiter(options.Now, nil)
	}
	operations, err := compileOps(ops, options.MaxBody)
	if err != nil {
		return nil, err
	}
	for _, op := range operations {
		if op.Auth != AuthNone && options.Authenticate == nil {
			return nil, fmt.Errorf("operation %s needs an authenticator", op.ID)
		}
	}
	rt := &Router{options: options, operations: operations, table: newTable(operations), admission: newAdmission(options)}
	rt.document = sync.OnceValues(rt.buildOpenAPI)
	rt.page = sync.OnceValue(rt.buildDocsPage)
	return rt, nil
}

// compileOps checks and compiles the operations, reporting all that is wrong.
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
		// The body of a raw handler's input is for the documents: only a
		// typed handler's must be one that can be bound.
		if op.Handler.raw == nil {
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

// documentsBody reports whether an input type has a part in the body.
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

// Handles reports whether some operation has the request's path, whatever its
// method. A caller asks before it serves something else under unknown paths.
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

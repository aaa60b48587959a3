package render

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/template/render/jinja"
)

// The limits of one request. A step takes far less than a microsecond, so the
// step limit usually stops a runaway template before the time limit, and always
// at the same point.
const (
	maxOutput = 8 << 20
	maxMemory = 32 << 20
	maxSteps  = 10_000_000
	maxTime   = 2 * time.Second
)

// errTime is the error for texts that take too long.
var errTime = fault.New(fault.Invalid, "rendering exceeds the time limit")

// Budget limits the output, steps and time of all texts of one request. Memory
// is limited for each text. A budget is safe for concurrent use; texts are then
// rendered one at a time.
type Budget struct {
	mu    sync.Mutex
	meter jinja.Meter
}

// shortSteps is the number of steps that a request may take without waiting for
// its turn. Hardly any template takes more.
const shortSteps = 4096

// NewBudget returns a full budget. Its time starts now, and it ends with the
// context. If wait is not nil, it is called once a request turns out to be
// long, to wait for its turn; the time that it takes does not count.
func NewBudget(ctx context.Context, wait func() error) *Budget {
	b := &Budget{meter: jinja.Meter{Steps: maxSteps, Memory: maxMemory, Output: maxOutput}}
	stopped := untilStopped(ctx, time.Now)
	b.meter.Stopped = func() error {
		if maxSteps-b.meter.Steps <= shortSteps {
			return stopped()
		}
		if wait != nil {
			if err := wait(); err != nil {
				return err
			}
			wait, stopped = nil, untilStopped(ctx, time.Now)
		}
		runtime.Gosched() // so that short requests are not delayed
		return stopped()
	}
	return b
}

// untilStopped returns a function that reports an error once the time is up or
// the context has ended.
func untilStopped(ctx context.Context, now func() time.Time) func() error {
	end := now().Add(maxTime)
	return func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if now().After(end) {
			return errTime
		}
		return nil
	}
}

// emit charges the budget for a finished text.
func (b *Budget) emit(bytes int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.meter.Emit(bytes); err != nil {
		return limit(err)
	}
	return nil
}

// check returns an error if the time is up or the context has ended.
func (b *Budget) check() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.meter.Stopped()
}

func (b *Budget) render(p *parsed, values *Values) (Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meter.Memory = maxMemory // memory of earlier texts is garbage by now
	if p.template == nil {
		return p.fields.render(values, &b.meter)
	}
	out, err := p.template.Render(values.Get, &b.meter)
	return Result{Text: out.Text, Undefined: out.Missing}, err
}

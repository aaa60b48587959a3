package render

import (
	"context"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt/render/jinja"
)

// The bounds of one request. A step is far below a microsecond, so the steps
// usually end a runaway template before the clock does, and always alike.
const (
	maxOutput = 8 << 20
	maxMemory = 32 << 20
	maxSteps  = 10_000_000
	maxTime   = 2 * time.Second
)

// errTime is the fault of every text that takes too long.
var errTime = fault.New(fault.Invalid, "rendering stopped at the limit of time")

// Budget is what all texts of one request may use together: output, work and
// time. Memory is bounded for each text by itself. A budget is safe for
// concurrent use; texts then wait for each other.
type Budget struct {
	mu    sync.Mutex
	meter jinja.Meter
}

// NewBudget returns a full budget. Its time runs from now on, and it ends with
// the context.
func NewBudget(ctx context.Context) *Budget {
	return &Budget{meter: jinja.Meter{
		Steps: maxSteps, Memory: maxMemory, Output: maxOutput,
		Stopped: untilStopped(ctx, time.Now),
	}}
}

// untilStopped returns the check that ends a rendering: at its time, or with
// the context.
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

// emit takes the length of a finished text off the budget.
func (b *Budget) emit(bytes int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.meter.Emit(bytes); err != nil {
		return limit(err)
	}
	return nil
}

// check reports whether the time is over or the context has ended.
func (b *Budget) check() error { return b.meter.Stopped() }

func (b *Budget) render(p *parsed, values *Values) (Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meter.Memory = maxMemory // what earlier texts built is garbage by now
	if p.template == nil {
		return p.fields.render(values, &b.meter)
	}
	out, err := p.template.Render(values.Get, &b.meter)
	return Result{Text: out.Text, Undefined: out.Missing}, err
}

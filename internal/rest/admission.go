package rest

import "github.com/promptuary/promptuary/internal/fault"

// admission decides whether a request may proceed now. Every limit that
// depends on the caller is checked in enter, before the body is read.
type admission struct {
	limiter *Limiter
	// known is the memory for bodies of identified callers. strangers is a
	// smaller one for bodies that must be read to identify the caller, so that
	// those cannot use up the memory of the others.
	known, strangers *bodyBudget
}

func newAdmission(o Options) admission {
	return admission{limiter: o.Limiter, known: newBodyBudget(o.BodyMemory), strangers: newBodyBudget(o.BodyMemory / 4)}
}

// enter admits a request whose caller is known. The fault is RateLimited or
// Unavailable.
func (a *admission) enter(r *Request) error {
	if r.op.Auth == AuthNone {
		return nil
	}
	if err := a.count(r); err != nil {
		return err
	}
	return r.cost.moveTo(a.known)
}

// count counts the call against the rate limit of the operation.
func (a *admission) count(r *Request) error {
	if r.op.Limit == "" || r.Caller == "" {
		return nil
	}
	wait, ok, err := a.limiter.Allow(r.ctx, r.op.Limit, r.Caller)
	if ok || err != nil {
		return err
	}
	refused := fault.New(fault.RateLimited, "Rate limit exceeded. Please retry later.")
	refused.RetryAfter = wait
	return refused
}

package job

import (
	"log/slog"
	"time"
)

// Options configure a Runner.
type Options struct {
	Store Store
	// Owner is the unique name of the process.
	Owner string
	// Alone means that no other process uses the store, so that all leases can
	// be released at the start.
	Alone bool
	// Total and Each limit the number of concurrent jobs, in total and per
	// workspace.
	Total, Each int
	// LeaseFor is how long a job is held without an extension.
	LeaseFor time.Duration
	// LookEvery is the interval of looking for jobs to take over.
	LookEvery time.Duration
	Logger    *slog.Logger
}

// Default options.
const (
	defaultLease = 30 * time.Second
	defaultLook  = time.Second
	defaultTotal = 2000
	defaultEach  = 1000
)

func (o Options) withDefaults() Options {
	if o.LeaseFor == 0 {
		o.LeaseFor = defaultLease
	}
	if o.LookEvery == 0 {
		o.LookEvery = defaultLook
	}
	if o.Total == 0 {
		o.Total = defaultTotal
	}
	if o.Each == 0 {
		o.Each = defaultEach
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

package client

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// Options configure a Service. Keys is required; zero values of the others
// select defaults.
type Options struct {
	// Keys finds keys and URLs.
	Keys Keys
	// Guarded calls URLs set by a workspace. If it is nil, such URLs are not
	// called.
	Guarded *http.Client
	// Trusted calls the URLs of providers and those set by the operator.
	Trusted *http.Client

	// Timeout limits a call with all its attempts and waits. The default is 5
	// minutes.
	Timeout time.Duration
	// Retries is the maximum number of retries, none if negative. The default
	// is 2.
	Retries int
	// LongestWait limits the wait between two attempts. A call is not retried
	// if the provider requests a longer one. The default is 30 seconds.
	LongestWait time.Duration
	// Concurrency limits the concurrent calls to one provider. The default is
	// 32.
	Concurrency int
	// MaxAnswer limits the size of an answer in bytes. The default is 32 MiB.
	MaxAnswer int64

	// Models returns the names of the known models of a provider. It may be nil.
	Models func(provider string) []string
	// EmbeddingModel is the model of Embed.
	EmbeddingModel string
	// DefaultModels are the models of Question, in order of preference.
	DefaultModels []Model

	// Now is the clock, Wait waits unless the context ends first, and Random
	// returns a number in [0, 1) that spreads the waits of many callers.
	Now    func() time.Time
	Wait   func(ctx context.Context, d time.Duration) error
	Random func() float64
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, 5*time.Minute)
	o.Retries = cmp.Or(o.Retries, 2)
	o.LongestWait = cmp.Or(o.LongestWait, 30*time.Second)
	o.Concurrency = cmp.Or(o.Concurrency, 32)
	o.MaxAnswer = cmp.Or(o.MaxAnswer, 32<<20)
	o.EmbeddingModel = cmp.Or(o.EmbeddingModel, "text-embedding-3-small")
	if len(o.DefaultModels) == 0 {
		o.DefaultModels = defaultModels
	}
	if o.Trusted == nil {
		o.Trusted = newClient(o.Concurrency)
	}
	if o.Models == nil {
		o.Models = func(string) []string { return nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	return o
}

// newClient returns a client that keeps a connection to a provider for each
// concurrent call.
func newClient(connections int) *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return &http.Client{}
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = connections
	return &http.Client{Transport: transport}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

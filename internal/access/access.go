// Package access knows who calls: API keys, and the workspace each opens.
package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// KeyPrefix begins every API key; some clients refuse keys without it.
const KeyPrefix = "pl_"

// NewKey returns a new random API key.
func NewKey() string {
	var secret [24]byte
	_, _ = rand.Read(secret[:]) // never fails
	return KeyPrefix + hex.EncodeToString(secret[:])
}

// Hash returns what is stored of a key.
func Hash(key string) [sha256.Size]byte { return sha256.Sum256([]byte(key)) }

// LastFour returns the end of a key, by which people recognise it.
func LastFour(key string) string { return key[max(0, len(key)-4):] }

// Caller is who makes a request.
type Caller struct {
	KeyID     int64
	Workspace int64
	// Email is the address of the key's owner, "" where it has none.
	Email string
}

type callerKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller of the request that ctx belongs to, the zero
// Caller outside of one. No workspace has the id 0.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Keys finds live API keys.
type Keys interface {
	// FindCaller returns who holds the key with the hash, or a NotFound fault
	// when there is no such key or it was revoked.
	FindCaller(ctx context.Context, hash [sha256.Size]byte) (Caller, error)
}

// cacheFor is how long a key is trusted without looking again, and so how long
// a key that another process revokes still works.
const cacheFor = 2 * time.Second

// maxCached bounds the memory that remembered keys take.
const maxCached = 10_000

// Guard tells callers by their keys. It is safe for concurrent use.
type Guard struct {
	keys  Keys
	clock func() time.Time

	mu     sync.RWMutex
	recent map[[sha256.Size]byte]remembered
}

type remembered struct {
	caller Caller
	until  time.Time
}

// NewGuard returns a guard over the keys.
func NewGuard(keys Keys, clock func() time.Time) *Guard {
	return &Guard{keys: keys, clock: clock, recent: map[[sha256.Size]byte]remembered{}}
}

// Identify returns who holds the key, or an Unauthorized fault.
func (g *Guard) Identify(ctx context.Context, key string) (Caller, error) {
	hash := Hash(key)
	now := g.clock()
	g.mu.RLock()
	known, ok := g.recent[hash]
	g.mu.RUnlock()
	if ok && now.Before(known.until) {
		return known.caller, nil
	}
	caller, err := g.keys.FindCaller(ctx, hash)
	if fault.Is(err, fault.NotFound) {
		g.forget(hash)
		return Caller{}, fault.New(fault.Unauthorized, "Invalid or missing API key")
	}
	if err != nil {
		return Caller{}, err
	}
	g.remember(hash, remembered{caller: caller, until: now.Add(cacheFor)})
	return caller, nil
}

func (g *Guard) remember(hash [sha256.Size]byte, r remembered) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.recent) >= maxCached {
		clear(g.recent)
	}
	g.recent[hash] = r
}

func (g *Guard) forget(hash [sha256.Size]byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.recent, hash)
}

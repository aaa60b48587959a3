package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// KeyPrefix begins every API key; some clients refuse keys without it.
const KeyPrefix = "pl_"

// Hash is the SHA-256 of a secret, which is all that is stored of one. Secrets
// are found by their hash: how long that takes tells nothing about them.
type Hash = [sha256.Size]byte

// HashOf returns what is stored of a secret.
func HashOf(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// NewKey returns a new random API key.
func NewKey() string { return KeyPrefix + newSecret() }

// newSecret returns 48 random hexadecimal digits.
func newSecret() string {
	var secret [24]byte
	_, _ = rand.Read(secret[:]) // never fails
	return hex.EncodeToString(secret[:])
}

// LastFour returns the end of a key, by which people recognise it.
func LastFour(key string) string { return key[max(0, len(key)-4):] }

// Key is an API key of a workspace.
type Key struct {
	ID          int64
	WorkspaceID int64
	Hash        Hash
	// Name is what people call the key; it may be empty and need not be unique.
	Name string
	// LastFour is the end of the key, by which people recognise it.
	LastFour   string
	OwnerEmail *string
	Roles      []Role
	CreatedAt  time.Time
	// ExpiresAt is when the key ends by itself, nil for never.
	ExpiresAt *time.Time
	// LastUsedAt is when the key was used last, to about a minute.
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// ended reports whether the key works no longer.
func (k *Key) ended(now time.Time) bool {
	return k.RevokedAt != nil || k.ExpiresAt != nil && !now.Before(*k.ExpiresAt)
}

package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// KeyPrefix is the prefix of every API key; some clients reject keys without it.
const KeyPrefix = "pl_"

// Hash is the SHA-256 of a secret; the secret itself is never stored. Secrets are
// looked up by their hash, so that timing reveals nothing about them.
type Hash = [sha256.Size]byte

// HashOf returns the hash of a secret.
func HashOf(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// NewKey returns a new random API key.
func NewKey() string { return KeyPrefix + newSecret() }

// newSecret returns 48 random hexadecimal digits.
func newSecret() string {
	var secret [24]byte
	_, _ = rand.Read(secret[:]) // never fails
	return hex.EncodeToString(secret[:])
}

// LastFour returns the last four characters of a key, by which users recognise
// it.
func LastFour(key string) string { return key[max(0, len(key)-4):] }

// Key is an API key of a workspace.
type Key struct {
	ID          int64
	WorkspaceID int64
	Hash        Hash
	// Name is the display name; it may be empty and need not be unique.
	Name string
	// LastFour is the last four characters of the key.
	LastFour   string
	OwnerEmail *string
	Roles      []Role
	CreatedAt  time.Time
	// ExpiresAt is nil if the key does not expire.
	ExpiresAt *time.Time
	// LastUsedAt is when the key was last used, to about a minute.
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// ended reports whether the key is revoked or expired.
func (k *Key) ended(now time.Time) bool {
	return k.RevokedAt != nil || k.ExpiresAt != nil && !now.Before(*k.ExpiresAt)
}

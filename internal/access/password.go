package access

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/promptuary/promptuary/internal/fault"
)

// The limits of the length of a password, in characters.
const (
	minPassword = 10
	maxPassword = 1000
)

// The cost of a hash: 19 MiB and two passes, about 30 ms of one core.
const (
	argonMemory = 19 * 1024
	argonTime   = 2
	argonSalt   = 16
	argonLength = 32
)

// hashFormat is the standard encoding of an argon2id hash with its parameters.
const hashFormat = "$argon2id$v=19$m=%d,t=%d,p=1$%s$%s"

// hashers limits the number of concurrent password hashes, and so the memory that
// sign-in attempts can use.
type hashers chan struct{}

func (h hashers) run(ctx context.Context, work func()) error {
	select {
	case h <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-h }()
	work()
	return nil
}

// checkPassword reports the problems of a new password.
func checkPassword(password string, problems *fault.Problems) {
	loc := fault.In("password")
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword:
		problems.Report(loc, fault.MinLength(minPassword))
	case n > maxPassword:
		problems.Report(loc, fault.MaxLength(maxPassword))
	}
}

// hashPassword returns the hash of a password in hashFormat.
func hashPassword(password string) string {
	var salt [argonSalt]byte
	_, _ = rand.Read(salt[:]) // never fails
	sum := argon2.IDKey([]byte(password), salt[:], argonTime, argonMemory, 1, argonLength)
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf(hashFormat, argonMemory, argonTime, encode(salt[:]), encode(sum))
}

// nobody is a hash that no password matches. Checking it takes as long as checking
// a real one, so that timing does not reveal whether an address is known.
var nobody = fmt.Sprintf(hashFormat, argonMemory, argonTime,
	strings.Repeat("A", base64.RawStdEncoding.EncodedLen(argonSalt)), strings.Repeat("A", base64.RawStdEncoding.EncodedLen(argonLength)))

// matches reports whether a password matches the hash, using the parameters of the
// hash.
func matches(hash, password string) bool {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 {
		return false
	}
	var memory, passes uint32
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=1", &memory, &passes); err != nil || passes == 0 {
		return false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) == 0 {
		return false
	}
	got := argon2.IDKey([]byte(password), salt, passes, memory, 1, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}

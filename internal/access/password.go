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

// What a password can be, in characters.
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

// hashFormat is the usual encoding of an argon2id hash with its parameters.
const hashFormat = "$argon2id$v=19$m=%d,t=%d,p=1$%s$%s"

// hashers bounds how many passwords are hashed at once, and so the memory that
// people who try to sign in can make the program use.
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

// checkPassword records what is wrong with a new password.
func checkPassword(password string, problems *fault.Problems) {
	loc := []any{"body", "password"}
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword:
		problems.Report(loc, fault.MinLength(minPassword))
	case n > maxPassword:
		problems.Report(loc, fault.MaxLength(maxPassword))
	}
}

// hashPassword returns what is stored of a password.
func hashPassword(password string) string {
	var salt [argonSalt]byte
	_, _ = rand.Read(salt[:]) // never fails
	sum := argon2.IDKey([]byte(password), salt[:], argonTime, argonMemory, 1, argonLength)
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf(hashFormat, argonMemory, argonTime, encode(salt[:]), encode(sum))
}

// nobody is the hash of no password: checking against it takes as long as
// against a real one, so that an unknown address cannot be told by the time.
var nobody = fmt.Sprintf(hashFormat, argonMemory, argonTime,
	strings.Repeat("A", base64.RawStdEncoding.EncodedLen(argonSalt)), strings.Repeat("A", base64.RawStdEncoding.EncodedLen(argonLength)))

// matches reports whether a password has the hash, with the parameters that
// the hash was made with.
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

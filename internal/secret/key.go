package secret

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// KeySize is the length of a key in bytes.
const KeySize = 32

// Key is a secret key. It is never printed.
type Key struct{ bytes [KeySize]byte }

// NewKey returns a new random key.
func NewKey() Key {
	var k Key
	_, _ = rand.Read(k.bytes[:]) // never fails
	return k
}

// errNoKey does not contain the text, which may be a mistyped key.
var errNoKey = errors.New("must be 32 bytes in base64 or hex")

// ParseKey parses a key: 64 hexadecimal digits, or base64 in either alphabet,
// with or without padding. It ignores lines that begin with #.
func ParseKey(text string) (Key, error) {
	text = withoutComments(text)
	decode := decodeBase64
	if len(text) == hex.EncodedLen(KeySize) {
		decode = hex.DecodeString
	}
	var k Key
	decoded, err := decode(text)
	if err != nil || len(decoded) != KeySize {
		return Key{}, errNoKey
	}
	copy(k.bytes[:], decoded)
	return k, nil
}

func withoutComments(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	return strings.TrimSpace(kept.String())
}

var toStandard = strings.NewReplacer("-", "+", "_", "/")

func decodeBase64(text string) ([]byte, error) {
	// encoding/base64 ignores line breaks, so two unrelated lines could pass
	// as a key.
	if strings.ContainsAny(text, "\r\n") {
		return nil, errNoKey
	}
	return base64.RawStdEncoding.Strict().DecodeString(toStandard.Replace(strings.TrimRight(text, "=")))
}

// text returns the key in the form of the key file.
func (k Key) text() string { return base64.StdEncoding.EncodeToString(k.bytes[:]) }

// Derive returns a key for another purpose, from which this one cannot be
// computed.
func (k Key) Derive(purpose string) []byte {
	sum := hmac.New(sha256.New, k.bytes[:])
	sum.Write([]byte(purpose))
	return sum.Sum(nil)
}

// Format hides the key from all verbs of package fmt, and thus from logs.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(secret key)") }

package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// secretPrefix is the beginning of every secret, as the Standard Webhooks
// specification has it.
const secretPrefix = "whsec_"

// newSecret returns a secret of 256 random bits.
func newSecret() string {
	var key [32]byte
	_, _ = rand.Read(key[:]) // it never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key[:])
}

// NewEventID returns the id of an event.
func NewEventID() string { return "evt_" + strings.ToLower(rand.Text()) }

// Headers returns the headers of a signed delivery. Two signatures cover the body:
// that of the Standard Webhooks specification, which covers the time of the attempt,
// too, and the one that receivers of PromptLayer's webhooks verify.
func Headers(secret, eventID string, at time.Time, body []byte) map[string]string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		key = []byte(secret)
	}
	standard := sum(key, []byte(eventID+"."+seconds+"."), body)
	return map[string]string{
		"webhook-id": eventID, "webhook-timestamp": seconds, "webhook-signature": "v1," + base64.StdEncoding.EncodeToString(standard),
		"X-PromptLayer-Signature": hex.EncodeToString(sum([]byte(secret), body)),
	}
}

func sum(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

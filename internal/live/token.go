package live

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// tokenLife is how long a token can be used to connect. Connections last
// longer.
const tokenLife = time.Hour

// Token allows its bearer to subscribe to one channel.
type Token struct {
	// Token is the token that a client connects with.
	Token           string
	Issued, Expires time.Time
	// ClientID is the client that the token was issued to.
	ClientID string
	// Capability lists the allowed actions on each channel.
	Capability map[string][]string
}

// Token returns a token for a channel of a workspace. Whether the channel
// exists is checked when a client subscribes.
func (s *Server) Token(workspace int64, channel string) Token {
	issued := s.options.Clock()
	expires := issued.Add(tokenLife)
	t := topic{workspace, channel}
	return Token{
		Token: s.sign(t, expires), Issued: issued, Expires: expires, ClientID: t.owner(),
		Capability: map[string][]string{channel: {"subscribe"}},
	}
}

// tokenPurpose separates these signatures from others made with the same key.
const tokenPurpose = "promptuary live token 1\n"

// tokenText rejects other encodings of the same bytes.
var tokenText = base64.RawURLEncoding.Strict()

// sign returns a token: its content and a signature.
func (s *Server) sign(t topic, expires time.Time) string {
	said := strconv.FormatInt(t.workspace, 10) + " " + strconv.FormatInt(expires.UnixMilli(), 10) + " " + t.channel
	return tokenText.EncodeToString([]byte(said)) + "." + tokenText.EncodeToString(s.proof(said))
}

func (s *Server) proof(said string) []byte {
	mac := hmac.New(sha256.New, s.options.Key)
	mac.Write([]byte(tokenPurpose + said))
	return mac.Sum(nil)
}

// verify returns the topic of a token, and whether its signature is valid and
// it has not expired.
func (s *Server) verify(token string) (topic, bool) {
	encoded, proof, _ := strings.Cut(token, ".")
	said, err := tokenText.DecodeString(encoded)
	if err != nil {
		return topic{}, false
	}
	given, err := tokenText.DecodeString(proof)
	if err != nil || !hmac.Equal(given, s.proof(string(said))) {
		return topic{}, false
	}
	return s.readToken(string(said))
}

// readToken parses the content of a token with a valid signature.
func (s *Server) readToken(said string) (topic, bool) {
	parts := strings.SplitN(said, " ", 3)
	if len(parts) != 3 {
		return topic{}, false
	}
	workspace, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return topic{}, false
	}
	expires, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return topic{}, false
	}
	return topic{workspace, parts[2]}, s.options.Clock().Before(time.UnixMilli(expires))
}

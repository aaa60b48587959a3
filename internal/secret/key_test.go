package secret_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/secret"
)

// raw has bytes that differ in the two alphabets of base64.
var raw = bytes.Repeat([]byte{0xfb, 0xff, 0x3e, 0x07}, secret.KeySize/4)

func TestParseKey(t *testing.T) {
	t.Parallel()
	want, err := secret.ParseKey(hex.EncodeToString(raw))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"upper-case hex":  strings.ToUpper(hex.EncodeToString(raw)),
		"base64":          base64.StdEncoding.EncodeToString(raw),
		"without padding": base64.RawStdEncoding.EncodeToString(raw),
		"of addresses":    base64.URLEncoding.EncodeToString(raw),
		"with line break": base64.StdEncoding.EncodeToString(raw) + "\n",
	} {
		if got, err := secret.ParseKey(text); err != nil || got != want {
			t.Errorf("%s: got another key, %v", name, err)
		}
	}
}

func TestParseKeyRejects(t *testing.T) {
	t.Parallel()
	good := base64.StdEncoding.EncodeToString(raw)
	for name, text := range map[string]string{
		"nothing":          "",
		"a password":       "correct horse battery staple",
		"16 bytes":         hex.EncodeToString(raw[:16]),
		"31 bytes":         base64.StdEncoding.EncodeToString(raw[:31]),
		"33 bytes":         base64.StdEncoding.EncodeToString(append(bytes.Clone(raw), 1)),
		"64 letters":       strings.Repeat("z", 64),
		"two lines":        good[:20] + "\n" + good[20:],
		"bits left over":   strings.TrimRight(good, "=")[:42] + "d",
		"a key and a half": good + good[:22],
	} {
		_, err := secret.ParseKey(text)
		if err == nil || err.Error() != "must be 32 bytes in base64 or hex" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestNewKeysDiffer(t *testing.T) {
	t.Parallel()
	if one, two := secret.NewKey(), secret.NewKey(); one == two || one == (secret.Key{}) {
		t.Error("got the same key twice, or none")
	}
}

func TestKeysAreNeverPrinted(t *testing.T) {
	t.Parallel()
	key, err := secret.ParseKey(hex.EncodeToString(raw))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	timeless := &slog.HandlerOptions{ReplaceAttr: withoutTime} // its digits could match those of a key
	slog.New(slog.NewTextHandler(&out, timeless)).Info("key", "key", key, "in", struct{ Key secret.Key }{key})
	slog.New(slog.NewJSONHandler(&out, timeless)).Info("key", "key", key, "pointer", &key)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		fmt.Fprintf(&out, verb+verb+verb+"\n", key, &key, struct{ Key secret.Key }{key})
	}
	text, err := json.Marshal(map[string]any{"key": key})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	for _, shown := range []string{"251", "fbff", "FBFF", "+/8+", "0xfb"} {
		if strings.Contains(out.String(), shown) {
			t.Errorf("%s of the key is printed in:\n%s", shown, out.String())
		}
	}
}

func withoutTime(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) == 0 && attr.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return attr
}

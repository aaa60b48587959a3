package webhook

import (
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// TestEnvelopeIsWrittenAsPythonWritesIt compares with the output of
// json.dumps(…, sort_keys=True).
func TestEnvelopeIsWrittenAsPythonWritesIt(t *testing.T) {
	t.Parallel()
	got := appendValue(nil, Details{
		"z": nil, "a": []any{int64(1), int64(-2), 0.5, 87.0, 1e-05, 1e16, 1234567.25, true, false},
		"é": "q\"\\\n\t\b\f\r\x01\x7f é 日 🙂 <&>", "m": Details{"b": int64(1), "a": Details{}}, "l": []any{},
	})
	check.Equal(t, "text", string(got), `{"a": [1, -2, 0.5, 87.0, 1e-05, 1e+16, 1234567.25, true, false], "l": [], "m": {"a": {}, "b": 1}, "z": null, `+
		`"\u00e9": "q\"\\\n\t\b\f\r\u0001\u007f \u00e9 \u65e5 \ud83d\ude42 <&>"}`)
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 5000, time.UTC)
	check.Equal(t, "of nobody", Envelope("evt_1", Test, 3, Details{"x": int64(1)}, Actor{}, at),
		`{"details": {"x": 1}, "event_type": "test", "id": "evt_1", "timestamp": "2026-03-01T12:00:00.000005Z", "user_email": null, "user_id": null, "user_name": null, "workspace_id": 3}`)
	check.Equal(t, "of a person", strings.Contains(Envelope("evt_1", Test, 3, nil, Actor{7, "Ann", "ann@x.test"}, at),
		`"user_email": "ann@x.test", "user_id": 7, "user_name": "Ann"`), true)
}

// TestHeaders compares with signatures that Python's hmac module computed.
func TestHeaders(t *testing.T) {
	t.Parallel()
	const key = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	got := Headers(key, "evt_1", time.Unix(1700000000, 0), []byte(`{"event_type": "test", "id": "evt_1"}`))
	check.Equal(t, "headers", got, map[string]string{
		"webhook-id": "evt_1", "webhook-timestamp": "1700000000", "webhook-signature": "v1,zbJizPLONaVopa7b5QMZFuvXOTWFXfROy187QDyZUCY=",
		"X-PromptLayer-Signature": "58c601b128d84c6ca3a5e84b9d2dab10eb8757c44717d52339e29aa50dee9b37",
	})
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	for failures, least := range map[int64]time.Duration{1: 10 * time.Second, 2: 40 * time.Second, 3: 160 * time.Second, 7: 6 * time.Hour, 9: 6 * time.Hour} {
		wait, again := Backoff(failures)
		if !again || wait < least || wait > least+least/5 {
			t.Errorf("after %d failures: %s, %t", failures, wait, again)
		}
	}
	if _, again := Backoff(10); again {
		t.Error("there is an eleventh attempt")
	}
}

func TestSlackMessages(t *testing.T) {
	t.Parallel()
	body := Envelope("evt_1", LabelMoved, 3, Details{"name": "<!channel> & co", "version_number": int64(2), "previous_version_number": nil}, Actor{}, time.Now())
	check.Equal(t, "text", string(slackMessage(body)), `{"text": "Promptuary: Release label moved\nname: &lt;!channel&gt; &amp; co\nversion number: 2"}`)
}

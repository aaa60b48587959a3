package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/rest"
)

func TestTimeEncoding(t *testing.T) {
	t.Parallel()
	for micros, want := range map[rest.Time]string{
		0:                       `"1970-01-01T00:00:00Z"`,
		1_700_000_000_000_000:   `"2023-11-14T22:13:20Z"`,
		1_700_000_000_500_000:   `"2023-11-14T22:13:20.5Z"`,
		1_700_000_000_000_001:   `"2023-11-14T22:13:20.000001Z"`,
		-1:                      `"1969-12-31T23:59:59.999999Z"`,
		253_402_300_799_999_999: `"9999-12-31T23:59:59.999999Z"`,
		-62_135_596_800_000_000: `"0001-01-01T00:00:00Z"`,
	} {
		got, err := json.Marshal(micros)
		if err != nil || string(got) != want {
			t.Errorf("%d: got %s, %v; want %s", int64(micros), got, err, want)
		}
	}
	if _, err := json.Marshal(rest.Time(253_402_300_800_000_000)); err == nil {
		t.Error("the year 10000 was written")
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2023-11-14T22:13:20Z":           "2023-11-14T22:13:20Z",
		"2023-11-14t22:13:20z":           "2023-11-14T22:13:20Z",
		"2023-11-14T22:13:20.123456789Z": "2023-11-14T22:13:20.123456Z",
		"2023-11-14T22:13:20+02:00":      "2023-11-14T20:13:20Z",
		"2023-11-14T22:13:20 02:00":      "2023-11-14T20:13:20Z",
		"2023-11-14T22:13:20-0500":       "2023-11-15T03:13:20Z",
		"2023-11-14T22:13:20":            "2023-11-14T22:13:20Z",
		"2023-11-14 22:13:20.5":          "2023-11-14T22:13:20.5Z",
		"2023-11-14T22:13":               "2023-11-14T22:13:00Z",
		"2023-11-14":                     "2023-11-14T00:00:00Z",
		" 2023-11-14 ":                   "2023-11-14T00:00:00Z",
		"1700000000":                     "2023-11-14T22:13:20Z",
		"1700000000.25":                  "2023-11-14T22:13:20.25Z",
		"1700000000123":                  "2023-11-14T22:13:20.123Z",
		"1.7e9":                          "2023-11-14T22:13:20Z",
		"-1":                             "1969-12-31T23:59:59Z",
	} {
		if got, ok := rest.ParseTime(text); !ok || got.String() != want {
			t.Errorf("%q: got %v, %v; want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "x", "2023-02-30", "2023-13-01", "10000-01-01", "1e300", "NaN", "Inf", "0x1p4", "1_000", "2023-11-14T25:00:00Z",
		"0000-01-01", "99999999999999999999999999999999999999999999",
	} {
		if got, ok := rest.ParseTime(text); ok {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func TestLimiter(t *testing.T) {
	t.Parallel()
	c := &clock{time.Unix(1_000, 0)}
	l := rest.NewLimiter(c.now, map[string]int{"search": 2, "off": 0}, nil)
	allow := func(limit, caller string, after time.Duration, wantWait time.Duration, wantOK bool) {
		t.Helper()
		c.at = c.at.Add(after)
		if wait, ok, err := l.Allow(t.Context(), limit, caller); err != nil || ok != wantOK || wait != wantWait {
			t.Errorf("at %v: wait %v, %v; want %v, %v", c.at.Unix(), wait, ok, wantWait, wantOK)
		}
	}
	allow("search", "a", 0, 0, true)
	allow("search", "a", 20*time.Second, 0, true)
	allow("search", "a", 10*time.Second, 30*time.Second, false)
	allow("search", "b", 0, 0, true)
	allow("off", "a", 0, 0, true)
	allow("unknown", "a", 0, 0, true)
	allow("search", "a", 29*time.Second, time.Second, false)
	allow("search", "a", time.Second, 0, true)               // the first call left the window
	allow("search", "a", time.Second, 19*time.Second, false) // the second has not
	allow("search", "a", 19*time.Second, 0, true)            // now it has
	allow("search", "a", time.Hour, 0, true)
}

func TestLimiterDropsIdleCallers(t *testing.T) {
	t.Parallel()
	c := &clock{time.Unix(1_000, 0)}
	l := rest.NewLimiter(c.now, map[string]int{"search": 1}, nil)
	for i := range 25_000 {
		c.at = c.at.Add(10 * time.Millisecond)
		if _, ok, err := l.Allow(t.Context(), "search", time.Duration(i).String()); err != nil || !ok {
			t.Fatalf("caller %d was refused", i)
		}
		if n := l.Tracked(); n > 10_000 {
			t.Fatalf("%d callers are remembered", n)
		}
	}
}

// sharedCounter rejects every call after the first, as other servers may have
// made the rest.
type sharedCounter struct {
	asked int
	err   error
}

func (s *sharedCounter) CountCall(context.Context, string, string, int, time.Duration) (time.Duration, bool, error) {
	s.asked++
	return 30 * time.Second, s.asked == 1, s.err
}

// TestLimiterCountsWithOtherServers: a rejected caller is not counted again
// before its time.
func TestLimiterCountsWithOtherServers(t *testing.T) {
	t.Parallel()
	c, counter := &clock{time.Unix(1_000, 0)}, &sharedCounter{}
	l := rest.NewLimiter(c.now, map[string]int{"search": 2}, counter)
	call := func(after time.Duration, wantOK bool, wantAsked int) {
		t.Helper()
		c.at = c.at.Add(after)
		if _, ok, err := l.Allow(t.Context(), "search", "a"); err != nil || ok != wantOK || counter.asked != wantAsked {
			t.Errorf("at %v: %v, %v, asked %d times; want %v, asked %d times", c.at.Unix(), ok, err, counter.asked, wantOK, wantAsked)
		}
	}
	call(0, true, 1)
	call(0, false, 2)
	call(10*time.Second, false, 2)
	call(20*time.Second, false, 3)
	counter.err = errors.New("away")
	c.at = c.at.Add(time.Minute)
	if _, _, err := l.Allow(t.Context(), "search", "a"); err == nil {
		t.Error("a call was allowed that cannot be counted")
	}
}

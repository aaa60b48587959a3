package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/webhook"
)

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// TestDeliversSignedEvents publishes and labels, and verifies what arrives as a
// receiver does.
func TestDeliversSignedEvents(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w, to := newWorld(t, dsn), newTarget(t)
		hook, key := w.add(to.url + "/in?x=1")
		defer w.begin(w.service)()
		w.ctx = access.WithCaller(w.ctx, access.Caller{UserID: 7, Email: "ann@x.test", Permissions: access.Owner.Permissions()})
		e := w.publish(w.home, "greeting")
		check.Must(w.catalog.Entities.SetLabel(w.ctx, w.home, e.ID, "prod", 1))(t)
		w.publish(w.other, "elsewhere")

		done := w.settled(hook.ID, 2)
		got := to.requests()
		slices.SortFunc(got, func(a, b received) int { return strings.Compare(b.event().Type, a.event().Type) })
		check.Equal(t, "requests", len(got), 2)
		check.Equal(t, "first", got[0].event().Details, map[string]any{"type": "PROMPT", "id": float64(e.ID), "name": "greeting", "version_number": 1.0})
		check.Equal(t, "second", got[1].event().Details,
			map[string]any{"type": "PROMPT", "id": float64(e.ID), "name": "greeting", "version_number": 1.0, "label": "prod", "previous_version_number": nil})
		check.Equal(t, "author", *got[0].event().Email, "ann@x.test")
		for i, r := range got {
			check.Equal(t, "id", r.header.Get("Webhook-Id"), r.event().ID)
			check.Equal(t, "contract signature", r.header.Get("X-Promptlayer-Signature"), hex.EncodeToString(mac([]byte(key), r.body)))
			raw := check.Must(base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_")))(t)
			signed := r.header.Get("Webhook-Id") + "." + r.header.Get("Webhook-Timestamp") + "." + r.body
			check.Equal(t, "signature", r.header.Get("Webhook-Signature"), "v1,"+base64.StdEncoding.EncodeToString(mac(raw, signed)))
			check.Equal(t, "state", done[i].State, webhook.Delivered)
			check.Equal(t, "status", done[i].Last.Status, http.StatusNoContent)
		}
	})
}

func TestNothingIsSentForAChangeThatIsRolledBack(t *testing.T) {
	t.Parallel()
	w, to := newWorld(t, catalogtest.SQLite(t)), newTarget(t)
	hook, _ := w.add(to.url)
	failed := errors.New("no")
	err := w.catalog.InTx(w.ctx, func(ctx context.Context) error {
		outer := w.ctx
		defer func() { w.ctx = outer }()
		w.ctx = ctx
		w.publish(w.home, "kept")
		err := w.catalog.InTx(ctx, func(ctx context.Context) error {
			w.ctx = ctx
			w.publish(w.home, "undone")
			return failed
		})
		check.Equal(t, "step", errors.Is(err, failed), true)
		return nil
	})
	check.OK(t, err)
	check.Equal(t, "transaction", errors.Is(w.catalog.InTx(w.ctx, func(ctx context.Context) error {
		_, err := w.catalog.Entities.CreateEntity(ctx, entity.New{WorkspaceID: w.home, Kind: entity.KindPrompt, Name: "undone, too"})
		return errors.Join(err, failed)
	}), failed), true)
	defer w.begin(w.service)()
	w.settled(hook.ID, 1)
	check.Equal(t, "event", to.requests()[0].event().Details["name"], any("kept"))
}

// TestRetries answers with an error, not at all, and with a redirect into a private
// network, before it accepts.
func TestRetries(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		elsewhere := newTarget(t)
		to := newTarget(t, status(http.StatusInternalServerError), hang, func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, elsewhere.url, http.StatusTemporaryRedirect)
		}, status(http.StatusOK))
		hook, _ := w.add(to.url)
		defer w.begin(w.service)()
		w.publish(w.home, "p")
		done := w.settled(hook.ID, 1)[0]
		check.Equal(t, "state", done.State, webhook.Delivered)
		check.Equal(t, "attempts", done.Attempts, 4)
		check.Equal(t, "response", done.Last.Response, "answer 200")
		got := to.requests()
		check.Equal(t, "requests", len(got), 4)
		for _, r := range got {
			check.Equal(t, "body", r.body, got[0].body)
		}
		check.Equal(t, "redirects followed", len(elsewhere.requests()), 0)
		check.Equal(t, "counters", w.service.Stats(), webhook.Stats{Accepted: 1, Failed: 3})
	})
}

// TestDeadLetters gives up, and delivers when a person asks for it.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.retries = 1
	long := strings.Repeat("é", 40_000)
	to := newTarget(t, status(http.StatusBadGateway), func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusTeapot)
		_, _ = rw.Write([]byte("\x00\xff" + long))
	}, status(http.StatusOK))
	hook, _ := w.add(to.url)
	defer w.begin(w.service)()
	w.publish(w.home, "p")
	dead := w.settled(hook.ID, 1)[0]
	check.Equal(t, "state", dead.State, webhook.Dead)
	check.Equal(t, "status", dead.Last.Status, http.StatusTeapot)
	check.Equal(t, "excerpt", len(dead.Last.Response) <= 1010 && strings.HasPrefix(dead.Last.Response, "��éé"), true)
	check.Equal(t, "counted", check.Must(w.service.Get(w.ctx, w.home, hook.ID))(t).Dead, 1)

	again := check.Must(w.service.Redeliver(w.ctx, w.home, dead.ID))(t)
	check.Equal(t, "state", again.State, webhook.Pending)
	done := w.settled(hook.ID, 1)[0]
	check.Equal(t, "state", done.State, webhook.Delivered)
	check.Equal(t, "attempts", done.Attempts, 3)
	got := to.requests()
	check.Equal(t, "event id", got[2].event().ID, got[0].event().ID)
}

// TestTargetsThatAreNotPublic checks addresses when a webhook is saved and when its
// events are sent.
func TestTargetsThatAreNotPublic(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	for _, url := range []string{"http://169.254.169.254/latest", "http://10.0.0.1/", "http://192.168.0.1/", "ftp://x.test/", "http://u:p@x.test/", "x", ""} {
		_, _, err := w.service.Create(w.ctx, w.home, webhook.Content{Name: "n", URL: url, Format: webhook.JSON, Events: webhook.EventTypes()[:1], Enabled: true}, nil)
		if err == nil {
			t.Errorf("%q was accepted", url)
		}
	}
	// The name of a host may mean another address later.
	w.retries = 0
	hook, _ := w.add("http://nowhere.invalid/")
	defer w.begin(w.service)()
	w.publish(w.home, "p")
	dead := w.settled(hook.ID, 1)[0]
	check.Equal(t, "state", dead.State, webhook.Dead)
	check.Equal(t, "failure", dead.Last.Failure != "" && dead.Last.Status == 0, true)
}

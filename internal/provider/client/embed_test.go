package client_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

func TestEmbed(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: `{"data":[{"index":1,"embedding":[3,4.5]},{"index":0,"embedding":[1,-2e-1]}]}`})
	got, err := newService(client.Options{Keys: operated(server.URL)}).Embed(t.Context(), workspace, []string{"one", "t\"wo"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "vectors", got, [][]float32{{1, -0.2}, {3, 4.5}})
	sent := server.only(t)
	same(t, "path", sent.path, "/v1/embeddings")
	same(t, "key", sent.header.Get("Authorization"), "Bearer "+secretKey)
	sameJSON(t, "body", []byte(sent.body), `{"input":["one","t\"wo"],"encoding_format":"float","model":"text-embedding-3-small"}`)
}

func TestEmbedNothing(t *testing.T) {
	t.Parallel()
	got, err := newService(client.Options{Keys: keys{}}).Embed(t.Context(), workspace, nil)
	if err != nil || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestEmbedWithoutAKey(t *testing.T) {
	t.Parallel()
	_, err := newService(client.Options{Keys: keys{}}).Embed(t.Context(), workspace, []string{"x"})
	if !provider.NotConfigured(err) || err.Error() != "No API key configured for provider 'openai'" {
		t.Errorf("error %v", err)
	}
}

func TestEmbedTooMuch(t *testing.T) {
	t.Parallel()
	_, err := newService(client.Options{Keys: keys{}}).Embed(t.Context(), workspace, make([]string, 2049))
	if !fault.Is(err, fault.BadRequest) || provider.NotConfigured(err) {
		t.Errorf("error %v", err)
	}
}

func TestEmbedFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reply reply
		class string
	}{
		"refused":         {reply{status: 401, body: `{"error":"` + secretKey + `"}`}, provider.TypeAuth},
		"error":           {reply{body: `{"error":{"message":"no"}}`}, provider.TypeProvider},
		"no JSON":         {reply{body: `{"data":[`}, provider.TypeProvider},
		"nothing":         {reply{body: `{}`}, provider.TypeProvider},
		"too few":         {reply{body: `{"data":[{"embedding":[1]}]}`}, provider.TypeProvider},
		"too many":        {reply{body: `{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}`}, provider.TypeProvider},
		"one twice":       {reply{body: `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`}, provider.TypeProvider},
		"below":           {reply{body: `{"data":[{"index":-1,"embedding":[1]},{"index":0,"embedding":[1]}]}`}, provider.TypeProvider},
		"lengths":         {reply{body: `{"data":[{"embedding":[1]},{"embedding":[1,2]}]}`}, provider.TypeProvider},
		"empty":           {reply{body: `{"data":[{"embedding":[]},{"embedding":[]}]}`}, provider.TypeProvider},
		"words":           {reply{body: `{"data":[{"embedding":["x"]},{"embedding":[1]}]}`}, provider.TypeProvider},
		"object":          {reply{body: `{"data":[{"embedding":{"a":1}},{"embedding":[1]}]}`}, provider.TypeProvider},
		"beyond a float":  {reply{body: `{"data":[{"embedding":[1e60]},{"embedding":[1]}]}`}, provider.TypeProvider},
		"beyond a double": {reply{body: `{"data":[{"embedding":[1e600]},{"embedding":[1]}]}`}, provider.TypeProvider},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, test.reply)
			got, err := newService(client.Options{Keys: operated(server.URL)}).Embed(t.Context(), workspace, []string{"a", "b"})
			var failure *provider.Error
			if !errors.As(err, &failure) || failure.Type != test.class {
				t.Fatalf("got %v, %v, want a failure of type %s", got, err, test.class)
			}
			if strings.Contains(failure.Message+failure.Detail, secretKey) {
				t.Errorf("the key is in %+v", failure)
			}
		})
	}
}

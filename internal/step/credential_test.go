package step_test

import (
	"context"
	"errors"
	"io"
	"net/textproto"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/step"
)

// recorder records requests and answers all of them alike.
type recorder struct {
	status   int
	reply    string
	requests []step.HTTPRequest
}

// Post implements step.HTTP.
func (r *recorder) Post(_ context.Context, request step.HTTPRequest) (*step.HTTPReply, error) {
	r.requests = append(r.requests, request)
	status := 200
	if r.status != 0 {
		status = r.status
	}
	header := textproto.MIMEHeader{"Content-Type": {"application/json"}}
	return &step.HTTPReply{Status: status, Header: header, Body: io.NopCloser(strings.NewReader(r.reply))}, nil
}

// variables are the environment variables of the tests.
func variables(_ context.Context, name string) (string, error) {
	switch name {
	case "BROKEN":
		return "", fault.New(fault.Unavailable, "cannot be opened")
	case "LINES":
		return "a\r\nb", nil
	}
	return map[string]string{"URL": "https://x.test/from-variable", "TOKEN": "value-of-token", "NO_URL": "ftp://x.test"}[name], nil
}

// TestCredentialsAreOpenedForCalls stores a configuration and runs it.
func TestCredentialsAreOpenedForCalls(t *testing.T) {
	t.Parallel()
	vault := newVault()
	for name, test := range map[string]struct {
		config     string
		url, sentA string
		fails      string
	}{
		"header":            {config: `{"url":"https://x.test/a","headers":{"a":"Bearer canary-4711-0815"}}`, url: "https://x.test/a", sentA: "Bearer " + canary},
		"number":            {config: `{"url":"https://x.test/a","headers":{"A":12}}`, url: "https://x.test/a", sentA: "12"},
		"URL":               {config: `{"url":"https://u:canary-4711-0815@x.test/a","headers":{"A":"x"}}`, url: "https://u:canary-4711-0815@x.test/a", sentA: "x"},
		"variable":          {config: `{"url":"https://x.test","headers":{"A":"${TOKEN}"}}`, url: "https://x.test", sentA: "value-of-token"},
		"scheme":            {config: `{"url":"https://x.test","headers":{"A":"Bearer ${TOKEN}"}}`, url: "https://x.test", sentA: "Bearer value-of-token"},
		"URL of a variable": {config: `{"url":"${URL}","headers":{"A":"canary-4711-0815"}}`, url: "https://x.test/from-variable", sentA: canary},
		"last header":       {config: `{"url":"https://x.test","headers":{"a":"x","A":"y"}}`, url: "https://x.test", sentA: "y"},
		"no variable":       {config: `{"url":"https://x.test","headers":{"A":"${NONE}"}}`, fails: "the environment variable NONE is not set"},
		"broken variable":   {config: `{"url":"https://x.test","headers":{"A":"${BROKEN}"}}`, fails: "cannot be opened"},
		"lines":             {config: `{"url":"https://x.test","headers":{"A":"${LINES}"}}`, fails: "a credential has characters that a header cannot have"},
		"no address":        {config: `{"url":"${NO_URL}"}`, fails: "the URL is not an http or https URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outside := &recorder{reply: "ok"}
			env := step.Env{HTTP: outside, Credentials: vault.Credentials(workspace, variables)}
			_, err := mustPrepare(t, "ENDPOINT", mustProtect(t, vault, "ENDPOINT", test.config, "")).Run(t.Context(), &env)
			if test.fails != "" {
				wantFault(t, err, test.fails)
				check.Equal(t, "calls", len(outside.requests), 0)
				return
			}
			check.OK(t, err)
			check.Equal(t, "URL", outside.requests[0].URL, test.url)
			check.Equal(t, "header", outside.requests[0].Header.Get("A"), test.sentA)
		})
	}
}

// TestCredentialsCannotBeOpenedElsewhere opens a stored credential in another
// workspace, for another server, with another key, and after damage.
func TestCredentialsCannotBeOpenedElsewhere(t *testing.T) {
	t.Parallel()
	vault, other := newVault(), step.NewVault(secret.NewBox(secret.NewKey()))
	stored := mustProtect(t, vault, "ENDPOINT", `{"url":"https://x.test","headers":{"A":"`+canary+`"}}`, "")
	for name, test := range map[string]struct {
		config      string
		credentials step.Credentials
		works       bool
	}{
		"here":              {stored, vault.Credentials(workspace, variables), true},
		"another workspace": {stored, vault.Credentials(workspace+1, variables), false},
		"another key":       {stored, other.Credentials(workspace, variables), false},
		"another server":    {strings.Replace(stored, "x.test", "y.test", 1), vault.Credentials(workspace, variables), false},
		"damaged":           {strings.Replace(stored, `"$sealed":"`, `"$sealed":"A`, 1), vault.Credentials(workspace, variables), false},
		"no credentials":    {stored, nil, false},
	} {
		outside := &recorder{reply: "ok"}
		env := step.Env{HTTP: outside, Credentials: test.credentials}
		_, err := mustPrepare(t, "ENDPOINT", test.config).Run(t.Context(), &env)
		if test.works {
			check.OK(t, err)
			continue
		}
		check.Fault(t, err, fault.Unavailable)
		if len(outside.requests) != 0 || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: sent %v, %v", name, outside.requests, err)
		}
	}
}

// TestResponsesThatRepeatCredentials checks that neither values nor errors
// contain the credential of the call.
func TestResponsesThatRepeatCredentials(t *testing.T) {
	t.Parallel()
	vault := newVault()
	escaped := `with\"quote-canary`
	for name, test := range map[string]struct {
		typ, config, reply, want string
		status                   int
	}{
		"value":        {typ: "ENDPOINT", config: `{"url":"https://x.test","headers":{"A":"Bearer canary-4711-0815"}}`, reply: `{"you":"Bearer canary-4711-0815"}`, want: `{"you":"Bearer …"}`},
		"error":        {typ: "ENDPOINT", config: `{"url":"https://x.test","headers":{"A":"canary-4711-0815"}}`, status: 401, reply: `wrong key canary-4711-0815`, want: "wrong key …"},
		"long error":   {typ: "ENDPOINT", config: `{"url":"https://x.test","headers":{"A":"canary-4711-0815"}}`, status: 401, reply: strings.Repeat("canary-4711-0815", 100), want: "……"},
		"escaped":      {typ: "ENDPOINT", config: `{"url":"https://x.test","headers":{"A":"` + escaped + `"}}`, reply: `{"you":"` + escaped + `"}`, want: `{"you":"…"}`},
		"password":     {typ: "ENDPOINT", config: `{"url":"https://u:canary-4711-0815@x.test"}`, reply: `canary-4711-0815`, want: `"…"`},
		"parameter":    {typ: "ENDPOINT", config: `{"url":"https://x.test?api_key=canary-4711-0815"}`, reply: `canary-4711-0815`, want: `"…"`},
		"variable":     {typ: "ENDPOINT", config: `{"url":"https://x.test","headers":{"A":"${TOKEN}"}}`, reply: `value-of-token`, want: `"…"`},
		"MCP error":    {typ: "MCP", config: `{"server_url":"https://x.test","tool_name":"t","auth":"canary-4711-0815"}`, status: 401, reply: `wrong token canary-4711-0815`, want: "wrong token …"},
		"MCP response": {typ: "MCP", config: `{"server_url":"https://x.test","tool_name":"t","auth":{"token":"canary-4711-0815"}}`, reply: `{"id":1,"error":{"message":"no canary-4711-0815"}}`, want: "no …"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := step.Env{HTTP: &recorder{status: test.status, reply: test.reply}, Credentials: vault.Credentials(workspace, variables)}
			value, err := mustPrepare(t, test.typ, mustProtect(t, vault, test.typ, test.config, "")).Run(t.Context(), &env)
			got := string(value.Raw())
			if err != nil {
				got, _ = step.Explain(err)
			}
			if strings.Contains(got, canary) || !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestErrorOfPreviousConfigurations(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	_, err := newVault().Protect(workspace, "ENDPOINT", tree(t, `{"url":"https://x.test","headers":{"A":"…"}}`), func() (step.Previous, error) {
		return step.Previous{}, lost
	})
	if !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
}

package step_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/step"
)

// canary is a credential that must never be readable.
const canary = "canary-4711-0815"

const workspace = 7

func newVault() *step.Vault { return step.NewVault(secret.NewBox(secret.NewKey())) }

// protect stores a configuration that replaces another one, "" for none.
func protect(t *testing.T, vault *step.Vault, typ, config, own string, others ...string) (string, error) {
	t.Helper()
	protected, err := vault.Protect(workspace, typ, tree(t, config), func() (step.Previous, error) {
		previous := step.Previous{Own: tree(t, own)}
		for _, other := range others {
			previous.Others = append(previous.Others, tree(t, other))
		}
		return previous, nil
	})
	return string(protected.Raw()), err
}

func mustProtect(t *testing.T, vault *step.Vault, typ, config, own string, others ...string) string {
	t.Helper()
	return check.Must(protect(t, vault, typ, config, own, others...))(t)
}

func concealed(t *testing.T, typ, config string) string {
	t.Helper()
	return string(step.Conceal(typ, tree(t, config)))
}

// TestCredentialsAreSealedAndConcealed stores configurations. In want, …
// stands for what must be sealed; all other bytes stay as they are.
func TestCredentialsAreSealedAndConcealed(t *testing.T) {
	t.Parallel()
	vault := newVault()
	for name, test := range map[string]struct{ typ, config, want string }{
		"header": {"ENDPOINT", `{ "url":"https://x.test/a", "headers": {"Authorization" : "Bearer canary-4711-0815"}, "more":1.50 }`,
			`{ "url":"https://x.test/a", "headers": {"Authorization" : "…"}, "more":1.50 }`},
		"any header": {"ENDPOINT", `{"url":"https://x.test","headers":{"X-A":"canary-4711-0815","x-b":471108150,"X-C":true,"X-D":null,"X-E":""}}`,
			`{"url":"https://x.test","headers":{"X-A":"…","x-b":"…","X-C":"…","X-D":null,"X-E":""}}`},
		"public headers": {"ENDPOINT", `{"url":"https://x.test","headers":{"content-type":"text/plain","Accept":"*/*"}}`,
			`{"url":"https://x.test","headers":{"content-type":"text/plain","Accept":"*/*"}}`},
		"references": {"ENDPOINT", `{"url":"${URL}","headers":{"A":"${A_1}","Authorization":"Bearer ${TOKEN}"}}`,
			`{"url":"${URL}","headers":{"A":"${A_1}","Authorization":"Bearer ${TOKEN}"}}`},
		"no reference": {"ENDPOINT", `{"url":"https://x.test","headers":{"A":"canary ${A}","B":"${A}canary","C":"${1A}","D":"$A","E":"4711 ${A}"}}`,
			`{"url":"https://x.test","headers":{"A":"canary ${A}","B":"…","C":"…","D":"…","E":"…"}}`},
		"twice": {"ENDPOINT", `{"url":"https://x.test","headers":{"A":"canary-4711-0815"},"headers":{"A":"canary-4711-0815","A":"x"}}`,
			`{"url":"https://x.test","headers":{"A":"…"},"headers":{"A":"…","A":"…"}}`},
		"escaped name": {"ENDPOINT", `{"url":"https://x.test","head\u0065rs":{"A":"canary-4711-0815"}}`, `{"url":"https://x.test","head\u0065rs":{"A":"…"}}`},
		"user":         {"ENDPOINT", `{"url":"https://ann:canary-4711-0815@x.test/a"}`, `{"url":"…"}`},
		"parameter":    {"ENDPOINT", `{"url":"https://x.test/a?page=1&api_key=canary-4711-0815"}`, `{"url":"…"}`},
		"malformed":    {"ENDPOINT", `{"url":"https://x.test/a?page=1;access%54oken=canary-4711-0815"}`, `{"url":"…"}`},
		"fragment":     {"ENDPOINT", `{"url":"https://x.test/a#token=canary-4711-0815"}`, `{"url":"…"}`},
		"plain URL":    {"ENDPOINT", `{"url":"https://x.test/a?page=1&keyword=x&key="}`, `{"url":"https://x.test/a?page=1&keyword=x&key="}`},
		"token":        {"MCP", `{"server_url":"https://x.test","tool_name":"t","auth":"canary-4711-0815"}`, `{"server_url":"https://x.test","tool_name":"t","auth":"…"}`},
		"object": {"MCP", `{"server_url":"https://x.test","tool_name":"t","auth":{"type":"bearer","token":"canary-4711-0815","more":{"a":["canary-4711-0815"]}}}`,
			`{"server_url":"https://x.test","tool_name":"t","auth":{"type":"bearer","token":"…","more":{"a":"…"}}}`},
		"reference of MCP": {"MCP", `{"server_url":"https://x.test","tool_name":"t","auth":"${TOKEN}"}`, `{"server_url":"https://x.test","tool_name":"t","auth":"${TOKEN}"}`},
		"server of MCP":    {"MCP", `{"server_url":"https://a:canary-4711-0815@x.test","tool_name":"t"}`, `{"server_url":"…","tool_name":"t"}`},
		"other type":       {"VARIABLE", `{"value":{"headers":{"A":"x"}}}`, `{"value":{"headers":{"A":"x"}}}`},
		"unknown type":     {"NONE", `{"headers":{"A":"x"}}`, `{"headers":{"A":"x"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "an unsealed one is not shown either", concealed(t, test.typ, test.config), test.want)
			stored := mustProtect(t, vault, test.typ, test.config, "")
			if strings.Contains(stored, canary) {
				t.Errorf("stored %s", stored)
			}
			check.Equal(t, "shown", concealed(t, test.typ, stored), test.want)
			check.Equal(t, "kept", concealed(t, test.typ, mustProtect(t, vault, test.typ, test.want, stored)), test.want)
			sealed, changed, err := vault.Seal(workspace, test.typ, tree(t, stored))
			check.OK(t, err)
			check.Equal(t, "sealed twice", changed, false)
			check.Equal(t, "stays", string(sealed.Raw()), stored)
			if _, known := step.Find(test.typ); known {
				mustPrepare(t, test.typ, stored)
			}
		})
	}
}

func TestEqualCredentialsLookDifferent(t *testing.T) {
	t.Parallel()
	vault := newVault()
	const config = `{"url":"https://x.test","headers":{"A":"canary-4711-0815"}}`
	first, second := mustProtect(t, vault, "ENDPOINT", config, ""), mustProtect(t, vault, "ENDPOINT", config, "")
	if first == second {
		t.Error("stored forms of the same credential are equal")
	}
}

func TestKeptCredentials(t *testing.T) {
	t.Parallel()
	vault := newVault()
	at := func(url, header, value string) string {
		return fmt.Sprintf(`{"url":%q,"headers":{%q:%q}}`, url, header, value)
	}
	store := func(config string) string { return mustProtect(t, vault, "ENDPOINT", config, "") }
	own := store(at("https://x.test/a", "A", canary))
	const none, elsewhere = "… stands for the stored value, but there is none. Enter the value", "the stored value is for another server, or was sealed with another secret key. Enter it again"
	for name, test := range map[string]struct {
		config, own string
		others      []string
		refused     string
	}{
		"same":                  {config: at("https://x.test/a", "A", "…"), own: own},
		"other path":            {config: at("HTTPS://X.test:443/b?c=1", "A", "…"), own: own},
		"other server":          {config: at("https://y.test/a", "A", "…"), own: own, refused: "headers.A: " + elsewhere},
		"other port":            {config: at("https://x.test:444/a", "A", "…"), own: own, refused: "headers.A: " + elsewhere},
		"other scheme":          {config: at("http://x.test/a", "A", "…"), own: own, refused: "headers.A: " + elsewhere},
		"address of a variable": {config: at("${URL}", "A", "…"), own: own, refused: "headers.A: " + elsewhere},
		"other header":          {config: at("https://x.test/a", "B", "…"), own: own, refused: "headers.B: " + none},
		"nothing before":        {config: at("https://x.test/a", "A", "…"), refused: "headers.A: " + none},
		"no URL before":         {config: `{"url":"…"}`, refused: "url: " + none},
		"plain URL":             {config: at("…", "A", "…"), own: own},
		"sealed, other server":  {config: strings.Replace(own, "x.test", "y.test", 1), own: own, refused: "headers.A: " + elsewhere},
		"not yet sealed":        {config: at("https://x.test/b", "A", "…"), own: at("https://x.test/a", "A", canary)},
		"not sealed elsewhere":  {config: at("https://y.test/b", "A", "…"), own: at("https://x.test/a", "A", canary), refused: "headers.A: " + elsewhere},
		"renamed":               {config: at("https://x.test/b", "A", "…"), others: []string{at("https://y.test", "A", "${X}"), own, own}},
		"renamed, other server": {config: at("https://y.test/b", "A", "…"), others: []string{own}, refused: "headers.A: " + none},
		"renamed, ambiguous": {config: at("https://x.test/b", "A", "…"), others: []string{own, store(at("https://x.test", "A", "another"))},
			refused: "headers.A: " + none},
		"own one lacks it": {config: at("https://x.test/b", "B", "…"), own: own, others: []string{store(at("https://x.test", "B", canary))},
			refused: "headers.B: " + none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored, err := protect(t, vault, "ENDPOINT", test.config, test.own, test.others...)
			if test.refused != "" {
				check.Refused(t, err, fault.Invalid, test.refused)
				return
			}
			check.OK(t, err)
			if strings.Contains(stored, canary) || strings.Contains(stored, "…") {
				t.Errorf("stored %s", stored)
			}
			check.Equal(t, "header", sent(t, vault, stored), canary)
		})
	}
}

// sent returns the header A that a stored configuration sends.
func sent(t *testing.T, vault *step.Vault, config string) string {
	t.Helper()
	outside := &recorder{reply: "ok"}
	env := step.Env{HTTP: outside, Credentials: vault.Credentials(workspace, variables)}
	check.Must(mustPrepare(t, "ENDPOINT", config).Run(t.Context(), &env))(t)
	return outside.requests[0].Header.Get("A")
}

func TestKeptURL(t *testing.T) {
	t.Parallel()
	vault := newVault()
	own := mustProtect(t, vault, "ENDPOINT", `{"url":"https://u:`+canary+`@x.test/a","headers":{"A":"`+canary+`"}}`, "")
	check.Equal(t, "shown", concealed(t, "ENDPOINT", own), `{"url":"…","headers":{"A":"…"}}`)
	kept := mustProtect(t, vault, "ENDPOINT", `{"url":"…","headers":{"A":"…"},"timeout":3}`, own)
	check.Equal(t, "sent", sent(t, vault, kept), canary)
	added := mustProtect(t, vault, "ENDPOINT", `{"url":"…","headers":{"A":"fresh-value"}}`, own)
	check.Equal(t, "sent", sent(t, vault, added), "fresh-value")
	renamed := mustProtect(t, vault, "ENDPOINT", `{"url":"…","headers":{"A":"…"}}`, "", own)
	check.Equal(t, "sent", sent(t, vault, renamed), canary)
	moved := mustProtect(t, vault, "ENDPOINT", `{"url":"https://x.test/b","headers":{"A":"…"}}`, own)
	check.Equal(t, "sent", sent(t, vault, moved), canary)
	check.Fault(t, check.Failure(protect(t, vault, "ENDPOINT", `{"url":"https://y.test/b","headers":{"A":"…"}}`, own)), fault.Invalid)
}

func TestReservedMember(t *testing.T) {
	t.Parallel()
	for text, reserved := range map[string]bool{
		`{"headers":{"A":{"$sealed":"x"}}}`:                 true,
		`{"headers":{"A":{"\u0024seale\u0064":"x"}}}`:       true,
		`{"value":[[{"a":{"$sealed":null,"b":1}}]]}`:        true,
		`{"$sealed":"x"}`:                                   true,
		`{"value":"$sealed","sealed":{"\u0061":"$sealed"}}`: false,
		`{}`: false,
	} {
		err := step.CheckReserved(tree(t, text))
		if reserved {
			check.Refused(t, err, fault.Invalid, "the member $sealed is reserved")
		} else {
			check.OK(t, err)
		}
	}
	check.OK(t, step.CheckReserved(jsontree.Value{}))
}

// TestCredentialsLeftFromAnotherType conceals members that the type does not
// declare.
func TestCredentialsLeftFromAnotherType(t *testing.T) {
	t.Parallel()
	stored := mustProtect(t, newVault(), "ENDPOINT", `{"url":"https://x.test","headers":{"A":"`+canary+`"}}`, "")
	check.Equal(t, "shown", concealed(t, "VARIABLE", stored), `{"url":"https://x.test","headers":{"A":"…"}}`)
}

// TestOtherTypesAreNotSealed passes configurations of all types.
func TestOtherTypesAreNotSealed(t *testing.T) {
	t.Parallel()
	for _, name := range append(step.Names(), "NONE", "") {
		for _, config := range []string{`{}`, `{"url":null,"headers":null,"auth":null}`, `{"x":[1]}`} {
			_, changed, err := newVault().Seal(workspace, name, tree(t, config))
			check.OK(t, err)
			check.Equal(t, name, changed, false)
			check.Equal(t, name, concealed(t, name, config), config)
			check.Equal(t, name, mustProtect(t, newVault(), name, config, ""), config)
		}
	}
}

// TestLostKeyOfURL edits a configuration whose URL cannot be opened any more.
func TestLostKeyOfURL(t *testing.T) {
	t.Parallel()
	own := mustProtect(t, newVault(), "ENDPOINT", `{"url":"https://u:`+canary+`@x.test/a","headers":{"A":"`+canary+`"}}`, "")
	for _, config := range []string{`{"url":"…"}`, `{"url":"…","headers":{"A":"…"}}`, `{"url":"…","headers":{"A":"new"}}`} {
		check.Refused(t, check.Failure(protect(t, newVault(), "ENDPOINT", config, own)), fault.Invalid,
			"url: the stored value is for another server, or was sealed with another secret key. Enter it again")
	}
}

func TestNothingIsStoredWithoutAVault(t *testing.T) {
	t.Parallel()
	var vault *step.Vault
	err := check.Failure(protect(t, vault, "ENDPOINT", `{"url":"https://x.test","headers":{"A":"`+canary+`"}}`, ""))
	check.Fault(t, err, fault.Unavailable)
	mustProtect(t, vault, "ENDPOINT", `{"url":"https://x.test","headers":{"A":"${A}"}}`, "")
}

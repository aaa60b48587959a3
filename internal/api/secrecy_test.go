package api_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

// secrecy is a world with known secrets and everything that it outputs.
type secrecy struct {
	*world
	logs    *check.Buffer
	answers bytes.Buffer
	secrets map[string]string
}

// send makes a request and keeps the response, unless it is supposed to
// contain a secret.
func (s *secrecy) send(t *testing.T, keep bool, method, path, body string, headers ...string) reply {
	t.Helper()
	got, err := s.world.send("nobody", method, path, []byte(body), headers...)
	check.OK(t, err)
	if keep {
		fmt.Fprintln(&s.answers, got.header, string(got.body))
	}
	return got
}

func newSecrecy(t *testing.T) *secrecy {
	t.Helper()
	logs := &check.Buffer{}
	s := &secrecy{world: newWorld(t, settings{logs: logs}), logs: logs, secrets: map[string]string{}}
	addKey(t, s.world, "root", home, access.Owner)
	_, made, err := s.access.CreateKey(access.AsSystem(context.Background()), home, access.NewKeyInput{Name: "made", Roles: []access.Role{access.Contributor}})
	check.OK(t, err)
	invited, err := s.access.Invite(access.AsSystem(context.Background()), home, "ann@x.test", nil)
	check.OK(t, err)
	unused, err := s.access.Invite(access.AsSystem(context.Background()), home, "bob@x.test", nil)
	check.OK(t, err)
	s.secrets["a key"], s.secrets["the key of an owner"] = made, s.keys["root"]
	s.secrets["a wrong key"] = "pl_wrongbutsecret7781"
	s.secrets["a link"], s.secrets["an unused link"], s.secrets["a wrong link"] = invited.Token, unused.Token, "wronglink5512secret"
	s.secrets["a password"], s.secrets["a wrong password"], s.secrets["a short one"] = "planted Password 4417", "planted Wrong 9120", "sh0rt77"
	s.secrets["a value"], s.secrets["another value"], s.secrets["a value that is too long"] = "planted-value-6201-a", "planted-value-6201-b", "planted-long-3318"
	return s
}

// TestSecretsAreNeverShown sends secrets in requests that succeed and that
// fail. Neither logs, responses nor stored data may contain them.
func TestSecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	s := newSecrecy(t)
	secret := s.secrets
	signedIn := s.send(t, false, http.MethodPost, sessionPath, `{"token":"`+secret["a link"]+`","password":"`+secret["a password"]+`"}`)
	session := (&http.Response{Header: signedIn.header}).Cookies()[0].Value
	secret["a session"], secret["the token of a session"] = session, access.CSRFToken(access.HashOf(session))
	s.useKeys(t)
	s.usePasswords(t, session)
	s.useValues(t)
	s.must(t, http.StatusOK, "root", http.MethodGet, "/api/admin/audit?limit=1000", "")
	for _, path := range []string{"/api/admin/audit?limit=1000", "/api/admin/audit?limit=1000&installation=true", "/api/admin/audit/export", keysPath, usersPath, envVarsPath} {
		s.send(t, true, http.MethodGet, path, "", "X-API-KEY: ${root}")
	}
	logs := []byte(s.logs.String())
	if !bytes.Contains(logs, []byte("level=DEBUG")) || !bytes.Contains(logs, []byte("request failed")) || bytes.Contains(logs, []byte("level=ERROR")) {
		t.Errorf("the logs are not as they should be: %s", clip(string(logs)))
	}
	s.lack(t, "the logs", logs)
	s.lack(t, "an answer", s.answers.Bytes())
	files, err := filepath.Glob(filepath.Join(s.dir, "*"))
	check.OK(t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err == nil { // the logs are in a folder, not a file
			s.lack(t, filepath.Base(file), content)
		}
	}
	stored := newReader(t, s.world).dump(t)
	s.lack(t, "a row", []byte(fmt.Sprint(stored)))
}

// lack fails the test if a text contains a secret in any form.
func (s *secrecy) lack(t *testing.T, where string, text []byte) {
	t.Helper()
	for name, secret := range s.secrets {
		for _, form := range []string{secret, hex.EncodeToString([]byte(secret)), base64.StdEncoding.EncodeToString([]byte(secret))} {
			if bytes.Contains(text, []byte(form)) {
				t.Errorf("%s has %s", where, name)
			}
		}
	}
}

// useKeys sends valid and invalid keys in headers and bodies.
func (s *secrecy) useKeys(t *testing.T) {
	t.Helper()
	for _, key := range []string{s.secrets["a key"], s.secrets["a wrong key"]} {
		for _, path := range []string{"/create-group", "/log-request", searchPath, "/rest/track-score", "/no/such/path", "/rest/publish-prompt-template", "/prompt-templates/welcome"} {
			for _, body := range []string{`{}`, `{"api_key":"` + key + `"}`, `{"api_key":"` + key, `["` + key + `"]`, `{"api_key":["` + key + `"]}`, `"` + key + `"`, key} {
				s.send(t, true, http.MethodPost, path, body, "X-API-KEY: "+key)
				s.send(t, true, http.MethodPost, path, body)
				s.send(t, true, http.MethodPost, path, body, "Authorization: Bearer "+key, "Cookie: promptuary_session="+key)
			}
		}
		s.send(t, true, http.MethodGet, "/prompt-templates?api_key="+key, "", "X-API-KEY: "+key)
		s.send(t, true, http.MethodGet, keysPath, "", "X-API-KEY: "+key)
	}
}

// usePasswords signs in, successfully and not.
func (s *secrecy) usePasswords(t *testing.T, session string) {
	t.Helper()
	csrf := csrfOf(session)
	for _, body := range []string{
		`{"email":"ann@x.test","password":"` + s.secrets["a wrong password"] + `"}`,
		`{"email":"ann@x.test","password":"` + s.secrets["a wrong password"],
		`{"email":"ann@x.test","password":["` + s.secrets["a wrong password"] + `"]}`,
		`{"email":["x"],"password":"` + s.secrets["a password"] + `"}`,
		`{"password":"` + s.secrets["a password"] + `"}`,
		`{"token":"` + s.secrets["a wrong link"] + `","password":"` + s.secrets["a password"] + `"}`,
		`{"token":"` + s.secrets["an unused link"] + `","password":"` + s.secrets["a short one"] + `"}`,
		`{"token":["` + s.secrets["an unused link"] + `"]}`, `{"token":"` + s.secrets["a link"] + `"}`,
	} {
		s.send(t, true, http.MethodPost, sessionPath, body)
	}
	for _, body := range []string{
		`{"current_password":"` + s.secrets["a wrong password"] + `","password":"` + s.secrets["a password"] + `"}`,
		`{"current_password":"` + s.secrets["a password"] + `","password":"` + s.secrets["a short one"] + `"}`,
		`{"current_password":"` + s.secrets["a password"] + `","password":"` + s.secrets["a password"] + `"}`,
	} {
		s.send(t, true, http.MethodPut, sessionPath+"/password", body, cookieOf(session), csrf)
	}
	s.send(t, true, http.MethodPost, keysPath, `{`, cookieOf(session), csrf)
	s.send(t, true, http.MethodPost, keysPath, `{"roles":["Owner"]}`, cookieOf(session), csrf)
	s.send(t, true, http.MethodGet, usersPath, ``, cookieOf(session), "X-Workspace-Id: x")
}

// useValues stores environment variables, successfully and not.
func (s *secrecy) useValues(t *testing.T) {
	t.Helper()
	const root = "X-API-KEY: ${root}"
	long := s.secrets["a value that is too long"]
	for len(long) < 9000 {
		long += s.secrets["a value that is too long"]
	}
	for _, body := range []string{
		`{"key":"ONE","value":"` + s.secrets["a value"] + `"}`, `{"key":"ONE","value":"` + s.secrets["another value"] + `"}`,
		`{"key":"TWO","value":"` + long + `"}`, `{"key":"1 bad","value":"` + s.secrets["a value"] + `"}`,
		`{"key":"TWO","value":["` + s.secrets["a value"] + `"]}`, `{"key":"TWO","value":"` + s.secrets["a value"],
	} {
		s.send(t, true, http.MethodPost, envVarsPath, body, root)
		s.send(t, true, http.MethodPatch, envVarsPath+"/1", body, root)
		s.send(t, true, http.MethodPatch, envVarsPath+"/999", body, root)
	}
}

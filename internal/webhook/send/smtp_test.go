package send_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/webhook"
	"github.com/promptuary/promptuary/internal/webhook/send"
)

// mailServer speaks SMTP on the loopback interface.
type mailServer struct {
	addr string
	tls  *tls.Config
	// starts says that STARTTLS is offered; user and password are what it asks for.
	starts         bool
	user, password string
	// refuse is the reply to RCPT, "" to accept.
	refuse string
	// silent never greets.
	silent bool

	mu   sync.Mutex
	got  []letter
	seen []string
}

// letter is a message that was accepted.
type letter struct {
	from      string
	to        []string
	text      string
	encrypted bool
}

func newMailServer(t *testing.T, change func(s *mailServer)) (*mailServer, *tls.Config) {
	t.Helper()
	// The certificate of httptest is valid for 127.0.0.1.
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS()
	t.Cleanup(web.Close)
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	s := &mailServer{tls: &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}, starts: true}
	if change != nil {
		change(s)
	}
	listener := check.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	s.addr = listener.Addr().String()
	var open sync.WaitGroup
	t.Cleanup(func() { _ = listener.Close(); open.Wait() })
	open.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer func() { _ = connection.Close() }()
				_ = connection.SetDeadline(time.Now().Add(10 * time.Second))
				s.serve(connection)
			})
		}
	})
	return s, &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// serve answers the commands of one connection.
func (s *mailServer) serve(connection net.Conn) {
	reader := bufio.NewReader(connection)
	say := func(line string) { _, _ = fmt.Fprintf(connection, "%s\r\n", line) }
	if s.silent {
		_, _ = io.Copy(io.Discard, reader)
		return
	}
	say("220 mail.test")
	var now letter
	signedIn := s.user == ""
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		s.note(line)
		verb, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO":
			if s.starts && !now.encrypted {
				say("250-STARTTLS")
			}
			say("250 AUTH PLAIN")
		case "STARTTLS":
			if !s.starts {
				say("502 not here")
				continue
			}
			say("220 go on")
			encrypted := tls.Server(connection, s.tls)
			connection, reader, now.encrypted = encrypted, bufio.NewReader(encrypted), true
		case "AUTH":
			decoded, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			if signedIn = s.user == "" || string(decoded) == "\x00"+s.user+"\x00"+s.password; signedIn {
				say("235 welcome")
			} else {
				say("535 wrong password")
			}
		case "MAIL":
			if !signedIn {
				say("530 sign in first")
				continue
			}
			now.from = rest
			say("250 ok")
		case "RCPT":
			if s.refuse != "" {
				say(s.refuse)
				continue
			}
			now.to = append(now.to, rest)
			say("250 ok")
		case "DATA":
			say("354 go on")
			var text strings.Builder
			for {
				part, err := reader.ReadString('\n')
				if err != nil {
					return
				}
				if part == ".\r\n" {
					break
				}
				text.WriteString(strings.TrimPrefix(part, "."))
			}
			now.text = text.String()
			s.mu.Lock()
			s.got = append(s.got, now)
			s.mu.Unlock()
			say("250 queued")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("500 what?")
		}
	}
}

func (s *mailServer) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, line)
}

// saw reports whether a command was received.
func (s *mailServer) saw(command string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.seen, func(line string) bool { return strings.HasPrefix(line, command) })
}

func (s *mailServer) letters() []letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]letter{}, s.got...)
}

func message(to string) webhook.Message {
	return webhook.Message{
		URL: to, Header: map[string]string{"Subject": "Alert firing: Fehler\r\nBcc: x@example.com ü", "Event-ID": "evt_1"},
		Body: []byte("Error rate is 12.5 %\n.\nsecond ü line"),
	}
}

func TestMailArrivesEncrypted(t *testing.T) {
	t.Parallel()
	server, roots := newMailServer(t, func(s *mailServer) { s.user, s.password = "ann", "open sesame" })
	sender := &send.Mail{Addr: server.addr, From: "promptuary@example.com", User: "ann", Password: "open sesame", Security: send.StartTLS, Roots: roots}
	done := sender.Send(t.Context(), message("mailto:a@example.com, b@example.com"))
	check.Equal(t, "attempt", done, webhook.Attempt{Status: 250})
	got := server.letters()
	check.Equal(t, "letters", len(got), 1)
	check.Equal(t, "sender and recipients", fmt.Sprint(got[0].from, got[0].to, got[0].encrypted), "FROM:<promptuary@example.com>[TO:<a@example.com> TO:<b@example.com>] true")
	parsed := check.Must(mail.ReadMessage(strings.NewReader(got[0].text)))(t)
	check.Equal(t, "headers", len(parsed.Header), 9)
	check.Equal(t, "id", parsed.Header.Get("Message-ID"), "<evt_1@promptuary>")
	body := check.Must(io.ReadAll(base64.NewDecoder(base64.StdEncoding, parsed.Body)))(t)
	check.Equal(t, "body", string(body), "Error rate is 12.5 %\n.\nsecond ü line")
}

func TestMailFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		server func(s *mailServer)
		sender func(m *send.Mail)
		status int64
		want   string
	}{
		"wrong password":        {func(s *mailServer) { s.user, s.password = "ann", "other" }, nil, 535, "535 wrong password"},
		"refused recipient":     {func(s *mailServer) { s.refuse = "550 nobody here" }, nil, 550, "550 nobody here"},
		"no encryption offered": {func(s *mailServer) { s.starts = false }, nil, 502, "502 not here"},
		"unknown authority":     {nil, func(m *send.Mail) { m.Roots = nil }, 0, "certificate"},
		"nobody listens":        {nil, func(m *send.Mail) { m.Addr = "127.0.0.1:1" }, 0, "connect to the mail server"},
		"no greeting":           {func(s *mailServer) { s.silent = true }, func(m *send.Mail) { m.Timeout = 200 * time.Millisecond }, 0, "timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, roots := newMailServer(t, test.server)
			sender := &send.Mail{Addr: server.addr, From: "p@example.com", User: "ann", Password: "secret-word", Security: send.StartTLS, Roots: roots}
			if test.sender != nil {
				test.sender(sender)
			}
			done := sender.Send(t.Context(), message("mailto:a@example.com"))
			if done.Status != test.status || !strings.Contains(done.Failure, test.want) || strings.Contains(done.Failure, "secret-word") {
				t.Errorf("status %d, failure %q", done.Status, done.Failure)
			}
			check.Equal(t, "letters", len(server.letters()), 0)
			if name == "no encryption offered" && server.saw("AUTH") {
				t.Error("the password was sent in the clear")
			}
		})
	}
}

func TestMailTargets(t *testing.T) {
	t.Parallel()
	router := send.Router{HTTP: send.NewHTTP(outbound.Allowed{}, 0), Mail: &send.Mail{}}
	for target, good := range map[string]bool{
		"mailto:a@example.com": true, "mailto:a@example.com,b@example.com": true, "mailto:": false, "mailto:a": false, "mailto:a@example.com,": false,
		"mailto:Ann <a@example.com>": false, "mailto:a@example.com?cc=b@example.com": false, "mailto:a@example.com\r\nRCPT TO:<b@example.com>": false,
		"mailto:" + strings.Repeat("a@example.com,", 20) + "b@example.com": false, "http://127.0.0.1/": false,
	} {
		if err := router.CheckURL(target); (err == nil) != good {
			t.Errorf("%q: %v", target, err)
		}
	}
	router.Mail = nil
	if err := router.CheckURL("mailto:a@example.com"); err == nil || !strings.Contains(err.Error(), "smtp-addr") {
		t.Errorf("without a mail server: %v", err)
	}
}

package send

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/mail"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/webhook"
)

// The values of Mail.Security.
const (
	// StartTLS refuses a server that does not offer to encrypt the connection.
	StartTLS = "starttls"
	// TLS encrypts the connection from the start.
	TLS = "tls"
	// Plain does not encrypt.
	Plain = "none"
)

// Mail is the mail server that the operator chose. The rules for the targets of users
// do not apply to it.
type Mail struct {
	// Addr is its host and port.
	Addr string
	// From is the sender of all messages.
	From string
	// User and Password are empty for a server that asks for none.
	User, Password string
	// Security is StartTLS, TLS or Plain.
	Security string
	// Roots are the authorities that certificates are checked against, nil for those
	// of the system.
	Roots *tls.Config
	// Timeout limits an attempt, Timeout of the package if it is 0.
	Timeout time.Duration
}

// maxRecipients limits the addresses of one webhook.
const maxRecipients = 20

// recipients returns the addresses of a target such as mailto:a@example.com,b@example.com.
func recipients(target string) ([]string, error) {
	list, ok := strings.CutPrefix(target, webhook.MailScheme)
	if !ok {
		return nil, errors.New(`the address must begin with "mailto:"`)
	}
	var found []string
	for text := range strings.SplitSeq(list, ",") {
		parsed, err := mail.ParseAddress(strings.TrimSpace(text))
		if err != nil || parsed.Name != "" || strings.ContainsAny(text, "<>?&") {
			return nil, errors.New("the address must have e-mail addresses, separated by commas")
		}
		found = append(found, parsed.Address)
	}
	if len(found) > maxRecipients {
		return nil, fmt.Errorf("the address has more than %d e-mail addresses", maxRecipients)
	}
	return found, nil
}

// Send delivers a message to all recipients. The status is the last reply of the
// server.
func (m *Mail) Send(ctx context.Context, message webhook.Message) webhook.Attempt {
	timeout := m.Timeout
	if timeout == 0 {
		timeout = Timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := m.send(ctx, message); err != nil {
		done := webhook.Attempt{Failure: err.Error()}
		var reply *textproto.Error
		if errors.As(err, &reply) {
			done.Status, done.Failure = int64(reply.Code), fmt.Sprintf("the mail server replied %d %s", reply.Code, excerpt([]byte(reply.Msg)))
		}
		return done
	}
	return webhook.Attempt{Status: 250}
}

func (m *Mail) send(ctx context.Context, message webhook.Message) error {
	to, err := recipients(message.URL)
	if err != nil {
		return err
	}
	client, err := m.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	if m.User != "" {
		host, _, _ := net.SplitHostPort(m.Addr) // checked when connecting
		if err := client.Auth(smtp.PlainAuth("", m.User, m.Password, host)); err != nil {
			return fmt.Errorf("sign in to the mail server: %w", err)
		}
	}
	if err := client.Mail(m.From); err != nil {
		return err
	}
	for _, one := range to {
		if err := client.Rcpt(one); err != nil {
			return err
		}
	}
	body, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := body.Write(m.text(to, message)); err != nil {
		return err
	}
	if err := body.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the server has accepted the message
	return nil
}

// connect opens a session, whose commands all end with ctx.
func (m *Mail) connect(ctx context.Context) (*smtp.Client, error) {
	host, _, err := net.SplitHostPort(m.Addr)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if m.Roots != nil {
		config.RootCAs = m.Roots.RootCAs
	}
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", m.Addr)
	if err != nil {
		return nil, fmt.Errorf("connect to the mail server: %w", err)
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = connection.SetDeadline(deadline)
	}
	if m.Security == TLS {
		connection = tls.Client(connection, config)
	}
	client, err := smtp.NewClient(connection, host)
	if err != nil {
		_ = connection.Close()
		return nil, err
	}
	if m.Security == StartTLS {
		err = client.StartTLS(config)
	}
	if err != nil {
		_ = client.Close()
		return nil, fmt.Errorf("encrypt the connection to the mail server: %w", err)
	}
	return client, nil
}

// lineLength is the length of the lines of the body.
const lineLength = 76

// text returns a message with its headers. Nothing that users chose can add a header:
// recipients are parsed, and the subject and the body are encoded.
func (m *Mail) text(to []string, message webhook.Message) []byte {
	var out bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&out, "%s: %s\r\n", name, value) }
	header("From", m.From)
	header("To", strings.Join(to, ", "))
	header("Subject", mime.QEncoding.Encode("utf-8", message.Header["Subject"]))
	header("Date", time.Now().UTC().Format(time.RFC1123Z))
	header("Message-ID", "<"+message.Header["Event-ID"]+"@promptuary>")
	header("Auto-Submitted", "auto-generated")
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "base64")
	out.WriteString("\r\n")
	for encoded := base64.StdEncoding.EncodeToString(message.Body); encoded != ""; {
		line := encoded[:min(lineLength, len(encoded))]
		out.WriteString(line + "\r\n")
		encoded = encoded[len(line):]
	}
	return out.Bytes()
}

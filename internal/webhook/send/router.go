package send

import (
	"context"
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/webhook"
)

// Router sends messages over HTTP or by e-mail, as their addresses say.
type Router struct {
	*HTTP
	// Mail is nil if the server can send no e-mail.
	Mail *Mail
}

// CheckURL returns an error if an address cannot be a target.
func (r Router) CheckURL(url string) error {
	if !strings.HasPrefix(url, webhook.MailScheme) {
		return r.HTTP.CheckURL(url)
	}
	if r.Mail == nil {
		return errors.New("this server cannot send e-mail: its operator has not set smtp-addr")
	}
	_, err := recipients(url)
	return err
}

// Send makes one attempt to deliver a message.
func (r Router) Send(ctx context.Context, m webhook.Message) webhook.Attempt {
	switch {
	case !strings.HasPrefix(m.URL, webhook.MailScheme):
		return r.HTTP.Send(ctx, m)
	case r.Mail == nil:
		return webhook.Attempt{Failure: "this server cannot send e-mail: its operator has not set smtp-addr"}
	}
	return r.Mail.Send(ctx, m)
}

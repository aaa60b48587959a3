package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/blob"
	targets "github.com/promptuary/promptuary/internal/export/target"
)

// openTarget opens the target of an export.
func openTarget(address string) (targets.Target, error) {
	store, err := blob.Open(address, os.Getenv, http.DefaultClient)
	return targets.Target{Store: store, Prefix: targets.Logs}, err
}

// addTo writes what is new to a target.
func (c *exportCall) addTo(ctx context.Context, to targets.Target) (e exported, err error) {
	settings, err := json.MarshalIndent(flat(c.query), "", "  ")
	if err != nil {
		return e, err
	}
	parts, err := to.Prepare(ctx, settings)
	if err != nil {
		return e, err
	}
	after := targets.LastID(parts)
	c.query.Set("after_id", strconv.FormatInt(after, 10))
	answer, err := c.open(ctx)
	if err != nil {
		return e, err
	}
	defer func() { _ = answer.Body.Close() }()
	last, err := strconv.ParseInt(answer.Header.Get("X-Export-Last-Id"), 10, 64)
	if err != nil {
		return e, errors.New("the server does not say up to which id it exports: is it older than this command?")
	}
	if last <= after {
		return e, nil
	}
	rows, _, err := to.Add(ctx, targets.Name(to.Prefix, after+1, last, extension(answer)), func(w io.Writer) (int64, error) {
		e, err = c.receive(answer, w)
		return e.rows, err
	})
	if err == nil && rows == 0 {
		return exported{}, nil
	}
	return e, err
}

// flat returns the parameters of an export as one object.
func flat(query url.Values) map[string]string {
	members := make(map[string]string, len(query))
	for name := range query {
		members[name] = query.Get(name)
	}
	return members
}

// extension returns how the name of the exported file ends.
func extension(answer *http.Response) string {
	_, name, _ := strings.Cut(answer.Header.Get("Content-Disposition"), `filename="`)
	if _, end, found := strings.Cut(strings.TrimSuffix(name, `"`), "."); found {
		return "." + end
	}
	return ""
}

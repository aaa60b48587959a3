package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// evalServer is a client of a running server.
type evalServer struct{ address, key string }

// evalReport is an evaluation or a run in an answer of the server.
type evalReport struct {
	Status string `json:"status"`
	Report struct {
		ID          int64   `json:"id"`
		IsBlueprint bool    `json:"is_blueprint"`
		Deleted     bool    `json:"deleted"`
		Failure     *string `json:"score_calculation_error"`
		Score       *struct {
			Overall *float64 `json:"overall_score"`
		} `json:"score"`
	} `json:"report"`
	Stats struct {
		Counts struct{ Completed, Failed, Queued, Running, Waiting int64 } `json:"status_counts"`
	} `json:"stats"`
}

const (
	// callTime limits the duration of a call, callTries the number of attempts.
	callTime  = 30 * time.Second
	callTries = 5
	// maxAnswer limits the size of an answer.
	maxAnswer = 64 << 20
)

// refusedError is an error answer that a retry would not change.
type refusedError struct {
	status  int
	message string
}

// Error returns the status and the message of the server.
func (e *refusedError) Error() string {
	return fmt.Sprintf("server returned %d: %s", e.status, e.message)
}

// read sends a GET request and retries it while the server is unavailable.
func (s *evalServer) read(ctx context.Context, path string, into any) error {
	return s.retry(ctx, func() error { return s.call(ctx, http.MethodGet, path, nil, into) })
}

// retry repeats a call while the server is unavailable.
func (s *evalServer) retry(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		var refused *refusedError
		if err == nil || errors.As(err, &refused) || try == callTries {
			return err
		}
		select {
		case <-time.After(time.Duration(try) * 500 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// call sends one request.
func (s *evalServer) call(ctx context.Context, method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return s.send(ctx, callTime, method, path, "application/json", bytes.NewReader(text), func(answer *http.Response) error {
		content, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
		if err != nil {
			return err
		}
		return readAnswer(answer.StatusCode, content, into)
	})
}

// send sends a request with a limit on its time, and passes the answer to use.
func (s *evalServer) send(
	ctx context.Context, limit time.Duration, method, path, mediaType string, body io.Reader, use func(*http.Response) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.address+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("X-API-KEY", s.key)
	request.Header.Set("Content-Type", mediaType)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	return use(answer)
}

func readAnswer(status int, content []byte, into any) error {
	switch {
	case status >= http.StatusInternalServerError:
		return fmt.Errorf("server returned %d", status)
	case status >= http.StatusBadRequest:
		var said struct {
			Message string `json:"message"`
		}
		_ = json.Unmarshal(content, &said) // without JSON there is no message
		return &refusedError{status, said.Message}
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("cannot parse the answer of the server: %w", err)
	}
	return nil
}

// find returns the id of an evaluation, given its id or name.
func (s *evalServer) find(ctx context.Context, evaluation string) (int64, error) {
	if id, err := strconv.ParseInt(evaluation, 10, 64); err == nil && id > 0 {
		report, err := s.report(ctx, id)
		var refused *refusedError
		switch {
		case err == nil && report.Report.IsBlueprint && !report.Report.Deleted:
			return id, nil
		case err != nil && !errors.As(err, &refused):
			return 0, err
		}
	}
	return s.findByName(ctx, evaluation)
}

func (s *evalServer) findByName(ctx context.Context, name string) (int64, error) {
	var found []int64
	for page, pages := 1, 1; page <= pages; page++ {
		var list struct {
			Evaluations []struct {
				ID   int64  `json:"id"`
				Name string `json:"name"`
			} `json:"evaluations"`
			Pages int `json:"pages"`
		}
		query := url.Values{"name": {name}, "page": {strconv.Itoa(page)}, "per_page": {"100"}, "sort_by": {"id"}}
		if err := s.read(ctx, "/api/public/v2/evaluations?"+query.Encode(), &list); err != nil {
			return 0, err
		}
		for _, one := range list.Evaluations {
			if one.Name == name {
				found = append(found, one.ID)
			}
		}
		pages = list.Pages
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("evaluation %q not found", name)
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("%d evaluations are named %q: use an id, such as %d", len(found), name, found[0])
}

// start starts a run. It does not retry, because the first attempt may have
// started a run.
func (s *evalServer) start(ctx context.Context, evaluation int64, name string) (int64, error) {
	var started struct {
		ID int64 `json:"report_id"`
	}
	err := s.call(ctx, http.MethodPost, fmt.Sprintf("/reports/%d/run", evaluation), map[string]string{"name": name}, &started)
	return started.ID, err
}

func (s *evalServer) report(ctx context.Context, id int64) (*evalReport, error) {
	report := &evalReport{}
	return report, s.read(ctx, fmt.Sprintf("/reports/%d", id), report)
}

// cancel cancels a run.
func (s *evalServer) cancel(run int64) error {
	var done struct{}
	return s.call(context.Background(), http.MethodPost, fmt.Sprintf("/api/public/v2/evaluations/%d/cancel", run), nil, &done)
}

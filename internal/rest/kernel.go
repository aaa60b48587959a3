package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// statusClientGone is logged when the client disconnects before the response.
const statusClientGone = 499

// ServeHTTP finds the operation, runs it and responds. The status is 404 for
// unknown paths and 405 for unknown methods.
func (rt *Router) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	start := rt.options.Now()
	id := hr.Header.Get("X-Request-Id")
	if !usableID(id) {
		id = rt.options.NewRequestID()
	}
	x := &exchange{id: [1]string{id}}
	x.writer.ResponseWriter = w
	w.Header()["X-Request-Id"] = x.id[:]
	x.request.HTTP, x.request.op = hr, unmatched
	x.request.cost.budget = rt.admission.strangers
	x.request.receiver.start(w, hr, rt.options.Stall)
	x.request.share, x.request.enter = rt.options.Share, rt.options.Enter
	defer x.request.release()
	x.request.ctx = context.WithValue(hr.Context(), requestIDKey{}, id)
	// Deferred, so that aborted connections are observed as well.
	defer rt.observe(&x.request, &x.writer, start)
	if err := rt.guarded(x); err != nil {
		rt.answerError(&x.writer, &x.request, err)
	}
}

// exchange is the state of one request, in one allocation.
type exchange struct {
	request  Request
	writer   recorder
	location location
	id       [1]string
}

// guarded runs the request and turns a panic into an error.
func (rt *Router) guarded(x *exchange) (err error) {
	defer func() {
		caught := recover()
		if caught == http.ErrAbortHandler { //nolint:errorlint // net/http compares it the same way
			panic(caught)
		}
		if caught != nil {
			err = fmt.Errorf("panic: %v\n%s", caught, debug.Stack())
		}
	}()
	return rt.route(&x.writer, &x.request, &x.location)
}

func (rt *Router) route(w *recorder, r *Request, l *location) error {
	if !l.split(r.HTTP.URL) {
		return unknownPath(r)
	}
	op := rt.table.find(r.HTTP.Method, l)
	if op == nil {
		return rt.noOperation(w, r, l)
	}
	r.op = op
	op.pattern.extract(l.segments, &r.values)
	return rt.run(w, r)
}

// noOperation responds to OPTIONS, wrong methods and unknown paths.
func (rt *Router) noOperation(w *recorder, r *Request, l *location) error {
	allowed := rt.table.allowed(l)
	if allowed == nil {
		return unknownPath(r)
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	if r.HTTP.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return fault.New(fault.MethodNotAllowed, "Method %s is not allowed here, only %s",
		clip(r.HTTP.Method, 20), strings.Join(allowed, ", "))
}

func unknownPath(r *Request) error {
	return fault.NotFoundf("No such path: %s", clip(r.HTTP.URL.Path, maxLocPart))
}

// run checks the request in the order that clients rely on: caller (401, 403),
// rate (429), media type (415), path (422), size and syntax of the body (413,
// 400), query and body (422), then the scope.
func (rt *Router) run(w *recorder, r *Request) error {
	op := r.op
	if err := rt.authenticate(w, r); err != nil {
		return err
	}
	if err := rt.admission.enter(r); err != nil {
		return err
	}
	if op.hasBody && !r.read {
		var err error
		if r.MediaType, r.packed, err = op.checkMedia(r.HTTP); err != nil {
			return err
		}
	}
	r.binder.start()
	in, err := op.bindPath(r)
	if err != nil {
		return err
	}
	if op.hasBody && !r.read {
		if err := r.readBody(w); err != nil {
			return err
		}
	}
	if op.Handler.newIn != nil {
		if err := r.bindRest(&r.binder, op.plan, in); err != nil {
			return err
		}
	}
	if !op.Computes || op.Handler.raw == nil {
		r.endTurn()
	}
	if err := r.enterScope(in); err != nil {
		return err
	}
	if op.Handler.raw != nil {
		return op.Handler.raw(w, r, in)
	}
	out, err := op.Handler.call(r.ctx, in)
	if err != nil {
		return err
	}
	return op.answer(w, out)
}

// bindPath creates the input and fills its path fields. It returns nil for a handler
// that binds the input itself, of which the path fields are only checked.
func (op *operation) bindPath(r *Request) (in any, err error) {
	switch {
	case op.Handler.newIn != nil:
		in = op.Handler.newIn()
		return in, op.plan.bindPath(&r.binder, reflect.ValueOf(in).Elem(), op.pattern.params, &r.values)
	case op.plan != nil && len(op.plan.path) > 0:
		return nil, op.plan.bindPath(&r.binder, reflect.New(op.Handler.in).Elem(), op.pattern.params, &r.values)
	}
	return nil, nil
}

// release frees what the request holds. It may be called repeatedly.
func (r *Request) release() {
	r.endTurn()
	r.stream.close()
	r.cost.release()
}

// readBody reads the body, and parses it if it is JSON. If the handler reads it
// itself, it is only opened.
func (r *Request) readBody(w http.ResponseWriter) (err error) {
	r.read = true
	if r.stream.from == nil {
		if err = r.openBody(w, r.bodyLimit()); err != nil {
			return err
		}
	}
	if r.op.Stream {
		r.Stream = &r.stream
		return nil
	}
	if r.Bytes, err = readAll(&r.stream, r.head, r.length(), &r.cost); err != nil {
		return readFault(err, r.stream.limit)
	}
	if err = r.takeTurn(); err != nil || r.MediaType != jsonType {
		return err
	}
	if err = r.cost.addTree(r.Bytes); err != nil {
		return err
	}
	r.Body, err = parseBody(r.Bytes, r.op.EmptyBody)
	return err
}

// length returns the length of the unpacked body, -1 if it is unknown.
func (r *Request) length() int64 {
	if r.packed {
		return -1
	}
	return r.HTTP.ContentLength
}

func (r *Request) bodyLimit() int64 {
	if r.MediaType == jsonType && !r.op.Stream {
		return r.op.maxJSON
	}
	return r.op.maxBody
}

// answer responds with the output of a typed handler.
func (op *operation) answer(w *recorder, out any) error {
	status := op.status()
	if coder, ok := out.(StatusCoder); ok {
		status = coder.HTTPStatus()
	}
	if bodiless(status) {
		w.WriteHeader(status)
		return nil
	}
	if out == nil {
		return fmt.Errorf("operation %s has no output for status %d", op.ID, status)
	}
	return WriteJSON(w, status, out)
}

// authenticate identifies the caller by the key.
func (rt *Router) authenticate(w http.ResponseWriter, r *Request) error {
	if r.op.Auth == AuthNone {
		return nil
	}
	key, err := r.apiKey(w)
	if err != nil {
		return err
	}
	ctx, caller, err := rt.options.Authenticate(r.ctx, r.HTTP, key)
	if err != nil {
		return err
	}
	r.ctx, r.Caller = ctx, caller
	if rt.options.Authorize == nil {
		return nil
	}
	return rt.options.Authorize(ctx, &r.op.Op)
}

// answerError logs the error and responds with what clients may know of it. If the
// body has not been read, it is discarded after the response.
func (rt *Router) answerError(w *recorder, r *Request, err error) {
	if errors.Is(err, context.Canceled) && r.HTTP.Context().Err() != nil {
		w.status = statusClientGone
		return
	}
	rt.logError(r, err)
	if w.status != 0 {
		// A partial response must not look complete.
		panic(http.ErrAbortHandler)
	}
	if !r.receiver.unread(r.HTTP) && !fault.Is(err, fault.TooLarge) {
		writeError(w, err, r.op.ErrorText)
		return
	}
	w.Header().Set("Connection", "close")
	writeError(w, err, r.op.ErrorText)
	w.Flush()
	r.release()
	r.receiver.discard()
}

func (rt *Router) logError(r *Request, err error) {
	level := slog.LevelDebug
	alike := int64(0)
	switch fault.KindOf(err) {
	case fault.Internal:
		level = slog.LevelError
	case fault.Unavailable:
		if held, ok := rt.refusals.pass(rt.options.Now()); ok {
			level, alike = slog.LevelWarn, held
		}
	}
	attrs := []slog.Attr{
		slog.String("operation", r.op.ID), slog.String("request_id", RequestID(r.ctx)), slog.Any("error", err),
	}
	if alike > 0 {
		attrs = append(attrs, slog.Int64("refused_meanwhile", alike))
	}
	rt.options.Logger.LogAttrs(r.ctx, level, "request failed", attrs...)
}

// observe reports a request after the response.
func (rt *Router) observe(r *Request, w *recorder, start time.Time) {
	seen := Observation{Op: &r.op.Op, Status: w.status, Duration: rt.options.Now().Sub(start), Bytes: w.bytes}
	if seen.Status == 0 {
		seen.Status = http.StatusOK // a raw handler that wrote nothing
	}
	if rt.options.Observe != nil {
		rt.options.Observe(seen)
	}
	if rt.options.Logger.Enabled(r.ctx, slog.LevelDebug) {
		rt.options.Logger.LogAttrs(r.ctx, slog.LevelDebug, "request",
			slog.String("operation", r.op.ID), slog.String("method", clip(r.HTTP.Method, 20)),
			slog.String("path", clip(r.HTTP.URL.Path, maxLocPart)), slog.Int("status", seen.Status),
			slog.Duration("duration", seen.Duration), slog.Int64("bytes", seen.Bytes),
			slog.String("request_id", RequestID(r.ctx)))
	}
}

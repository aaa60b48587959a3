package logs

import (
	"net/http"
	"runtime"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

// requestLogs has the handlers of request logs.
type requestLogs struct{ service *requests.Service }

// maxLogs is the maximum number of logs in one call.
const maxLogs = 1000

func (h requestLogs) ingestOperations() []rest.Op {
	log := post("/log-request", "logRequest", "Log a request",
		"Stores one request to a language model. Once the response is sent, the log is durable and searchable.",
		rest.Raw(logRequest{}, logResponse{}, h.log))
	log.Computes = true
	log.Status, log.Also = http.StatusCreated, []int{http.StatusNotFound, http.StatusServiceUnavailable}

	logMany := post("/log-requests", "logRequests", "Log many requests",
		"Stores up to 1,000 requests. Each is validated on its own; rejected requests do not affect the others. "+
			"The status is 201 if all were stored and 207 if some were rejected. Results are in the order of the requests.",
		rest.Raw(logManyRequest{}, logManyResponse{}, h.logMany))
	logMany.Computes = true
	logMany.Status, logMany.Also = http.StatusCreated, []int{http.StatusMultiStatus, http.StatusServiceUnavailable}

	track := post("/track-request", "trackRequest", "Track a provider call",
		"Stores a call to a model provider as recorded by client libraries: the function, its arguments and the provider's response.",
		rest.Raw(trackRequest{}, trackResponse{}, h.track))
	track.Computes = true
	track.Auth, track.Also = rest.AuthKeyOrBody, []int{http.StatusServiceUnavailable}
	alias := track
	alias.Path, alias.ID = "/rest/track-request", "trackRequestRest"
	return kit.WriteOnly([]rest.Op{log, logMany, track, alias})
}

func (h requestLogs) log(w http.ResponseWriter, r *rest.Request) error {
	in, err := decodeLog(r.Body, kit.BodyLoc)
	if err != nil {
		return err
	}
	if _, err := h.service.Log(r.Context(), kit.Workspace(r.Context()), in); err != nil {
		return err
	}
	rest.WriteBytes(w, http.StatusCreated, appendLog(nil, in))
	return nil
}

// decodeLog reads and checks the body of one log.
func decodeLog(body jsontree.Value, loc []any) (*reqlog.LogInput, error) {
	var problems fault.Problems
	in := reqlog.DecodeLog(body, loc, &problems)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return in, in.Check()
}

func (h requestLogs) logMany(w http.ResponseWriter, r *rest.Request) error {
	list, err := logList(r.Body)
	if err != nil {
		return err
	}
	results := make([]logResult, list.Len())
	inputs := make([]*reqlog.LogInput, 0, list.Len())
	var places []int // indexes of the inputs among the results
	for i, body := range list.Elems() {
		runtime.Gosched() // so that commits and short requests are not delayed
		in, err := decodeLog(body, fault.At(kit.BodyLoc, "requests", i))
		if err != nil {
			results[i] = refusedLog(err)
			continue
		}
		inputs, places = append(inputs, in), append(places, i)
	}
	outcomes, err := h.service.LogMany(r.Context(), kit.Workspace(r.Context()), inputs)
	if err != nil {
		return err
	}
	for n, outcome := range outcomes {
		if fault.Is(outcome.Err, fault.Unavailable) {
			return outcome.Err // the client can retry the whole call
		}
		results[places[n]] = resultOf(outcome)
	}
	answer := logManyResponse{Success: true, Results: results}
	status := http.StatusCreated
	for _, result := range results {
		if result.Status != http.StatusCreated {
			answer.Success, status = false, http.StatusMultiStatus
		}
	}
	return rest.WriteJSON(w, status, answer)
}

// logList returns the logs in the body of logRequests.
func logList(body jsontree.Value) (jsontree.Value, error) {
	var problems fault.Problems
	r := shape.New(kit.BodyLoc, &problems)
	list := body.Get("requests")
	r.Enter("requests")
	r.Array(list, 1, maxLogs)
	return list, problems.Err()
}

func resultOf(outcome requests.Outcome) logResult {
	if outcome.Err != nil {
		return refusedLog(outcome.Err)
	}
	id := outcome.Log.ID
	return logResult{Status: http.StatusCreated, ID: id, RequestID: id, Success: true}
}

func refusedLog(err error) logResult {
	status, body := rest.ErrorShape(err)
	return logResult{Status: status, Message: body.Message, Error: body.Error, Detail: body.Detail}
}

func (h requestLogs) track(w http.ResponseWriter, r *rest.Request) error {
	var problems fault.Problems
	in := reqlog.DecodeTrack(r.Body, kit.BodyLoc, &problems)
	wanted := r.Body.Get("return_prompt_blueprint")
	if wanted.Given() && wanted.Kind() != jsontree.Bool {
		problems.Report(fault.At(kit.BodyLoc, "return_prompt_blueprint"), fault.BoolType)
	}
	if err := problems.Err(); err != nil {
		return err
	}
	l, err := h.service.Track(r.Context(), kit.Workspace(r.Context()), in)
	if err != nil {
		return err
	}
	rest.WriteBytes(w, http.StatusOK, appendTracked(nil, l, in, wanted.Bool()))
	return nil
}

// post returns an operation on request logs with the fields that most of them
// share.
func post(path, id, summary, description string, handler rest.Handler) rest.Op {
	return rest.Op{
		Method: http.MethodPost, Path: path, ID: id, Summary: summary, Description: description,
		Tag: "Request logs", Handler: handler,
	}
}

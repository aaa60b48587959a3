package admin

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

// Health is the state of the program, for operators.
type Health struct {
	// Version is the program's version, Go the Go version of the build.
	Version, Go   string
	Started       time.Time
	Uptime        time.Duration
	Catalog, Logs Engine
	// DiskFree and DiskTotal describe the disk with the data folder; nil if
	// they cannot be read.
	DiskFree, DiskTotal *int64
	// Memory is the resident memory of the process; nil if unknown.
	Memory *int64
	// RequestLogs is the number of request logs in the workspace; nil if they
	// cannot be counted now.
	RequestLogs *int64
	// Problem is why logs are currently rejected; "" if they are accepted.
	Problem string
	Ingest  IngestHealth
	Damage  DamageHealth
	Queues  []QueueHealth
	Runs    RunHealth
	// Backup is the last backup of the data folder; nil if there was none.
	Backup *BackupHealth
	// Servers are those that use the catalog, this one included.
	Servers []ServerHealth
}

// BackupHealth is the last backup of the data folder.
type BackupHealth struct {
	// Outcome is complete, damaged or failed.
	Outcome        string
	Started, Ended time.Time
	// Error is what is wrong, "" if nothing is.
	Error string
	// Point is the last point, of this backup or an earlier one, and Made when it was
	// made. They are "" and nil if there never was one.
	Point   string
	Made    *time.Time
	Written int64
}

// Engine describes one of the two stores.
type Engine struct {
	Name, Version string
	// Size is in bytes; nil if it cannot be read.
	Size *int64
}

// IngestHealth is the ingest queue of the log store in this process.
type IngestHealth struct {
	// Logs and Bytes are waiting to become durable; their clients wait with
	// them.
	Logs, Bytes int64
	// Operations and OperationBytes are durable but not yet in the searchable
	// table.
	Operations, OperationBytes int64
}

// ServerHealth is one of the servers that use the catalog.
type ServerHealth struct {
	Version string
	Started time.Time
	// Running is false for a server that ended without stopping properly, or that
	// has lost the connection to the catalog.
	Running bool
	// This is the server that answers.
	This bool
	ServerStatus
}

// ServerStatus is what a server reports of itself to the others.
type ServerStatus struct {
	Host      string
	ProcessID int
	// Problem is why it rejects logs; "" if it accepts them.
	Problem string
	Ingest  IngestHealth
}

// DamageHealth is the damage of the journal and the catalog that has been found.
type DamageHealth struct {
	// Blocks is the number of damaged parts, Bytes their size, and Logs the
	// highest possible number of request logs in them, in all workspaces. Spans
	// is the number of spans in them that the table contains.
	Blocks, Bytes, Logs, Spans int64
	// Catalog is the number of problems that the last check of a SQLite catalog found.
	Catalog int64
}

// QueueHealth is the part of a workspace in a queue of this process, and its
// limits.
type QueueHealth struct {
	Name                                     string
	Running, MaxRunning, Waiting, MaxWaiting int64
}

// RunHealth is the number of background runs of a workspace.
type RunHealth struct {
	Running, Waiting int64
	// WaitingFor is how long the oldest has waited; nil if none is waiting.
	WaitingFor *time.Duration
}

// HealthSource returns the state of the program. Values that cannot be
// determined are left out; the fault is Unavailable only if the catalog
// cannot be reached.
type HealthSource interface {
	Health(ctx context.Context, workspace int64) (Health, error)
}

// health has the handler of the health operation.
type health struct{ source HealthSource }

func (h health) operations() []rest.Op {
	return kit.Tagged(adminTag, []rest.Op{{
		Method: http.MethodGet, Path: adminBase + "/health", ID: "getHealth", Handler: rest.Handle(h.get),
		Summary: "Get the server's health",
		Description: "Returns the health of the process that answers: versions, sizes of the stores, disk space, memory and the ingest queue, " +
			"and for the caller's workspace the number of request logs and of runs in progress. Requires ADMIN. " +
			"Monitoring should use /healthz, /readyz and /metrics instead.",
	}})
}

type engineItem struct {
	Engine  string  `json:"engine" required:"true" description:"Name of the engine."`
	Version *string `json:"version" required:"true" description:"The engine's version; null if it cannot be read."`
	Size    *int64  `json:"size_bytes" required:"true" description:"Size in bytes; null if it cannot be read."`
}

type diskItem struct {
	Free  *int64 `json:"free_bytes" required:"true" description:"Free space on the disk with the data folder; null if it cannot be read."`
	Total *int64 `json:"total_bytes" required:"true" description:"Size of the disk."`
}

type ingestItem struct {
	Logs           int64 `json:"waiting_logs" required:"true" description:"Number of logs waiting to become durable."`
	Bytes          int64 `json:"waiting_bytes" required:"true" description:"Approximate memory that these logs take."`
	Operations     int64 `json:"pending_operations" required:"true" description:"Number of durable operations not yet in the table and the text index."`
	OperationBytes int64 `json:"pending_bytes" required:"true" description:"Size of these operations."`
}

type damageItem struct {
	Blocks  int64 `json:"blocks" required:"true" description:"Number of damaged parts of the journal that were found."`
	Bytes   int64 `json:"bytes" required:"true" description:"Size of these parts."`
	Logs    int64 `json:"logs" required:"true" description:"Number of request logs of all workspaces that cannot be read because of damage; at most this number if it is not known exactly."`
	Spans   int64 `json:"spans" required:"true" description:"Number of spans of all workspaces that cannot be read because of damage, without those that a rebuilt table no longer knows."`
	Catalog int64 `json:"catalog_problems" required:"true" description:"Number of problems that the last background check of the SQLite catalog found; 0 with PostgreSQL, which is not checked."`
}

type backupItem struct {
	Outcome string     `json:"outcome" required:"true" enum:"complete,damaged,failed" description:"How the last backup ended: with a point, with a point but with damage in the data or in the target, or without a point."`
	Started rest.Time  `json:"started_at" required:"true" description:"When it began."`
	Ended   rest.Time  `json:"ended_at" required:"true" description:"When it ended."`
	Error   *string    `json:"error" required:"true" description:"What is wrong; null if nothing is."`
	Point   *string    `json:"point" required:"true" description:"The last point, of this backup or an earlier one; null if there never was one."`
	Made    *rest.Time `json:"point_at" required:"true" description:"When the last point was made."`
	Written int64      `json:"written_bytes" required:"true" description:"Bytes that the last backup wrote."`
}

type queueItem struct {
	Name       string `json:"name" required:"true" description:"Kind of work: bodies (parsing large bodies), queries (searches and analytics), rendering, code or texts (steps on large texts)."`
	Running    int64  `json:"running" required:"true" description:"Number of tasks of the workspace in progress."`
	MaxRunning int64  `json:"max_running" required:"true" description:"Highest possible number of tasks of one workspace in progress."`
	Waiting    int64  `json:"waiting" required:"true" description:"Number of tasks of the workspace waiting for their turn."`
	MaxWaiting int64  `json:"max_waiting" required:"true" description:"Number of waiting tasks from which further ones are refused with 429."`
}

type runHealthItem struct {
	Running int64    `json:"running" required:"true" description:"Number of workflow and evaluation runs of the workspace in progress."`
	Waiting int64    `json:"waiting" required:"true" description:"Number of runs waiting for a free slot."`
	Oldest  *float64 `json:"oldest_waiting_seconds" required:"true" description:"Seconds that the oldest waiting run has waited; null if none is waiting."`
}

type serverItem struct {
	Host    string     `json:"host" required:"true" description:"Name of the host that the server runs on; empty while it starts."`
	Process int        `json:"process_id" required:"true" description:"ID of the process on that host."`
	Version string     `json:"version" required:"true" description:"Version of the program."`
	Started rest.Time  `json:"started_at" required:"true" description:"When the process started."`
	Running bool       `json:"running" required:"true" description:"False for a server that crashed within the last day, or cannot reach the catalog."`
	This    bool       `json:"this" required:"true" description:"True for the server that answers."`
	Problem *string    `json:"problem" required:"true" description:"Why the server rejects request logs; null if it accepts them."`
	Ingest  ingestItem `json:"ingest" required:"true" description:"Ingest queue of the server, a few seconds old for other servers."`
}

type healthResponse struct {
	Success     bool          `json:"success" required:"true" description:"Always true."`
	Version     string        `json:"version" required:"true" description:"Version of the program."`
	Go          string        `json:"go_version" required:"true" description:"Go version of the build."`
	Started     rest.Time     `json:"started_at" required:"true" description:"When the process started."`
	Uptime      float64       `json:"uptime_seconds" required:"true" description:"Seconds since the process started."`
	Problem     *string       `json:"problem" required:"true" description:"Why request logs are currently rejected; null if they are accepted."`
	Catalog     engineItem    `json:"catalog" required:"true" description:"Store of everything except request logs."`
	Logs        engineItem    `json:"logs" required:"true" description:"Store of request logs."`
	Disk        diskItem      `json:"disk" required:"true" description:"The disk with the data folder."`
	Memory      *int64        `json:"memory_bytes" required:"true" description:"Memory used by the process; null if unknown."`
	RequestLogs *int64        `json:"request_logs" required:"true" description:"Number of request logs in the workspace; null if they cannot be counted now."`
	Ingest      ingestItem    `json:"ingest" required:"true" description:"Ingest queue of the log store in this process."`
	Damage      damageItem    `json:"damage" required:"true" description:"Damage of stored request logs and spans and of the catalog, which promptuary verify describes."`
	Queues      []queueItem   `json:"queues" required:"true" description:"Queues in which workspaces take turns, as seen by the workspace."`
	Runs        runHealthItem `json:"runs" required:"true" description:"Background runs of the workspace."`
	Backup      *backupItem   `json:"backup" required:"true" description:"The last backup of the data folder of this server; null if there was none."`
	Servers     []serverItem  `json:"servers" required:"true" description:"The servers that use the catalog."`
}

func (h health) get(ctx context.Context, _ *struct{}) (*healthResponse, error) {
	if err := access.Require(ctx, access.Admin); err != nil {
		return nil, err
	}
	now, err := h.source.Health(ctx, kit.Workspace(ctx))
	if err != nil {
		return nil, err
	}
	return wireHealth(&now), nil
}

func wireHealth(h *Health) *healthResponse {
	return &healthResponse{
		Success: true, Version: h.Version, Go: h.Go, Started: kit.Time(h.Started), Uptime: seconds(h.Uptime),
		Problem: kit.OrNil(h.Problem), Catalog: wireEngine(h.Catalog), Logs: wireEngine(h.Logs),
		Disk: diskItem{Free: h.DiskFree, Total: h.DiskTotal}, Memory: h.Memory, RequestLogs: h.RequestLogs,
		Ingest: ingestItem(h.Ingest), Damage: damageItem(h.Damage), Queues: kit.Each(h.Queues, func(q QueueHealth) queueItem { return queueItem(q) }), Runs: wireRunHealth(h.Runs),
		Backup: wireBackup(h.Backup), Servers: kit.Each(h.Servers, wireServer),
	}
}

func wireBackup(b *BackupHealth) *backupItem {
	if b == nil {
		return nil
	}
	return &backupItem{
		Outcome: b.Outcome, Started: kit.Time(b.Started), Ended: kit.Time(b.Ended), Error: kit.OrNil(b.Error),
		Point: kit.OrNil(b.Point), Made: kit.TimeOrNil(b.Made), Written: b.Written,
	}
}

func wireEngine(e Engine) engineItem {
	return engineItem{Engine: e.Name, Version: kit.OrNil(e.Version), Size: e.Size}
}

func wireServer(s ServerHealth) serverItem {
	return serverItem{
		Host: s.Host, Process: s.ProcessID, Version: s.Version, Started: kit.Time(s.Started), Running: s.Running, This: s.This,
		Problem: kit.OrNil(s.Problem), Ingest: ingestItem(s.Ingest),
	}
}

func wireRunHealth(r RunHealth) runHealthItem {
	item := runHealthItem{Running: r.Running, Waiting: r.Waiting}
	if r.WaitingFor != nil {
		item.Oldest = new(seconds(*r.WaitingFor))
	}
	return item
}

// seconds returns a duration in seconds, rounded to milliseconds.
func seconds(d time.Duration) float64 { return math.Round(float64(d)/1e6) / 1e3 }

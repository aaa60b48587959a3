package watch

import (
	"time"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

// alertContent is what an alert watches.
type alertContent struct {
	Query       rest.RawObject `json:"query" description:"Which request logs: filter_group, filters and q, as in a search. All of them without it."`
	Measure     string         `json:"measure" enum:"count,error_rate,cost,tokens,latency_mean,latency_p50,latency_p90,latency_p95,latency_p99,score_mean" default:"count" description:"The number to watch: count of requests, share of requests with the status ERROR (0 to 1), sum of costs in US dollars or of tokens, latency in milliseconds, or mean of a score. Always cost for a budget."`
	ScoreName   *string        `json:"score_name" minLength:"1" maxLength:"255" description:"Name of the score, for the measure score_mean."`
	Comparison  string         `json:"comparison" enum:"above,below" default:"above" description:"On which side of the threshold it fires. Always above for a budget."`
	Threshold   float64        `json:"threshold" required:"true" description:"The threshold, in the unit of the measure; the amount of a budget in US dollars."`
	Window      *int64         `json:"window_minutes" minimum:"5" maximum:"43200" description:"Minutes before an evaluation that the value is about. Required unless it has a period."`
	Period      *string        `json:"period" enum:"day,month" description:"Makes it a budget for each calendar day or month, in UTC."`
	Levels      []int64        `json:"levels" minItems:"1" maxItems:"10" items.minimum:"1" items.maximum:"1000" description:"Percentages of a budget that a message is sent at, ascending; 50, 80 and 100 without it. Only for budgets."`
	Every       *int64         `json:"every_minutes" enum:"1,5,15,60" description:"Minutes between evaluations, at least a 720th of the window; the shortest allowed without it."`
	MinRequests *int64         `json:"minimum_requests" minimum:"0" maximum:"1000000000" description:"Number of requests below which the state is no_data; without it 1, and 0 for the measure count and for budgets."`
}

func (in *alertContent) content() alert.Content {
	c := alert.Content{
		Enabled: true, Query: kit.QueryText(in.Query), Measure: alert.Measure(in.Measure), ScoreName: kit.OrZero(in.ScoreName), Comparison: alert.Comparison(in.Comparison),
		Threshold: in.Threshold, Window: minutes(in.Window), Period: alert.Period(kit.OrZero(in.Period)), Levels: in.Levels, Every: minutes(in.Every),
		MinRequests: kit.OrZero(in.MinRequests),
	}
	c.Normalize(in.MinRequests != nil)
	return c
}

func minutes(n *int64) time.Duration { return time.Duration(kit.OrZero(n)) * time.Minute }

func hours(n *int64) time.Duration { return time.Duration(kit.OrZero(n)) * time.Hour }

type createAlertRequest struct {
	Name string `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the alert, unique in the workspace."`
	alertContent
	Remind     *int64 `json:"remind_hours" minimum:"1" maximum:"720" description:"Hours between reminders while it fires; no reminders without it."`
	TellNoData bool   `json:"notify_no_data" description:"Whether a message is sent when there is no data."`
	Enabled    *bool  `json:"enabled" default:"true" description:"Whether it is evaluated."`
}

func (in *createAlertRequest) content() alert.Content {
	c := in.alertContent.content()
	c.Name, c.RemindAfter, c.TellNoData = in.Name, hours(in.Remind), in.TellNoData
	c.Enabled = in.Enabled == nil || *in.Enabled
	return c
}

type previewAlertRequest struct {
	alertContent
	Windows int64 `json:"windows" minimum:"1" maximum:"24" default:"1" description:"Number of windows or periods, this one and those before."`
}

type alertPath struct {
	ID int64 `path:"alert_id" minimum:"1" description:"The id of the alert."`
}

type alertHistoryRequest struct {
	alertPath
	kit.ShortPaging
}

type updateAlertRequest struct {
	alertPath
	Name        *string        `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	Query       rest.RawObject `json:"query" description:"New query."`
	Measure     *string        `json:"measure" enum:"count,error_rate,cost,tokens,latency_mean,latency_p50,latency_p90,latency_p95,latency_p99,score_mean" description:"New measure."`
	ScoreName   *string        `json:"score_name" minLength:"1" maxLength:"255" description:"New name of the score. It is removed with the measure score_mean."`
	Comparison  *string        `json:"comparison" enum:"above,below" description:"New comparison."`
	Threshold   *float64       `json:"threshold" description:"New threshold, or amount of the budget."`
	Window      *int64         `json:"window_minutes" minimum:"5" maximum:"43200" description:"New window; a budget becomes an alert with a window."`
	Period      *string        `json:"period" enum:"day,month" description:"New period; an alert with a window becomes a budget."`
	Levels      []int64        `json:"levels" minItems:"1" maxItems:"10" items.minimum:"1" items.maximum:"1000" description:"New levels of the budget."`
	Every       *int64         `json:"every_minutes" enum:"1,5,15,60" description:"New schedule. If the window becomes too long for the old one, it is the shortest allowed."`
	MinRequests *int64         `json:"minimum_requests" minimum:"0" maximum:"1000000000" description:"New minimum number of requests."`
	Remind      *int64         `json:"remind_hours" minimum:"0" maximum:"720" description:"New hours between reminders; 0 for none."`
	TellNoData  *bool          `json:"notify_no_data" description:"Whether a message is sent when there is no data from now on."`
	Enabled     *bool          `json:"enabled" description:"Whether it is evaluated from now on."`
}

// apply changes the members that were sent.
func (in *updateAlertRequest) apply(c *alert.Content) {
	kit.Set(&c.Name, in.Name)
	kit.Set(&c.Threshold, in.Threshold)
	kit.Set(&c.MinRequests, in.MinRequests)
	kit.Set(&c.TellNoData, in.TellNoData)
	kit.Set(&c.Enabled, in.Enabled)
	kit.Set(&c.ScoreName, in.ScoreName)
	if in.Query != nil {
		c.Query = string(in.Query)
	}
	if in.Comparison != nil {
		c.Comparison = alert.Comparison(*in.Comparison)
	}
	if in.Remind != nil {
		c.RemindAfter = hours(in.Remind)
	}
	in.applyMeasure(c)
	in.applyTimes(c)
}

func (in *updateAlertRequest) applyMeasure(c *alert.Content) {
	if in.Measure == nil {
		return
	}
	if c.Measure = alert.Measure(*in.Measure); c.Measure != alert.ScoreMean && in.ScoreName == nil {
		c.ScoreName = ""
	}
}

func (in *updateAlertRequest) applyTimes(c *alert.Content) {
	if in.Window != nil {
		c.Window, c.Period, c.Levels = minutes(in.Window), "", nil
	}
	if in.Period != nil {
		c.Period = alert.Period(*in.Period)
		if in.Window == nil {
			c.Window = 0
		}
	}
	if in.Levels != nil {
		c.Levels = in.Levels
	}
	if in.Every != nil {
		c.Every = minutes(in.Every)
	} else {
		c.Every = max(c.Every, c.Shortest())
	}
	c.Normalize(true)
}

type alertReading struct {
	Value    *float64   `json:"value" required:"true" description:"The value; null if no request has one."`
	Requests int64      `json:"requests" required:"true" description:"Number of requests."`
	Forecast *float64   `json:"forecast" required:"true" description:"What the cost will be at the end of the period if it goes on like this; null for other alerts, in the first twentieth of a period and for periods before."`
	From     *rest.Time `json:"from" required:"true" description:"Start of the window or period; null if nothing was computed."`
	Until    *rest.Time `json:"until" required:"true" description:"End of the window or period; null if nothing was computed."`
}

func wireReading(r *alert.Reading) alertReading {
	item := alertReading{Value: r.Value, Requests: r.Requests, Forecast: r.Forecast}
	if !r.Until.IsZero() {
		item.From, item.Until = new(kit.Time(r.From)), new(kit.Time(r.Until))
	}
	return item
}

type alertItem struct {
	ID          int64          `json:"id" required:"true" description:"The id of the alert."`
	Name        string         `json:"name" required:"true" description:"Name."`
	Enabled     bool           `json:"enabled" required:"true" description:"Whether it is evaluated."`
	Query       rest.RawObject `json:"query" required:"true" description:"Which request logs: filter_group, filters and q, as given."`
	Measure     string         `json:"measure" required:"true" enum:"count,error_rate,cost,tokens,latency_mean,latency_p50,latency_p90,latency_p95,latency_p99,score_mean" description:"The number that is watched."`
	ScoreName   *string        `json:"score_name" required:"true" description:"Name of the score; null for other measures."`
	Comparison  string         `json:"comparison" required:"true" enum:"above,below" description:"On which side of the threshold it fires."`
	Threshold   float64        `json:"threshold" required:"true" description:"The threshold, or the amount of a budget in US dollars."`
	Window      *int64         `json:"window_minutes" required:"true" description:"Minutes before an evaluation that the value is about; null for a budget."`
	Period      *string        `json:"period" required:"true" description:"Calendar period of a budget in UTC, day or month; null for other alerts."`
	Levels      []int64        `json:"levels" required:"true" description:"Percentages of a budget that a message is sent at; empty for other alerts."`
	Every       int64          `json:"every_minutes" required:"true" description:"Minutes between evaluations."`
	MinRequests int64          `json:"minimum_requests" required:"true" description:"Number of requests below which the state is no_data."`
	Remind      *int64         `json:"remind_hours" required:"true" description:"Hours between reminders while it fires; null for none."`
	TellNoData  bool           `json:"notify_no_data" required:"true" description:"Whether a message is sent when there is no data."`
	State       string         `json:"state" required:"true" enum:"ok,firing,no_data,error" description:"State at the last evaluation; no_data before the first one and while it is disabled, error if the value could not be computed."`
	Level       int64          `json:"level_percent" required:"true" description:"Highest level of the budget that was reached; 0 if none was, and for other alerts."`
	Error       *string        `json:"error" required:"true" description:"Why the last evaluation failed; null if it did not."`
	alertReading
	EvaluatedAt *rest.Time `json:"evaluated_at" required:"true" description:"When it was last evaluated; null before."`
	ChangedAt   *rest.Time `json:"state_changed_at" required:"true" description:"When the state last changed; null before the first evaluation."`
	CreatedBy   *string    `json:"created_by" required:"true" description:"Email address of who created it; null for a key without an owner."`
	CreatedAt   rest.Time  `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt   rest.Time  `json:"updated_at" required:"true" description:"When it was last changed."`
}

func wireAlert(a *alert.Alert) alertItem {
	return alertItem{
		ID: a.ID, Name: a.Name, Enabled: a.Enabled, Query: rest.RawObject(a.Query), Measure: string(a.Measure), ScoreName: kit.OrNil(a.ScoreName),
		Comparison: string(a.Comparison), Threshold: a.Threshold, Window: kit.OrNil(int64(a.Window / time.Minute)), Period: kit.OrNil(string(a.Period)),
		Levels: append([]int64{}, a.Levels...), Every: int64(a.Every / time.Minute), MinRequests: a.MinRequests, Remind: kit.OrNil(int64(a.RemindAfter / time.Hour)),
		TellNoData: a.TellNoData, State: string(a.Shown()), Level: percentOf(a.Period, a.Level), Error: kit.OrNil(a.Error), alertReading: wireReading(&a.Reading),
		EvaluatedAt: kit.TimeOrNil(a.EvaluatedAt), ChangedAt: kit.TimeOrNil(a.ChangedAt), CreatedBy: a.CreatedBy, CreatedAt: kit.Time(a.CreatedAt),
		UpdatedAt: kit.Time(a.UpdatedAt),
	}
}

// percentOf returns the level of a budget, and 0 for other alerts.
func percentOf(period alert.Period, level int64) int64 {
	if period == "" {
		return 0
	}
	return level
}

type alertList struct {
	Success bool        `json:"success" required:"true" description:"Always true."`
	Alerts  []alertItem `json:"alerts" required:"true" description:"The alerts, by name."`
}

type alertResponse struct {
	Success bool      `json:"success" required:"true" description:"Always true."`
	Alert   alertItem `json:"alert" required:"true" description:"The alert."`
}

func answerAlert(a alert.Alert, err error) (*alertResponse, error) {
	if err != nil {
		return nil, err
	}
	return &alertResponse{Success: true, Alert: wireAlert(&a)}, nil
}

type alertWindow struct {
	State string `json:"state" required:"true" enum:"ok,firing,no_data" description:"The state it would have."`
	Level int64  `json:"level" required:"true" description:"Highest level of a budget that is reached; 1 for another alert that fires, 0 otherwise."`
	alertReading
}

func wireJudged(j *alert.Judged) alertWindow {
	return alertWindow{State: string(j.State), Level: j.Level, alertReading: wireReading(&j.Reading)}
}

type alertPreview struct {
	Success bool          `json:"success" required:"true" description:"Always true."`
	Windows []alertWindow `json:"windows" required:"true" description:"The windows or periods, the newest first."`
}

type alertChange struct {
	ID    int64     `json:"id" required:"true" description:"The id of the change."`
	At    rest.Time `json:"at" required:"true" description:"When it changed."`
	State string    `json:"state" required:"true" enum:"ok,firing,no_data,error" description:"The new state."`
	Level int64     `json:"level" required:"true" description:"Highest level of a budget that was reached; 1 for another alert that fires, 0 otherwise."`
	Error *string   `json:"error" required:"true" description:"Why the evaluation failed; null if it did not."`
	alertReading
}

func wireChange(c *alert.Change) alertChange {
	return alertChange{ID: c.ID, At: kit.Time(c.At), State: string(c.State), Level: c.Level, Error: kit.OrNil(c.Error), alertReading: wireReading(&c.Reading)}
}

type alertHistory struct {
	Success bool          `json:"success" required:"true" description:"Always true."`
	Changes []alertChange `json:"changes" required:"true" description:"The changes, the newest first."`
	kit.PageCounts
}

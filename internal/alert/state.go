package alert

import "time"

// judge returns the state of a reading, and the level that it reaches.
func (c *Content) judge(r *Reading) (State, int64) {
	if r.Value == nil || r.Requests < c.MinRequests {
		return NoData, 0
	}
	level := int64(0)
	switch {
	case c.IsBudget():
		for _, percent := range c.Levels {
			if *r.Value >= c.Threshold*float64(percent)/100 {
				level = percent
			}
		}
	case c.Comparison == Above && *r.Value > c.Threshold, c.Comparison == Below && *r.Value < c.Threshold:
		level = 1
	}
	if level > 0 {
		return Firing, level
	}
	return OK, 0
}

// Outcome is what an evaluation leads to. All of it is stored together.
type Outcome struct {
	Status Status
	// Change is an entry of the history, nil if nothing changed.
	Change *Change
	// Notice is the message to send, "" for none.
	Notice NoticeKind
}

// after returns the outcome of a reading.
func (a *Alert) after(r Reading, now time.Time) Outcome {
	old := a.Status
	if a.IsBudget() && !old.From.Equal(r.From) {
		old.Told, old.ToldAt = 0, nil // a new period begins silently
	}
	state, level := a.judge(&r)
	next := Status{State: state, Reading: r, Level: level, EvaluatedAt: &now, ChangedAt: old.ChangedAt, Told: old.Told, ToldAt: old.ToldAt}
	out := Outcome{Notice: a.notice(&old, &next, now)}
	switch out.Notice {
	case NoticeFiring, NoticeReminder:
		next.Told, next.ToldAt = level, &now
	case NoticeResolved, NoticeNoData:
		next.Told, next.ToldAt = 0, &now
	}
	if state != old.State || level != old.Level || old.Error != "" {
		next.ChangedAt = &now
		out.Change = &Change{Alert: a.ID, At: now, State: state, Level: level, Reading: r}
	}
	out.Status = next
	return out
}

// notice returns the message that the way from a status to the next needs.
func (a *Alert) notice(old, next *Status, now time.Time) NoticeKind {
	switch {
	case next.State == Firing && next.Level > old.Told:
		return NoticeFiring
	case next.State == Firing && a.RemindAfter > 0 && old.ToldAt != nil && now.Sub(*old.ToldAt) >= a.RemindAfter:
		return NoticeReminder
	case next.State == OK && old.Told > 0:
		return NoticeResolved
	case next.State == NoData && a.TellNoData && old.State != NoData && old.State != "":
		return NoticeNoData
	}
	return ""
}

// afterFailure returns the outcome of an evaluation that failed: the last state that
// is known stays.
func (a *Alert) afterFailure(reason string, now time.Time) Outcome {
	out := Outcome{Status: a.Status}
	out.Status.Error, out.Status.EvaluatedAt = reason, &now
	if a.Error == "" {
		out.Change = &Change{Alert: a.ID, At: now, State: Failed, Error: reason}
	}
	return out
}

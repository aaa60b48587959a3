package chart

import (
	"time"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Bucket is a division of time into equal intervals, in UTC, aligned to the
// epoch. Weeks start on Mondays; weeks and months have no fixed MS.
type Bucket struct {
	Unit string // second, minute, hour, day, week or month
	MS   int64
	// Minutes is the length of a bucket of unit "minute", 0 otherwise.
	Minutes int
}

// The buckets for analytics, and two coarser ones for charts.
var (
	BucketSecond      = Bucket{Unit: "second", MS: 1000}
	BucketMinute      = Bucket{Unit: "minute", MS: 60_000, Minutes: 1}
	BucketFiveMinutes = Bucket{Unit: "minute", MS: 300_000, Minutes: 5}
	BucketHour        = Bucket{Unit: "hour", MS: 3_600_000}
	BucketDay         = Bucket{Unit: "day", MS: 86_400_000}
	BucketWeek        = Bucket{Unit: "week"}
	BucketMonth       = Bucket{Unit: "month"}
)

// Start returns the start of the bucket that has a time. Weeks begin on Monday.
func (b Bucket) Start(m reqlog.Micros) reqlog.Micros {
	if b.MS > 0 {
		size := reqlog.Micros(b.MS * 1000)
		return m - (m%size+size)%size // of times before 1970, too
	}
	year, month, day := m.Time().Date()
	if b == BucketMonth {
		day = 1
	} else {
		day -= (int(m.Time().Weekday()) + 6) % 7
	}
	return reqlog.Micros(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).UnixMicro())
}

// Key returns the name of the bucket that starts at m: a date for days and
// coarser buckets, else a date-time.
func (b Bucket) Key(m reqlog.Micros) string {
	if b.dated() {
		return m.Time().Format(time.DateOnly)
	}
	return m.Time().Format("2006-01-02T15:04:05Z")
}

// Label returns the label of the bucket that starts at m on a chart's axis.
func (b Bucket) Label(m reqlog.Micros) string {
	if b.dated() {
		return m.Time().Format("Jan 2")
	}
	return m.Time().Format("3:04 PM")
}

func (b Bucket) dated() bool { return b.MS == 0 || b.MS >= BucketDay.MS }

// ChooseBucket chooses the bucket size for the time range of the filter. Only
// bounds that every match obeys count: conditions on the start time that are
// connected to the root by AND groups.
func ChooseBucket(filter query.Node, now reqlog.Micros) Bucket {
	low, high := bounds(filter)
	if low == nil {
		return BucketDay
	}
	if high == nil {
		high = &now
	}
	// A time.Duration overflows after 292 years.
	const minute, hour reqlog.Micros = 60_000_000, 3_600_000_000
	switch span := *high - *low; {
	case span <= 5*minute:
		return BucketSecond
	case span <= 2*hour:
		return BucketMinute
	case span <= 12*hour:
		return BucketFiveMinutes
	case span <= 72*hour:
		return BucketHour
	default:
		return BucketDay
	}
}

// bounds returns the tightest lower and upper bound of the start time that
// every match of the filter obeys, nil if there is none.
func bounds(filter query.Node) (low, high *reqlog.Micros) {
	switch n := filter.(type) {
	case query.Cond:
		if n.Field == query.FieldStart || n.Field == query.FieldTraceStart {
			return n.TimeBounds()
		}
	case query.Group:
		if n.Any && len(n.Nodes) > 1 {
			return nil, nil
		}
		for _, child := range n.Nodes {
			l, h := bounds(child)
			if l != nil && (low == nil || *l > *low) {
				low = l
			}
			if h != nil && (high == nil || *h < *high) {
				high = h
			}
		}
	}
	return low, high
}

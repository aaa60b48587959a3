package main

import (
	"math"
	"slices"
	"time"
)

// percentile returns the p-quantile of the times.
func percentile(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(int(p*float64(len(sorted))), len(sorted)-1)]
}

func median(times []time.Duration) time.Duration { return percentile(times, 0.5) }

// geomean returns the geometric mean, in which slow and fast cases have equal
// weight.
func geomean(times []time.Duration) time.Duration {
	sum := 0.0
	for _, t := range times {
		sum += math.Log(float64(t))
	}
	return time.Duration(math.Exp(sum / float64(len(times))))
}

// timed returns the durations of n calls, after a warm-up call.
func timed(n int, call func() error) ([]time.Duration, error) {
	if err := call(); err != nil {
		return nil, err
	}
	times := make([]time.Duration, n)
	for i := range times {
		start := time.Now()
		if err := call(); err != nil {
			return nil, err
		}
		times[i] = time.Since(start)
	}
	return times, nil
}

// repetitions returns how often to time a call, given its duration: enough for
// a stable median within a limited total time.
func repetitions(one time.Duration) int {
	const budget = 2 * time.Second
	return max(5, min(25, int(budget/max(one, time.Microsecond))))
}

// medianOf returns the median duration of the call.
func medianOf(call func() error) (time.Duration, error) {
	first, err := timed(1, call)
	if err != nil {
		return 0, err
	}
	times, err := timed(repetitions(first[0]), call)
	return median(times), err
}

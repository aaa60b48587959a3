package abtest

import "math"

// quantile95 is how many standard errors a 95 % interval extends to each side.
const quantile95 = 1.959964

// Estimate is a number of a version and the interval in which the true one lies
// with 95 % confidence, from Count requests.
type Estimate struct {
	Count            int64
	Value, Low, High float64
}

// share estimates a proportion with Wilson's interval, which holds for few
// requests and for shares near 0 and 1.
func share(part, all int64) Estimate {
	n, p, z := float64(all), float64(part)/float64(all), quantile95
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return Estimate{Count: all, Value: p, Low: max(0, middle-half), High: min(1, middle+half)}
}

// maxScore is the highest score; the lowest is 0.
const maxScore = 100

// mean estimates the mean of scores, each of which was given so many times.
func mean(counts map[float64]int64) Estimate {
	var n int64
	sum, squares := 0.0, 0.0
	for value, count := range counts {
		n += count
		sum += value * float64(count)
	}
	average := sum / float64(n)
	for value, count := range counts {
		squares += (value - average) * (value - average) * float64(count)
	}
	half := float64(maxScore) // a single score tells nothing about others
	if n > 1 {
		half = quantile95 * math.Sqrt(squares/float64(n-1)/float64(n))
	}
	return Estimate{Count: n, Value: average, Low: max(0, average-half), High: min(maxScore, average+half)}
}

// medianPercentiles returns the percentiles of n values between which their median
// lies with 95 % confidence, whatever their distribution is.
func medianPercentiles(n int64) (low, high float64) {
	half := 50 * quantile95 / math.Sqrt(float64(n))
	return max(0, 50-half), min(100, 50+half)
}

// difference is how far an estimate is above another one, with the interval that
// follows from both of theirs (Zou and Donner's method of variance estimates
// recovery).
func difference(a, b Estimate) Estimate {
	d := a.Value - b.Value
	return Estimate{
		Count: min(a.Count, b.Count), Value: d,
		Low:  d - math.Hypot(a.Value-a.Low, b.High-b.Value),
		High: d + math.Hypot(a.High-a.Value, b.Value-b.Low),
	}
}

package abtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func arm(version, failed, requests int64, latency, score Estimate) *Arm {
	rate := share(failed, requests)
	return &Arm{Version: version, Requests: requests, Errors: &rate, Latency: &latency, Scores: map[string]Estimate{"helpful": score}}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	fast, slow := Estimate{1000, 800, 780, 820}, Estimate{1000, 1200, 1150, 1260}
	liked, disliked := Estimate{400, 81, 78, 84}, Estimate{400, 62, 58, 66}
	old := arm(3, 12, 1000, fast, liked)
	for _, c := range []struct {
		name string
		arm  *Arm
		want []string
	}{
		{"worse", arm(4, 41, 1000, slow, disliked), []string{
			"worse: Version 4 fails more often than version 3 (4.1% against 1.2%).",
			"worse: Version 4 is slower than version 3 (1.2 s against 0.8 s).",
			"worse: Version 4 has a lower score helpful than version 3 (62 against 81).",
		}},
		{"better", arm(4, 0, 1000, Estimate{1000, 500, 480, 530}, Estimate{400, 95, 93, 97}), []string{
			"better: Version 4 fails less often than version 3 (0% against 1.2%).",
			"better: Version 4 is faster than version 3 (0.5 s against 0.8 s).",
			"better: Version 4 has a higher score helpful than version 3 (95 against 81).",
		}},
		{"the same", arm(4, 13, 1000, fast, liked), []string{
			"no clear difference: No clear difference in errors between version 4 and version 3 (1.3% against 1.2%).",
			"no clear difference: No clear difference in latency between version 4 and version 3 (0.8 s against 0.8 s).",
			"no clear difference: No clear difference in score helpful between version 4 and version 3 (81 against 81).",
		}},
		{"too few", arm(4, 29, 29, Estimate{29, 9000, 9000, 9000}, Estimate{29, 0, 0, 0}), []string{
			"not enough requests: Too early to compare errors: 30 requests are needed, there are 29.",
			"not enough requests: Too early to compare latency: 30 requests are needed, there are 29.",
			"not enough requests: Too early to compare score helpful: 30 requests are needed, there are 29.",
		}},
		{"none", &Arm{Version: 4}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range compare(c.arm, old) {
				got = append(got, string(f.Outcome)+": "+f.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

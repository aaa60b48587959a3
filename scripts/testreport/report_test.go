package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		events string
		ci     bool
		want   string
		good   bool
	}{
		{
			name: "all passed",
			events: `{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"noise\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":0.5}
{"Action":"pass","Package":"m/a","Elapsed":0.75}
{"Action":"skip","Package":"m/b","Elapsed":0}`,
			want: `ok    m/a  0.75s
-     m/b  no tests

slowest tests:
   0.50s  m/a TestOne
1 passed, 0 failed, 0 skipped
`,
			good: true,
		},
		{
			name: "a subtest failed: it counts, its parent does not",
			events: `{"Action":"output","Package":"m/a","Test":"TestOne","Output":"=== RUN TestOne\n"}
{"Action":"output","Package":"m/a","Test":"TestOne/good","Output":"fine\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne/good","Elapsed":0.1}
{"Action":"output","Package":"m/a","Test":"TestOne/bad","Output":"got 1, want 2\n"}
{"Action":"fail","Package":"m/a","Test":"TestOne/bad","Elapsed":0.2}
{"Action":"fail","Package":"m/a","Test":"TestOne","Elapsed":0.3}
{"Action":"fail","Package":"m/a","Elapsed":0.4}`,
			want: `FAIL  m/a  0.40s

--- failed: m/a TestOne/bad
=== RUN TestOne
got 1, want 2

slowest tests:
   0.20s  m/a TestOne/bad
   0.10s  m/a TestOne/good
1 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "a test and its subtests failed",
			events: `{"Action":"pass","Package":"m/a","Test":"TestOne/good","Elapsed":0.1}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"after all\n"}
{"Action":"fail","Package":"m/a","Test":"TestOne","Elapsed":0.3}
{"Action":"fail","Package":"m/a","Elapsed":0.4}`,
			want: `FAIL  m/a  0.40s

--- failed: m/a TestOne
after all

slowest tests:
   0.30s  m/a TestOne
   0.10s  m/a TestOne/good
1 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "a package that does not build",
			events: `{"ImportPath":"m/a [m/a.test]","Action":"build-output","Output":"a.go:1: undefined: x\n"}
{"ImportPath":"m/a [m/a.test]","Action":"build-fail"}
{"Action":"output","Package":"m/a","Output":"FAIL m/a [build failed]\n"}
{"Action":"fail","Package":"m/a","Elapsed":0,"FailedBuild":"m/a [m/a.test]"}`,
			want: `FAIL  m/a  0.00s

--- failed: m/a
a.go:1: undefined: x
FAIL m/a [build failed]

slowest tests:
   0.00s  m/a
0 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "cut short",
			events: `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"working\n"}`,
			want: `FAIL  m/a  0.00s

--- failed: m/a TestOne
working

slowest tests:
   0.00s  m/a TestOne
0 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "a skip at home",
			events: `{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":0.1}
{"Action":"skip","Package":"m/a","Test":"TestTwo","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":0.2}`,
			want: `ok    m/a  0.20s

slowest tests:
   0.10s  m/a TestOne
   0.00s  m/a TestTwo
skipped: m/a TestTwo
1 passed, 0 failed, 1 skipped
`,
			good: true,
		},
		{
			name: "a skip in CI",
			events: `{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":0.1}
{"Action":"skip","Package":"m/a","Test":"TestTwo","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":0.2}`,
			ci: true,
			want: `ok    m/a  0.20s

slowest tests:
   0.10s  m/a TestOne
   0.00s  m/a TestTwo
skipped: m/a TestTwo
1 passed, 0 failed, 1 skipped
`,
		},
		{
			name:   "nothing ran",
			events: "go: cannot find main module\n",
			want: `go: cannot find main module

slowest tests:
0 passed, 0 failed, 0 skipped
`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := read(strings.NewReader(test.events))
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			good, err := r.write(&out, test.ci)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			if good != test.good {
				t.Errorf("good = %v, want %v", good, test.good)
			}
		})
	}
}

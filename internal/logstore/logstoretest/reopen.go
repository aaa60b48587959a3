package logstoretest

import (
	"fmt"
)

// testReopening compares every answer after a restart. The tests of the corpus
// compare those before.
func testReopening(s *suite) {
	Fill(s.t, s.Store)
	s.Store = s.Reopen()
	Fill(s.t, s.want)
	if diff := Diff(Answers(s.t, s.want), Answers(s.t, s.Store)); diff != "" {
		s.t.Errorf("answers after reopening differ from the naive store's (-want +got):\n%s", diff)
	}
}

// testReopeningOften writes and annotates between restarts, so that what is
// changed was written by an earlier life of the store.
func testReopeningOften(s *suite) {
	for round := range int64(5) {
		for i := range int64(4) {
			s.append(plain(round*4+i+1, fmt.Sprintf("refund %d", round)))
		}
		for id := int64(1); id <= round*4+4; id += 3 {
			s.annotate(Home, id, members("round", fmt.Sprint(round), fmt.Sprintf("key %d", round), `{"deep": [1, 2]}`))
			s.annotate(Home, id, score("default", round))
		}
		s.Store = s.Reopen()
		s.sameLogs()
		s.selects(home(nil, fmt.Sprint("refund ", round)))
	}
}

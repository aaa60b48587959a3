package reqlog

import "encoding/json"

// Annotation is a change to the notes of one log. Exactly one field is set,
// but for variables, which come with a prompt.
type Annotation struct {
	// Metadata replaces the members of the same keys and adds the others.
	Metadata []Member
	// Score replaces the score of the same name or adds it.
	Score *Score
	// Prompt replaces the prompt link, and Variables with it the input
	// variables.
	Prompt    *PromptLink
	Variables json.RawMessage
	// GroupID replaces the group, when not 0.
	GroupID int64
}

// Apply changes the log's notes and everything derived from them. Applying the
// annotations of a log in the order in which they were accepted gives its
// present state.
func (a Annotation) Apply(l *Log) {
	if len(a.Metadata) > 0 {
		// A slice of its own: the log may share its members with a reader.
		l.Metadata = MergeMembers(append([]Member(nil), l.Metadata...), a.Metadata)
		l.Index.Metadata = FlattenMembers(l.Metadata)
	}
	if a.Score != nil {
		l.Scores = setScore(append([]Score(nil), l.Scores...), *a.Score)
		if a.Score.Name == DefaultScore {
			l.Score = a.Score.Value
		}
	}
	if a.Prompt != nil {
		l.Prompt, l.Variables = a.Prompt, a.Variables
		l.Index.Variables = FlattenVariables(&l.Notes)
	}
	if a.GroupID != 0 {
		l.GroupID = a.GroupID
	}
}

// DefaultScore is the name of a score that was given none.
const DefaultScore = "default"

func setScore(scores []Score, score Score) []Score {
	for i := range scores {
		if scores[i].Name == score.Name {
			scores[i].Value = score.Value
			return scores
		}
	}
	return append(scores, score)
}

// MergeMembers lets each change replace the member of its key, or appends it.
// It writes into members.
func MergeMembers(members, changes []Member) []Member {
	at := make(map[string]int, len(members)+len(changes))
	for i, m := range members {
		at[m.Key] = i
	}
	for _, change := range changes {
		if i, ok := at[change.Key]; ok {
			members[i].Value = change.Value
			continue
		}
		at[change.Key] = len(members)
		members = append(members, change)
	}
	return members
}

package webhook

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	maxName = 255
	// maxURL limits the length of an address.
	maxURL = 2000
)

// check describes everything that is wrong with a content.
func (s *Service) check(c *Content) error {
	var problems fault.Problems
	if broken, ok := fault.TextRule(c.Name, 1, maxName); !ok {
		problems.Report(fault.In("name"), broken)
	}
	if message := s.checkURL(c); message != "" {
		problems.Add(fault.In("url"), "value_error", "%s", message)
	}
	checkEvents(c, &problems)
	return problems.Err()
}

func (s *Service) checkURL(c *Content) string {
	if len(c.URL) > maxURL {
		return "The address is too long"
	}
	if strings.HasPrefix(c.URL, MailScheme) != (c.Format == Email) {
		return "The format email needs an address that begins with mailto:, and only it may have one"
	}
	if err := s.options.CheckURL(c.URL); err != nil {
		return err.Error()
	}
	return ""
}

func checkEvents(c *Content, problems *fault.Problems) {
	if len(c.Events) == 0 {
		problems.Add(fault.In("events"), "value_error", "A webhook needs at least one event")
	}
	for i, event := range c.Events {
		if !slices.Contains(EventTypes(), event) {
			problems.Add(fault.In("events", i), "value_error", "Unknown event")
		}
	}
	wanted := slices.Contains(c.Events, ScoreBelow)
	if wanted && c.ScoreBelow == nil {
		problems.Add(fault.In("score_below"), "value_error", "The event report_score_below needs score_below")
	}
	if !wanted && c.ScoreBelow != nil {
		problems.Add(fault.In("score_below"), "value_error", "score_below is for the event report_score_below only")
	}
}

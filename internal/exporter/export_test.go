package exporter

// SetPartIDs makes files smaller.
func (s *Service) SetPartIDs(ids int64) { s.partIDs = ids }

package repricing

// SetParts makes the service write and revert few logs at once.
func (s *Service) SetParts(logs int) { s.partLogs, s.partIDs = logs, int64(logs) }

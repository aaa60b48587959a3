-- CreateAlert
INSERT INTO alert (workspace_id, name, enabled, query, measure, score_name, comparison, threshold, span, period, levels, every, min_requests,
remind_after, tell_no_data, created_by, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
RETURNING id, workspace_id, name, enabled, query, measure, score_name, comparison, threshold, span, period, levels, every, min_requests,
remind_after, tell_no_data, created_by, created_at, updated_at;

SELECT COUNT(*)
FROM alert
WHERE workspace_id = $1;

-- DeleteAlert
DELETE FROM alert
WHERE workspace_id = $1
AND id = $2
RETURNING id, workspace_id, name, enabled, query, measure, score_name, comparison, threshold, span, period, levels, every, min_requests,
remind_after, tell_no_data, created_by, created_at, updated_at;

-- GetAlert
SELECT id, workspace_id, name, enabled, query, measure, score_name, comparison, threshold, span, period, levels, every, min_requests,
remind_after, tell_no_data, created_by, created_at, updated_at, COALESCE(state, ''), COALESCE(level, 0), value,
COALESCE(requests, 0), forecast, COALESCE(from_at, 0), COALESCE(until_at, 0), COALESCE(failure, ''), evaluated_at, changed_at,
COALESCE(told, 0), told_at
FROM alert
LEFT JOIN alert_status ON alert_id = id
WHERE workspace_id = $1
AND id = $2;

-- ListAlerts
SELECT id, workspace_id, name, enabled, query, measure, score_name, comparison, threshold, span, period, levels, every, min_requests,
remind_after, tell_no_data, created_by, created_at, updated_at, COALESCE(state, ''), COALESCE(level, 0), value,
COALESCE(requests, 0), forecast, COALESCE(from_at, 0), COALESCE(until_at, 0), COALESCE(failure, ''), evaluated_at, changed_at,
COALESCE(told, 0), told_at
FROM alert
LEFT JOIN alert_status ON alert_id = id
WHERE workspace_id = $1
ORDER BY name, id;

-- ListChanges
SELECT COUNT(*)
FROM alert_change
WHERE alert_id = (SELECT id FROM alert WHERE workspace_id = $1 AND id = $2);

SELECT id, alert_id, at, state, level, value, requests, forecast, from_at, until_at, failure
FROM alert_change
WHERE alert_id = (SELECT id FROM alert WHERE workspace_id = $1 AND id = $2)
ORDER BY id DESC
LIMIT $3 OFFSET $4;

-- SaveOutcome
INSERT INTO alert_status (alert_id, state, level, value, requests, forecast, from_at, until_at, failure, evaluated_at, changed_at, told, told_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (alert_id) DO UPDATE
SET state = excluded.state, level = excluded.level, value = excluded.value, requests = excluded.requests, forecast = excluded.forecast,
from_at = excluded.from_at, until_at = excluded.until_at, failure = excluded.failure, evaluated_at = excluded.evaluated_at,
changed_at = excluded.changed_at, told = excluded.told, told_at = excluded.told_at;

-- UpdateAlert
DELETE FROM alert_status
WHERE alert_id = $1;

UPDATE alert
SET name = $1, enabled = $2, query = $3, measure = $4, score_name = $5, comparison = $6, threshold = $7, span = $8, period = $9,
levels = $10, every = $11, min_requests = $12, remind_after = $13, tell_no_data = $14, updated_at = $15
WHERE workspace_id = $16
AND id = $17
RETURNING id, workspace_id, name, enabled, query, measure, score_name, comparison, threshold, span, period, levels, every, min_requests,
remind_after, tell_no_data, created_by, created_at, updated_at;

-- addChange
DELETE FROM alert_change
WHERE alert_id = $1
AND id <= (SELECT id FROM alert_change WHERE alert_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2);

INSERT INTO alert_change (alert_id, at, state, level, value, requests, forecast, from_at, until_at, failure)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);


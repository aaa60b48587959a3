-- CreateWebhook
INSERT INTO webhook (workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at;

SELECT COUNT(*)
FROM webhook
WHERE workspace_id = $1;

-- DeleteWebhook
DELETE FROM webhook
WHERE workspace_id = $1
AND id = $2
RETURNING id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at;

-- DueDeliveries
SELECT id, workspace_id, webhook_id, event_id, event, payload, state, due_at, attempts, failures, attempted_at, status, failure, response,
took, created_at
FROM webhook_delivery
WHERE webhook_id = $1
AND state = 'pending'
AND due_at <= (SELECT micros FROM clock)
ORDER BY due_at, id
LIMIT $2;

-- Emit
SELECT id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at
FROM webhook
WHERE workspace_id = $1
AND enabled = 1
ORDER BY id;

-- GetDelivery
SELECT id, workspace_id, webhook_id, event_id, event, payload, state, due_at, attempts, failures, attempted_at, status, failure, response,
took, created_at
FROM webhook_delivery
WHERE workspace_id = $1
AND id = $2;

-- GetWebhook
SELECT id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at,
(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'pending'),
(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'dead')
FROM webhook
WHERE workspace_id = $1
AND id = $2;

-- ListDeliveries
SELECT id, workspace_id, webhook_id, event_id, event, '', state, due_at, attempts, failures, attempted_at, status, failure, response, took,
created_at
FROM webhook_delivery
WHERE workspace_id = $1
AND webhook_id = $2
AND state = $3
ORDER BY id DESC
LIMIT $4 OFFSET $5;

SELECT id, workspace_id, webhook_id, event_id, event, '', state, due_at, attempts, failures, attempted_at, status, failure, response, took,
created_at
FROM webhook_delivery
WHERE workspace_id = $1
ORDER BY id DESC;

-- ListWebhooks
SELECT id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at,
(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'pending'),
(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'dead')
FROM webhook
WHERE workspace_id = $1
ORDER BY id;

-- NextDelivery
SELECT due_at - (SELECT micros FROM clock)
FROM webhook_delivery
WHERE webhook_id = $1
AND state = 'pending'
ORDER BY due_at, id
LIMIT 1;

-- PruneDeliveries
DELETE FROM webhook_delivery
WHERE webhook_id = $1
AND state <> 'pending'
AND (created_at < $2 OR id <= (SELECT id FROM webhook_delivery WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $3));

-- Redeliver
UPDATE webhook_delivery
SET state = $1, due_at = (SELECT micros FROM clock), failures = 0
WHERE workspace_id = $2
AND id = $3
RETURNING id, workspace_id, webhook_id, event_id, event, payload, state, due_at, attempts, failures, attempted_at, status, failure, response,
took, created_at;

-- SaveDelivery
UPDATE webhook_delivery
SET state = $1, attempts = $2, failures = $3, attempted_at = $4, status = $5, failure = $6, response = $7, took = $8,
due_at = (SELECT micros FROM clock) + $9
WHERE id = $10;

-- UpdateWebhook
UPDATE webhook
SET name = $1, url = $2, format = $3, events = $4, score_below = $5, enabled = $6, updated_at = $7
WHERE workspace_id = $8
AND id = $9
RETURNING id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at;

-- aboutEntity
SELECT kind, name, variant, uuid
FROM entity
WHERE id = $1;

-- insertDelivery
INSERT INTO webhook_delivery (workspace_id, webhook_id, event_id, event, payload, state, created_at, due_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT micros FROM clock))
RETURNING id, workspace_id, webhook_id, event_id, event, payload, state, due_at, attempts, failures, attempted_at, status, failure, response,
took, created_at;

-- nameOf
SELECT name
FROM entity
WHERE id = $1;

-- setSecret
UPDATE webhook
SET secret = $1, updated_at = $2
WHERE workspace_id = $3
AND id = $4
RETURNING id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at;


-- CreatePrice
INSERT INTO price (workspace_id, provider, model, valid_from, rates, created_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING workspace_id, id, provider, model, valid_from, rates, created_by, updated_at;

-- DeletePrice
DELETE FROM price
WHERE workspace_id = $1
AND id = $2
RETURNING workspace_id, id, provider, model, valid_from, rates, created_by, updated_at;

-- GetPrice
SELECT workspace_id, id, provider, model, valid_from, rates, created_by, updated_at
FROM price
WHERE workspace_id = $1
AND id = $2;

-- ImportPrices
INSERT INTO price (workspace_id, provider, model, valid_from, rates, created_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workspace_id, provider, model, valid_from) DO UPDATE SET rates = excluded.rates, updated_at = excluded.updated_at;

-- ListPrices
SELECT workspace_id, id, provider, model, valid_from, rates, created_by, updated_at
FROM price
WHERE workspace_id = $1
ORDER BY provider, model, valid_from DESC;

-- UpdatePrice
UPDATE price
SET provider = $1, model = $2, valid_from = $3, rates = $4, updated_at = $5
WHERE workspace_id = $6
AND id = $7
RETURNING workspace_id, id, provider, model, valid_from, rates, created_by, updated_at;

-- checkPriceRoom
SELECT COUNT(*)
FROM price
WHERE workspace_id = $1;


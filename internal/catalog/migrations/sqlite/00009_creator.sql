-- The accounts of those who created something.

-- +goose Up
-- creator_id is the account that had the address of the creator then, NULL where
-- none had. It refers to nothing: who created something stays true when the
-- account is gone, and the next one with the address is somebody else.
ALTER TABLE entity ADD COLUMN creator_id INTEGER;
ALTER TABLE version ADD COLUMN creator_id INTEGER;
ALTER TABLE report_run ADD COLUMN creator_id INTEGER;

UPDATE entity
SET creator_id = account.id
FROM account
WHERE account.email = entity.creator;

UPDATE version
SET creator_id = account.id
FROM account
WHERE account.email = version.creator;

UPDATE report_run
SET creator_id = account.id
FROM account
WHERE account.email = report_run.creator;

-- +goose Down
ALTER TABLE report_run DROP COLUMN creator_id;
ALTER TABLE version DROP COLUMN creator_id;
ALTER TABLE entity DROP COLUMN creator_id;

-- Credentials of steps are sealed.

-- +goose Up
-- credentials_sealed is 1 after the program has sealed the credentials that
-- earlier versions stored in workflows and evaluations.
ALTER TABLE installation ADD COLUMN credentials_sealed INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE installation DROP COLUMN credentials_sealed;

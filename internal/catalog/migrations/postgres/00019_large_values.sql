-- Tables with large values are searched by a small index: PostgreSQL always did.

-- +goose Up
SELECT 1;

-- +goose Down
SELECT 1;

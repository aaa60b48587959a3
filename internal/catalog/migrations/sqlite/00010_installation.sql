-- The installation that a catalog belongs to.

-- +goose Up
-- A catalog that a server has used has one row. The id is empty if an earlier
-- version made the catalog, until the next start binds it to its log folder.
CREATE TABLE installation (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id  TEXT NOT NULL
) STRICT;

INSERT INTO installation (one, id)
SELECT 1, ''
WHERE EXISTS (SELECT 1 FROM workspace);

-- +goose Down
DROP TABLE installation;

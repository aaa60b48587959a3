-- ID
SELECT id
FROM installation;

-- SetID
INSERT INTO installation (one, id)
VALUES (1, $1)
ON CONFLICT (one) DO UPDATE SET id = excluded.id
WHERE installation.id = '';


-- ClaimServer
SELECT server, server_until
FROM installation;

UPDATE installation
SET server = $1, server_until = (SELECT micros FROM clock) + $2
WHERE server = $1
OR server_until <= (SELECT micros FROM clock);

-- ID
SELECT id
FROM installation;

-- ReleaseServer
UPDATE installation
SET server = '', server_until = 0
WHERE server = $1;

-- SetID
INSERT INTO installation (one, id)
VALUES (1, $1)
ON CONFLICT (one) DO UPDATE SET id = excluded.id
WHERE installation.id = '';


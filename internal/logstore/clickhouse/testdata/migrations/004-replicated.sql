CREATE TABLE IF NOT EXISTS removal (
	workspace Int64,
	id Int64,
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
) ENGINE = ReplicatedMergeTree ORDER BY (workspace, id, at)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

SELECT value
FROM (SELECT substring(element, 10) AS value
FROM (SELECT arrayJoin(metadata_pairs) AS element
FROM log
WHERE workspace = {p1:Int64}
	AND (engine = {p2:String}))
WHERE startsWith(element, {p3:String}))
WHERE value <> '' AND startsWith(lowerUTF8(replaceAll(replaceAll(value, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p4:String}, 'İ', 'i'), 'Σ', 'σ')))
GROUP BY value
ORDER BY count(*) DESC, value
LIMIT 100

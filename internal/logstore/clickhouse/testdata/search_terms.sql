SELECT DISTINCT term
FROM term
WHERE (startsWith(term, {p1:String}) OR startsWith(term, {p2:String}))

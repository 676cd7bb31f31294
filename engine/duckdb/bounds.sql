-- Functions whose result can be made as large as a number in their arguments
-- says. The engine does not count the memory of texts in the making, so these
-- stand in front of its own and refuse what is out of proportion.
CREATE MACRO repeat(s, n) AS CASE WHEN len(s) * n > 65536
    THEN error('repeat would make more than 65536 characters') ELSE system.main.repeat(s, n) END;
CREATE MACRO rpad(s, n, p) AS CASE WHEN n > 65536
    THEN error('rpad would make more than 65536 characters') ELSE system.main.rpad(s, n, p) END;
CREATE MACRO lpad(s, n, p) AS CASE WHEN n > 65536
    THEN error('lpad would make more than 65536 characters') ELSE system.main.lpad(s, n, p) END;
CREATE MACRO bitstring(s, n) AS CASE WHEN n > 65536
    THEN error('bitstring would make more than 65536 bits') ELSE system.main.bitstring(s, n) END;
CREATE MACRO replace(s, f, t) AS CASE WHEN len(t) > 1 AND len(s) * len(t) > 262144
    THEN error('replace could make more than 262144 characters') ELSE system.main.replace(s, f, t) END;
CREATE MACRO regexp_replace(s, f, t) AS CASE WHEN len(t) > 1 AND len(s) * len(t) > 262144
    THEN error('regexp_replace could make more than 262144 characters') ELSE system.main.regexp_replace(s, f, t) END,
    (s, f, t, o) AS CASE WHEN len(t) > 1 AND len(s) * len(t) > 262144
    THEN error('regexp_replace could make more than 262144 characters') ELSE system.main.regexp_replace(s, f, t, o) END;
CREATE MACRO list_resize(l, n) AS CASE WHEN n > 10000
    THEN error('list_resize would make more than 10000 items') ELSE system.main.list_resize(l, n) END,
    (l, n, v) AS CASE WHEN n > 10000
    THEN error('list_resize would make more than 10000 items') ELSE system.main.list_resize(l, n, v) END;
CREATE MACRO array_resize(l, n) AS list_resize(l, n), (l, n, v) AS list_resize(l, n, v);
CREATE MACRO to_base(n, r) AS system.main.to_base(n, r), (n, r, l) AS CASE WHEN l > 64
    THEN error('to_base would make more than 64 characters') ELSE system.main.to_base(n, r, l) END;
CREATE MACRO bar(x, low, high) AS system.main.bar(x, low, high), (x, low, high, w) AS CASE WHEN w > 1000
    THEN error('bar would make more than 1000 characters') ELSE system.main.bar(x, low, high, w) END;
CREATE MACRO range(n) AS CASE WHEN n > 10000
    THEN error('range would make more than 10000 items; use it in FROM') ELSE system.main.range(n) END,
    (a, b) AS CASE WHEN CAST(b AS HUGEINT) - CAST(a AS HUGEINT) > 10000
    THEN error('range would make more than 10000 items; use it in FROM') ELSE system.main.range(a, b) END,
    (a, b, s) AS CASE WHEN abs((CAST(b AS HUGEINT) - CAST(a AS HUGEINT)) // CAST(s AS HUGEINT)) > 10000
    THEN error('range would make more than 10000 items; use it in FROM') ELSE system.main.range(a, b, s) END;
CREATE MACRO generate_series(n) AS CASE WHEN n > 10000
    THEN error('generate_series would make more than 10000 items; use it in FROM') ELSE system.main.generate_series(n) END,
    (a, b) AS CASE WHEN CAST(b AS HUGEINT) - CAST(a AS HUGEINT) > 10000
    THEN error('generate_series would make more than 10000 items; use it in FROM') ELSE system.main.generate_series(a, b) END,
    (a, b, s) AS CASE WHEN abs((CAST(b AS HUGEINT) - CAST(a AS HUGEINT)) // CAST(s AS HUGEINT)) > 10000
    THEN error('generate_series would make more than 10000 items; use it in FROM') ELSE system.main.generate_series(a, b, s) END;
CREATE MACRO equi_width_bins(low, high, n, nice) AS CASE WHEN n > 1000
    THEN error('equi_width_bins would make more than 1000 bins') ELSE system.main.equi_width_bins(low, high, n, nice) END;
-- These compare every character with every other, which nothing can interrupt.
CREATE MACRO levenshtein(a, b) AS CASE WHEN len(a) * len(b) > 1000000
    THEN error('levenshtein would compare texts of more than 1000 characters') ELSE system.main.levenshtein(a, b) END;
CREATE MACRO editdist3(a, b) AS levenshtein(a, b);
CREATE MACRO damerau_levenshtein(a, b) AS CASE WHEN len(a) * len(b) > 1000000
    THEN error('damerau_levenshtein would compare texts of more than 1000 characters') ELSE system.main.damerau_levenshtein(a, b) END;
-- Words that the engine answers by itself where no column has their name.
CREATE MACRO "user"() AS CAST(error('there is no column "user"') AS VARCHAR);
CREATE MACRO current_user() AS CAST(error('there is no column "current_user"') AS VARCHAR);
CREATE MACRO session_user() AS CAST(error('there is no column "session_user"') AS VARCHAR);
CREATE MACRO current_role() AS CAST(error('there is no column "current_role"') AS VARCHAR);
CREATE MACRO current_schema() AS CAST(error('there is no column "current_schema"') AS VARCHAR);
CREATE MACRO current_catalog() AS CAST(error('there is no column "current_catalog"') AS VARCHAR);
CREATE MACRO current_database() AS CAST(error('there is no column "current_catalog"') AS VARCHAR);

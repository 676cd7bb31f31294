-- What lies between times, in whole days from each day to the next one: functions that the engine lacks.
-- A time counts as its day, so that what is kept is no more than there are days.
CREATE MACRO days_between(days) AS list_transform(list_zip(days[2:], days[:-2]), lambda p: date_diff('day', CAST(p[2] AS DATE), CAST(p[1] AS DATE)));
CREATE MACRO longest_gap(t) AS list_max(days_between(list_sort(list(DISTINCT CAST(t AS DATE)))));
CREATE MACRO shortest_gap(t) AS list_min(days_between(list_sort(list(DISTINCT CAST(t AS DATE)))));
CREATE MACRO average_gap(t) AS list_avg(days_between(list_sort(list(DISTINCT CAST(t AS DATE)))));

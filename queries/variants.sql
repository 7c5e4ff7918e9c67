-- The paths that instances take through the states. The most frequent come first; a path of more than $most transitions
-- is cut off there.
--
-- Group: Transitions
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $most         integer  = 40    show this many transitions of a path, then …; -1 shows everything
-- Columns:
--   layer      text     layer of the instances
--   path       text     the states in order
--   instances  integer  how many took it
--   share      share    instances as a part of the layer's
WITH chosen AS (
    SELECT i.instance_id, i.layer, i.first_event_id AS first_id, i.last_event_id AS last_id,
        CASE WHEN $most < 1 THEN 1000000000 ELSE coalesce($most, 40) END AS most
    FROM instances AS i JOIN runs AS r ON r.run_id = i.run_id
    WHERE ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR r.run_id = $run) AND ($layer IS NULL OR i.layer = $layer)
),
-- The changes of an instance lie among the events from its first to its last. Looking through those is fastest
-- while few instances live at a time; where many do, all changes are sorted instead.
crowd AS (
    SELECT sum(c.last_id - c.first_id + 1) > 100 * (SELECT sum(s.events) FROM sources AS s) AS is_large FROM chosen AS c
),
looked_up AS MATERIALIZED (
    SELECT c.layer, c.most,
        -- A silent end has an id of its own.
        (SELECT t.from_state FROM transitions AS t WHERE t.transition_id = -c.instance_id) AS end_from,
        (SELECT t.to_state FROM transitions AS t WHERE t.transition_id = -c.instance_id) AS end_to,
        (SELECT t.from_state FROM transitions AS t
            WHERE t.transition_id BETWEEN c.first_id AND c.last_id AND t.instance_id = c.instance_id
            ORDER BY t.transition_id LIMIT 1) AS begin,
        -- Their number and the states that they lead to, from one look.
        (SELECT count(*) || ' ' || group_concat(m.to_state, ' > ') FROM (
            SELECT t.to_state FROM transitions AS t
            WHERE t.transition_id BETWEEN c.first_id AND c.last_id AND t.instance_id = c.instance_id
            ORDER BY t.transition_id
            LIMIT CASE WHEN $most < 1 THEN 1000000000 ELSE coalesce($most, 40) END + 1) AS m) AS counted
    FROM chosen AS c
    WHERE NOT (SELECT w.is_large FROM crowd AS w)
),
found AS (
    SELECT l.layer, l.most, l.end_from, l.end_to, l.begin, coalesce(CAST(l.counted AS INTEGER), 0) AS changes,
        substr(l.counted, instr(l.counted, ' ') + 1) AS states
    FROM looked_up AS l
),
-- What the steps have in common is one number, because numbers are sorted faster than the names of states.
moves AS (
    SELECT t.instance_id, t.kind_id, c.layer, c.most, row_number() OVER (PARTITION BY t.instance_id ORDER BY t.seq) AS place
    FROM transitions AS t CROSS JOIN chosen AS c
    WHERE (SELECT w.is_large FROM crowd AS w) AND c.instance_id = t.instance_id
),
growing AS (
    SELECT m.layer, lead(m.place) OVER steps IS NULL AS is_whole,
        group_concat(CASE WHEN m.place > m.most THEN '…' WHEN m.place = 1 THEN k.from_state || ' > ' || k.to_state
            ELSE k.to_state END, ' > ') OVER steps AS path
    FROM moves AS m CROSS JOIN step_kinds AS k ON k.kind_id = m.kind_id
    WHERE m.place <= m.most + 1
    WINDOW steps AS (PARTITION BY m.instance_id ORDER BY m.place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
paths AS (
    SELECT l.layer,
        CASE WHEN l.changes > l.most -- without the last state
                THEN l.begin || ' > ' || rtrim(l.states, replace(l.states, '>', '')) || ' …'
            WHEN l.changes = l.most AND l.end_to IS NOT NULL THEN l.begin || ' > ' || l.states || ' > …'
            WHEN l.changes = 0 THEN l.end_from || ' > ' || l.end_to
            ELSE l.begin || ' > ' || l.states || coalesce(' > ' || l.end_to, '') END AS path
    FROM found AS l
    WHERE l.changes > 0 OR l.end_to IS NOT NULL
    UNION ALL
    SELECT g.layer, g.path FROM growing AS g WHERE g.is_whole
),
counted AS (
    SELECT p.layer, p.path, count(*) AS n FROM paths AS p GROUP BY p.layer, p.path
)
SELECT c.layer AS layer, c.path AS path, c.n AS instances, c.n * 1.0 / sum(c.n) OVER (PARTITION BY c.layer) AS share
FROM counted AS c
ORDER BY c.layer, c.n DESC, c.path;

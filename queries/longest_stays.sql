-- The longest visits, complete or cut by the log, longest first.
--
-- Group: Visits
-- Rows: visits by run_id, layer, instance, state, entered, left, source, line
-- Parameters:
--   $state        text     = none  only this state
--   $most         integer  = 20    how many
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only visits entered at or after this time
--   $until        time     = none  only visits entered before this time
-- Columns:
--   app       text     process name
--   run_id    integer  run
--   layer     text     layer of the instance
--   instance  text     label of the instance
--   state     text     the state
--   entered   text     start
--   left      text     end
--   stay_s    seconds  how long it lasted, or a lower bound
--   censored  text     which end the log does not show
--   source    text     path of the log
--   line      integer  line of the log
WITH bound AS (
    -- Without a restriction, the kept summary knows a length that enough visits reach: of a state, one in a hundred does.
    -- It is rounded, so a little less counts.
    SELECT coalesce(max(d.p99_ns) * 0.999, -9e18) AS stay_ns
    FROM dwell_summary AS d
    WHERE coalesce($most, 20) BETWEEN 1 AND (d.complete - 1) / 100
        AND coalesce($app, $app_version, $device, $run, $since, $until) IS NULL
        AND ($state IS NULL OR d.state = $state)
        AND ($layer IS NULL OR d.layer = $layer)
),
-- Of complete visits the summary knows the longest, so that those of most states need no look.
kinds AS (
    SELECT k.kind_id
    FROM step_kinds AS k CROSS JOIN bound AS b LEFT JOIN dwell_summary AS d ON d.layer = k.layer AND d.state = k.from_state
    WHERE b.stay_ns < 0 OR NOT k.complete OR d.max_ns * 1.001 >= b.stay_ns
),
long AS MATERIALIZED (
    SELECT v.transition_id, coalesce(v.dwell_ns, v.at_least_ns) AS stay_ns
    FROM visits AS v
    WHERE v.kind_id IN (SELECT k.kind_id FROM kinds AS k)
        AND coalesce(v.dwell_ns, v.at_least_ns) >= (SELECT b.stay_ns FROM bound AS b)
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.app_version = $app_version)
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
        AND ($state IS NULL OR v.state = $state)
),
-- The shortest visit on the list is found before visits are looked up in full.
shortest AS (
    SELECT min(t.stay_ns) AS stay_ns
    FROM (SELECT l.stay_ns FROM long AS l ORDER BY l.stay_ns DESC LIMIT coalesce($most, 20)) AS t
)
SELECT v.app AS app, v.run_id AS run_id, v.layer AS layer, v.instance AS instance, v.state AS state, v.entered AS entered,
    v.left AS left, coalesce(v.dwell_ns, v.at_least_ns) / 1e9 AS stay_s, v.censored AS censored, v.source AS source,
    v.line AS line
FROM long AS l JOIN visits AS v ON v.transition_id = l.transition_id
WHERE l.stay_ns >= (SELECT s.stay_ns FROM shortest AS s)
ORDER BY stay_s DESC, v.entered, v.source, v.line, v.layer, v.instance
LIMIT coalesce($most, 20);

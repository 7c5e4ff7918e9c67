-- Visits that last longer than a limit, and by how much, longest first: for instance, background visits of more than
-- 40 s.
--
-- Group: Visits
-- Rows: visits by run_id, layer, instance, state, entered, source, line
-- Empty: no visit in $state is longer than $limit_s s
-- Parameters:
--   $state        text     = background  the state
--   $limit_s      real     = 5           the limit in seconds
--   $app          text     = none        only this app
--   $app_version  text     = none        only runs of this version of the app
--   $device       text     = none        only this device
--   $run          integer  = none        only this run
--   $layer        text     = none        only this layer
--   $since        time     = none        only visits entered at or after this time
--   $until        time     = none        only visits entered before this time
-- Columns:
--   app       text     process name
--   device    text     device
--   run_id    integer  run
--   layer     text     layer of the instance
--   instance  text     label of the instance
--   state     text     the state
--   entered   text     start of the visit
--   stay_s    seconds  how long it lasted, or a lower bound
--   margin_s  seconds  how far it exceeds the limit
--   censored  text     which end the log does not show
--   source    text     path of the log
--   line      integer  line of the log
SELECT v.app AS app, v.device AS device, v.run_id AS run_id, v.layer AS layer, v.instance AS instance, v.state AS state,
    v.entered AS entered, coalesce(v.dwell_ns, v.at_least_ns) / 1e9 AS stay_s,
    coalesce(v.dwell_ns, v.at_least_ns) / 1e9 - coalesce($limit_s, 5) AS margin_s, v.censored AS censored, v.source AS source,
    v.line AS line
FROM visits AS v
WHERE v.state = coalesce($state, 'background')
    AND coalesce(v.dwell_ns, v.at_least_ns) / 1e9 > coalesce($limit_s, 5)
    AND ($app IS NULL OR v.app = $app)
    AND ($app_version IS NULL OR v.app_version = $app_version)
    AND ($device IS NULL OR v.device = $device)
    AND ($run IS NULL OR v.run_id = $run)
    AND ($layer IS NULL OR v.layer = $layer)
    AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
    AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
ORDER BY margin_s DESC, v.entered, v.source, v.line, v.layer, v.instance;

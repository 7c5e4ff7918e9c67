-- View controllers that may have leaked: by class, how many were seen, how many were deallocated, and how many were
-- still there after they had disappeared from the screen. Those that an app keeps, such as a hidden tab, count as well. The
-- class is the label without its number and address.
--
-- Group: Runs
-- Empty: no callback of a view controller was recognised
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
-- Columns:
--   app          text     process name
--   controller   text     class of the view controller
--   instances    integer  how many were seen
--   deallocated  integer  how many of these were deallocated
--   left_over    integer  how many of these had disappeared but were never deallocated, also those kept on purpose (a hidden tab)
--   longest_s    seconds  lower bound of the longest time that one was left over
WITH ended AS (
    -- The last visit, which nothing ended, or the end of the process did.
    SELECT v.instance_id, max(v.state) AS left_in, max(coalesce(v.dwell_ns, v.at_least_ns)) AS at_least_ns
    FROM visits AS v
    WHERE v.kind_id IN (SELECT k.kind_id FROM step_kinds AS k WHERE k.layer = 'view' AND k.to_state IS NULL)
    GROUP BY v.instance_id
),
numbered AS (
    SELECT r.app, e.left_in, e.at_least_ns,
        CASE WHEN instr(i.instance, '#') > 1 THEN substr(i.instance, 1, instr(i.instance, '#') - 1) ELSE i.instance END AS label
    FROM instances AS i JOIN runs AS r ON r.run_id = i.run_id LEFT JOIN ended AS e ON e.instance_id = i.instance_id
    WHERE i.layer = 'view'
        AND ($app IS NULL OR r.app = $app)
        AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device)
        AND ($run IS NULL OR i.run_id = $run)
),
labelled AS (
    SELECT n.app, n.left_in, n.at_least_ns,
        CASE WHEN instr(n.label, ' 0x') > 1 THEN substr(n.label, 1, instr(n.label, ' 0x') - 1) ELSE n.label END AS controller
    FROM numbered AS n
)
SELECT l.app AS app, l.controller AS controller, count(*) AS instances, count(*) FILTER (WHERE l.left_in IS NULL) AS deallocated,
    count(*) FILTER (WHERE l.left_in = 'disappeared') AS left_over,
    max(CASE WHEN l.left_in = 'disappeared' THEN l.at_least_ns END) / 1e9 AS longest_s
FROM labelled AS l
GROUP BY l.app, l.controller
ORDER BY left_over DESC, l.app, l.controller;

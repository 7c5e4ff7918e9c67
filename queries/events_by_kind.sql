-- Which callbacks and which evidence the logs hold, and how often.
--
-- Parameters:
--   $app    text     = none  only this app
--   $run    integer  = none  only this run
--   $layer  text     = none  only this layer
-- Columns:
--   layer         text     layer of the instances
--   kind          text     callback, or who states the evidence
--   callback      text     canonical id of the callback
--   proves        text     what the evidence proves
--   events        integer  how many
--   undocumented  integer  of which the model does not know in the state they came in
SELECT e.layer AS layer, e.kind AS kind, e.callback AS callback, e.proves AS proves, count(*) AS events,
    count(*) FILTER (WHERE e.verdict = 'undocumented') AS undocumented
FROM events AS e
WHERE ($app IS NULL OR e.app = $app)
    AND ($run IS NULL OR e.run_id = $run)
    AND ($layer IS NULL OR e.layer = $layer)
GROUP BY e.layer, e.kind, e.callback, e.proves
ORDER BY e.layer, count(*) DESC, e.kind, e.callback, e.proves;

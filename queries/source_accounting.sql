-- How the lines of each source were classified, and what was assumed when reading them.
--
-- Group: The logs
-- Rows: events by path=source
-- Columns:
--   path                text     path of the source
--   format              text     layout with which it was read
--   lines               integer  lines
--   entry_lines         integer  lines that start an entry
--   continuation_lines  integer  lines that continue one
--   other_lines         integer  headers, blank lines, copies of timed lines without their time, text outside entries
--   rejected_lines      integer  lines that could not be read
--   rejected_share      share    rejected_lines as a part of lines
--   events              integer  recognised events
--   span_s              seconds  from the earliest to the latest entry
--   timezone            text     zone assumed for times without one
--   assumptions         text     what was assumed about year, date and zone
SELECT s.path AS path, s.format AS format, s.lines AS lines, s.entry_lines AS entry_lines,
    s.continuation_lines AS continuation_lines, s.other_lines AS other_lines, s.rejected_lines AS rejected_lines,
    s.rejected_lines * 1.0 / nullif(s.lines, 0) AS rejected_share, s.events AS events,
    (s.last_ns - s.first_ns) / 1e9 AS span_s, s.timezone AS timezone, s.assumptions AS assumptions
FROM sources AS s
ORDER BY s.source_id;

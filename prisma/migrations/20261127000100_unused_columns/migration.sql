-- Only version 0.1.0 reads them. latency_counts has the same counts, and an anchor's balance covers the charges before it.
ALTER TABLE usage_sum DROP COLUMN latencies;
ALTER TABLE account_anchor DROP COLUMN charged_pico;

-- The sum of many histograms; null without one.
CREATE OR REPLACE AGGREGATE sum_counts(bigint[]) (SFUNC = add_counts, STYPE = bigint[], PARALLEL = SAFE);

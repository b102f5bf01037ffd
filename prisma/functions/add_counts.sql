-- The sum of two histograms, element by element; the shorter one is filled up with zeros.
CREATE OR REPLACE FUNCTION add_counts(a bigint[], b bigint[]) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF cardinality(b) > cardinality(a) THEN
    a := a || array_fill(0::bigint, ARRAY[cardinality(b) - cardinality(a)]);
  END IF;
  FOR i IN 1 .. cardinality(b) LOOP
    IF b[i] <> 0 THEN a[i] := a[i] + b[i]; END IF;
  END LOOP;
  RETURN a;
END $$;

-- How often a part of the service worked, by minute and by UTC day, summed over all processes.
CREATE TABLE status_sum (
  component text NOT NULL,
  unit text NOT NULL CHECK (unit IN ('minute', 'day')),
  start timestamptz NOT NULL,
  samples integer NOT NULL CHECK (samples > 0),
  failures integer NOT NULL CHECK (failures BETWEEN 0 AND samples),
  PRIMARY KEY (unit, start, component)
);

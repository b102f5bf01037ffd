-- How often a client, or a network of clients, ran a decision without an account on a UTC day. Clients are keyed hashes of addresses.
CREATE TABLE visitor_run (
  day date NOT NULL,
  client_hash text NOT NULL,
  runs integer NOT NULL CHECK (runs > 0),
  PRIMARY KEY (day, client_hash)
);

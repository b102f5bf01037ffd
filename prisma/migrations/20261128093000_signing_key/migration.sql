-- The keys with which the installation signs sign-off records: raw public keys, and the private key, encrypted, of the one that is in
-- use. A key that is retired can never sign again.
CREATE TABLE signing_key (
  id uuid PRIMARY KEY,
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  private_key bytea,
  retired_at timestamptz,
  CHECK ((retired_at IS NULL) = (private_key IS NOT NULL))
);

CREATE UNIQUE INDEX signing_key_in_use ON signing_key ((retired_at IS NULL)) WHERE retired_at IS NULL;

-- Sends are counted per address and per client for an hour; a used or replaced link keeps its row, expired, until then.
ALTER TABLE sign_in_token ADD COLUMN client_address text;
CREATE INDEX sign_in_token_client_address_idx ON sign_in_token (client_address);

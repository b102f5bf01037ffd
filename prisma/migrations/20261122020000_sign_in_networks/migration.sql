-- The wider networks of the client that requested a link, such as 192.0.2.0/24. Links are counted by them and by time.
ALTER TABLE sign_in_token ADD COLUMN networks text[] DEFAULT ARRAY[]::text[];
CREATE INDEX sign_in_token_networks_idx ON sign_in_token USING gin (networks);
CREATE INDEX sign_in_token_created_at_idx ON sign_in_token (created_at);

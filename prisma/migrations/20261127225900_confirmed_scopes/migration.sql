-- When a mailed link last confirmed each scope in a session. `confirmed_at`, which version 1.0 writes, opens no scope.
ALTER TABLE session
  ADD COLUMN access_confirmed_at timestamptz(6),
  ADD COLUMN identity_confirmed_at timestamptz(6),
  ADD COLUMN operator_confirmed_at timestamptz(6),
  ADD COLUMN spending_confirmed_at timestamptz(6);

-- The scope that a link confirms in its session. A link that signs in has neither.
ALTER TABLE sign_in_token
  ADD COLUMN scope text CHECK (scope IN ('spending', 'access', 'identity', 'operator')),
  ADD CHECK (scope IS NULL OR session_id IS NOT NULL);

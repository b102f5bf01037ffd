-- Events of Stripe that could not be settled: their id and type only. They are retried for a day, and dropped once they were settled.
CREATE TABLE failed_stripe_event (
  id text PRIMARY KEY,
  type text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- When it is retried next. Null once it was given up.
  next_at timestamptz DEFAULT now()
);

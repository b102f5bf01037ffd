-- How far a member has come with the first steps: what no other table says. Keys and charges say the rest.
ALTER TABLE member
  ADD COLUMN answer_read_at timestamptz,
  ADD COLUMN first_steps_hidden_at timestamptz;

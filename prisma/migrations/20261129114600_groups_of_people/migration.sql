-- Null: no groups were applied yet. Processes of 1.0.0 ignore the column.
ALTER TABLE "user_identity" ADD COLUMN "groups_at" TIMESTAMPTZ(6);

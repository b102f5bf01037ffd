import { describe, expect, it } from "vitest"
import { lint } from "./run-check"

describe("check-migrations", () => {
  const BASELINE = "CREATE TABLE api_key (id uuid);\nCREATE INDEX api_key_name_idx ON api_key (name);"
  const check = (sql: string) =>
    lint("check-migrations.mjs", {
      "prisma/migrations/1_baseline/migration.sql": BASELINE,
      "prisma/migrations/2_next/migration.sql": sql,
    })

  it.each([
    "-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS api_key_note_idx ON api_key (note);",
    'CREATE TABLE "note" (id uuid);\nCREATE INDEX "note_idx" ON "note" (id);\nALTER TABLE note ADD PRIMARY KEY (id);',
    "CREATE INDEX request_event_idx ON ONLY request_event (id);",
    "ALTER TABLE api_key ADD CONSTRAINT api_key_note_key UNIQUE USING INDEX api_key_note_idx;",
    "-- CREATE INDEX api_key_note_idx ON api_key (note);\nALTER TABLE api_key ADD COLUMN note text;",
  ])("passes %s", (sql) => {
    expect(check(sql)).toEqual({ status: 0, faults: "" })
  })

  it.each([
    "CREATE INDEX api_key_note_idx ON api_key (note);",
    'CREATE UNIQUE INDEX "api_key_note_key"\n  ON "public"."api_key" ("note");',
    "CREATE INDEX IF NOT EXISTS api_key_note_idx ON api_key (note);",
    "ALTER TABLE api_key ADD COLUMN note text;\nALTER TABLE api_key ADD CONSTRAINT note_key UNIQUE (note);",
    "ALTER TABLE ONLY api_key ADD COLUMN note text UNIQUE;",
  ])("finds an index that blocks writes: %s", (sql) => {
    expect(check(sql)).toEqual({
      status: 1,
      faults: "prisma/migrations/2_next makes an index of api_key while writes to it wait: make it CONCURRENTLY\n",
    })
  })
})

import { randomBytes } from "node:crypto"
import pg from "pg"
import { afterAll, describe, expect, inject, it } from "vitest"
import { BadSetting, readEnv } from "@/lib/server/platform/env"
import { testRuntime } from "@/test/database"
import { freePort } from "@/test/free-port"
import { connectDatabase } from "./connect"

const { databaseUrl, pool } = await testRuntime()

async function refused(
  settings: Record<string, string>,
  line: string | RegExp,
  role: "server" | "command" = "server",
): Promise<void> {
  const error = await connectDatabase(readEnv(settings), role).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BadSetting)
  if (typeof line === "string") expect((error as Error).message).toBe(line)
  else expect((error as Error).message).toMatch(line)
}

describe("a database that cannot be used stops the start with one line that says what to change", () => {
  const name = `ascii_${randomBytes(8).toString("hex")}`
  const at = (change: (url: URL) => void) => {
    const url = new URL(databaseUrl)
    change(url)
    return { DATABASE_URL: url.href }
  }
  afterAll(() => pool.query(`DROP DATABASE IF EXISTS ${name}`))

  it("for another encoding", async () => {
    await pool.query(`CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`)
    await refused(
      at((url) => (url.pathname = name)),
      "DATABASE_URL names a database with the encoding SQL_ASCII. Create one with createdb -E UTF8 -T template0 NAME",
    )
    const { host, port, user } = inject("postgres")
    const client = new pg.Client({ host, port, user, database: name })
    await client.connect()
    expect((await client.query("SELECT FROM pg_tables WHERE schemaname = 'public'")).rowCount).toBe(0)
    await client.end()
  })

  it("for a database that does not exist", () =>
    refused(
      at((url) => (url.pathname = "nowhere")),
      "DATABASE_URL: this database does not exist: create it with createdb -E UTF8 -T template0 NAME",
    ))

  it("for an unknown user", () =>
    refused(
      at((url) => (url.username = "nobody")),
      "DATABASE_URL: PostgreSQL refused this user or password",
    ))

  it("for an sslmode that the server does not offer", () =>
    refused(
      at((url) => url.searchParams.set("sslmode", "verify-full")),
      "DATABASE_URL: the server does not support TLS: remove sslmode, or enable TLS there",
    ))

  it("for a certificate file that does not exist", () =>
    refused(
      at((url) => url.searchParams.set("sslrootcert", "/nowhere/ca.pem")),
      "DATABASE_URL: sslrootcert, sslcert or sslkey names a file that cannot be read",
    ))

  it("for a read-only database", () =>
    refused(
      at((url) => url.searchParams.set("options", "-c default_transaction_read_only=on")),
      "DATABASE_URL points to a database that accepts no writes. Use the primary server and a role that may write",
    ))

  it("for a server that is unreachable, if a command runs", async () =>
    refused(
      { DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` },
      "DATABASE_URL: PostgreSQL is unreachable (ECONNREFUSED)",
      "command",
    ))
})

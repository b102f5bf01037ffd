import pg from "pg"
import { BadSetting, type Env } from "@/lib/server/platform/env"
import { isUnconnected } from "./retry-connecting"

/** The oldest major version that the migrations were tested with. */
const OLDEST_VERSION = 15
const CONNECT_MS = 10_000
const REPLY_MS = 10_000

const UNTRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** A database that may be usable later with the same settings: it is down, starts, or has no connection left. */
export class DatabaseUnavailable extends BadSetting {}

/** SQLSTATE codes of a PostgreSQL or a pooler that accepts no connection now. */
const PASSING = /^(08|53|57P)/

/** Returns whether a database cannot be used now, or ended the connection, and may be usable later. */
export const isPassing = (error: unknown): boolean =>
  isUnconnected(error) || (error instanceof pg.DatabaseError && PASSING.test(error.code ?? ""))

/** Returns what to change in the setting after a connection failed. It quotes no password. */
function adviceFor(error: unknown, url: string): string {
  const { code = "", message, syscall } = error as NodeJS.ErrnoException
  if (code === "42501") {
    const { pathname, username } = new URL(url)
    return `this role may not connect. Run: GRANT CONNECT ON DATABASE ${pathname.slice(1)} TO ${username};`
  }
  if (code === "28P01" || code === "28000")
    return /no encryption/.test(message)
      ? "the server requires TLS: add sslmode=verify-full"
      : "PostgreSQL refused this user or password"
  if (code === "3D000") return "this database does not exist: create it with createdb -E UTF8 -T template0 NAME"
  if (code === "53300") return "PostgreSQL has no connection left: raise max_connections or the role's CONNECTION LIMIT"
  if ((code === "ENOENT" || code === "EACCES") && syscall !== "connect")
    return "sslrootcert, sslcert or sslkey names a file that cannot be read"
  if (UNTRUSTED.test(code))
    return `the server's certificate is not trusted (${code}): add sslrootcert=FILE with its CA, or use the host name of the certificate`
  if (/does not support SSL/.test(message))
    return "the server does not support TLS: remove sslmode, or enable TLS there"
  return `PostgreSQL is unreachable (${code || message})`
}

async function connect(setting: string, connectionString: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: REPLY_MS })
    client.on("error", () => {})
    await client.connect()
    return client
  } catch (error) {
    const message = `${setting}: ${adviceFor(error, connectionString)}`
    throw isPassing(error) ? new DatabaseUnavailable(message) : new BadSetting(message)
  }
}

interface Facts {
  version: string
  major: number
  encoding: string
  read_only: boolean
}

const FACTS = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major,
  current_setting('server_encoding') AS encoding, current_setting('transaction_read_only')::boolean AS read_only`

function refuseFacts(setting: string, { version, major, encoding, read_only }: Facts): void {
  if (major < OLDEST_VERSION)
    throw new BadSetting(
      `${setting} points to PostgreSQL ${version}, but the service needs ${OLDEST_VERSION} or later. Upgrade that server`,
    )
  if (encoding !== "UTF8")
    throw new BadSetting(
      `${setting} names a database with the encoding ${encoding}. Create one with createdb -E UTF8 -T template0 NAME`,
    )
  if (read_only)
    throw new BadSetting(
      `${setting} points to a database that accepts no writes. Use the primary server and a role that may write`,
    )
}

/** A prepared statement as the ledger uses it: named, parsed once per connection, then only executed. */
const PREPARED = { name: "pooler-check", text: "SELECT pg_backend_pid() AS pid" }

/**
 * Returns whether an error comes from a pooler that shares connections. The statement is missing (26000) or already there
 * (42P05) on the connection it chose, or it forbids the call (08P01). A pooler with a single connection does not reply.
 */
const isPoolerFault = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? error.code === "26000" || error.code === "42P05" || error.code === "08P01"
    : (error as Error).message === "Query read timeout"

type Pooling = "none" | "transaction" | "transaction with prepared statements"

/**
 * Detects a pooler in transaction mode, where two clients share a connection to PostgreSQL. Also returns whether prepared
 * statements work behind it.
 */
async function findPooling(first: pg.Client, second: pg.Client): Promise<Pooling> {
  try {
    const { rows: before } = await first.query<{ pid: number }>(PREPARED)
    await second.query("BEGIN")
    // While this transaction holds its connection, such a pooler gives the first client another one.
    const { rows: held } = await second.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
    const { rows: after } = await first.query<{ pid: number }>(PREPARED)
    const isOwn = after[0]?.pid === before[0]?.pid && held[0]?.pid !== before[0]?.pid
    return isOwn ? "none" : "transaction with prepared statements"
  } catch (error) {
    if (isPoolerFault(error)) return "transaction"
    throw error
  }
}

/**
 * Throws `DatabaseUnavailable` when the database accepts no connection now, and `BadSetting` when it is too old, in another encoding or
 * read-only, or refuses the role. With `isServer`, also for a
 * pooler in transaction mode without prepared statements or without `DATABASE_DIRECT_URL`. The message is one line that says
 * what to change.
 */
export async function checkDatabase(
  { DATABASE_DIRECT_URL }: Pick<Env, "DATABASE_DIRECT_URL">,
  databaseUrl: string,
  isServer: boolean,
): Promise<void> {
  if (DATABASE_DIRECT_URL) await checkOne("DATABASE_DIRECT_URL", DATABASE_DIRECT_URL)
  const pooling = await checkOne("DATABASE_URL", databaseUrl, isServer)
  if (pooling === "none" || (pooling === "transaction with prepared statements" && DATABASE_DIRECT_URL)) return
  throw new BadSetting(
    pooling === "transaction with prepared statements"
      ? "DATABASE_URL points to a pooler in transaction mode. Set DATABASE_DIRECT_URL to PostgreSQL itself, which migrations need"
      : "DATABASE_URL points to a pooler in transaction mode without prepared statements. Use session mode, or set both max_prepared_statements of PgBouncer 1.21 or later and DATABASE_DIRECT_URL",
  )
}

async function checkOne(setting: string, url: string, withPooler = false): Promise<Pooling> {
  const client = await connect(setting, url)
  try {
    const { rows } = await client.query<Facts>(FACTS)
    if (rows[0]) refuseFacts(setting, rows[0])
    // When the role has no second connection left, the service starts without this check.
    const second = withPooler ? await connect(setting, url).catch(() => null) : null
    return second ? await findPooling(client, second).finally(() => second.end()) : "none"
  } finally {
    await client.end()
  }
}

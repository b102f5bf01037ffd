import { type ClientBase, Pool, type PoolClient } from "pg"

/**
 * Part of a `begin` for reads that may take long. A server stops waiting for a reply after 10 s (`connect.ts`), which PostgreSQL does not
 * notice. So PostgreSQL ends the statement a little earlier.
 */
export const LIMIT_STATEMENTS = "SET LOCAL statement_timeout = '9s'"

const JOINED = Symbol("joined")

type JoinedPool = Pool & { [JOINED]: { client: PoolClient; onCommit: (() => void)[] } }

const isJoined = (pool: Pool): pool is JoinedPool => JOINED in pool

/** Returns whether each statement of `db` commits by itself, or joins a transaction as `inJoinedTransaction` says. */
export const isPool = (db: Pool | ClientBase): db is Pool => db instanceof Pool || JOINED in db

/** Runs `done` once what a verb did on `pool` is committed: now, or after the transaction that the verb is a part of. */
export const afterCommit = (pool: Pool, done: () => void): void =>
  isJoined(pool) ? void pool[JOINED].onCommit.push(done) : done()

/**
 * Runs `work` in one transaction with a pool whose queries and transactions are parts of it, so that a caller can combine verbs with
 * statements of its own. That pool commits nothing.
 */
export async function inJoinedTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient, joined: Pool) => Promise<Result>,
): Promise<Result> {
  const onCommit: (() => void)[] = []
  const result = await inTransaction(pool, (client) =>
    work(client, { query: client.query.bind(client), [JOINED]: { client, onCommit } } as unknown as JoinedPool),
  )
  for (const done of onCommit) done()
  return result
}

/**
 * Runs `work` in one transaction on one connection. `begin` may set another isolation level. A connection whose rollback fails
 * is closed, because its next user would inherit the transaction. Within `inJoinedTransaction`, the outer one commits.
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  begin = "BEGIN",
): Promise<Result> {
  if (isJoined(pool)) return work(pool[JOINED].client)
  const client = await pool.connect()
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query("COMMIT")
    client.release()
    return result
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}

import type { Pool, PoolClient } from "pg"

/**
 * Part of a `begin` for reads that may take long. A server stops waiting for a reply after 10 s (`connect.ts`), which PostgreSQL does not
 * notice. So PostgreSQL ends the statement a little earlier.
 */
export const LIMIT_STATEMENTS = "SET LOCAL statement_timeout = '9s'"

/**
 * Runs `work` in one transaction on one connection. `begin` may set another isolation level. A connection whose rollback fails
 * is closed, because its next user would inherit the transaction.
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  begin = "BEGIN",
): Promise<Result> {
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

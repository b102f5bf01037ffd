import type { Pool, PoolClient } from "pg"

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

import { PrismaPg } from "@prisma/adapter-pg"
import type { Pool } from "pg"
import type { Runtime } from "@/lib/server/platform/runtime"
import { PrismaClient } from "@/prisma/client/client"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Created by the first call of `prisma`. */
    prisma?: PrismaClient
  }
}

/**
 * Prisma would release a connection with an open transaction after a statement that timed out, and its next user would inherit the
 * transaction. So transactions are SQL through `inTransaction`, and a call that needs one here fails.
 */
class WithoutTransactions extends PrismaPg {
  constructor(private readonly pool: Pool) {
    super(pool)
  }

  override async connect() {
    const startTransaction = () => Promise.reject(new Error("Prisma opens no transaction here: see decision 125"))
    const adapter = await super.connect()
    // Prisma names the schema in each statement. Without this, it is `public` whatever the search path is.
    const { rows } = await this.pool.query<{ name: string }>("SELECT current_schema() AS name")
    const info = { ...adapter.getConnectionInfo(), schemaName: rows[0]?.name }
    return Object.assign(adapter, { startTransaction, getConnectionInfo: () => info })
  }
}

/**
 * Returns Prisma's client on the process's pool, for plain reads and writes of single tables and their relations. Only the console
 * and commands use it: the API's processes never load it. SQL goes through `pg`.
 */
export function prisma(runtime: Runtime): Omit<PrismaClient, `$${string}`> {
  // Other formats of errors read the caller's source file.
  runtime.prisma ??= new PrismaClient({ adapter: new WithoutTransactions(runtime.pool), errorFormat: "minimal" })
  return runtime.prisma
}

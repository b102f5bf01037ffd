import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

/** Runs an update of one model. Throws `invalid_model` when there is none to update. */
export async function changeOne(sql: string, values: unknown[]): Promise<void> {
  const { rowCount } = await runtime().pool.query(sql, values)
  if (rowCount !== 1) throw new ServiceError("invalid_model")
}

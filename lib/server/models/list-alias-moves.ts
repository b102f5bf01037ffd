import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"

export interface AliasMove {
  /** Null for the first. */
  from: string | null
  to: string
  at: string
}

/** Where the alias has pointed, the newest move first. */
export async function listAliasMoves(): Promise<AliasMove[]> {
  const { rows } = await runtime().pool.query<{ from_id: string | null; to_id: string; created_at: Date }>(
    "SELECT from_id, to_id, created_at FROM alias_move WHERE alias_id = $1 ORDER BY id DESC",
    [ALIAS],
  )
  return rows.map(({ from_id: from, to_id: to, created_at: at }) => ({ from, to, at: at.toISOString() }))
}

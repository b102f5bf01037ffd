import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"

/** Returns the id up to which no entry can be added any more. A later statement sees every entry up to it. */
export async function finalAuditId({ pool }: Runtime): Promise<string> {
  const { rows } = await pool.query<Row<"AuditEvent", "id">>("SELECT final_audit_id() AS id")
  return rows[0]?.id ?? "0"
}

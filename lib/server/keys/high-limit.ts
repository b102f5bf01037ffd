import type { PoolClient } from "pg"
import { type Actor, requireConfirmed } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { PICO_PER_USD } from "@/lib/shared/money"

const LOW_LIMIT_PICO = 50n * PICO_PER_USD

/**
 * Throws `confirmation_required` for a key without a limit, or with one above the larger of the balance and $50, unless the actor has
 * confirmed `verb`: such a key may cost more than a stolen session should. Null is no limit.
 */
export async function requireConfirmedLimit(
  client: PoolClient,
  actor: Actor & { accountId: string },
  verb: "createKey" | "replaceKey" | "restrictKey" | "resumeKey",
  limitPico: bigint | null,
): Promise<void> {
  if (limitPico !== null) {
    const { rows } = await client.query<Row<"Account", "balance_pico">>(
      "SELECT balance_pico FROM account WHERE id = $1",
      [actor.accountId],
    )
    const balancePico = BigInt(rows[0]?.balance_pico ?? 0)
    if (limitPico <= (balancePico > LOW_LIMIT_PICO ? balancePico : LOW_LIMIT_PICO)) return
  }
  requireConfirmed(actor, verb)
}

import type { PoolClient } from "pg"
import type { AuditAction } from "@/lib/server/audit/actions"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { requireTokenStillAllowed } from "@/lib/server/platform/still-allowed"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { fromCents } from "@/lib/shared/money"
import { topupNotFoundForOperator } from "./refusals"
import { COLUMNS, lockTopup, type Topup, type TopupRow, toTopup } from "./topup"

interface EndTopupInput {
  /** `top_…` */
  id: string
  note: string
}

interface SettleTopupInput extends EndTopupInput {
  /** The credit to add, above zero. */
  amountCents: number
}

/** Returns a locked top-up whose checkout needs the operator. Throws `not_found`, and `invalid_request` for every other one. */
async function lockDoubtful(client: PoolClient, id: string): Promise<TopupRow> {
  const uuid = parsePublicId("top", id)
  const row = uuid ? await lockTopup(client, uuid) : null
  if (!row) throw topupNotFoundForOperator()
  if (row.attention === null || row.resolution !== null)
    throw new ServiceError("invalid_request", {
      param: "id",
      message: "Only a top-up that needs attention can be settled or ended.",
    })
  return row
}

/** Records what the operator decided. Throws `invalid_api_key` when the actor's token ended while this waited for the top-up. */
async function resolve(
  client: PoolClient,
  actor: Actor,
  row: TopupRow,
  resolution: "settled" | "ended",
  entry: { action: AuditAction; subject: string; detail?: string },
): Promise<Topup> {
  await recordAudit(client, { ...actor, accountId: row.accountId }, entry)
  const { rows } = await client.query<TopupRow>(
    `UPDATE topup SET resolution = $2, version = version + 1 WHERE id = $1 RETURNING ${COLUMNS}`,
    [row.id, resolution],
  )
  await requireTokenStillAllowed(client, actor)
  return toTopup({ ...row, ...rows[0] })
}

/**
 * Adds credit for a completed checkout that the service could not credit, such as one paid in another currency. For the operator, who
 * has seen in Stripe what was paid. Throws `not_found`, and `invalid_request` for a top-up that needs no attention.
 */
export async function settleTopup(
  { pool }: Runtime,
  actor: Actor,
  { id, amountCents, note }: SettleTopupInput,
): Promise<Topup> {
  requireRight(actor, "service.finance")
  return inTransaction(pool, async (client) => {
    const row = await lockDoubtful(client, id)
    const { accountId } = row
    const amountPico = fromCents(amountCents)
    await postEntry(client, { accountId, kind: "credit", amountPico, source: `topup:${row.id}:settled`, note })
    const detail = formatExactUsd(amountPico)
    return resolve(client, actor, row, "settled", { action: "topup.settle", subject: `${id} ${note}`, detail })
  })
}

/**
 * Ends a completed checkout without credit. Returns no money: that is done in Stripe. For the operator. Throws `not_found`, and
 * `invalid_request` for a top-up that needs no attention.
 */
export async function endTopup({ pool }: Runtime, actor: Actor, { id, note }: EndTopupInput): Promise<Topup> {
  requireRight(actor, "service.finance")
  return inTransaction(pool, async (client) => {
    const row = await lockDoubtful(client, id)
    return resolve(client, actor, row, "ended", { action: "topup.end", subject: `${id} ${note}` })
  })
}

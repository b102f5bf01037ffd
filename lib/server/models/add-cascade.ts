import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { Pico } from "@/lib/shared/money"
import { idExists } from "./add-model"

export interface AddCascadeInput {
  id: string
  /** The model that is asked first. */
  smallId: string
  /** The model that is asked again about answers with a probability below `below`. */
  bigId: string
  /** Above 0 and at most 1. */
  below: number
  /** pico-USD per token. */
  pricePico: Pico
}

const refuse = (message: string): never => {
  throw new ServiceError("invalid_request", { param: "cascade", message })
}

type Part = Row<"Model", "id" | "kind" | "status" | "engine">

/** Refuses two models that cannot be the parts of a cascade. */
function requireParts(found: Part[], { id: ownId, smallId, bigId }: AddCascadeInput): void {
  if (smallId === bigId) refuse("A cascade asks two different models.")
  for (const id of [smallId, bigId]) {
    const part = found.find((model) => model.id === id)
    if (part?.kind !== "pinned") refuse(`There is no pinned model ${id}.`)
    if (part?.status !== "active") refuse(`The model ${id} is retired.`)
    if (part?.engine === "cascade") refuse(`The model ${id} is a cascade itself.`)
  }
  if (ownId === smallId || ownId === bigId) throw idExists()
}

/**
 * Adds a pinned model that asks `smallId`, and `bigId` again about the answers that are not sure enough. For the operator. Throws
 * `invalid_request` for an existing id, and for parts that are not two active pinned models other than cascades. It locks the parts,
 * like `retireModel`, so that neither is retired meanwhile.
 */
export async function addCascade({ pool }: Runtime, actor: Actor, input: AddCascadeInput): Promise<void> {
  requireRight(actor, "service.operate")
  const { id, smallId, bigId, below, pricePico } = input
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Part>(
      "SELECT id, kind, status, engine FROM model WHERE id IN ($1, $2) ORDER BY id FOR UPDATE",
      [smallId, bigId],
    )
    requireParts(rows, input)
    const { rowCount } = await client.query(
      `INSERT INTO model (id, kind, engine, small_id, big_id, below, price_pico) VALUES ($1, 'pinned', 'cascade', $2, $3, $4, $5)
       ON CONFLICT (id) DO NOTHING`,
      [id, smallId, bigId, below, pricePico],
    )
    if (rowCount !== 1) throw idExists()
    await recordAudit(client, actor, {
      action: "model.add",
      subject: id,
      detail: `${smallId}, then ${bigId} below ${below}`,
    })
  })
}

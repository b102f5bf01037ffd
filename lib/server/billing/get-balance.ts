import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"

/** Exact USD texts with twelve decimals; the balance may be negative. */
export interface Balance {
  balanceUsd: string
  /** Set aside for requests in flight. */
  heldUsd: string
}

/** The balance of the actor's account. */
export async function getBalance(actor: UserActor): Promise<Balance> {
  const account = await runtime().prisma.account.findUniqueOrThrow({
    where: { id: actor.accountId },
    select: { balancePico: true, heldPico: true },
  })
  return { balanceUsd: usd12(pico(account.balancePico)), heldUsd: usd12(pico(account.heldPico)) }
}

import { BlockList, isIPv6 } from "node:net"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { KeyRoute } from "@/lib/shared/keys/key-routes"
import type { KeyRestrictions, RestrictKeyInput } from "@/lib/shared/keys/restrictions"
import { changeLocked } from "./change-key"
import { requireConfirmedLimit } from "./high-limit"
import type { KnownKey } from "./key-cache"

/** Returns the ranges of a key, or null without any. */
export function networksOf(texts: readonly string[]): BlockList | null {
  if (texts.length === 0) return null
  const list = new BlockList()
  for (const text of texts) {
    const [address = "", prefix] = text.split("/")
    const family = isIPv6(address) ? "ipv6" : "ipv4"
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family)
  }
  return list
}

/**
 * Throws `invalid_api_key` when the key may be used for none of `allowing`, or not from the address that `addressOf` returns.
 */
export function requireAllowed(
  { routes, networks }: KnownKey,
  allowing: readonly KeyRoute[],
  addressOf: () => string,
): void {
  if (routes.length > 0 && !allowing.some((route) => routes.includes(route)))
    throw new ServiceError("invalid_api_key", { message: "This API key is restricted to other routes." })
  if (!networks) return
  const address = addressOf()
  if (!networks.check(address, isIPv6(address) ? "ipv6" : "ipv4"))
    throw new ServiceError("invalid_api_key", { message: "This API key is restricted to other addresses." })
}

/** Throws `invalid_request` for a model that this service does not have. */
export function requireModels({ catalogue }: Runtime, models: readonly string[]): void {
  const unknown = models.find((id) => !catalogue.resolve(id))
  if (unknown !== undefined)
    throw new ServiceError("invalid_request", { param: "models", message: "Choose models from the list." })
}

/**
 * Restricts a key to models, routes and addresses, or lifts that. Every process applies it within two seconds. Throws as `changeLocked`
 * does, `invalid_request` for an unknown model, and `confirmation_required` for a key that only a recent sign-in could create.
 */
export async function restrictKey(
  runtime: Runtime,
  actor: AccountActor,
  { id, models, routes, networks }: RestrictKeyInput,
): Promise<{ id: string }> {
  requireRight(actor, "keys.manage")
  requireModels(runtime, models)
  return changeLocked(runtime, actor, id, async (client, { keyId, limitPico }) => {
    await requireConfirmedLimit(client, actor, "restrictKey", limitPico)
    const values: [string, ...KeyRestrictions[keyof KeyRestrictions][]] = [keyId, models, routes, networks]
    await client.query("UPDATE api_key SET models = $2, routes = $3, networks = $4 WHERE id = $1", values)
    await recordAudit(client, actor, { action: "key.restrict", subject: id })
  })
}

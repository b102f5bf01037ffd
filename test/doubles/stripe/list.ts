import type Stripe from "stripe"
import { invalid } from "./errors"
import { idOf } from "./make-payment"
import type { Kind, Kinds } from "./store"
import type { World } from "./world"

type Range = { gt?: number; gte?: number; lt?: number; lte?: number }

export interface ListParams {
  limit?: number
  starting_after?: string
  ending_before?: string
  created?: number | Range
  expand?: string[]
  [filter: string]: unknown
}

const USUAL = 10
const MOST = 100
const PAGING = new Set(["limit", "starting_after", "ending_before", "created", "expand"])

function isWithin(created: number, range: ListParams["created"]): boolean {
  if (range === undefined) return true
  if (typeof range === "number") return created === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return created > gt && created >= gte && created < lt && created <= lte
}

const isLike = (type: string, pattern: string): boolean =>
  pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern

function isEventWanted(event: Stripe.Event, filters: ListParams): boolean {
  const { type, types, delivery_success: isDelivered } = filters
  if (type && types) throw invalid("You may only specify one of these parameters: type, types.", { param: "type" })
  if (typeof type === "string" && !isLike(event.type, type)) return false
  if (Array.isArray(types) && !types.includes(event.type)) return false
  return isDelivered === undefined || isDelivered === (event.pending_webhooks === 0)
}

function isWanted(object: Kinds[Kind], params: ListParams): boolean {
  if (object.object === "event") return isEventWanted(object, params)
  const fields = object as unknown as Record<string, string | { id: string } | null>
  return Object.entries(params).every(([name, wanted]) => {
    if (PAGING.has(name)) return true
    if (name === "customer_details") {
      const { email } = wanted as { email: string }
      return (object as Stripe.Checkout.Session).customer_details?.email === email
    }
    return idOf(fields[name]) === wanted
  })
}

/** Returns one page of a list, newest first, with Stripe's filters and cursors. */
export function listPage<K extends Kind>(
  world: World,
  kind: K,
  params: ListParams,
  at: { livemode: boolean; url: string },
): object {
  const { limit = USUAL, starting_after: after, ending_before: before } = params
  if (limit < 1 || limit > MOST)
    throw invalid(`Invalid integer: the limit must be between 1 and ${MOST}`, {
      code: "parameter_invalid_integer",
      param: "limit",
    })
  if (after) world.store.get(kind, after, { param: "starting_after", livemode: at.livemode })
  if (before) world.store.get(kind, before, { param: "ending_before", livemode: at.livemode })
  const all = world.store.all(kind).reverse()
  const indexOf = (id: string) => all.findIndex((object) => object.id === id)
  const range = all.slice(after ? indexOf(after) + 1 : 0, before ? indexOf(before) : undefined)
  const wanted = range.filter(
    (object) =>
      world.store.isLive(object.id) === at.livemode &&
      isWithin(object.created, params.created) &&
      isWanted(object, params),
  )
  const data = before ? wanted.slice(-limit) : wanted.slice(0, limit)
  return { object: "list", url: at.url, has_more: wanted.length > data.length, data }
}

import { invalid } from "./errors"
import { idOf } from "./make-payment"
import type { Kind, Kinds } from "./store"
import type { World } from "./world"

export interface ListParams {
  limit?: number
  starting_after?: string
  created?: { gte?: number }
  types?: string[]
  [filter: string]: unknown
}

const USUAL = 10
const MOST = 100
const PAGING = new Set(["limit", "starting_after", "created", "types"])

function isWanted(object: Kinds[Kind], params: ListParams): boolean {
  const { created = {}, types } = params
  if (created.gte !== undefined && object.created < created.gte) return false
  if (types && object.object === "event" && !types.includes(object.type)) return false
  const fields = object as unknown as Record<string, string | { id: string } | null>
  return Object.entries(params).every(([name, wanted]) => PAGING.has(name) || idOf(fields[name]) === wanted)
}

/** Returns one page of a list, newest first, with Stripe's filters and cursors. */
export function listPage<K extends Kind>(
  world: World,
  kind: K,
  params: ListParams,
  at: { livemode: boolean; url: string },
): object {
  const { limit = USUAL, starting_after: after } = params
  if (limit < 1 || limit > MOST)
    throw invalid(`Invalid integer: the limit must be between 1 and ${MOST}`, {
      code: "parameter_invalid_integer",
      param: "limit",
    })
  if (after) world.store.get(kind, after, { param: "starting_after", livemode: at.livemode })
  const all = world.store.all(kind).reverse()
  const rest = after ? all.slice(all.findIndex(({ id }) => id === after) + 1) : all
  const wanted = rest.filter((object) => world.store.isLive(object.id) === at.livemode && isWanted(object, params))
  return { object: "list", url: at.url, has_more: wanted.length > limit, data: wanted.slice(0, limit) }
}

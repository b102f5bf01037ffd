import { invalid } from "./errors"
import type { World } from "./world"

interface Json {
  [name: string]: unknown
}

const MAX_LEVELS = 4

const listOf = (data: unknown[], url: string): Json => ({ object: "list", data, has_more: false, url })

/** Returns a field that Stripe includes only when it is expanded, or null. */
function included(world: World, holder: Json, name: string): Json | null {
  const id = String(holder.id)
  if (holder.object === "checkout.session" && name === "line_items")
    return listOf(world.drafts.get(id)?.lineItems ?? [], `/v1/checkout/sessions/${id}/line_items`)
  if (holder.object === "charge" && name === "refunds") {
    const refunds = world.store.all("refund").filter(({ charge }) => charge === id)
    return listOf(refunds.reverse(), `/v1/charges/${id}/refunds`)
  }
  return null
}

function expandedValue(world: World, holder: Json, name: string, whole: string): unknown {
  const now = holder[name]
  const found = typeof now === "string" ? world.store.find(now) : included(world, holder, name)
  if (found) return structuredClone(found)
  if (now === null || typeof now === "object") return now
  throw invalid(`This property cannot be expanded (${whole}).`, { param: "expand" })
}

function expandPath(world: World, holder: unknown, path: string[], whole: string): void {
  if (Array.isArray(holder)) {
    for (const item of holder) expandPath(world, item, path, whole)
    return
  }
  const [name, ...rest] = path
  if (name === undefined || holder === null || typeof holder !== "object") return
  const json = holder as Json
  json[name] = expandedValue(world, json, name, whole)
  expandPath(world, json[name], rest, whole)
}

/** Returns a copy of the answer with the `expand` paths filled in. */
export function expanded(world: World, answer: object, paths: string[]): object {
  const copy = structuredClone(answer)
  for (const whole of paths) {
    const path = whole.split(".")
    const isList = "object" in copy && copy.object === "list"
    if (path.length > MAX_LEVELS)
      throw invalid("You cannot expand more than 4 levels of a property.", { param: "expand" })
    if (isList && path[0] !== "data")
      throw invalid(`This property cannot be expanded (${whole}). Lists are expanded as \`data.${whole}\`.`, {
        param: "expand",
      })
    expandPath(world, copy, path, whole)
  }
  return copy
}

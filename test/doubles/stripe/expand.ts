import { invalid } from "./errors"
import type { World } from "./world"

interface Json {
  [name: string]: unknown
}

function expandedValue(world: World, holder: Json, name: string, whole: string): unknown {
  const now = holder[name]
  const found = typeof now === "string" ? world.store.find(now) : null
  if (found) return structuredClone(found)
  if (now === null || typeof now === "object") return now
  throw invalid(`This property cannot be expanded (${whole}).`, { param: "expand" })
}

function expandPath(world: World, holder: unknown, [name, ...rest]: string[], whole: string): void {
  if (name === undefined || holder === null || typeof holder !== "object") return
  const json = holder as Json
  json[name] = expandedValue(world, json, name, whole)
  expandPath(world, json[name], rest, whole)
}

/** Returns a copy of the answer with the `expand` paths filled in. */
export function expanded(world: World, answer: object, paths: string[]): object {
  const copy = structuredClone(answer)
  for (const whole of paths) expandPath(world, copy, whole.split("."), whole)
  return copy
}

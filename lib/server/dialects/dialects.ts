import type { Dialect } from "./dialect"
import { openAi } from "./openai/openai"
import { openRouter } from "./openrouter/openrouter"
import { systemOne } from "./system-one/system-one"

/** Every dialect that has a route of its own. */
export const DIALECTS: readonly Dialect[] = [systemOne, openRouter, openAi]

/** Returns whether a path is a base or below it. */
const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`)

/** Returns whether the path belongs to the API or to a dialect, and so never to the console. */
export const isOfApi = (path: string): boolean => isBelow(path, "/v1") || dialectAt(path) !== undefined

/** Returns the dialect below one of whose bases a path is. */
export const dialectAt = (path: string): Dialect | undefined =>
  DIALECTS.find(({ bases }) => bases.some((base) => isBelow(path, base)))

import type { IncomingMessage } from "node:http"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { Route } from "./route"

/** The last segment of a route's path that takes any id. */
export const ANY_ID = "{id}"

export type Routes = ReadonlyMap<string, Route>

/** Returns the route of a path: its own, or one that takes any last segment. */
export function findRoute(routes: Routes, path: string): Route | undefined {
  const parent = path.slice(0, path.lastIndexOf("/") + 1)
  return routes.get(path) ?? (parent === path ? undefined : routes.get(parent + ANY_ID))
}

/** Returns true for a request that no page of the console sends: with a bearer token or a JSON body. */
const isOfProgram = ({ headers }: IncomingMessage): boolean =>
  headers["next-action"] === undefined &&
  (/^bearer /i.test(headers.authorization ?? "") || /^application\/json\b/i.test(headers["content-type"] ?? ""))

const without = (segments: string[], i: number): string => segments.toSpliced(i, 1).join("/")

/** Returns true when one path is the other with one segment more, or with another first segment. */
function isOneSegmentOff(path: string, other: string): boolean {
  const [a, b] = [path, other].map((text) => text.split("/").filter((segment) => segment !== ""))
  if (!a || !b) return false
  if (a.length === b.length) return a.length > 1 && without(a, 0) === without(b, 0)
  const [longer, shorter] = a.length > b.length ? [a, b] : [b, a]
  return longer.length === shorter.length + 1 && longer.some((_, i) => without(longer, i) === shorter.join("/"))
}

/**
 * Returns the route of the API that a program meant, whose address is one segment off, such as `/decisions` or `/v1/v1/decisions`.
 * Returns null when there is none, and for a browser.
 */
export function findNearestRoute(routes: Routes, path: string, request: IncomingMessage): Route | null {
  if (!isOfProgram(request)) return null
  const base = path.startsWith("/openai/") ? "/openai/v1/" : "/v1/"
  for (const route of routes.values())
    if (route.path.startsWith(base) && isOneSegmentOff(path, route.path)) return route
  return null
}

/** Returns the 404 of a path without a route. It names the address that a program probably meant. */
export function notFound(routes: Routes, path: string, request: IncomingMessage): ServiceError {
  const nearest = findNearestRoute(routes, path, request)
  if (!nearest) return new ServiceError("not_found")
  const address = `${runtime().env.BASE_URL}${nearest.path}`
  return new ServiceError("not_found", {
    message: `Nothing was found at this address. Use ${nearest.method} ${address}.`,
  })
}

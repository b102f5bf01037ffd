import { readFileSync } from "node:fs"
import path from "node:path"

/** What is used of the list of server actions that Next's build writes. `workers` has the pages of an action. */
interface Manifest {
  node: Record<string, { workers: Record<string, unknown> }>
}

/** Returns true if the page at a path has the server action with this id. */
export type OwnsAction = (path: string, id: string) => boolean

/** Reads from the build in `root`, the folder of the project, which page has which server actions. Throws without a build. */
export function readActionMap(root: string): OwnsAction {
  const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, ".next", file), "utf8"))
  const { node } = read("server/server-reference-manifest.json") as Manifest
  // An address that Next has in full is not that of a page with a parameter, such as `/docs/search.json` and `/docs/[slug]`.
  const addresses = new Set(Object.values(read("app-path-routes-manifest.json") as Record<string, string>))
  const pages = new Map(Object.entries(node).map(([id, { workers }]) => [id, Object.keys(workers).map(addressOf)]))
  return (address, id) => {
    const own = pages.get(id) ?? []
    return own.includes(address) || (!addresses.has(address) && own.some((page) => isAt(page, address)))
  }
}

/** Returns a page's address, such as `/keys/[id]` for `app/(console)/keys/[id]/page`. */
const addressOf = (page: string): string => page.replace(/^app|\/\([^/]+\)|\/page$/g, "") || "/"

function isAt(page: string, address: string): boolean {
  const [parts, sent] = [page.split("/"), address.split("/")]
  return (
    parts.length === sent.length && parts.every((part, i) => part === sent[i] || (part[0] === "[" && sent[i] !== ""))
  )
}

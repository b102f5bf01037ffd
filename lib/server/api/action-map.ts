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
  const file = path.join(root, ".next/server/server-reference-manifest.json")
  const { node } = JSON.parse(readFileSync(file, "utf8")) as Manifest
  const pages = new Map(Object.entries(node).map(([id, { workers }]) => [id, Object.keys(workers).map(partsOf)]))
  return (address, id) => pages.get(id)?.some((page) => isAt(page, address.split("/"))) ?? false
}

/** Returns the parts of a page's address: those of `/keys/[id]` for `app/(console)/keys/[id]/page`. */
const partsOf = (page: string): string[] => (page.replace(/^app|\/\([^/]+\)|\/page$/g, "") || "/").split("/")

const isAt = (page: string[], address: string[]): boolean =>
  page.length === address.length &&
  page.every((part, i) => part === address[i] || (part[0] === "[" && address[i] !== ""))

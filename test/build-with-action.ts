import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { tempFolder } from "./temp-folder"

/**
 * Returns the folder of a build whose only server action is on `page`, such as `app/(console)/keys/[id]/page`, and whose only other
 * route is `/keys/export.csv`.
 */
export function buildWithAction(id: string, page: string): string {
  const root = tempFolder()
  mkdirSync(path.join(root, ".next/server"), { recursive: true })
  const manifest = { node: { [id]: { workers: { [page]: { moduleId: 1 } } } }, edge: {} }
  writeFileSync(path.join(root, ".next/server/server-reference-manifest.json"), JSON.stringify(manifest))
  const routes = { "/(console)/keys/export.csv/route": "/keys/export.csv" }
  writeFileSync(path.join(root, ".next/app-path-routes-manifest.json"), JSON.stringify(routes))
  return root
}

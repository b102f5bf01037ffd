import type { IncomingMessage } from "node:http"
import { ServiceError } from "@/lib/shared/errors"
import { pathOf, TOKEN_PATHS } from "./console-request"

/** Every address of the console whose name has an extension. A test compares them with the routes and files that there are. */
export const CONSOLE_FILES: ReadonlySet<string> = new Set([
  "/billing/ledger.csv",
  "/docs.md",
  "/docs/search.json",
  "/icon.svg",
  "/llms-full.txt",
  "/llms.txt",
  "/requests/export.csv",
  "/requests/export.jsonl",
  "/settings/export.zip",
  "/usage/requests.csv",
])

/** Next's own files, also while developing, and the folders whose files the service names itself. */
const FOLDERS = /^\/(?:_next\/|__next|logo\/|samples\/|docs\/[a-z]+\.md$)/
/** A name with an extension, or one that hides. Of all ids, only those of models can have a dot. */
const NAME = /[^/.]\.[a-z][a-z\d]{0,7}$|\/\.[^/.]/i

/**
 * Throws `not_found` for a file that the console does not have, such as `/wp-login.php` or `/.env`. Scanners ask for thousands,
 * and Next would render a page for each.
 */
export function refuseMissingFile(request: IncomingMessage): void {
  const path = pathOf(request)
  if (NAME.test(path) && !CONSOLE_FILES.has(path) && !FOLDERS.test(path) && !TOKEN_PATHS.test(path))
    throw new ServiceError("not_found")
}

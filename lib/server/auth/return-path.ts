import { publicId } from "@/lib/server/platform/ids"
import { PAGE_LIST } from "@/lib/shared/pages"

const HOME = "/playground"
/** The pages of the console. `/operator/confirm` is left out, because it leads on to its own return path. */
const PATHS = PAGE_LIST.filter(
  ({ path, access, isInMenu }) => (access !== "public" || isInMenu) && path !== "/operator/confirm",
).map(({ path, id }) => path.replace("[id]", `[${id}]`).replaceAll(/\[([a-z]+)\]/g, "$1_[0-9a-z]{26}"))
const PLACES = new RegExp(`^(?:${PATHS.join("|")})(?:\\?[A-Za-z0-9_.&=%-]{0,200})?(?:#(?:sessions|tokens|compare))?$`)

/** Returns the page after a sign-in: `next` when it is a known console page, else the playground. */
export function returnPath(next: unknown): string {
  return typeof next === "string" && PLACES.test(next) ? next : HOME
}

/** Returns the path of the page that opens `next` in an account, by UUID, or offers to switch to it. */
export function openPath(accountId: string, next: string): string {
  const query = new URLSearchParams({ next: returnPath(next) })
  return `/open/${publicId("acc", accountId)}?${query}`
}

/** Returns the path of a download that names the account, by UUID, whose page links to it. See `requireDownload`. */
export function downloadPath(accountId: string, path: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}account=${publicId("acc", accountId)}`
}

/** Returns the path of the sign-in page that leads to `next` afterwards. */
export function signInPath(next: unknown, problem?: string): string {
  const query = new URLSearchParams()
  const path = returnPath(next)
  if (problem) query.set("problem", problem)
  if (path !== HOME) query.set("next", path)
  return query.size ? `/sign-in?${query}` : "/sign-in"
}

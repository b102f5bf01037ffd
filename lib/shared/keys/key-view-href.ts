import type { KeySort, KeyView } from "@/lib/shared/keys/key-view"

/** The address of a view, without what is as usual. */
export function keyViewHref(view: KeyView, change: Partial<KeyView> = {}): string {
  const { show, q, sort, dir } = { ...view, ...change }
  const query = new URLSearchParams()
  if (show !== "active") query.set("show", show)
  if (q) query.set("q", q)
  if (sort !== "created" || dir !== "desc") {
    query.set("sort", sort)
    query.set("dir", dir)
  }
  return query.size ? `/keys?${query}` : "/keys"
}

/** Where a press on a head leads: names from A, all else from the most or the newest; a second press turns the order. */
export function sortHref(view: KeyView, sort: KeySort): string {
  const first = sort === "name" || sort === "status" || sort === "expires" ? "asc" : "desc"
  const dir = view.sort !== sort ? first : view.dir === "asc" ? "desc" : "asc"
  return keyViewHref(view, { sort, dir })
}

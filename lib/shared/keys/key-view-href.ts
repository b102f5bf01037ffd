import type { KeySort, KeyView } from "./key-view"

/** Returns the address of a view, without default values. */
export function keyViewHref(view: KeyView, change: Partial<KeyView> = {}): string {
  const { show, q, by, sort, dir } = { ...view, ...change }
  const query = new URLSearchParams()
  if (show !== "active") query.set("show", show)
  if (q) query.set("q", q)
  if (by) query.set("by", by)
  if (sort !== "created" || dir !== "desc") {
    query.set("sort", sort)
    query.set("dir", dir)
  }
  return query.size ? `/keys?${query}` : "/keys"
}

/**
 * Returns the address after a click on a column heading. The first click sorts texts from A, and numbers and times from
 * the largest; a second click reverses the order.
 */
export function sortHref(view: KeyView, sort: KeySort): string {
  const first = sort === "name" || sort === "status" || sort === "expires" ? "asc" : "desc"
  const dir = view.sort !== sort ? first : view.dir === "asc" ? "desc" : "asc"
  return keyViewHref(view, { sort, dir })
}

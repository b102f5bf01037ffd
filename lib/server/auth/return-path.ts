const HOME = "/playground"
const PLACES =
  /^\/(?:playground|start|keys(?:\/key_[0-9a-z]{26})?|usage|billing(?:\/statement|\/top-up(?:\/return)?)?|settings(?:\/audit)?)(?:\?[A-Za-z0-9_.&=%-]{0,200})?$/

/** Where a sign-in leads: `next` when it is one of our own console pages, else the playground. */
export function returnPath(next: unknown): string {
  return typeof next === "string" && PLACES.test(next) ? next : HOME
}

/** The sign-in page that leads back to `next` afterwards. */
export function signInPath(next: unknown, problem?: string): string {
  const query = new URLSearchParams()
  const path = returnPath(next)
  if (problem) query.set("problem", problem)
  if (path !== HOME) query.set("next", path)
  return query.size ? `/sign-in?${query}` : "/sign-in"
}

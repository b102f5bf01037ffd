/**
 * Runs work after the browser has painted the response to an interaction, so that the response does not wait for it.
 */
export function afterPaint(work: () => unknown): void {
  requestAnimationFrame(() => setTimeout(work))
}

/**
 * Runs the work of a click. After a pointer's click, it runs once the pressed button is painted. After a key, it runs at once,
 * because what is typed next must not miss its result.
 */
export function afterPress({ detail }: { detail: number }, work: () => unknown): void {
  if (detail === 0) work()
  else afterPaint(work)
}

/** Starts a download that is needed soon. If it fails, the overlay that needs it tries again and reports it. */
export function preload(load: () => Promise<unknown>): void {
  afterPaint(() => load().catch(() => undefined))
}

/**
 * Returns props for a button that opens a lazy overlay: they start the download when the pointer or the focus arrives.
 */
export const preloadOnApproach = (load: () => Promise<unknown>) => ({
  onPointerEnter: () => preload(load),
  onFocus: () => preload(load),
})

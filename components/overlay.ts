/** Runs work that an interaction does not wait for, after the browser has painted its response. */
export function afterPaint(work: () => unknown): void {
  requestAnimationFrame(() => setTimeout(work))
}

/** Returns props for a button that opens a lazy overlay: they start the download when the pointer or the focus arrives. */
export const preloadOnApproach = (load: () => unknown) => ({
  onPointerEnter: () => afterPaint(load),
  onFocus: () => afterPaint(load),
})

/**
 * Returns whether a closing popup may move the focus back to its opener: only while the popup still has it, or nothing has.
 * A popup returns the focus after its fade, when another control may already have taken it.
 */
export function mayReturnFocus(popup: Element | null): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || (popup?.contains(focused) ?? false)
}

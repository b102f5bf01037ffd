/**
 * Returns whether a closing popup may move the focus back to its opener: only while the popup, or no element, has the
 * focus. A popup closes after a fade, during which the user may have focused another control.
 */
export function mayReturnFocus(popup: Element | null): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || (popup?.contains(focused) ?? false)
}

/**
 * Whether the focus is in the popup that goes, or nowhere. A popup gives it back when it has faded, and by then somebody, or a
 * dialog opened meanwhile, may have it.
 */
export function hasFocusToGive(popup: Element | null): boolean {
  const now = document.activeElement
  return now === null || now === document.body || (popup?.contains(now) ?? false)
}

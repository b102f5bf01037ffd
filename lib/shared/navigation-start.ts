const NAVIGATION_START = "svc:navigation-start"

/** Announces that the tab begins to load the page at `url`. Next calls this within the transition that shows the page. */
export function announceNavigation(url: string): void {
  window.dispatchEvent(new CustomEvent(NAVIGATION_START, { detail: url }))
}

/** Calls `onStart` with the address of every page that the tab begins to load. Returns a function that ends this. */
export function onNavigationStart(onStart: (url: string) => void): () => void {
  const listener = (event: Event) => onStart((event as CustomEvent<string>).detail)
  window.addEventListener(NAVIGATION_START, listener)
  return () => window.removeEventListener(NAVIGATION_START, listener)
}

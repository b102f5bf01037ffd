import { useEffect, useEffectEvent } from "react"

/**
 * Cancels Back and Forward between pages of the console, and calls `onBack` instead. A browser lets a second
 * Back through when no click or key came in between. Returns a function that ends this.
 */
export function holdBack(navigation: Navigation | undefined, onBack: () => void): () => void {
  const onNavigate = (event: NavigateEvent) => {
    if (event.navigationType !== "traverse" || !event.cancelable) return
    event.preventDefault()
    onBack()
  }
  navigation?.addEventListener("navigate", onNavigate)
  return () => navigation?.removeEventListener("navigate", onNavigate)
}

/** Makes the browser ask before it unloads the page, and calls `onBack` instead of Back and Forward, while `isOn`. */
export function useLeaveGuard(isOn: boolean, onBack: () => void): void {
  const confirmBack = useEffectEvent(onBack)
  useEffect(() => {
    if (!isOn) return
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", onLeave)
    // Next changes pages without unloading them. Older browsers lack `navigation`.
    const release = holdBack(window.navigation, () => confirmBack())
    return () => {
      window.removeEventListener("beforeunload", onLeave)
      release()
    }
  }, [isOn])
}

/** The header in which a tab names the account that it shows, by UUID. The server refuses requests if the session has another. */
export const SHOWN_ACCOUNT = "x-svc-account"

/** The attribute of the console's frame that holds the account. */
const SELECTOR = "[data-account]"

/** Returns the account that the tab shows, by UUID; undefined without one. */
export const shownAccount = (): string | undefined => document.querySelector<HTMLElement>(SELECTOR)?.dataset.account

/**
 * Makes every request of this tab to its own server name the account that the tab shows. Next sends server actions and pages with
 * `fetch` and has no other place for a header.
 */
export function nameShownAccount(): void {
  const send = window.fetch
  window.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href)
    const account = shownAccount()
    if (!account || url.origin !== window.location.origin) return send(input, init)
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    if (!headers.has(SHOWN_ACCOUNT)) headers.set(SHOWN_ACCOUNT, account)
    return send(input, { ...init, headers })
  }
}

import type { Page, Route } from "@playwright/test"

/** Returns whether a press asks for this: a page, a file, an action or an answer. Other requests come by themselves. */
function isAskedFor(route: Route): boolean {
  const request = route.request()
  const headers = request.headers()
  const isOfPress = headers.rsc !== undefined || headers["next-action"] !== undefined
  return request.isNavigationRequest() || isOfPress || new URL(request.url()).pathname.endsWith("/decisions")
}

/** Holds the answers to what presses ask for, so that a page never arrives before it was looked at. */
export class HeldPresses {
  readonly #held: Route[] = []
  #isHolding = false

  static async of(page: Page): Promise<HeldPresses> {
    const presses = new HeldPresses()
    await page.route("**/*", async (route) => {
      if (presses.#isHolding && isAskedFor(route)) presses.#held.push(route)
      else await route.continue()
    })
    return presses
  }

  /** Holds what is asked for from now on. */
  hold(): void {
    this.#isHolding = true
  }

  async release(): Promise<void> {
    this.#isHolding = false
    await Promise.all(this.#held.splice(0).map((route) => route.continue()))
  }
}

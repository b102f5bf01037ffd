import type { ActionResult } from "@/components/form/call-action"

type WebAuthn = typeof import("@simplewebauthn/browser")

/**
 * Asks the browser for a passkey. `ask` gets the library, which loads on demand. Returns an error that says what to do when the user
 * cancels, no passkey fits or the browser has none.
 */
export async function askBrowser<Answer>(ask: (library: WebAuthn) => Promise<Answer>): Promise<ActionResult<Answer>> {
  try {
    return { ok: true, data: await ask(await import("@simplewebauthn/browser")) }
  } catch (cause) {
    const isKnown = cause instanceof Error && cause.name === "InvalidStateError"
    const message = isKnown
      ? "This device or security key has a passkey of yours already."
      : "The browser returned no passkey. Try again, with another device or browser if this one has none."
    return { ok: false, error: { code: "passkey_missing", message } }
  }
}

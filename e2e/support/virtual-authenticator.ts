import type { Page } from "@playwright/test"

/** Gives the page's browser an authenticator with a PIN or fingerprint. `refuse` lets its check of the user fail, or succeed again. */
export async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const refuse = (isRefused: boolean) =>
    devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: !isRefused })
  return { refuse }
}

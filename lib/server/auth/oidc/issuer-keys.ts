import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose"
import type { Env } from "@/lib/server/platform/env"
import { outboundFetch } from "@/lib/server/platform/outbound"
import { discoveryUrl } from "./provider"

const TIMEOUT_MS = 5_000
const KEPT_MS = 600_000
/** Anyone can send a token, so a provider that is unreachable is asked again only after this time. */
const RETRY_MS = 10_000

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    issuerKeys: IssuerKeys
  }
}

/** The keys with which the OpenID provider signs. Fetched when a token needs them, and kept. */
export class IssuerKeys {
  readonly #env: Pick<Env, "OIDC_ISSUER" | "HTTPS_PROXY" | "NO_PROXY">
  #keys: Promise<JWTVerifyGetKey> | null = null
  #untilMs = 0

  constructor(env: Pick<Env, "OIDC_ISSUER" | "HTTPS_PROXY" | "NO_PROXY">) {
    this.#env = env
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const request = outboundFetch(this.#env)
    const { OIDC_ISSUER: issuer = "" } = this.#env
    const response = await request(discoveryUrl(issuer), { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" })
    const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
    if (!response.ok || found.issuer !== issuer || typeof found.jwks_uri !== "string")
      throw new Error("the OpenID provider's discovery document is not of this issuer")
    return createRemoteJWKSet(new URL(found.jwks_uri), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: (url, options) => request(url, options as RequestInit),
    })
  }

  /** Returns the keys. Throws while the provider is unreachable. */
  async get(): Promise<JWTVerifyGetKey> {
    const now = Date.now()
    if (this.#keys === null || now >= this.#untilMs) {
      this.#untilMs = now + KEPT_MS
      this.#keys = this.#discover()
      this.#keys.catch(() => {
        this.#untilMs = now + RETRY_MS
      })
    }
    return this.#keys
  }
}

import { formatDateTime } from "@/lib/shared/format"
import { type Notices, OWNERS } from "./notice"

interface TokenFact {
  /** `tok_…` */
  tokenId: string
  /** Looked up when the mail is sent; null for a token that was revoked before. */
  tokenName: string | null
}

export interface AccessFacts {
  token_created: TokenFact
  /** `expiresAt` is ISO text. */
  token_expiring: TokenFact & { expiresAt: string }
  webhook_created: object
}

const SAMPLE: TokenFact = { tokenId: "tok_01k3tfa2c4e6g8j0m2p4r6t8v0", tokenName: "Dashboard" }
const OPEN_TOKENS = { label: "Open account tokens", path: "/settings#tokens" }

const named = ({ tokenName }: TokenFact): string =>
  tokenName === null ? "An account token" : `The account token “${tokenName}”`

export const ACCESS_NOTICES: Notices<AccessFacts> = {
  token_created: {
    label: "An account token was created",
    isSecurity: true,
    roles: OWNERS,
    sample: SAMPLE,
    write: (facts) => ({
      subject: `${named(facts)} was created`,
      intro: `${named(facts)} was created in your account. If no owner created it, revoke it`,
      action: OPEN_TOKENS,
      terms: "A token reads the balance, the keys and the usage. It cannot pay for decisions or change anything.",
    }),
  },
  token_expiring: {
    label: "An account token is about to expire",
    isSecurity: false,
    roles: OWNERS,
    sample: { ...SAMPLE, expiresAt: "2026-12-01T23:59:59.999Z" },
    write: ({ expiresAt, ...facts }) => ({
      subject: `${named(facts)} expires soon`,
      intro: `${named(facts)} expires on ${formatDateTime(new Date(expiresAt))} UTC. From then on, its requests are refused. See when it was last used`,
      action: OPEN_TOKENS,
      terms: "The expiry of a token cannot be changed. Create another token, and replace this one before it expires.",
    }),
  },
  webhook_created: {
    label: "A webhook was added",
    isSecurity: true,
    roles: OWNERS,
    sample: {},
    write: () => ({
      subject: "A webhook was added to your account",
      intro: "A webhook was added to your account. If no member added it, delete it",
      action: { label: "Open webhooks", path: "/webhooks" },
      terms: "A webhook sends messages about the balance, the keys and the models to an address outside this service.",
    }),
  },
}

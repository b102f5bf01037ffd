import { formatDateTime } from "@/lib/shared/format"
import { KEY_MANAGERS, type Notices, OWNERS } from "./notice"

interface TokenFact {
  /** `tok_…` */
  tokenId: string
  /** Looked up when the mail is sent; null for a token that was revoked before. */
  tokenName: string | null
}

export interface AccessFacts {
  operator_token_created: {
    /** `opt_…` */
    operatorTokenId: string
    /** Looked up when the mail is sent. */
    tokenName: string | null
  }
  token_created: TokenFact
  /** `expiresAt` is ISO text. */
  token_expiring: TokenFact & { expiresAt: string }
  webhook_created: object
  webhook_rotated: object
  webhook_turned_off: object
  slack_created: object
}

const SAMPLE: TokenFact = { tokenId: "tok_01k3tfa2c4e6g8j0m2p4r6t8v0", tokenName: "Dashboard" }
const OPEN_TOKENS = { label: "Open account tokens", path: "/settings#tokens" }

const OPEN_WEBHOOKS = { label: "Open alerts and webhooks", path: "/webhooks" }

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
      terms:
        "The page lists its scopes. With keys.manage, it can create keys, which pay for decisions. It can change only what its creator's role still may.",
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
  operator_token_created: {
    label: "A token that operates the service was created",
    isSecurity: true,
    roles: [],
    sample: { operatorTokenId: "opt_01k3tfa2c4e6g8j0m2p4r6t8v0", tokenName: "Deployment" },
    write: ({ tokenName }) => {
      const token = tokenName === null ? "A token that operates the service" : `The operator's token “${tokenName}”`
      return {
        subject: `${token} was created`,
        intro: `${token} was created. If no operator created it, revoke it`,
        action: { label: "Open operator tokens", path: "/operator/tokens" },
        terms:
          "Its scopes say what it can do. If an operator created it in the console, it ends with the operator's role.",
      }
    },
  },
  webhook_created: {
    label: "A webhook was added",
    isSecurity: true,
    roles: OWNERS,
    sample: {},
    write: () => ({
      subject: "A webhook was added to your account",
      intro: "A webhook was added to your account. If no member added it, delete it",
      action: OPEN_WEBHOOKS,
      terms: "A webhook sends messages about the balance, the keys and the models to an address outside this service.",
    }),
  },
  webhook_rotated: {
    label: "The secret of a webhook was replaced",
    isSecurity: true,
    roles: OWNERS,
    sample: {},
    write: () => ({
      subject: "The secret of a webhook was replaced",
      intro: "A webhook of your account has a new secret. If no member replaced it, delete the webhook",
      action: OPEN_WEBHOOKS,
      terms:
        "For 24 hours, its messages are signed with the old and the new secret. Anyone who knows one can forge messages.",
    }),
  },
  webhook_turned_off: {
    label: "A webhook or Slack address was turned off",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: {},
    write: () => ({
      subject: "A webhook or Slack address was turned off",
      intro:
        "A webhook or Slack address of your account accepted no message for two days, so it gets no more. See its last reply",
      action: OPEN_WEBHOOKS,
      terms: "Correct the receiver, then send a test. The first test that it accepts turns it on again.",
    }),
  },
  slack_created: {
    label: "A Slack address was added",
    isSecurity: true,
    roles: OWNERS,
    sample: {},
    write: () => ({
      subject: "A Slack address was added to your account",
      intro: "A Slack address was added to your account. If no member added it, delete it",
      action: OPEN_WEBHOOKS,
      terms: "Messages about the balance, the keys and the models are posted there, outside this service.",
    }),
  },
}

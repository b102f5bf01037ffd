import { formatDateTime, formatExactUsd } from "@/lib/shared/format"
import { KEY_MANAGERS, type Notices } from "./notice"

interface KeyFact {
  /** `key_…` */
  keyId: string
  /** Looked up when the mail is sent. */
  keyName: string
}

interface LimitFacts extends KeyFact {
  /** Exact USD text. */
  limitUsd: string
  period: "daily" | "lifetime"
}

export interface KeyFacts {
  key_near_limit: LimitFacts
  key_limit_reached: LimitFacts
  key_created: KeyFact
  key_replaced: KeyFact & { overlapHours: number }
  /** `expiresAt` is ISO text. */
  key_expiring: KeyFact & { expiresAt: string; days: 1 | 7 }
}

const again = (period: "daily" | "lifetime"): string =>
  period === "daily"
    ? "It works again at 00:00 UTC."
    : "A lifetime limit never resets: create another key before you revoke this one."

const SAMPLE: KeyFact = { keyId: "key_01k3tfa2c4e6g8j0m2p4r6t8v0", keyName: "Production" }

export const KEY_NOTICES: Notices<KeyFacts> = {
  key_near_limit: {
    label: "A key has spent 80% of its limit",
    event: "key.near_limit",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: { ...SAMPLE, limitUsd: "10.000000000000", period: "lifetime" },
    write: ({ keyId, keyName, limitUsd, period }) => ({
      subject: `The key “${keyName}” has spent 80% of its limit`,
      intro: `The key “${keyName}” has spent 80% of its ${period} limit of ${formatExactUsd(limitUsd)}. See what it spends`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms: `At its limit, its requests are refused. ${again(period)}`,
    }),
  },
  key_limit_reached: {
    label: "A key has reached its limit",
    event: "key.limit_reached",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: { ...SAMPLE, limitUsd: "10.000000000000", period: "daily" },
    write: ({ keyId, keyName, limitUsd, period }) => ({
      subject: `The key “${keyName}” has reached its limit`,
      intro: `The key “${keyName}” has spent its ${period} limit of ${formatExactUsd(limitUsd)}, so its requests are refused. See what it spent`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms: again(period),
    }),
  },
  key_created: {
    label: "A key was created",
    isSecurity: true,
    roles: KEY_MANAGERS,
    sample: SAMPLE,
    write: ({ keyId, keyName }) => ({
      subject: `A key was created: “${keyName}”`,
      intro: `The API key “${keyName}” was created in your account. If no member created it, revoke it`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms: "The key can spend the account's balance, up to its limit.",
    }),
  },
  key_replaced: {
    label: "The secret of a key was replaced",
    isSecurity: true,
    roles: KEY_MANAGERS,
    sample: { ...SAMPLE, overlapHours: 24 },
    write: ({ keyId, keyName, overlapHours }) => ({
      subject: `The secret of a key was replaced: “${keyName}”`,
      intro: `The API key “${keyName}” has a new secret. If no member replaced it, revoke the key`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms:
        overlapHours === 0
          ? "Requests with the old secret are refused."
          : `The old secret works for ${overlapHours === 1 ? "one more hour" : `${overlapHours} more hours`}, unless you end it on the key's page.`,
    }),
  },
  key_expiring: {
    label: "A key is about to expire",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: { ...SAMPLE, expiresAt: "2026-12-01T09:30:00.000Z", days: 7 },
    write: ({ keyId, keyName, expiresAt, days }) => ({
      subject: `The key “${keyName}” expires in ${days === 1 ? "a day" : `${days} days`}`,
      intro: `The key “${keyName}” expires on ${formatDateTime(new Date(expiresAt))} UTC. From then on, its requests are refused. See what uses it`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms: "The expiry of a key cannot be changed. Create another key, and replace this one before it expires.",
    }),
  },
}

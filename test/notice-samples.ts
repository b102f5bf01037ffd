import type { NoticeFacts } from "@/lib/server/mail/notices"

const key = { keyId: "key_01k3tfa2c4e6g8j0m2p4r6t8v0", keyName: "Production" }
const person = { userId: "usr_01k3tfa2c4e6g8j0m2p4r6t8v0", email: "grace@example.com" }
const act = { byUserId: "usr_01k3tfa2c4e6g8j0m2p4r6t8v1", by: "ada@example.com" }

/** Facts of each kind of mail. The types make it complete. */
export const NOTICE_SAMPLES: NoticeFacts = {
  balance_low: { balanceUsd: "4.500000000000", thresholdUsd: "5.000000000000" },
  balance_negative: { balanceUsd: "-2.000000000000" },
  topup_paid: { amountUsd: "25.000000000000", balanceUsd: "29.500000000000" },
  topup_refunded: { amountUsd: "25.000000000000" },
  topup_disputed: { amountUsd: "25.000000000000" },
  auto_topup_done: { amountUsd: "25.000000000000", balanceUsd: "29.500000000000" },
  auto_topup_failed: { amountUsd: "25.000000000000", reason: "authentication", brand: "visa", last4: "3184" },
  auto_topup_paused: { reason: "cap", capUsd: "100.000000000000" },
  auto_topup_ended: { reason: "owner_left" },
  key_near_limit: { ...key, limitUsd: "10.000000000000", period: "lifetime" },
  key_limit_reached: { ...key, limitUsd: "10.000000000000", period: "daily" },
  key_created: key,
  key_expiring: { ...key, expiresAt: "2026-12-01T09:30:00.000Z", days: 7 },
  member_joined: { ...person, role: "developer" },
  member_role: { ...person, ...act, isYou: false, role: "billing" },
  ownership_transferred: { ...person, ...act, isYou: true, card: "charged" },
  browser_new: { browser: "Firefox on Linux", at: "2026-11-22T09:30:00.000Z" },
  alias_moving: {
    alias: "svc-decider-latest",
    from: "svc-decider-4b-v1-1-api-1",
    to: "svc-decider-8b-v2-0-api-1",
    on: "2026-12-01",
  },
}

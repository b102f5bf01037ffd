import { ASK_FOR_CREDIT } from "@/lib/shared/billing/ask-for-credit"
import type { ErrorCode } from "@/lib/shared/errors"
import { formatExactUsd, formatSpan } from "@/lib/shared/format"
import type { Refusal } from "./read-outcome"

export type Step =
  | "fix_field"
  | "shorten"
  | "top_up"
  | "other_key"
  | "create_key"
  | "other_model"
  | "wait"
  | "run_again"
  | "sign_in"
  | "reload"

export interface Description {
  title: string
  advice: string
  /** The best step first. */
  steps: Step[]
}

function describeBalance(
  { required_usd, available_usd, topup_url }: Refusal,
  _now: Date,
  mayPay: boolean,
): Description {
  const amounts =
    required_usd && available_usd
      ? `This request needs up to ${formatExactUsd(required_usd)}. Your available balance is ${formatExactUsd(available_usd)}. `
      : ""
  const title = "Your balance is too low"
  if (topup_url && !mayPay) return { title, advice: `${amounts}${ASK_FOR_CREDIT} Then run again.`, steps: [] }
  const advice = topup_url
    ? `${amounts}Top up, come back and run again.`
    : `${amounts}Top-ups are off on this server. Ask its operator for credit, or shorten the request.`
  return { title, advice, steps: ["top_up"] }
}

function describeKeyLimit({ limit_usd, resets_at }: Refusal, now: Date): Description {
  const limit = limit_usd ? ` of ${formatExactUsd(limit_usd)}` : ""
  const steps: Step[] = ["other_key", "create_key"]
  if (!resets_at)
    return {
      title: `Lifetime limit${limit} reached`,
      advice: "This key cannot pay for the request. Charge another key, or create one.",
      steps,
    }
  const resumesIn = formatSpan(Date.parse(resets_at) - now.getTime())
  return {
    title: `Daily limit${limit} reached`,
    advice: `The limit resets at ${resets_at.slice(11, 16)} UTC, in ${resumesIn}. Until then, charge another key.`,
    steps,
  }
}

function describeInvalidRequest({ message, param }: Refusal): Description {
  if (param !== undefined)
    return { title: "The request is invalid", advice: `${message} Nothing was charged.`, steps: ["fix_field"] }
  return {
    title: "The model cannot process this input",
    advice: "The state and a question are probably too long together. Shorten the state. Nothing was charged.",
    steps: ["shorten", "other_model"],
  }
}

const describeRetired = ({ replacement_model }: Refusal): Description => ({
  title: "This model is retired",
  advice: replacement_model
    ? `Its replacement is ${replacement_model}. Probabilities of different models are not comparable: check your thresholds.`
    : "It has no replacement. Choose another model below.",
  steps: ["other_model"],
})

const UNUSABLE_KEY: Description = {
  title: "This key can no longer be used",
  advice: "It is paused, revoked or expired. Choose another key under “Charge to”.",
  steps: ["other_key"],
}

/**
 * One entry per error code, for people in the console. The advice for API clients is in `lib/shared/errors.ts`. Never
 * contains anything of the request.
 */
const DESCRIPTIONS: Record<ErrorCode, Description | ((refusal: Refusal, now: Date, mayPay: boolean) => Description)> = {
  invalid_request: describeInvalidRequest,
  invalid_model: { title: "Unknown model", advice: "Choose another model below.", steps: ["other_model"] },
  invalid_api_key: UNUSABLE_KEY,
  // The playground sends the key's id. A key that is paused, revoked or expired is not found by it.
  not_found: UNUSABLE_KEY,
  insufficient_balance: describeBalance,
  key_limit_reached: describeKeyLimit,
  model_retired: describeRetired,
  request_too_large: {
    title: "The request is too large",
    advice: "It exceeds the model's size limit. Shorten the state.",
    steps: ["shorten", "other_model"],
  },
  rate_limited: {
    title: "Too many requests",
    advice: "You reached the rate limit of this key or account.",
    steps: ["wait"],
  },
  capacity_exceeded: {
    title: "The model is at capacity",
    advice: "This is not your rate limit. Nothing was charged. Wait a moment, or choose another model.",
    steps: ["wait", "other_model"],
  },
  internal_error: {
    title: "Something went wrong on the server",
    advice: "Nothing was charged. Run again in a moment.",
    steps: ["run_again"],
  },
  upstream_error: {
    title: "The model returned an invalid response",
    advice: "Nothing was charged. Run again, or choose another model.",
    steps: ["run_again", "other_model"],
  },
  model_unavailable: {
    title: "The model is unavailable",
    advice: "Nothing was charged, and no other model answers instead. Run again in a moment, or choose another model.",
    steps: ["run_again", "other_model"],
  },
  upstream_timeout: {
    title: "The model did not answer in time",
    advice: "Nothing was charged. Run again, shorten the state, or choose another model.",
    steps: ["run_again", "shorten", "other_model"],
  },
  signed_out: {
    title: "You are signed out",
    advice: "Sign in to continue.",
    steps: ["sign_in"],
  },
  confirmation_required: {
    title: "Confirm that it is you",
    advice: "Open the confirmation that we mail you, or sign in again, to continue.",
    steps: ["sign_in"],
  },
  account_switched: {
    title: "You switched to another account",
    advice: "Nothing was run or charged. Reload the page to continue in that account.",
    steps: ["reload"],
  },
  // The message names the roles that may, or the console's address.
  forbidden: ({ message }) => ({
    title: "You cannot run this request here",
    advice: `${message} Nothing was charged.`,
    steps: ["reload"],
  }),
  precondition_failed: {
    title: "This was changed meanwhile",
    advice: "Nothing was done. Reload the page.",
    steps: ["reload"],
  },
  method_not_allowed: {
    title: "This page is out of date",
    advice: "The server was updated. Reload the page.",
    steps: ["reload"],
  },
}

/** `mayPay` says whether the user's role may add credit. */
export function describeRefusal(refusal: Refusal, now: Date, mayPay = true): Description {
  // `unreadable` is none of the API's codes.
  const known = Object.hasOwn(DESCRIPTIONS, refusal.code) ? DESCRIPTIONS[refusal.code as ErrorCode] : null
  if (known === null) return { title: "The request failed", advice: refusal.message, steps: ["run_again"] }
  return typeof known === "function" ? known(refusal, now, mayPay) : known
}

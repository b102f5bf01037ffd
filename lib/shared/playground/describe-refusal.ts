import { formatExactUsd, formatSpan } from "@/lib/shared/format"
import type { Refusal } from "./read-outcome"

/** What helps next; the console knows a button for each. */
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
  /** What happened. */
  title: string
  /** Why, and what to do next. */
  advice: string
  /** The way on first, then what else may help. */
  steps: Step[]
}

function balance({ required_usd, available_usd, topup_url }: Refusal): Description {
  const amounts =
    required_usd && available_usd
      ? `This request sets aside ${formatExactUsd(required_usd)}; ${formatExactUsd(available_usd)} is available. `
      : ""
  const advice = topup_url
    ? `${amounts}Top up with enough already chosen, come back, and run again: what you typed is kept.`
    : `${amounts}Top-ups are off on this server; its operator can add credit. A shorter request needs less.`
  return { title: "The balance is too low", advice, steps: ["top_up"] }
}

function keyLimit({ limit_usd, resets_at }: Refusal, now: Date): Description {
  const limit = limit_usd ? ` of ${formatExactUsd(limit_usd)}` : ""
  if (!resets_at)
    return {
      title: `Lifetime limit${limit} reached`,
      advice: "This key cannot pay for the request any more. Spend as another key, or create a new one.",
      steps: ["other_key", "create_key"],
    }
  const clock = resets_at.slice(11, 16)
  return {
    title: `Daily limit${limit} reached`,
    advice: `Requests resume at ${clock} UTC, in ${formatSpan(Date.parse(resets_at) - now.getTime())}. Until then spend as another key.`,
    steps: ["other_key", "create_key"],
  }
}

const KEY_GONE: Description = {
  title: "The chosen key can no longer be used",
  advice: "It was revoked or has expired. Choose another under Spends as.",
  steps: ["other_key"],
}

const FIXED: Record<string, Description> = {
  invalid_model: {
    title: "There is no such model",
    advice: "Choose another model below.",
    steps: ["other_model"],
  },
  invalid_api_key: KEY_GONE,
  // The playground names its key by id, so one that was revoked or has expired is not found.
  not_found: KEY_GONE,
  request_too_large: {
    title: "The request is too large",
    advice: "The model takes fewer bytes than this. Shorten the state.",
    steps: ["shorten", "other_model"],
  },
  rate_limited: {
    title: "Too many requests",
    advice: "The rate limit of the key or the account is used up for this second.",
    steps: ["wait"],
  },
  capacity_exceeded: {
    title: "The model is at capacity",
    advice: "This is not your own limit. Nothing was charged. Wait a moment, or choose another model.",
    steps: ["wait", "other_model"],
  },
  internal_error: {
    title: "Something failed on our side",
    advice: "Nothing was charged. Run again in a moment.",
    steps: ["run_again"],
  },
  upstream_error: {
    title: "The model gave an invalid answer",
    advice: "Nothing was charged. Run again, or choose another model.",
    steps: ["run_again", "other_model"],
  },
  model_unavailable: {
    title: "The model is not available",
    advice: "Nothing was charged. No other model ever answers in its place: run again in a moment, or choose another.",
    steps: ["run_again", "other_model"],
  },
  upstream_timeout: {
    title: "The model did not answer in time",
    advice: "Nothing was charged. Run again, shorten the state, or choose another model.",
    steps: ["run_again", "shorten", "other_model"],
  },
  signed_out: {
    title: "You are signed out",
    advice: "What you typed is kept in this browser. Sign in again to go on.",
    steps: ["sign_in"],
  },
  forbidden: {
    title: "This page may not run requests",
    advice: "It was opened under another address than the console's own. Load it again from there.",
    steps: ["reload"],
  },
}

/** An error of the API in the console's words. Nothing of the request is in them. */
export function describeRefusal(refusal: Refusal, now: Date): Description {
  const { code, message, param, replacement_model } = refusal
  if (code === "insufficient_balance") return balance(refusal)
  if (code === "key_limit_reached") return keyLimit(refusal, now)
  if (code === "model_retired")
    return {
      title: "This model is retired",
      advice: replacement_model
        ? `Its successor is ${replacement_model}. Its probabilities are not comparable: check thresholds again.`
        : "It has no successor. Choose another model below.",
      steps: ["other_model"],
    }
  if (code === "invalid_request" && param === undefined)
    return {
      title: "The model cannot take this input",
      advice: "State and question together are usually too long. Shorten the state. Nothing was charged.",
      steps: ["shorten", "other_model"],
    }
  if (code === "invalid_request")
    return { title: "The request was refused", advice: `${message} Nothing was charged.`, steps: ["fix_field"] }
  return FIXED[code] ?? { title: "The request was refused", advice: message, steps: ["run_again"] }
}

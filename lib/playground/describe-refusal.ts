import { formatSpan } from "../format-span"
import { displayUsd } from "../money"
import type { Refusal } from "./read-outcome"

export interface Description {
  /** What happened. */
  title: string
  /** Why, and what to do next. */
  advice: string
}

function balance({ required_usd, available_usd }: Refusal): Description {
  const amounts =
    required_usd && available_usd
      ? `This request sets aside ${displayUsd(required_usd)}; ${displayUsd(available_usd)} is available. `
      : ""
  return { title: "The balance is too low", advice: `${amounts}Top up, or send a shorter request.` }
}

function keyLimit({ limit_usd, resets_at }: Refusal, now: Date): Description {
  const limit = limit_usd ? ` of ${displayUsd(limit_usd)}` : ""
  if (!resets_at)
    return {
      title: `Lifetime limit${limit} reached`,
      advice: "Spend as another key, or create a new one under API keys.",
    }
  const clock = resets_at.slice(11, 16)
  return {
    title: `Daily limit${limit} reached`,
    advice: `Requests resume at ${clock} UTC, in ${formatSpan(Date.parse(resets_at) - now.getTime())}.`,
  }
}

const KEY_GONE: Description = {
  title: "The chosen key can no longer be used",
  advice: "It was revoked or has expired. Choose another under Spends as.",
}

const FIXED: Record<string, Description> = {
  invalid_model: { title: "There is no such model", advice: "Choose another model below." },
  invalid_api_key: KEY_GONE,
  // The playground names its key by id, so one that was revoked or has expired is not found.
  not_found: KEY_GONE,
  request_too_large: { title: "The request is too large", advice: "Shorten the state." },
  rate_limited: {
    title: "Too many requests",
    advice: "The rate limit of the key or the account is used up for this second.",
  },
  capacity_exceeded: {
    title: "The model is at capacity",
    advice: "This is not your own limit. Wait a moment, then run again.",
  },
  internal_error: { title: "Something failed on our side", advice: "Nothing was charged. Run again in a moment." },
  upstream_error: {
    title: "The model gave an invalid answer",
    advice: "Nothing was charged. Run again, or choose another model.",
  },
  model_unavailable: {
    title: "The model is not available",
    advice: "Nothing was charged. Run again in a moment, or choose another model.",
  },
  upstream_timeout: {
    title: "The model did not answer in time",
    advice: "Nothing was charged. Run again, or shorten the request.",
  },
  signed_out: {
    title: "You are signed out",
    advice: "What you typed is kept in this browser. Sign in again to go on.",
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
      advice: replacement_model ? `Its successor is ${replacement_model}.` : "Choose another model below.",
    }
  if (code === "invalid_request" && param === undefined)
    return {
      title: "The model cannot take this input",
      advice: "State and question together are usually too long. Shorten the state.",
    }
  return FIXED[code] ?? { title: "The request was refused", advice: message }
}

import { isMembers, type Members } from "@/questions/engine-wire"
import type { Finding, ProbeResult } from "../engine"
import { FIXED_PROMPT_TOKENS } from "../token-count"
import { MARKS_UNKNOWN, NO_MARKS_FOUND } from "./control-marks"
import type { Profile } from "./family"
import type { ReadLength } from "./read-length"
import type { StateForm } from "./state-form"

/** The most tokens that a prompt may have besides the counted texts: some models label each of 255 options with four. */
const PROMPT_TOKENS = FIXED_PROMPT_TOKENS + 255 * 4 + 512

/**
 * Returns the context of one slot, in tokens, that llama.cpp's `/props` or an entry in the list of models reports. Undefined when
 * neither does.
 */
export function contextOf(props: Members, listed: Members): number | undefined {
  const settings = props.default_generation_settings
  const tokens = isMembers(settings) ? settings.n_ctx : listed.max_model_len
  return typeof tokens === "number" ? tokens : undefined
}

function reading({ family, reading: found }: Profile): Finding {
  const name = "questions"
  if (!family.isExplored) return { name, value: "one per call", meaning: "Each question is asked in its own call." }
  if (!found) return { name, value: "unknown", meaning: "One question per call until a probe finds out." }
  if (!found.readsApart)
    return {
      name,
      value: "read together, or unclear",
      meaning: "One per call, because an answer must not depend on other questions.",
    }
  const twice = found.readsPerChoice > 1 ? " Each choice is read in both orders." : ""
  return { name, value: "read apart", meaning: `Questions share a call and its reading of the state.${twice}` }
}

function context(tokens: number | null, { inputLimit, reads }: Known): Finding {
  const name = "context"
  if (tokens === null) return { name, ...readsOf(reads) }
  const needed = inputLimit === null ? 0 : inputLimit + PROMPT_TOKENS
  const meaning =
    tokens < needed ? `Too small for the published limit with 255 options: give each slot ${needed} tokens.` : "Enough."
  return { name, value: `${tokens} tokens`, meaning }
}

/** Describes the context of an engine that does not report it. */
function readsOf(reads: ReadLength | null): Omit<Finding, "name"> {
  if (reads === null)
    return {
      value: "unknown",
      meaning:
        "The engine may cut long input without saying so. Later probes try to find out. Until then, do not charge.",
    }
  if (reads === "all")
    return { value: "not reported", meaning: "A probe found no text up to the published limit that the engine cuts." }
  return {
    value: `${reads} tokens`,
    meaning:
      "The engine cuts longer input without saying so, so the service refuses it with 400. Without a tokenizer, each byte counts as one of these tokens.",
  }
}

const STATES: Record<StateForm, string> = {
  objects: "A state that is a plain object is sent as an object, as the model was trained. Billing is unchanged.",
  text: "A state that is an object or an array is sent as JSON text: the model was trained so, or that was unclear.",
}

/** Describes the control tokens that a text may not contain. */
function controlTokens(marks: string): Finding {
  const name = "control tokens"
  if (marks === NO_MARKS_FOUND) return { name, value: "none", meaning: "Only <|name|> is rewritten in clients' texts." }
  if (marks === MARKS_UNKNOWN)
    return {
      name,
      value: "unknown",
      meaning:
        "The engine does not distinguish control tokens from text. Only <|name|> is rewritten in clients' texts.",
    }
  return {
    name,
    value: marks,
    meaning: "Broken up in clients' texts by an invisible space, so that they are read as text. So is <|name|>.",
  }
}

const TOKENIZERS: Record<string, string> = {
  engine: "The engine's /tokenize counts.",
  "engine-prompt": "The engine's /tokenize counts before each hold.",
  "bytes-4": "The engine does not count. Every 4 bytes are one token.",
}

interface Known {
  contextTokens: number | null
  tokenizer: string | null
  inputLimit: number | null
  states: StateForm | null
  reads: ReadLength | null
  /** Null for an id whose texts are written without looking for control tokens. */
  marks: string | null
}

/** Returns what a probe found about an engine and what each finding means. For the operator. */
export function findingsOf(profile: Profile, { build, slots, facts }: ProbeResult, known: Known): Finding[] {
  const { states: _states, reads: _reads, marks: _marks, mass: _mass, ...pinned } = facts ?? {}
  const weights = Object.entries(pinned).map(([name, value]) => `${name} ${value}`)
  const tokenizer = known.tokenizer ?? "unknown"
  return [
    { name: "engine", value: profile.family.name, meaning: "Decides how requests are written and limits are learned." },
    reading(profile),
    ...(known.states ? [{ name: "states", value: known.states, meaning: STATES[known.states] }] : []),
    ...(known.marks === null ? [] : [controlTokens(known.marks)]),
    {
      name: "slots",
      value: slots === undefined ? "not reported" : String(slots),
      meaning: slots === undefined ? "16 calls run at once." : "How many prompts share one reading of the state.",
    },
    {
      name: "options",
      value: `up to ${profile.maxOptions}`,
      meaning: "Choices with more options are asked in groups.",
    },
    context(known.contextTokens ?? profile.cutsAtTokens, known),
    { name: "tokens", value: tokenizer, meaning: TOKENIZERS[tokenizer] ?? "The model's own tokenizer counts." },
    {
      name: "pin",
      value: [build ?? "no build", ...weights].join(", "),
      meaning: weights.length > 0 ? "Another build or other weights are 503." : "Another build is 503.",
    },
  ]
}

import { upstreamFailure } from "./failures"
import { membersOf } from "./family"
import { WireBody } from "./request-body"
import { NO_COUNTS } from "./tokenize"
import type { Transport } from "./transport"

/**
 * What llama.cpp takes for a control token when a vocabulary has it (`src/llama-vocab.cpp`), and such tokens of common
 * vocabularies. `<|name|>` is missing, because it is always rewritten.
 */
export const CANDIDATES: readonly string[] = [
  ...["</s>", "<s>", "<unk>", "<pad>", "<bos>", "<eos>", "<mask>", "<cls>", "<sep>"],
  ...["[EOS]", "[BOS]", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[INST]", "[/INST]", "[e~["],
  ...["<start_of_turn>", "<end_of_turn>", "<end_of_utterance>", "<turn|>", "<|turn>", "<|tool_response>"],
  ...["<EOT>", "_<EOT>", "[EOT]", "<PRE>", "▁<PRE>", "<SUF>", "▁<SUF>", "<MID>", "▁<MID>", "<PAD>", "<REPO>"],
  ...["<fim-prefix>", "<fim_prefix>", "<fim-suffix>", "<fim_suffix>", "<fim-middle>", "<fim_middle>"],
  ...["<fim-pad>", "<fim_pad>", "<fim-repo>", "<reponame>"],
  ...["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"],
  ...["<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"],
]

const PARALLEL = 8
/** The fact of an engine whose vocabulary has no candidate. */
export const NO_MARKS_FOUND = "none"
/** The fact of an engine whose `/tokenize` does not distinguish control tokens from text. */
export const MARKS_UNKNOWN = "unknown"

/** Returns the control tokens of a fact that `findMarks` returned. */
export const marksIn = (fact: string): string[] =>
  fact === NO_MARKS_FOUND || fact === MARKS_UNKNOWN ? [] : fact.split(" ")

/** Returns the ids of a text's tokens. Null when the engine has no `/tokenize` like llama.cpp's. */
async function idsOf(transport: Transport, text: string, isParsed: boolean, signal: AbortSignal) {
  const body = new WireBody([JSON.stringify({ content: text, add_special: false, parse_special: isParsed })])
  const response = await transport.call("POST", "/tokenize", body, signal)
  if (NO_COUNTS.includes(response.status)) return null
  if (response.status !== 200) throw upstreamFailure(response)
  const { tokens } = membersOf(response.text)
  return Array.isArray(tokens) ? JSON.stringify(tokens) : null
}

/** Returns whether a text has control tokens: it has other tokens when these are read. Null: see `idsOf`. */
async function hasControls(transport: Transport, text: string, signal: AbortSignal): Promise<boolean | null> {
  const [asText, asTokens] = [await idsOf(transport, text, false, signal), await idsOf(transport, text, true, signal)]
  return asText === null || asTokens === null ? null : asText !== asTokens
}

/**
 * Finds out which candidates an engine reads as control tokens, by its `/tokenize` with and without `parse_special`. Returns them
 * in one text, to be pinned. Throws `ServiceError` when the engine does not answer now.
 */
export async function findMarks(transport: Transport, signal: AbortSignal): Promise<string> {
  const hasAny = await hasControls(transport, CANDIDATES.join("\n"), signal)
  if (hasAny === null) return MARKS_UNKNOWN
  if (!hasAny) return NO_MARKS_FOUND
  const rest = [...CANDIDATES.entries()].reverse()
  const areMarks: boolean[] = []
  const worker = async () => {
    for (let next = rest.pop(); next; next = rest.pop()) {
      const [i, candidate] = next
      areMarks[i] = (await hasControls(transport, candidate, signal)) ?? false
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  return CANDIDATES.filter((_, i) => areMarks[i]).join(" ") || NO_MARKS_FOUND
}

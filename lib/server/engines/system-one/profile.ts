/** How one family of engines takes questions. What it takes less of is split, and what it refuses is written otherwise. */
export interface Profile {
  family: "llama.cpp" | "Ollama" | "System One"
  /** The most questions in one call. */
  questionsPerCall: number
  /** The most options of a choice in one call. */
  maxOptions: number
  /** Texts are strings alone, none of them blank, and names of options differ by more than case and white space. */
  isStrict: boolean
  /** A prompt of so many tokens may have been cut without a word; null where the engine refuses what is too long. */
  cutsAtTokens: number | null
}

/** `llama-server`: one question at a time until it has shown that it reads each by itself; what it says of options is learned. */
export const LLAMA_CPP: Profile = {
  family: "llama.cpp",
  questionsPerCall: 1,
  maxOptions: 255,
  isStrict: false,
  cutsAtTokens: null,
}

/** Ollama shows a model all questions of a call when it asks one of them, so a call has one. Candidates are letters. */
export const OLLAMA: Profile = {
  family: "Ollama",
  questionsPerCall: 1,
  maxOptions: 26,
  isStrict: true,
  cutsAtTokens: null,
}

/** Any other engine of the wire (SGLang, ollaya, a TypeSafe-compatible service): the strictest rules of them all. */
export const SYSTEM_ONE: Profile = {
  family: "System One",
  questionsPerCall: 1,
  maxOptions: 26,
  isStrict: true,
  cutsAtTokens: null,
}

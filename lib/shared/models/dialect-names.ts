/** The dialects that have model names of their own, with those of a first start. Each then means the alias. */
export const FIRST_NAMES = {
  systemone: ["jev-latest", "jev-preview", "jev-1.13.0", "jev-1.14.0"],
  openrouter: [
    "typesafe/jev-latest",
    "~typesafe/jev-latest",
    "typesafe/jev-1.13",
    "typesafe/jev-1.14",
    "openai/gpt-6-luna-decisions",
  ],
  openai: ["gpt-6-luna"],
} as const

export type DialectName = keyof typeof FIRST_NAMES

export const DIALECT_NAMES = Object.keys(FIRST_NAMES) as DialectName[]

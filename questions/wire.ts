import type { JsonText } from "@/lib/shared/json/text"

/** Part of an engine request: our own JSON, or a client's text sent as it came or, if `isQuoted`, as one JSON string. */
export type WirePart = string | { text: JsonText; isQuoted: boolean }

/** Writes a text as one engine accepts it. Null for a text that this engine treats as missing, such as an empty one. */
export type WriteText = (text: JsonText | null) => WirePart | null

/** Joins lists of parts with commas. */
export const joinParts = (lists: WirePart[][]): WirePart[] =>
  lists.flatMap((list, i) => (i === 0 ? list : [",", ...list]))

import { nearestLevel } from "@/lib/shared/nearest-level"

interface Reported {
  /** The average level that was answered; null unless the question is a score. */
  score: number | null
  /** 1 or 0 for true or false; the index of the level for a score. */
  outcome: number
}

/** Returns whether what was predicted happened. Of a score: whether the level is at most one from the rounded score. */
export const happened = ({ score, outcome }: Reported): boolean =>
  score === null ? outcome === 1 : Math.abs(outcome - nearestLevel(score)) <= 1

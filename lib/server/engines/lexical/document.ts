import type { Detector } from "./detectors"
import type { Features } from "./features"

/** The state of one request: its features, and what each detector found in it, looked for at most once. */
export class Document {
  readonly #found = new Map<Detector, number>()

  constructor(readonly features: Features) {}

  find(detector: Detector): number {
    const found = this.#found.get(detector) ?? detector.find(this.features)
    this.#found.set(detector, found)
    return found
  }
}

/** exp of each, normalised to sum 1. */
export function softmax(values: number[]): number[] {
  const high = Math.max(...values)
  const weights = values.map((value) => Math.exp(value - high))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

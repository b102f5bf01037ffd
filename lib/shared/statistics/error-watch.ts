import { EProcess, type SavedProcess } from "./e-process"

/** Logarithms of the odds ratios that bets assume, from 3% above 1 to 55: the error may be a little or far above the target. */
export const LOG_RATIOS = Array.from({ length: 16 }, (_, at) => 0.03 * (4 / 0.03) ** (at / 15))

/**
 * Tests the claim "each automatic answer is wrong with a probability of at most `target`" after each outcome. Probabilities may
 * change and depend on earlier outcomes. The bets are those of `errorSequence`. `target` is above 0.
 */
export class ErrorWatch {
  readonly #process: EProcess
  readonly #ifWrong: Float64Array
  readonly #ifRight: Float64Array

  constructor(target: number, saved?: SavedProcess) {
    this.#process = new EProcess(LOG_RATIOS.length, saved)
    this.#ifRight = Float64Array.from(LOG_RATIOS, (log) => 1 / (1 + target * Math.expm1(log)))
    this.#ifWrong = this.#ifRight.map((factor, bet) => factor * Math.exp(LOG_RATIOS[bet] ?? 0))
  }

  add(isWrong: boolean): void {
    this.#process.add(isWrong ? this.#ifWrong : this.#ifRight)
  }

  get saved(): SavedProcess {
    return this.#process.saved
  }

  /** How strongly the outcomes speak against the claim; 1 is not at all. */
  get evidence(): number {
    return this.#process.evidence
  }

  /** After how many outcomes the claim was first seen to be broken, 95% sure; null if it never was, or was before it was saved. */
  get alarmAt(): number | null {
    return this.#process.alarmAt
  }
}

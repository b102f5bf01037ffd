import type { Rewordings } from "../rewordings"
import type { ChoiceFields, OptionForm } from "./form"

/** Answers are read by the name of their option, so another order needs no restoring. */
const reordered = (least: number, order: (options: OptionForm[]) => OptionForm[]) => ({
  write: ({ options }: ChoiceFields) => (options.length < least ? null : { options: order(options) }),
})

const middle = (options: readonly unknown[]): number => Math.ceil(options.length / 2)

export const choiceRewordings: Rewordings<ChoiceFields> = {
  reversed: reordered(2, (options) => options.toReversed()),
  rotated: reordered(3, (options) => [...options.slice(middle(options)), ...options.slice(0, middle(options))]),
}

/** What a spreadsheet could take for a formula, in the wide forms too. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/

/** A text in quotes, so that no separator, quote or line break in it counts; one that looks like a formula is made plain text. */
export const csvText = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

/** Text pieces as a body that is read as fast as it is taken; whoever leaves early ends the reading. */
export function streamText(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await pieces.return(undefined)
    },
  })
}

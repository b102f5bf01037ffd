/** Matches a text that a spreadsheet could run as a formula, also with full-width characters. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/

/** Returns a text as a quoted CSV field. A text that looks like a formula is prefixed so that spreadsheets show it as text. */
export const csvText = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

/** Streams pieces of text as a response body. Each piece is generated when the client is ready for it. Stops when the client leaves. */
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

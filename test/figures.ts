/**
 * Prints what a test measured if `FIGURES` is set, so that anyone can repeat the figures of a document:
 * `FIGURES=1 npx vitest run lib/server/engines | grep figure:`.
 */
export function printFigure(name: string, value: number | object): void {
  if (process.env.FIGURES) process.stdout.write(`figure: ${name}: ${JSON.stringify(value)}\n`)
}

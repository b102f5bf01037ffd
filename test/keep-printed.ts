/** Returns a terminal for an operator command, and what the command prints on it. */
export function keepPrinted() {
  const printed = { out: "", err: "" }
  const terminal = {
    out: (text: string) => {
      printed.out += text
    },
    err: (text: string) => {
      printed.err += text
    },
  }
  return { terminal, printed }
}

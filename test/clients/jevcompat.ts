import { runPython } from "./run-client"

/** As its command does. The package cannot be run as a module. */
export const JEVCOMPAT = "import sys; from jevcompat.cli import main; sys.argv[0] = 'jevcompat'; main()"

/** Runs the conformance suite against a service. Returns its last line and the requirements that it says are not met. */
export async function jevcompat(packages: string, url: string, token: string) {
  const printed = await runPython(packages, ["-c", JEVCOMPAT, "test", url, "--key", token])
  const unmet = [...printed.matchAll(/✗ \w+ +(\S+)/g)].map(([, id = ""]) => id)
  return { verdict: printed.split("\n").at(-1) ?? "", unmet }
}

import type { InProcessOperator } from "./in-process-operator"

const VARIABLE = "E2E_OPERATOR"

/** Passes the path of the bundled operator on to Playwright's workers, which inherit this process's environment. */
export function provideOperator(file: string): void {
  process.env[VARIABLE] = file
}

/**
 * Returns the operator of a service. In Playwright it is one bundle, because transforming its sources would take seconds. Benchmarks
 * have no bundle and load the sources.
 */
export async function openOperator(settings: Record<string, string>): Promise<InProcessOperator> {
  const bundled = (await import(
    process.env[VARIABLE] ?? "./in-process-operator"
  )) as typeof import("./in-process-operator")
  return new bundled.InProcessOperator(settings)
}

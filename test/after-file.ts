const cleanUps: (() => unknown)[] = []

/** Runs `cleanUp` after the current test file, the latest first. Within `beforeAll` or a test, Vitest ignores `afterAll`. */
export const afterFile = (cleanUp: () => unknown): void => void cleanUps.push(cleanUp)

/** Runs what `afterFile` collected, also when some of it fails. Throws the first failure. */
export async function runCleanUps(): Promise<void> {
  const failures: unknown[] = []
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) {
    try {
      await next()
    } catch (failure) {
      failures.push(failure)
    }
  }
  if (failures.length > 0) throw failures[0]
}

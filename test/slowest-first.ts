import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Starts the property tests first, so that none of them runs alone at the end while the other worker is idle. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.endsWith(".property.test.ts")
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

import { BaseSequencer, type TestSpecification } from "vitest/node"

const ORDER = ["shared", "isolated"]

/**
 * Sorts by project, so that a worker is seldom replaced. The property tests are first, because each takes long and none should
 * run alone at the end.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const position = ({ project, moduleId }: TestSpecification) =>
      moduleId.endsWith(".property.test.ts") ? -1 : ORDER.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => position(a) - position(b))
  }
}

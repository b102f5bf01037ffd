/** A model in a repository of a hub: `hf:OWNER/REPO`, and after it `@COMMIT`, `:FILE.gguf` or both. */
export interface HubSource {
  repository: string
  /** 40 hexadecimal digits. Null: the branch main decides once. */
  commit: string | null
  file: string | null
}

const HUB_SOURCE = /^hf:([\w.-]+\/[\w.-]+)(?:@([0-9a-f]{40}))?(?::([\w. /-]+\.gguf))?$/
const DOTS = /(?:^hf:|[/:])\.\.?(?:[/:@]|$)/

/** Returns the parts of a hub's source. Null for any other text. */
export function parseHubSource(source: string): HubSource | null {
  const [, repository, commit = null, file = null] = HUB_SOURCE.exec(source) ?? []
  return repository === undefined || DOTS.test(source) ? null : { repository, commit, file }
}

export const hubSourceText = ({ repository, commit, file }: HubSource): string =>
  `hf:${repository}${commit === null ? "" : `@${commit}`}${file === null ? "" : `:${file}`}`

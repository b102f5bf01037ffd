/** Longer prompts than any pinned model reads are not kept: that would take the double seconds. */
const MOST_TOKENS = 20_000

interface Node {
  next: Map<string, Node>
}

/** Prompts that were read to their end: how many tokens an engine that keeps them has to compute for the next ones. */
export class PrefixCache {
  readonly #root: Node = { next: new Map() }
  /** Tokens that were read anew. */
  computed = 0
  /** Tokens that no earlier prompt began with: what a perfect cache would read. */
  unique = 0

  /** Counts what must be computed of a prompt now. */
  begin(tokens: string[]): void {
    let node: Node | undefined = this.#root
    let known = 0
    for (const token of tokens) {
      node = node.next.get(token)
      if (!node) break
      known++
    }
    this.computed += tokens.length - known
  }

  /** Keeps a prompt: only what has been answered can be shared. */
  end(tokens: string[]): void {
    if (tokens.length > MOST_TOKENS) return
    let node = this.#root
    for (const token of tokens) {
      let next = node.next.get(token)
      if (!next) {
        next = { next: new Map() }
        node.next.set(token, next)
        this.unique++
      }
      node = next
    }
  }
}

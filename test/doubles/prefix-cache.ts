/** Longer prompts are not cached, because caching them would take seconds. */
const MAX_TOKENS = 20_000

interface Node {
  next: Map<string, Node>
}

/** A prefix cache of completed prompts. Measures how many tokens an engine has to compute for later ones. */
export class PrefixCache {
  readonly #root: Node = { next: new Map() }
  computed = 0
  /** Tokens that a perfect cache would have to compute. */
  unique = 0

  /** Returns how many tokens of a prompt, from its beginning, were computed before. */
  known(tokens: string[]): number {
    let node: Node | undefined = this.#root
    let known = 0
    for (const token of tokens) {
      node = node.next.get(token)
      if (!node) break
      known++
    }
    return known
  }

  begin(tokens: string[]): void {
    this.computed += tokens.length - this.known(tokens)
  }

  end(tokens: string[]): void {
    if (tokens.length > MAX_TOKENS) return
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

/** How many of an engine's slots this process uses. One request sees its own use and that of all others. */
export class SlotUse {
  #used = 0

  /** Returns the view of one request. */
  ofRequest(): RequestSlots {
    let own = 0
    return {
      room: (slots) => Math.max(Math.ceil(slots / 2), slots - (this.#used - own)),
      use: (slots) => {
        own += slots
        this.#used += slots
        return () => {
          own -= slots
          this.#used -= slots
        }
      },
    }
  }
}

export interface RequestSlots {
  /**
   * Returns how many slots a request's next call may need. llama.cpp starts the prompts of a call when a slot is free for
   * each, so calls that need all slots would never start beside a steady load of small ones. Half of the slots is the
   * least: smaller calls would read the state more often.
   */
  room(slots: number): number
  /** Records a call. Returns the function that ends it. */
  use(slots: number): () => void
}
